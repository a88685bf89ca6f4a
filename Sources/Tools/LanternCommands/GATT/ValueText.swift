// SPDX-License-Identifier: Apache-2.0

import BLEAssignedNumbers
import BLEGATT
import BLEWire
import Companion

/// Values for a person.
enum ValueText {
    /// Shorter values are numbers more often than text.
    private static let shortestText = 3
    /// The octets of longer text help nobody.
    private static let longestTextWithHex = 20

    /// The value as text, when it is UTF-8 with nothing in it that cannot be printed.
    static func text(_ value: [UInt8]) -> String? {
        guard let text = WireText(value).validString, TerminalText.escaped(text) == text else { return nil }
        return text
    }

    /// What the value means, as far as one can tell, and the octets.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - uuid: Of what.
    ///   - terminal: Where it is printed.
    ///   - columns: Columns that there are.
    /// - Returns: What to print, escaped.
    static func line(
        _ value: [UInt8], of uuid: BluetoothUUID, on terminal: Terminal, columns: Int
    ) -> String {
        if value.isEmpty { return terminal.styled("empty", .dim) }
        let words: String?
        switch StandardValue.decode(value, of: uuid) {
        case .fields(let fields): words = text(of: fields)
        case .misfit(let why):
            let room = max(1, columns - why.count - 4)
            return terminal.styled(hex(value, columns: room), .green) + "  "
                + terminal.styled("(\(why))", .dim)
        case nil: words = value.count < shortestText ? nil : text(value).map { "\"\($0)\"" }
        }
        guard let words else {
            return terminal.styled(hex(value, columns: columns), .green)
        }
        let cut = TerminalText.fitted(words, columns: columns)
        let room = columns - TerminalText.width(cut) - 2
        guard value.count <= longestTextWithHex, room >= value.count * 3 else {
            return terminal.styled(cut, .green)
        }
        return terminal.styled(cut, .green) + "  " + terminal.styled(hex(value, columns: room), .dim)
    }

    /// Pairs of digits, and how many octets there are when not all of them fit.
    private static func hex(_ value: [UInt8], columns: Int) -> String {
        let pairs = value.map { [$0].hexadecimal }
        guard value.count * 3 - 1 > columns else { return pairs.joined(separator: " ") }
        let end = "… (\(value.count) octets)"
        return pairs.prefix(max(1, (columns - end.count) / 3)).joined(separator: " ") + " " + end
    }

    /// What a standard value says.
    private static func text(of fields: [StandardValue.Field]) -> String? {
        let texts = fields.map { field in
            field.isText ? "\"\(TerminalText.escaped(field.text))\"" : field.text
        }
        guard texts.count > 1 else { return texts.first }
        return zip(fields, texts).map { "\($0.name) \($1)" }.joined(separator: ", ")
    }
}
