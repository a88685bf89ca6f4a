// SPDX-License-Identifier: Apache-2.0

package import CompanionText
import Foundation

/// What the output goes to: a person's terminal or something else.
package struct Terminal: Hashable, Sendable {
    /// Whether a person looks at it as it is printed.
    package var isInteractive: Bool
    /// Whether it is a terminal at all, also one on which nothing can be redrawn.
    package var isTerminal: Bool
    /// Whether colours are wanted.
    package var hasColor: Bool
    /// Columns; enough for everything when it is not a terminal.
    package var columns: Int
    /// Rows; enough for everything when it is not a terminal.
    package var rows: Int

    /// No terminal: a file or a pipe.
    package static let none = Terminal(isInteractive: false, hasColor: false, columns: .max, rows: .max)

    /// Looks at what a file descriptor is.
    init(
        descriptor: Int32, environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        guard isatty(descriptor) == 1 else {
            self = .none
            return
        }
        let isDumb = environment["TERM"].map { $0 == "dumb" || $0.isEmpty } ?? true
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
        self.init(
            isInteractive: !isDumb,
            hasColor: !isDumb && environment["NO_COLOR", default: ""].isEmpty,
            columns: isKnown ? Int(size.ws_col) : 80,
            rows: isKnown ? Int(size.ws_row) : 24)
        isTerminal = true
    }

    /// Makes a terminal; for tests.
    init(isInteractive: Bool, hasColor: Bool, columns: Int, rows: Int) {
        self.isInteractive = isInteractive
        isTerminal = isInteractive
        self.hasColor = hasColor
        self.columns = columns
        self.rows = rows
    }

    /// The text with the style, or as it is when colours are not wanted.
    ///
    /// - Parameters:
    ///   - text: The text; what came over the air is escaped already.
    ///   - style: The style.
    /// - Returns: The text to print.
    package func styled(_ text: String, _ style: TextStyle) -> String {
        hasColor && !text.isEmpty ? "\u{1B}[\(style.code)m\(text)\u{1B}[0m" : text
    }
}

extension TextStyle {
    /// How terminals are told.
    fileprivate var code: String {
        switch self {
        case .bold: "1"
        case .dim: "2"
        case .red: "31"
        case .green: "32"
        case .yellow: "33"
        case .blue: "34"
        case .magenta: "35"
        case .cyan: "36"
        }
    }
}
