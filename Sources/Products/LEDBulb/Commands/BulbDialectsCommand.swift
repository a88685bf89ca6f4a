// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import LEDBulb

/// `lantern bulb dialects`: what can be spoken.
struct BulbDialectsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dialects",
        abstract: "List the dialects and how they are known.")

    @OptionGroup var format: FormatOptions

    func run() throws {
        let output = Output.standard()
        for line in format.isJSON ? BulbDialect.all.map(BulbJSON.dialect) : Self.table() {
            try output.line(line)
        }
    }

    /// The table for a person.
    static func table() -> [String] {
        let heads = ["DIALECT", "WRITES TO", "FOUND OUT", "TELLS WITH", "WHITE LEDS", "ON AND OFF", "STATE"]
        let rows = BulbDialect.all.map { dialect in
            [
                dialect.keyword.string, place(dialect.control), dialect.isFoundOut ? "yes" : "no",
                dialect.tellsState ? dialect.reports.map(place) ?? "–" : "–",
                dialect.hasWhite ? "yes" : "no",
                dialect.hasPower ? "yes" : "white and black", dialect.tellsState ? "yes" : "no",
            ]
        }
        let widths = heads.indices.map { column in
            ([heads] + rows).map { TerminalText.width($0[column]) }.max() ?? 0
        }
        return ([heads] + rows).map { row in
            let cells = zip(row, widths).map { TerminalText.padded($0, columns: $1) }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    private static func place(_ place: BulbDialect.Place) -> String {
        "\(place.characteristic) in \(place.service)"
    }
}
