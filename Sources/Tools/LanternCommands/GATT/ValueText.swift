// SPDX-License-Identifier: Apache-2.0

import BLEWire
import CompanionText

extension ValueText {
    /// What the value means, as far as one can say, and the octets.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - uuid: Of what; `nil` when that is not known.
    ///   - terminal: Where it is printed.
    ///   - columns: Columns that there are.
    /// - Returns: What to print, escaped.
    static func line(
        _ value: [UInt8], of uuid: BluetoothUUID?, on terminal: Terminal, columns: Int
    ) -> String {
        switch meaning(of: value, uuid) {
        case .empty: return terminal.styled("empty", .dim)
        case .unknown: return terminal.styled(pairs(value, columns: columns), .green)
        case .misfit(let why):
            let room = max(1, columns - why.count - 4)
            return terminal.styled(pairs(value, columns: room), .green) + "  "
                + terminal.styled("(\(why))", .dim)
        case .words(let words):
            let cut = TerminalText.fitted(TerminalText.escaped(words), columns: columns)
            let room = columns - TerminalText.width(cut) - 2
            guard value.count <= longestTextWithHex, room >= value.count * 3 else {
                return terminal.styled(cut, .green)
            }
            return terminal.styled(cut, .green) + "  " + terminal.styled(pairs(value, columns: room), .dim)
        }
    }

    /// Pairs of digits, and how many octets there are when not all of them fit.
    private static func pairs(_ value: [UInt8], columns: Int) -> String {
        guard value.count * 3 - 1 > columns else { return pairs(value) }
        let end = "… (\(value.count) octets)"
        return pairs(value.prefix(max(1, (columns - end.count) / 3))) + " " + end
    }
}
