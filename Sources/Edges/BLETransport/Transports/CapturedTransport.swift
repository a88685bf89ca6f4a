// SPDX-License-Identifier: Apache-2.0

import BLECapture
import BLEHCI
import BLEWire
import Synchronization

/// Writes every packet that passes through a transport into a btsnoop file, which Wireshark and tshark read.
///
/// The packets are in the file in the order in which they passed, a moment later. A disk that is slow or full costs the capture, not
/// the connection: ``CaptureFile/lost`` and ``CaptureFile/failure`` say what of it. Without a file octets are handed on as they are.
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
        tap = Tap(capture, isPacketBased: base.isPacketBased)
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
            if case .octets(let octets) = input { tap.receive(octets) }
            receiver(input)
        }
    }

    /// Records the packets in octets, and sends them.
    ///
    /// - Parameter octets: Whole HCI packets.
    public func send(_ octets: [UInt8]) {
        tap.send(octets) { base.send(octets) }
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

/// Cuts what passes into packets, and hands them to the file.
private final class Tap: Sendable {
    private struct State: ~Copyable {
        /// What has come of a packet whose rest has not.
        var begun = HCI.H4Framer()
        var isLost = false
    }

    private let capture: CaptureSwitch
    private let isPacketBased: Bool
    private let state: Mutex<State>

    init(_ capture: CaptureSwitch, isPacketBased: Bool) {
        self.capture = capture
        self.isPacketBased = isPacketBased
        state = Mutex(State())
    }

    /// Records whole packets, then lets them go on, so that the answer comes behind them.
    func send(_ octets: [UInt8], _ pass: () -> Void) {
        guard let file = capture.file else { return pass() }
        state.withLock { _ in
            var framer = HCI.H4Framer()
            _ = Self.cut(octets, with: &framer) { file.append($0, .toController) }
            pass()
        }
    }

    /// Records what comes.
    ///
    /// Without a file it looks at no more than lengths, and keeps a packet whose end has not come: a capture that is begun later
    /// begins with a whole packet.
    func receive(_ octets: [UInt8]) {
        let file = capture.file
        if isPacketBased {
            if let file { state.withLock { _ in file.append(octets, .toHost) } }
            return
        }
        state.withLock { state in
            guard !state.isLost else { return }
            let record = file.map { file in { (packet: [UInt8]) in file.append(packet, .toHost) } }
            state.isLost = !Self.cut(octets, with: &state.begun, record)
        }
    }

    /// Cuts octets into packets.
    ///
    /// - Parameters:
    ///   - octets: The octets.
    ///   - framer: Has what came before of a packet.
    ///   - record: Takes each packet; `nil` when nobody wants them.
    /// - Returns: Whether they are packets; a stream that has lost its sync is not recorded any more.
    private static func cut(
        _ octets: [UInt8], with framer: inout HCI.H4Framer, _ record: (([UInt8]) -> Void)?
    ) -> Bool {
        let bytes = octets.octetSpan.bytes
        var position = 0
        while position < octets.count {
            let rest = bytes.extracting(position..<bytes.byteCount)
            if let length = framer.wholePacket(rest) {
                record?(length == octets.count ? octets : Array(octets[position..<position + length]))
                position += length
                continue
            }
            position += framer.receivePiece(rest)
            do throws(HCI.FramingError) {
                while let packet = try framer.nextPacket() { record?(packet.octets) }
            } catch {
                return false
            }
        }
        return true
    }
}
