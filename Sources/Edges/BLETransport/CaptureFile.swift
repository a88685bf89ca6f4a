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
    private struct State {
        var descriptor: CInt
        var failure: String?
    }

    private let state: Mutex<State>

    /// Makes the file, readable by its owner alone, and writes its header.
    ///
    /// - Parameter path: Where to write; a file that is there is replaced.
    /// - Throws: ``TransportError/cannotOpen(_:)`` when the file cannot be made.
    public init(_ path: String) throws(TransportError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotOpen("\(path): \(systemReason(errno))") }
        state = Mutex(State(descriptor: descriptor))
        var writer = BTSnoop.Writer()
        write(writer.nextOctets())
    }

    deinit { state.withLock { if $0.descriptor >= 0 { closeFile($0.descriptor) } } }

    /// Why the capture has ended early, if it has.
    public var failure: String? { state.withLock { $0.failure } }

    func write(_ octets: [UInt8]) {
        state.withLock { state in
            var rest = octets[...]
            while state.descriptor >= 0, !rest.isEmpty {
                let count = unsafe rest.withUnsafeBytes { unsafe writeOctets(state.descriptor, $0) }
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    state.failure = systemReason(errno)
                    closeFile(state.descriptor)
                    state.descriptor = -1
                }
            }
        }
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
