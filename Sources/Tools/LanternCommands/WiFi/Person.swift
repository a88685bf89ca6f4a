// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// The person at the terminal, who can be asked.
struct Person: Sendable {
    /// Asks for a line; `nil` when there is none, because the input has ended or the command was cancelled.
    let ask: @Sendable (_ prompt: String) async -> String?
    /// Asks for a line that is not shown while it is typed.
    let askHidden: @Sendable (_ prompt: String) async -> String?

    /// Whoever sits at the process's terminal; `nil` when there is none.
    static func atTerminal() -> Person? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
        let output = Output.standard()
        return Person(
            ask: { prompt in
                try? output.write(prompt)
                return await readOne()
            },
            askHidden: { prompt in
                try? output.write(prompt)
                let typed = await withoutEcho { await readOne() }
                try? output.line("")
                return typed
            })
    }

    /// Reads a line on a thread of its own, which is left behind when the task is cancelled.
    private static func readOne() async -> String? {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        DispatchQueue.global().async {
            if let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        for await line in lines { return line }
        return nil
    }

    /// Switches the terminal's echo off meanwhile.
    private static func withoutEcho(_ body: () async -> String?) async -> String? {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return await body() }
        var quiet = before
        quiet.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet)
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) }
        return await body()
    }
}
