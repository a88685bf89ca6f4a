// SPDX-License-Identifier: Apache-2.0

import BLEWire
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
            case .plain(let text): TerminalText.escaped(text)
            case .strong(let text): styled(TerminalText.escaped(text), .bold)
            case .faint(let text): styled(TerminalText.escaped(text), .dim)
            case .warning(let text): styled(TerminalText.escaped(text), .yellow)
            case .color(let color): swatch(color) + color.description
            }
        }.joined()
    }

    /// Titles and texts, a line each.
    func drawn(rows: [(title: String, text: StyledText)]) -> [String] {
        rows.map { "  " + styled(TerminalText.padded($0.title, columns: 9), .dim) + drawn($0.text) }
    }
}
