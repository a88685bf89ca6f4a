// SPDX-License-Identifier: Apache-2.0

package import Companion
import CompanionText

/// What a command is busy with, in one line beside its output that goes away again.
package struct ProgressLine: Sendable {
    private let output: Output?

    /// Shows nothing.
    package static let none = ProgressLine(on: nil)

    /// Shows it to a person who looks at stderr, and to nobody else.
    package static func standard() -> ProgressLine {
        let output = Output.standardError()
        return ProgressLine(on: output.terminal.isInteractive ? output : nil)
    }

    /// Makes progress.
    package init(on output: Output?) { self.output = output }

    /// Shows what an explorer is busy with.
    package func show(_ step: ExplorerStep) { show(step.text) }

    /// Replaces what was shown.
    ///
    /// - Parameter text: The line; what came over the air is escaped already.
    package func show(_ text: String) {
        guard let output else { return }
        let terminal = output.terminal
        let line = terminal.styled(FixedWidthText.fitted(text, columns: terminal.columns - 1), .dim)
        // Nobody misses a line that is about to go away.
        try? output.write("\r" + line + "\u{1B}[K")
    }

    /// Takes away what was shown.
    package func clear() {
        guard let output else { return }
        // As above.
        try? output.write("\r\u{1B}[K")
    }
}
