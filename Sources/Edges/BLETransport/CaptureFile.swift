// SPDX-License-Identifier: Apache-2.0

import BLECapture
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
/// A write that fails (a full disk) ends the capture; ``failure`` says why.
public final class CaptureFile: Sendable {
    /// How much is in a file.
    public struct Size: Hashable, Sendable {
        /// Its octets.
        public var octets: Int64 = 0
        /// The packets in it.
        public var packets = 0
    }

    fileprivate struct State {
        var descriptor: CInt
        var failure: String?
        var size = Size()
    }

    private let limit: Int64

    private let state: Mutex<State>

    /// Makes the file, readable by its owner alone, and writes its header.
    ///
    /// - Parameters:
    ///   - path: Where to write; a file that is there is replaced.
    ///   - limit: After how many octets the capture ends.
    /// - Throws: ``TransportError/cannotOpen(_:)`` when the file cannot be made.
    public init(_ path: String, limit: Int64 = .max) throws(TransportError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotOpen("\(path): \(systemReason(errno))") }
        state = Mutex(State(descriptor: descriptor))
        self.limit = limit
        var writer = BTSnoop.Writer()
        write(writer.nextOctets(), packets: 0)
    }

    deinit { state.withLock { if $0.descriptor >= 0 { closeFile($0.descriptor) } } }

    /// Why the capture has ended early, if it has.
    public var failure: String? { state.withLock { $0.failure } }

    /// How much is in it.
    public var size: Size { state.withLock { $0.size } }

    func write(_ octets: [UInt8], packets: Int) {
        state.withLock { state in
            if state.descriptor >= 0, state.size.octets + Int64(octets.count) > limit {
                state.end("it has reached its limit of \(limit / 1_000_000) MB")
            }
            guard state.descriptor >= 0 else { return }
            var rest = octets[...]
            while state.descriptor >= 0, !rest.isEmpty {
                let count = unsafe rest.withUnsafeBytes { unsafe writeOctets(state.descriptor, $0) }
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    state.end(systemReason(errno))
                    return
                }
            }
            state.size.octets += Int64(octets.count)
            state.size.packets += packets
        }
    }

    static func unixMicroseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}

extension CaptureFile.State {
    /// Ends the capture.
    fileprivate mutating func end(_ why: String) {
        failure = why
        closeFile(descriptor)
        descriptor = -1
    }
}

private func writeOctets(_ descriptor: CInt, _ octets: UnsafeRawBufferPointer) -> Int {
    unsafe write(descriptor, octets.baseAddress, octets.count)
}

private func closeFile(_ descriptor: CInt) { _ = close(descriptor) }
