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
    package init(_ descriptor: CInt, on loop: TransportLoop, isPacketBased: Bool = false) {
        prepareDescriptor(descriptor)
        self.loop = loop
        link = DescriptorLink(descriptor, loop.core, isPacketBased)
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
