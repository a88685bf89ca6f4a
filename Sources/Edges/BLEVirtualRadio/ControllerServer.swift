// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
public import BLETransport

/// One controller of a virtual radio behind a TCP port: any HCI host may attach, one at a time.
///
/// A host that vanishes drops its links, and the next one finds a controller that has been reset. One that
/// comes while another is attached waits until that has gone.
public struct ControllerServer: Sendable {
    /// What happens at the port.
    public enum Event: Hashable, Sendable {
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

    /// Events that wait for an observer before the oldest are dropped.
    static let eventLimit = 256

    private let radio: VirtualRadio
    private let controller: VirtualAir.ControllerID
    private let listener: TCPListener

    /// Makes a server; it begins with ``run(_:)``.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - radio: The air that it is on.
    ///   - listener: Where hosts come from; on the loop of the air.
    public init(_ controller: VirtualAir.ControllerID, of radio: VirtualRadio, on listener: TCPListener) {
        precondition(listener.loop === radio.loop, "hosts are on the loop of their air")
        self.radio = radio
        self.controller = controller
        self.listener = listener
    }

    /// Serves hosts until the listener is closed or the task is cancelled.
    ///
    /// - Parameter observer: Called with what happens, in order. No host waits for it: of what it does not take, 256 events
    ///   wait before the oldest are dropped. The call returns once it was called with everything else.
    public func run(_ observer: @escaping @Sendable (Event) async -> Void) async {
        let (events, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(Self.eventLimit))
        // Not cancelled with this: it still reports how the last host went.
        let observing = Task { for await event in events { await observer(event) } }
        // On the loop, so that hosts are served though observers block every thread that there is for tasks.
        await withTaskExecutorPreference(radio.loop) { await serve(continuation) }
        continuation.finish()
        await observing.value
    }

    private func serve(_ continuation: AsyncStream<Event>.Continuation) async {
        while let client = await listener.next() {
            continuation.yield(.attached(client.name))
            let departure = await carry(client.transport)
            continuation.yield(.detached(departure))
        }
    }

    /// Lets a host use the controller until it has gone or the task is cancelled.
    private func carry(_ host: any MeasuredTransport) async -> Departure {
        let departure = await withTaskCancellationHandler {
            await radio.carry(host, at: controller)
        } onCancel: {
            host.close()
        }
        if departure == .cutOff { return .cutOff }
        return Task.isCancelled ? .ended : .left
    }
}
