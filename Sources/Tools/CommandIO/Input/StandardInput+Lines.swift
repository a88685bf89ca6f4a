// SPDX-License-Identifier: Apache-2.0

import Companion

extension StandardInput {
    /// No line that a person writes is longer; of one that is, only the beginning counts.
    private static let longestLine = 4096

    /// Handles each line until the end of the input, one after the other; ends when the task is cancelled.
    ///
    /// - Parameter body: Called for each line, without its end; the next one is read when it returns.
    package func forEachLine(_ body: (String) async -> Void) async {
        var rest: [UInt8] = []
        // Whether what comes belongs to a line that was too long.
        var isBehind = false
        while true {
            let octets = await read(upTo: Self.longestLine)
            guard !octets.isEmpty else { break }
            rest += octets
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = rest[..<end]
                rest = Array(rest[(end + 1)...])
                if !isBehind {
                    await body(
                        String(
                            decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
                    )
                }
                isBehind = false
            }
            if rest.count >= Self.longestLine {
                if !isBehind { await body(String(decoding: rest, as: UTF8.self)) }
                isBehind = true
                rest = []
            }
        }
        if !rest.isEmpty, !isBehind, !Task.isCancelled { await body(String(decoding: rest, as: UTF8.self)) }
    }

    /// Does what each line asks for, as ``forEachLine(_:)`` does, and says on the standard error what is not understood.
    ///
    /// - Parameters:
    ///   - help: A sentence that says what to type.
    ///   - obey: Does it; returns whether it was understood. Blank lines are passed over.
    package func forEachCommand(help: String, _ obey: (String) async -> Bool) async {
        await forEachLine { line in
            guard !line.allSatisfy(\.isWhitespace), await !obey(line) else { return }
            // That nobody reads this ends nothing.
            try? Output.standardError().line(
                "lantern: Not understood: \(PrintableText.escaped(line.shortened)). \(help)")
        }
    }
}
