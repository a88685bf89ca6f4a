// SPDX-License-Identifier: Apache-2.0

import BLECapture
import BLEHCI
import BLEWire
import Synchronization

/// Writes every packet that passes into a btsnoop file, which Wireshark and tshark read.
///
/// Each packet is in the file before what follows it goes on. A file that cannot be written any more (a full
/// disk) ends the capture, not the connection.
public final class CapturingTransport: OctetTransport {
    private struct State: ~Copyable {
        var fromHost = HCI.H4Framer()
        var fromController = HCI.H4Framer()
        var writer = BTSnoop.Writer()
    }

    private let base: any OctetTransport
    private let file: CaptureFile
    private let state: Mutex<State>

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - base: The transport.
    ///   - file: Where to write; several transports, one after the other, may share it.
    public init(_ base: any OctetTransport, into file: CaptureFile) {
        self.base = base
        self.file = file
        var state = State()
        // The file has its header already.
        _ = state.writer.take()
        self.state = Mutex(state)
    }

    /// Where octets arrive.
    public var executor: (any TaskExecutor)? { base.executor }

    /// Sends octets and records the packets in them.
    public func send(_ octets: [UInt8]) async throws(TransportError) {
        state.withLock { record(octets, &$0.fromHost, .toController, &$0.writer) }
        try await base.send(octets)
    }

    /// Sends octets without waiting, if the transport can do that, and records the packets in them.
    public func post(_ octets: [UInt8]) -> Bool {
        state.withLock { state in
            // The lock keeps an answer from being recorded first.
            guard base.post(octets) else { return false }
            record(octets, &state.fromHost, .toController, &state.writer)
            return true
        }
    }

    /// Waits for octets and records the packets in them.
    public nonisolated(nonsending) func receive() async throws(TransportError) -> [UInt8]? {
        guard let octets = try await base.receive() else { return nil }
        state.withLock { record(octets, &$0.fromController, .toHost, &$0.writer) }
        return octets
    }

    /// Closes the transport; the file stays open for the next one.
    public func close() async { await base.close() }

    private func record(
        _ octets: [UInt8], _ framer: inout HCI.H4Framer, _ direction: BTSnoop.Direction,
        _ writer: inout BTSnoop.Writer
    ) {
        framer.receive(octets)
        while let packet = Self.next(&framer) {
            let time = CaptureFile.unixMicroseconds()
            writer.append(
                BTSnoop.Record(direction: direction, unixMicroseconds: time, packet: packet.octets))
        }
        file.write(writer.take())
    }

    /// The next packet; a stream that has lost its sync is not recorded any more.
    private static func next(_ framer: inout HCI.H4Framer) -> HCI.Packet? {
        do throws(HCI.FramingError) { return try framer.nextPacket() } catch { return nil }
    }
}
