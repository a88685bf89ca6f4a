// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// SIGINT, SIGTERM and SIGHUP as something to wait for.
enum Interrupts {
    /// Both ends of a pipe into which the handler writes the number of each signal.
    private static let pipe: (read: Int32, write: Int32) = {
        var ends: [Int32] = [-1, -1]
        guard Foundation.pipe(&ends) == 0 else { return (-1, -1) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            // A handler must not wait, nor must whoever reads when somebody else has read before.
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        return (ends[0], ends[1])
    }()

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
        return unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
        #else
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
        #endif
    }

    /// The signals that end a command.
    ///
    /// From the return of this call on they do not kill the process any more, and none of them is lost: a handler
    /// keeps them until they are read.
    ///
    /// - Returns: The number of each signal that comes; one consumer.
    static func stream() -> AsyncStream<Int32> {
        let end = pipe.read
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // Who runs us with nohup does not want us to end when the terminal does.
            if number == SIGHUP, isIgnored(number) { continue }
            signal(number) { number in
                // Nothing else may be called here that is not made for handlers.
                let before = errno
                var octet = UInt8(truncatingIfNeeded: number)
                _ = write(Interrupts.pipe.write, &octet, 1)
                errno = before
            }
        }
        return AsyncStream { continuation in
            // Not marked as Sendable, but a dispatch source may be cancelled from anywhere.
            nonisolated(unsafe) let source = DispatchSource.makeReadSource(
                fileDescriptor: end, queue: .global())
            source.setEventHandler {
                var octet: UInt8 = 0
                while read(end, &octet, 1) == 1 { continuation.yield(Int32(octet)) }
            }
            continuation.onTermination = { _ in source.cancel() }
            source.activate()
        }
    }
}
