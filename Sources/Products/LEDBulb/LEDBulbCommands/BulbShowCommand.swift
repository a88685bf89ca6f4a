// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import LEDBulb
import LEDBulbCompanion
import LEDBulbDevices

/// `lantern bulb show`: what a bulb says that it does.
struct BulbShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Ask a bulb what it shows now.",
        discussion: """
            Bulbs that speak \(BulbDialect.all.filter { $0.reportsState }.names) tell; those that speak \
            \(BulbDialect.all.filter { !$0.reportsState }.names) do not.
            """,
        aliases: ["state"])

    @OptionGroup var bulb: BulbArgument

    @OptionGroup var options: BulbOptions

    func run() async throws {
        let progress = options.format.isJSON ? ProgressLine.none : .standard()
        defer { progress.clear() }
        let event = try await options.use(bulb.bulb, showing: progress) { connection, bulb in
            let state = try await connection.state()
            return BulbStateRead(try await connection.named(bulb), state)
        }
        let output = Output.standard()
        guard !options.format.isJSON else { return try output.write(event.json(at: .now()) + [0x0A]) }
        let swatch = event.state.shown.map(output.terminal.swatch) ?? ""
        let name = PrintableText.escaped(BulbText.name(event.bulb))
        try output.line("\(swatch)\(name) \(BulbText.sentence(event.state)).")
    }
}
