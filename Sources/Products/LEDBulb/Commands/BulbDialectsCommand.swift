// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import Companion
import CompanionDevices
import CompanionText
import LEDBulb

/// `lantern bulb dialects`: what can be spoken.
struct BulbDialectsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dialects",
        abstract: "List the dialects and how they are known.")

    @OptionGroup var format: FormatOptions

    func run() throws {
        let output = Output.standard()
        for dialect in BulbDialect.all where format.isJSON {
            try output.write(BulbDialectListed(dialect).json(at: .now()) + [0x0A])
        }
        for line in Self.table() where !format.isJSON { try output.line(line) }
    }

    /// The table for a person.
    static func table() -> [String] {
        let rows = [BulbDialect.columnHeads] + BulbDialect.all.map(\.columns)
        let widths = BulbDialect.columnHeads.indices.map { column in
            rows.map { FixedWidthText.width($0[column]) }.max() ?? 0
        }
        return rows.map { row in
            let cells = zip(row, widths).map { FixedWidthText.padded($0, columns: $1) }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}
