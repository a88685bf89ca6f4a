// SPDX-License-Identifier: Apache-2.0

import BLECapture
import BLEHCI
import Synchronization

/// Writes every packet that passes through a transport into a btsnoop file, which Wireshark and tshark read.
///
/// Each packet is in the file before what follows it goes on. A file that cannot be written any more (a full
/// disk) ends the capture, not the connection; ``CaptureFile/failure`` says why.
public final class CapturedTransport: Transport {
    private let base: any Transport
    private let tap: Tap

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - base: The transport.
    ///   - file: Where to write; several transports, one after the other, may share it.
    public convenience init(_ base: any Transport, into file: CaptureFile) {
        self.init(base, through: CaptureSwitch(file))
    }

    /// Wraps a transport whose capture begins and ends while it runs.
    ///
    /// - Parameters:
    ///   - base: The transport.
    ///   - capture: Where to write at any time; several transports, one after the other, may share it.
    public init(_ base: any Transport, through capture: CaptureSwitch) {
        self.base = base
        tap = Tap(capture)
    }

    /// Where what arrives is handed over.
    public var loop: TransportLoop { base.loop }

    /// Whether what arrives is exactly one packet each time.
    public var isPacketBased: Bool { base.isPacketBased }

    /// Starts to read, and to record the packets in it.
    ///
    /// - Parameter receiver: Called with what arrives.
    public func start(_ receiver: @escaping @Sendable (TransportInput) -> Void) {
        base.start { [tap] input in
            if case .octets(let octets) = input { tap.record(octets, .toHost) }
            receiver(input)
        }
    }

    /// Records the packets in octets, and sends them.
    ///
    /// - Parameter octets: Whole HCI packets.
    public func send(_ octets: [UInt8]) {
        // Recorded first, so that the answer is not.
        tap.record(octets, .toController) { base.send(octets) }
    }

    /// Closes the transport; the file stays open for the next one.
    public func close() { base.close() }
}

/// The file into which packets are captured, if any; it may change while they pass.
public final class CaptureSwitch: Sendable {
    private let current: Mutex<CaptureFile?>

    /// Makes a switch.
    ///
    /// - Parameter file: The file; `nil` to capture nothing yet.
    public init(_ file: CaptureFile? = nil) { current = Mutex(file) }

    /// The file into which is captured.
    public var file: CaptureFile? {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
}

/// Cuts what passes into packets and writes them.
private final class Tap: Sendable {
    private struct State: ~Copyable {
        var fromHost = HCI.H4Framer()
        var fromController = HCI.H4Framer()
        var writer = BTSnoop.Writer()
    }

    private let capture: CaptureSwitch
    private let state: Mutex<State>

    init(_ capture: CaptureSwitch) {
        self.capture = capture
        var state = State()
        // The file has its header already.
        _ = state.writer.nextOctets()
        self.state = Mutex(state)
    }

    /// Records, then lets the octets go on, in the order of the file.
    func record(_ octets: [UInt8], _ direction: BTSnoop.Direction, then pass: () -> Void = {}) {
        state.withLock { state in
            switch direction {
            case .toController: append(octets, &state.fromHost, direction, &state.writer)
            case .toHost: append(octets, &state.fromController, direction, &state.writer)
            }
            pass()
        }
    }

    private func append(
        _ octets: [UInt8], _ framer: inout HCI.H4Framer, _ direction: BTSnoop.Direction,
        _ writer: inout BTSnoop.Writer
    ) {
        // Without a file, too: one that is begun later begins with a whole packet.
        framer.receive(octets)
        let file = capture.file
        var count = 0
        while let packet = Self.next(&framer) {
            guard file != nil else { continue }
            count += 1
            let time = CaptureFile.unixMicroseconds()
            writer.append(
                BTSnoop.Record(direction: direction, unixMicroseconds: time, packet: packet.octets))
        }
        if count > 0 { file?.write(writer.nextOctets(), packets: count) }
    }

    /// The next packet; a stream that has lost its sync is not recorded any more.
    private static func next(_ framer: inout HCI.H4Framer) -> HCI.Packet? {
        do throws(HCI.FramingError) { return try framer.nextPacket() } catch { return nil }
    }
}
