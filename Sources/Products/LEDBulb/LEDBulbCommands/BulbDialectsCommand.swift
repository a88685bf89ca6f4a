// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import CompanionText
import LEDBulb
import LEDBulbCompanion

/// `lantern bulb dialects`: what can be spoken.
struct BulbDialectsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dialects",
        abstract: "List the dialects and how they are recognized.")

    @OptionGroup var format: FormatOptions

    func run() throws {
        let output = Output.standard()
        for dialect in BulbDialect.all where format.isJSON {
            try output.write(BulbDialectListed(dialect).json(at: .now()) + [0x0A])
        }
        for line in output.terminal.drawn(Self.table()) where !format.isJSON { try output.line(line) }
    }

    /// The table for a person.
    static func table() -> TextTable {
        var table = TextTable(BulbDialect.columnHeads.map { .init($0) }, isBroken: true)
        for dialect in BulbDialect.all { table.add(dialect.columns.map { .init($0) }) }
        return table
    }
}
