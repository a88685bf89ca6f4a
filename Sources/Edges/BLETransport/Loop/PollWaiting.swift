// SPDX-License-Identifier: Apache-2.0

import BLEWire
import CLibC

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Waits with poll(2).
///
/// Unchecked: descriptors are only touched on the loop; what wakes it up never changes while anybody may use it.
final class PollWaiting: LoopWaiting, @unchecked Sendable {
    private let start = monotonicMicroseconds()
    private let alarm: WakeUpPipe
    /// What poll looks at; the first wakes the loop up, and places that are free have -1.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var polled: [pollfd]
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var handlers: [(any DescriptorHandler)?] = [nil]
    private var free: [Int] = []

    /// - Throws: ``TransportError/cannotOpen(_:)`` when the system gives no more descriptors.
    init() throws(TransportError) {
        alarm = try WakeUpPipe()
        polled = [pollfd(fd: alarm.reading, events: Int16(POLLIN), revents: 0)]
    }

    var now: HostInstant { HostInstant(microseconds: monotonicMicroseconds() &- start) }

    func wake() { alarm.wake() }

    func wait(until deadline: HostInstant?) {
        let microseconds: UInt64? =
            switch deadline {
            case nil: nil
            case HostInstant.zero?: 0
            case let deadline?: deadline.microseconds(since: now)
            }
        var ready = unsafe polled.withUnsafeMutableBufferPointer { unsafe pollDescriptors($0, microseconds) }
        // Anything but descriptors that are ready, a signal among them, is another turn.
        guard ready > 0 else { return }
        if polled[0].revents != 0 {
            alarm.clear()
            ready -= 1
        }
        var index = 1
        // A handler may watch others, and let any go.
        while ready > 0, index < polled.count {
            let readiness = Readiness(rawValue: polled[index].revents)
            if !readiness.isEmpty {
                polled[index].revents = 0
                ready -= 1
                handlers[index]?.ready(for: readiness)
            }
            index += 1
        }
    }

    func watch(_ descriptor: CInt, _ handler: any DescriptorHandler) -> Watch {
        // At rest: poll would report its end again and again.
        let entry = pollfd(fd: ~descriptor, events: 0, revents: 0)
        if let index = free.popLast() {
            polled[index] = entry
            handlers[index] = handler
            return Watch(index: index)
        }
        polled.append(entry)
        handlers.append(handler)
        return Watch(index: polled.count - 1)
    }

    func change(_ watch: Watch, to readiness: Readiness) {
        let descriptor = polled[watch.index].fd
        let plain = descriptor < 0 ? ~descriptor : descriptor
        polled[watch.index].fd = readiness.isEmpty ? ~plain : plain
        polled[watch.index].events = readiness.rawValue
    }

    func unwatch(_ watch: Watch) {
        polled[watch.index] = pollfd(fd: -1, events: 0, revents: 0)
        handlers[watch.index] = nil
        free.append(watch.index)
    }

    func endHandlers() {
        for handler in handlers { handler?.loopEnded() }
    }

    func close() { alarm.close() }
}
