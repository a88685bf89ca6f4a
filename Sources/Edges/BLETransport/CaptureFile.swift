// SPDX-License-Identifier: Apache-2.0

import BLECapture
import Dispatch
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A capture file that is only ever appended to.
///
/// Packets are gathered where they pass, and written by a thread of the file's own, so that a disk that does not answer holds up no
/// radio. What it is too slow for is left out and counted, in the file (`drops` of each record) and in ``lost``. A write that fails
/// (a full disk) ends the capture; ``failure`` says why. What waits is written even when nobody holds the file any more.
public final class CaptureFile: Sendable {
    /// How much is in a file.
    public struct Size: Hashable, Sendable {
        /// Its octets.
        public var octets: Int64 = 0
        /// The packets in it.
        public var packets = 0
    }

    private struct State {
        var failure: String?
        /// What is in the file, what was taken for it, and what of that has not been handed to the writing thread yet.
        var written = Size()
        var taken = Size()
        var waiting = BTSnoop.Writer()
        var lost: UInt32 = 0
        /// Whether the writing thread is at work.
        var isWriting = false
        /// Those who wait until all of it is in the file.
        var flushes: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastFlush = 0
    }

    /// Octets that may wait for the disk: some seconds of the busiest radio.
    static let room: Int64 = 4 << 20

    private let descriptor: CInt
    private let limit: Int64
    private let queue = DispatchQueue(label: "lantern capture")
    private let state: Mutex<State>

    /// Makes the file, readable by its owner alone, and writes its header.
    ///
    /// - Parameters:
    ///   - path: Where to write; a file that is there is replaced.
    ///   - limit: After how many octets the capture ends.
    /// - Throws: ``TransportError/cannotOpen(_:)`` when the file cannot be made.
    public init(_ path: String, limit: Int64 = .max) throws(TransportError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotOpen("\(path): \(systemReason(errno))") }
        self.limit = limit
        var state = State()
        // At once: a disk without room for the header has none for anything.
        let header = state.waiting.nextOctets()
        state.failure = writeAll(header, to: descriptor)
        state.taken.octets = Int64(header.count)
        state.written = state.taken
        self.state = Mutex(state)
    }

    deinit { _ = close(descriptor) }

    /// Why the capture has ended early, if it has.
    public var failure: String? { state.withLock { $0.failure } }

    /// How much is in it.
    public var size: Size { state.withLock { $0.written } }

    /// Packets that are not in it because the disk was too slow.
    public var lost: Int { state.withLock { Int($0.lost) } }

    /// What is wrong with it, behind its name in a sentence; `nil` when nothing is.
    public var fault: String? {
        if let failure { return "ended early: \(failure)" }
        return lost > 0 ? "lacks \(lost) packets, because the disk was too slow" : nil
    }

    /// Waits until all that has passed is in the file.
    ///
    /// Whoever waits is resumed when it is, when the capture has ended, and after the limit; a task that is cancelled waits for no
    /// less. The radio has no part in it.
    ///
    /// - Parameter limit: How long to wait at most.
    public func flush(within limit: Duration = .seconds(2)) async {
        await withCheckedContinuation { continuation in
            let number = state.withLock { state -> Int? in
                guard state.isWriting else { return nil }
                state.lastFlush += 1
                state.flushes[state.lastFlush] = continuation
                return state.lastFlush
            }
            guard let number else { return continuation.resume() }
            DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(limit / .nanoseconds(1)))) {
                self.state.withLock { $0.flushes.removeValue(forKey: number) }?.resume()
            }
        }
    }

    /// Takes a packet, its H4 type octet first; nobody waits.
    func append(_ packet: [UInt8], _ direction: BTSnoop.Direction) {
        let time = Self.unixMicroseconds()
        let octets = Int64(BTSnoop.recordHeaderLength + packet.count)
        let begins = state.withLock { state in
            guard state.failure == nil else { return false }
            guard state.taken.octets + octets <= limit else {
                state.failure = "it has reached its limit of \(limit / 1_000_000) MB"
                return false
            }
            let behind = state.taken.octets - state.written.octets
            guard behind == 0 || behind + octets <= Self.room else {
                state.lost = state.lost == .max ? .max : state.lost + 1
                return false
            }
            state.taken.octets += octets
            state.taken.packets += 1
            state.waiting.append(
                BTSnoop.Record(
                    direction: direction, unixMicroseconds: time, packet: packet, drops: state.lost))
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if begins { queue.async { self.writeWhatWaits() } }
    }

    /// Writes until nothing waits; on the thread of the file.
    private func writeWhatWaits() {
        while true {
            let (octets, taken) = state.withLock { ($0.waiting.nextOctets(), $0.taken) }
            let failure = octets.isEmpty ? nil : writeAll(octets, to: descriptor)
            let ended = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
                if let failure {
                    state.failure = failure
                    _ = state.waiting.nextOctets()
                } else {
                    state.written = taken
                    if state.taken != taken { return nil }
                }
                state.isWriting = false
                defer { state.flushes = [:] }
                return Array(state.flushes.values)
            }
            guard let ended else { continue }
            for continuation in ended { continuation.resume() }
            return
        }
    }

    private static func unixMicroseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}

/// Writes octets, however long that takes.
///
/// - Returns: Why not all of them were written; `nil` when they were.
private func writeAll(_ octets: [UInt8], to descriptor: CInt) -> String? {
    var rest = octets[...]
    while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 {
            rest = rest.dropFirst(count)
        } else if errno != EINTR {
            return systemReason(errno)
        }
    }
    return nil
}
