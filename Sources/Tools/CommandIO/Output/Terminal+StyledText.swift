// SPDX-License-Identifier: Apache-2.0

package import BLEWire
import Companion
package import CompanionText

extension Terminal {
    /// A patch of a colour with a blank behind it; nothing when colours are not wanted.
    package func swatch(_ color: RGBColor) -> String {
        swatch(red: color.red, green: color.green, blue: color.blue)
    }

    /// Text on a background of any colour.
    func painted(_ text: String, _ color: RGBColor) -> String {
        painted(text, red: color.red, green: color.green, blue: color.blue)
    }

    /// Text whose parts stand out, to be printed.
    ///
    /// - Parameter text: The text; it may hold anything and is escaped here.
    /// - Returns: The text to print.
    package func drawn(_ text: StyledText) -> String {
        text.parts.map { part in
            switch part {
            case .plain(let text): PrintableText.escaped(text)
            case .strong(let text): styled(PrintableText.escaped(text), .bold)
            case .faint(let text): styled(PrintableText.escaped(text), .dim)
            case .warning(let text): styled(PrintableText.escaped(text), .yellow)
            case .styled(let text, let style): styled(PrintableText.escaped(text), style)
            case .color(let color): swatch(color) + color.description
            case .patch(let color, let columns):
                painted(String(repeating: hasColor ? " " : "█", count: columns), color)
            }
        }.joined()
    }

    /// A table, no wider than the terminal.
    package func drawn(_ table: TextTable) -> [String] { table.lines(columns: columns).map(drawn) }

    /// Text in lines that are broken between words, none wider than the terminal.
    ///
    /// - Parameter text: The text; it may hold anything and is escaped here.
    /// - Returns: The lines to print.
    package func lines(_ text: StyledText) -> [String] {
        text.wrapped(columns: columns, patch: swatchColumns).map(drawn)
    }

    /// Titles and texts, which begin below each other.
    ///
    /// - Parameters:
    ///   - rows: The titles and texts.
    ///   - margin: Blanks before each title.
    ///   - columns: Columns of a title with the blanks behind it.
    /// - Returns: The lines to print.
    package func drawn(
        rows: [(title: String, text: StyledText)], margin: Int = 2, columns: Int = 9
    ) -> [String] {
        rows.flatMap { row in
            let title = StyledText(
                .plain(String(repeating: " ", count: margin)),
                .faint(FixedWidthText.padded(row.title, columns: columns)))
            return lines((title + row.text).indented(by: margin + columns))
        }
    }
}
