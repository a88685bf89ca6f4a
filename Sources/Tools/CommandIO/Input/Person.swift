// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The person at the terminal, who can be asked.
package struct Person: Sendable {
    /// Asks for a line; `nil` when there is none, because the input has ended or the task was cancelled.
    package let ask: @Sendable (_ prompt: String) async -> String?
    /// Asks for a line that is not shown while it is typed, as octets, because those can be overwritten.
    package let askHidden: @Sendable (_ prompt: String) async -> [UInt8]?

    /// Whoever sits at the process's terminal; `nil` when there is none.
    package static func atTerminal() -> Person? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
        let input = StandardInput()
        let output = Output.standard()
        return Person(
            ask: { prompt in
                // Who cannot read the prompt still answers it, or ends the command.
                try? output.write(prompt)
                guard let line = await line(from: input) else {
                    try? output.line("")
                    return nil
                }
                return String(decoding: line, as: UTF8.self)
            },
            askHidden: { prompt in
                let typed = await withoutEcho {
                    try? output.write(prompt)
                    return await line(from: input)
                }
                try? output.line("")
                return typed
            })
    }

    /// Reads a line; the terminal gives one at a time.
    private static func line(from input: StandardInput) async -> [UInt8]? {
        var line = await input.read(upTo: 4096)
        if line.isEmpty { return nil }
        while let last = line.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") {
            line.removeLast()
        }
        return line
    }

    /// Switches the terminal's echo off meanwhile.
    private static func withoutEcho(_ body: () async -> [UInt8]?) async -> [UInt8]? {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return await body() }
        var quiet = before
        quiet.c_lflag &= ~tcflag_t(ECHO)
        // What was typed before the prompt was not meant for it.
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet)
        defer { tcsetattr(STDIN_FILENO, TCSADRAIN, &before) }
        return await body()
    }
}
