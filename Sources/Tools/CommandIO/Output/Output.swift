// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Why something could not be printed.
package enum OutputError: Error, Hashable, CustomStringConvertible {
    /// Who read our output does so no more, as `head` does, or the terminal is gone; this ends a command quietly.
    case readerGone
    /// The system refused.
    case system(Int32)

    /// One sentence for a person.
    package var description: String {
        switch self {
        case .readerGone: "Nobody reads the output any more."
        case .system(let number): "The output could not be written: \(String(cString: strerror(number)))."
        }
    }
}

/// Where a command prints; everything is out when a call returns.
package final class Output: Sendable {
    private let look: @Sendable () -> Terminal
    private let sink: @Sendable ([UInt8]) throws(OutputError) -> Void
    // One call is never torn apart by another one.
    private let turn = Mutex(())

    /// Makes an output; for tests.
    ///
    /// - Parameters:
    ///   - terminal: What to take it for.
    ///   - sink: Takes the octets.
    package init(
        terminal: @escaping @autoclosure @Sendable () -> Terminal,
        sink: @escaping @Sendable ([UInt8]) throws(OutputError) -> Void
    ) {
        look = terminal
        self.sink = sink
    }

    /// What kind of thing it is and how wide at the moment.
    package var terminal: Terminal { look() }

    /// The process's output, for what was asked for.
    package static func standard() -> Output { Output(descriptor: STDOUT_FILENO) }

    /// Where sentences for the person go, beside the output.
    package static func standardError() -> Output { Output(descriptor: STDERR_FILENO) }

    private convenience init(descriptor: Int32) {
        let isTerminal = isatty(descriptor) == 1
        self.init(terminal: Terminal(descriptor: descriptor)) { octets throws(OutputError) in
            var rest = octets[...]
            while !rest.isEmpty {
                let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
                if written > 0 {
                    rest = rest.dropFirst(written)
                } else if errno == EPIPE || errno == EIO && isTerminal {
                    throw .readerGone
                } else if errno == EAGAIN {
                    Readiness.wait(for: POLLOUT, on: descriptor)
                } else if errno != EINTR {
                    throw .system(errno)
                }
            }
        }
    }

    /// Prints text as it is.
    package func write(_ text: String) throws(OutputError) { try write(Array(text.utf8)) }

    /// Prints octets as they are.
    package func write(_ octets: [UInt8]) throws(OutputError) {
        let result = turn.withLock { _ in
            Result { () throws(OutputError) in try sink(octets) }
        }
        try result.get()
    }

    /// Prints a line.
    ///
    /// - Parameter text: The line; what came over the air is escaped already.
    /// - Throws: ``OutputError``.
    package func line(_ text: String) throws(OutputError) { try write(text + "\n") }
}
