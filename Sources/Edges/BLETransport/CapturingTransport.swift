// SPDX-License-Identifier: Apache-2.0

import BLECapture
import BLEHCI
import BLEWire

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

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

    /// Makes the file and wraps a transport.
    ///
    /// - Parameters:
    ///   - base: The transport.
    ///   - path: Where to write; a file that is there is replaced.
    /// - Throws: ``TransportError/cannotOpen(_:)`` when the file cannot be made.
    public init(_ base: any OctetTransport, to path: String) throws(TransportError) {
        self.base = base
        file = try CaptureFile(path)
        file.write(writer.take())
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

    /// Closes the transport and the file.
    public func close() async {
        await base.close()
        file.close()
    }

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

/// A file that is only ever appended to.
private final class CaptureFile {
    private var descriptor: CInt

    init(_ path: String) throws(TransportError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotOpen("the capture \(path): \(systemReason(errno))") }
    }

    deinit { close() }

    func write(_ octets: [UInt8]) {
        var rest = octets[...]
        while descriptor >= 0, !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe writeOctets(descriptor, $0) }
            if count < 0 {
                if errno == EINTR { continue }
                close()
            } else {
                rest = rest.dropFirst(count)
            }
        }
    }

    func close() {
        guard descriptor >= 0 else { return }
        closeFile(descriptor)
        descriptor = -1
    }

    static func unixMicroseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}

private func writeOctets(_ descriptor: CInt, _ octets: UnsafeRawBufferPointer) -> Int {
    unsafe write(descriptor, octets.baseAddress, octets.count)
}

private func closeFile(_ descriptor: CInt) { _ = close(descriptor) }
