// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin

/// A connection that is gone must not end the process.
private func keepQuiet(_ descriptor: CInt) {
    var on: CInt = 1
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<CInt>.size))
}

private func sendOctets(_ descriptor: CInt, _ octets: UnsafeRawBufferPointer) -> Int {
    unsafe send(descriptor, octets.baseAddress, octets.count, 0)
}
#else
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

private let noSignal = CInt(MSG_NOSIGNAL)

private func keepQuiet(_ descriptor: CInt) {}

private func sendOctets(_ descriptor: CInt, _ octets: UnsafeRawBufferPointer) -> Int {
    // A connection that is gone must not end the process.
    unsafe send(descriptor, octets.baseAddress, octets.count, noSignal)
}
#endif

/// How a call of the system went: what it gave, or why it failed.
enum CallResult {
    case done(Int)
    /// It would have had to wait.
    case mustWait
    case failed(CInt)

    init(_ call: () -> Int) {
        while true {
            let result = call()
            if result >= 0 {
                self = .done(result)
                return
            }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: self = .mustWait
            case let number: self = .failed(number)
            }
            return
        }
    }
}

/// Lets no call wait, and no program that is started inherit it.
func prepareDescriptor(_ descriptor: CInt) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    keepQuiet(descriptor)
}

func isSocketDescriptor(_ descriptor: CInt) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
}

/// Reads behind what an array has.
func readOctets(_ descriptor: CInt, into octets: inout [UInt8], _ limit: Int) -> CallResult {
    var result = CallResult.mustWait
    octets.append(addingCapacity: limit) { span in
        span.withUnsafeMutableBufferPointer { buffer, count in
            result = CallResult { unsafe read(descriptor, buffer.baseAddress, limit) }
            if case .done(let number) = result { count = number }
        }
    }
    return result
}

/// Writes a part of an array.
func writeOctets(_ descriptor: CInt, _ octets: [UInt8], _ part: Range<Int>, isSocket: Bool) -> CallResult {
    unsafe octets.withUnsafeBytes { all in
        let octets = unsafe UnsafeRawBufferPointer(rebasing: all[part])
        return CallResult {
            isSocket
                ? unsafe sendOctets(descriptor, octets)
                : unsafe write(descriptor, octets.baseAddress, octets.count)
        }
    }
}

func closeDescriptor(_ descriptor: CInt) { _ = close(descriptor) }

/// Whether an error says that the other side, or the device, is gone.
func isHangUp(_ number: CInt) -> Bool { [EPIPE, ENODEV, ENETDOWN, ENXIO].contains(number) }

/// The system's words for an error number.
func systemReason(_ number: CInt) -> String {
    unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
}
