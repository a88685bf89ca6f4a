// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// SIGINT and SIGTERM as something to wait for.
enum Interrupts {
    /// The signals that end a command.
    ///
    /// From the call on they do not kill the process any more.
    ///
    /// - Returns: The number of each signal that comes.
    static func stream() -> AsyncStream<Int32> {
        AsyncStream { continuation in
            // Not marked as Sendable, but a dispatch source may be cancelled from anywhere.
            nonisolated(unsafe) let sources = [SIGINT, SIGTERM].map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { continuation.yield(number) }
                source.activate()
                return source
            }
            continuation.onTermination = { _ in
                for source in sources { source.cancel() }
            }
        }
    }
}
