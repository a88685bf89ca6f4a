// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// Values for a person.
enum ValueText {
    /// The value as text, when it is UTF-8 with nothing in it that cannot be printed.
    static func text(_ value: [UInt8]) -> String? {
        guard let text = WireText(value).validString, TerminalText.escaped(text) == text else { return nil }
        return text
    }

    /// The value in hex, pairs apart, and as text when it is text: the text first.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - terminal: Where it is printed.
    ///   - columns: Columns that there are.
    /// - Returns: What to print.
    static func line(_ value: [UInt8], on terminal: Terminal, columns: Int) -> String {
        if value.isEmpty { return terminal.styled("empty", .dim) }
        let hex = value.map { [$0].hexadecimal }.joined(separator: " ")
        guard let text = text(value) else {
            return terminal.styled(TerminalText.fitted(hex, columns: columns), .green)
        }
        let quoted = TerminalText.fitted("\"\(text)\"", columns: columns)
        let room = columns - TerminalText.width(quoted) - 2
        // A few octets of hex say nothing.
        guard room >= min(hex.utf8.count, 11) else { return terminal.styled(quoted, .green) }
        return terminal.styled(quoted, .green) + "  "
            + terminal.styled(TerminalText.fitted(hex, columns: room), .dim)
    }
}
