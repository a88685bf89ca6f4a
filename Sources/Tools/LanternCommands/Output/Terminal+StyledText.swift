// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionText

extension Terminal {
    /// A patch of a colour with a blank behind it; nothing when colours are not wanted.
    func swatch(_ color: RGBColor) -> String { swatch(red: color.red, green: color.green, blue: color.blue) }

    /// Text on a background of any colour.
    func painted(_ text: String, _ color: RGBColor) -> String {
        painted(text, red: color.red, green: color.green, blue: color.blue)
    }

    /// Text whose parts stand out, to be printed.
    ///
    /// - Parameter text: The text; it may hold anything and is escaped here.
    /// - Returns: The text to print.
    func drawn(_ text: StyledText) -> String {
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
    func drawn(_ table: TextTable) -> [String] { table.lines(columns: columns).map(drawn) }

    /// Titles and texts, a line each.
    func drawn(rows: [(title: String, text: StyledText)]) -> [String] {
        rows.map { "  " + styled(FixedWidthText.padded($0.title, columns: 9), .dim) + drawn($0.text) }
    }
}
