// SPDX-License-Identifier: Apache-2.0

import BLECapture
import BLEHCI
import BLEWire

/// Writes every packet that passes into a btsnoop file, which Wireshark and tshark read.
///
/// Each packet is in the file before it goes on. A file that cannot be written any more (a full disk) ends
/// the capture, not the connection.
public actor CapturingTransport: OctetTransport {
    private let base: any OctetTransport
    private let file: CaptureFile
    private var fromHost = HCI.H4Framer()
    private var fromController = HCI.H4Framer()
    private var writer = BTSnoop.Writer()

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - base: The transport.
    ///   - file: Where to write; several transports, one after the other, may share it.
    public init(_ base: any OctetTransport, into file: CaptureFile) {
        self.base = base
        self.file = file
        // The file has its header already.
        _ = writer.take()
    }

    /// Sends octets and records the packets in them.
    public func send(_ octets: [UInt8]) async throws(TransportError) {
        fromHost.receive(octets)
        while let packet = Self.next(&fromHost) { record(packet, .toController) }
        file.write(writer.take())
        try await base.send(octets)
    }

    /// Waits for octets and records the packets in them.
    public func receive() async throws(TransportError) -> [UInt8]? {
        guard let octets = try await base.receive() else { return nil }
        fromController.receive(octets)
        while let packet = Self.next(&fromController) { record(packet, .toHost) }
        file.write(writer.take())
        return octets
    }

    /// Closes the transport; the file stays open for the next one.
    public func close() async { await base.close() }

    private func record(_ packet: HCI.Packet, _ direction: BTSnoop.Direction) {
        writer.append(
            BTSnoop.Record(
                direction: direction, unixMicroseconds: CaptureFile.unixMicroseconds(), packet: packet.octets)
        )
    }

    /// The next packet; a stream that has lost its sync is not recorded any more.
    private static func next(_ framer: inout HCI.H4Framer) -> HCI.Packet? {
        do throws(HCI.FramingError) { return try framer.nextPacket() } catch { return nil }
    }
}
