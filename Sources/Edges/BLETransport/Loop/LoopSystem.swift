// SPDX-License-Identifier: Apache-2.0

import CLibC

#if canImport(Darwin)
import Darwin

/// Microseconds on a clock that counts while the machine sleeps, too.
func monotonicMicroseconds() -> UInt64 { clock_gettime_nsec_np(CLOCK_MONOTONIC) / 1000 }

func currentThread() -> UInt { UInt(bitPattern: pthread_self()) }

private typealias Thread = pthread_t?
private func noThread() -> Thread { nil }
private func detach(_ thread: Thread) { if let thread { pthread_detach(thread) } }
#else
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Microseconds on a clock that counts while the machine sleeps, too.
func monotonicMicroseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return UInt64(time.tv_sec) &* 1_000_000 &+ UInt64(time.tv_nsec) / 1000
}

func currentThread() -> UInt { UInt(pthread_self()) }

private typealias Thread = pthread_t
private func noThread() -> Thread { pthread_t() }
private func detach(_ thread: Thread) { pthread_detach(thread) }
#endif

/// Starts a thread that runs something and ends.
///
/// - Parameters:
///   - stackSize: Octets of its stack. Applications' code runs on it; some systems give a thread no more than 128 KiB.
///   - body: What it runs.
/// - Throws: ``TransportError/cannotOpen(_:)`` when the system gives no more threads.
func startThread(
    stackSize: Int = 1 << 20, _ body: @escaping @Sendable () -> Void
) throws(TransportError) {
    var thread = noThread()
    let box = unsafe Unmanaged.passRetained(ThreadBody(body))
    let pointer = unsafe box.toOpaque()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stackSize)
    let status = unsafe pthread_create(&thread, &attributes, { unsafe runThread($0) }, pointer)
    guard status == 0 else {
        unsafe box.release()
        throw .cannotOpen("no thread can be started for it: \(systemReason(status))")
    }
    detach(thread)
}

private final class ThreadBody: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runThread(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let box = unsafe box { unsafe Unmanaged<ThreadBody>.fromOpaque(box).takeRetainedValue().body() }
    return nil
}

/// Waits for descriptors.
///
/// - Returns: How many are ready; none as well when a signal came.
func pollDescriptors(_ descriptors: UnsafeMutableBufferPointer<pollfd>, _ microseconds: UInt64?) -> CInt {
    // A hundred years are long enough, and the end of time is not a time that the system takes.
    let limit = Int64(min(microseconds ?? 0, 1 << 51))
    let count = nfds_t(descriptors.count)
    return unsafe max(lantern_poll(descriptors.baseAddress, count, microseconds == nil ? -1 : limit), 0)
}

/// A pipe whose reading end poll looks at.
struct WakeUpPipe: Sendable {
    let reading: CInt
    private let writing: CInt

    /// - Throws: ``TransportError/cannotOpen(_:)`` when the system gives no more descriptors.
    init() throws(TransportError) {
        var ends: [CInt] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else {
            throw .cannotOpen("no pipe can be made for it: \(systemReason(errno))")
        }
        for end in ends { prepareDescriptor(end) }
        (reading, writing) = (ends[0], ends[1])
    }

    /// A pipe that is full wakes up as well.
    func wake() {
        var octet: UInt8 = 1
        _ = unsafe write(writing, &octet, 1)
    }

    func clear() {
        var octets: UInt64 = 0
        _ = unsafe read(reading, &octets, 8)
    }

    func close() { for end in [reading, writing] { closeDescriptor(end) } }
}
