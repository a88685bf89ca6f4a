// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
public import BLETransport

/// One controller of a virtual radio behind a TCP port: any HCI host may attach, one at a time.
///
/// A host that vanishes drops its links, and the next one finds a controller that has been reset. One that
/// comes while another is attached waits until that has gone.
public struct ControllerServer: Sendable {
    /// What happens at the port.
    public enum News: Hashable, Sendable {
        /// A host has attached; the text says where it comes from.
        case attached(String)
        /// The host has gone.
        case detached(Departure)
    }

    /// Why a host is there no more.
    public enum Departure: Hashable, Sendable {
        /// It has closed the connection, or the connection was lost.
        case left
        /// It was cut off, because it did not take what its controller sent.
        case cutOff
        /// The server has ended.
        case ended
    }

    private let radio: VirtualRadio
    private let controller: VirtualAir.ControllerID
    private let listener: TCPListener

    /// Makes a server; it begins with ``run(_:)``.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - radio: The air that it is on.
    ///   - listener: Where hosts come from.
    public init(_ controller: VirtualAir.ControllerID, of radio: VirtualRadio, on listener: TCPListener) {
        self.radio = radio
        self.controller = controller
        self.listener = listener
    }

    /// Serves hosts until the listener is closed or the task is cancelled.
    ///
    /// - Parameter observer: Told what happens, in order.
    public func run(_ observer: @Sendable (News) -> Void) async {
        while let client = await listener.next() {
            let attachment = await radio.attach(to: controller)
            observer(.attached(client.name))
            let departure = await carry(client.transport, attachment)
            observer(.detached(departure))
        }
    }

    /// Carries octets both ways until one side is gone; then both are.
    private func carry(
        _ host: any OctetTransport, _ attachment: VirtualRadio.Attachment
    ) async -> ControllerServer.Departure {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await carryDown(host, attachment) }
            group.addTask { await carryUp(host, attachment) }
            await withTaskCancellationHandler {
                await group.next()
            } onCancel: {
                Task { await host.close() }
            }
            let wasAttached = await radio.detach(attachment)
            await host.close()
            await group.waitForAll()
            if Task.isCancelled { return .ended }
            return wasAttached ? .left : .cutOff
        }
    }

    /// From the host, in pieces whose answers are within bounds.
    private func carryDown(_ host: any OctetTransport, _ attachment: VirtualRadio.Attachment) async {
        do throws(TransportError) {
            while let octets = try await host.receive() {
                for start in stride(from: 0, to: octets.count, by: 4096) {
                    await radio.waitForRoom(attachment)
                    let piece = octets[start..<min(start + 4096, octets.count)]
                    try await radio.send(Array(piece), from: attachment)
                }
            }
        } catch {
            // Either side is gone, which is how this ends.
        }
    }

    /// To the host.
    private func carryUp(_ host: any OctetTransport, _ attachment: VirtualRadio.Attachment) async {
        do throws(TransportError) {
            while let octets = await radio.receive(attachment) { try await host.send(octets) }
        } catch {
            // As above.
        }
    }
}
