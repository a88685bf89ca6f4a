// SPDX-License-Identifier: Apache-2.0

/// A transport whose owner can see how much waits to go out.
package protocol MeasuredTransport: Transport {
    /// Octets that were sent and have not gone yet; on the loop.
    var waitingCount: Int { get }

    /// Has something called on the loop each time that everything has gone after more than 64 KiB waited.
    func whenGone(_ body: @escaping @Sendable () -> Void)
}

/// Octets over a descriptor: a connection, a serial port or a socket of packets.
///
/// This is the owner's end; the loop holds the ``DescriptorLink``.
package final class DescriptorTransport: MeasuredTransport {
    package let loop: TransportLoop
    private let link: DescriptorLink

    /// Takes a descriptor over; it is closed with the transport.
    ///
    /// - Parameters:
    ///   - descriptor: An open descriptor.
    ///   - loop: The loop that it is watched by.
    ///   - isPacketBased: Whether each read and write of it is a packet.
    ///   - hangUp: What it means that the other side is gone.
    package init(
        _ descriptor: CInt, on loop: TransportLoop, isPacketBased: Bool = false,
        hangUp: TransportError = .lost("the other side has closed it")
    ) {
        prepareDescriptor(descriptor)
        self.loop = loop
        link = DescriptorLink(descriptor, loop.core, isPacketBased, hangUp)
    }

    /// Opens an adapter of this machine, or the first that can be used.
    ///
    /// The kernel may take seconds to switch it on: that is waited for on a thread of its own.
    static func open(_ number: Int?, on loop: TransportLoop) async throws(TransportError)
        -> DescriptorTransport
    {
        let result: Result<(descriptor: CInt, number: Int), TransportError>
        result = await withCheckedContinuation { waiter in
            do throws(TransportError) {
                try startThread {
                    do throws(AdapterError) {
                        waiter.resume(returning: .success(try Adapter.open(number)))
                    } catch {
                        waiter.resume(returning: .failure(.adapter(error)))
                    }
                }
            } catch {
                waiter.resume(returning: .failure(error))
            }
        }
        let (descriptor, number) = try result.get()
        return DescriptorTransport(
            descriptor, on: loop, isPacketBased: true, hangUp: .adapter(.unplugged(number)))
    }

    deinit { link.close() }

    package var isPacketBased: Bool { link.isPacketBased }
    package var waitingCount: Int { link.waitingCount }
    package func whenGone(_ body: @escaping @Sendable () -> Void) { link.whenGone(body) }
    package func start(_ receiver: @escaping @Sendable (TransportInput) -> Void) { link.start(receiver) }
    package func send(_ octets: [UInt8]) { link.send(octets) }
    package func close() { link.close() }

    /// Closes something else with the transport, at once if that has ended.
    func whenEnded(_ body: @escaping @Sendable () -> Void) { link.whenEnded(body) }
}
