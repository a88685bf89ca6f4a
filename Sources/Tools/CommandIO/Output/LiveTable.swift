// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionText

/// A table that is drawn again and again in place, and once more as a whole when it is over.
package struct LiveTable: Sendable {
    /// Where it is drawn.
    package let output: Output
    private var block = ScreenBlock()

    /// Makes a table that was not drawn yet.
    package init(on output: Output) { self.output = output }

    /// Draws as much of it as the screen holds, where somebody looks at it.
    ///
    /// - Parameters:
    ///   - lines: All of it.
    ///   - status: Makes the line below it, from how many lines there was no room for.
    /// - Throws: ``OutputError``.
    package mutating func draw(_ lines: [String], status: (_ hidden: Int) -> String) throws(OutputError) {
        let terminal = output.terminal
        guard terminal.isInteractive else { return }
        let shown = lines.prefix(max(2, terminal.rows - 2))
        let status = FixedWidthText.fitted(status(lines.count - shown.count), columns: terminal.columns)
        try output.write(block.frame(shown + [terminal.styled(status, .dim)], columns: terminal.columns))
    }

    /// Prints all of it.
    ///
    /// - Parameter lines: All of it.
    /// - Throws: ``OutputError``.
    package mutating func finish(_ lines: [String]) throws(OutputError) {
        let terminal = output.terminal
        try output.write(
            terminal.isInteractive
                ? block.frame(lines, columns: terminal.columns) : lines.map { $0 + "\n" }.joined())
    }
}
