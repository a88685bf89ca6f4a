// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import LEDBulb
import LEDBulbCompanion
import LEDBulbDevices

/// `lantern bulb cycle`: lets a bulb go through all hues.
struct BulbCycleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cycle",
        abstract: "Make a bulb go through all hues, until Control-C.",
        discussion: """
            At most 20 colours a second are sent, fewer when the link is slower; a turn takes the same time either way. \
            The bulb keeps the last colour.
            """)

    @OptionGroup var bulb: BulbArgument

    @Option(help: ArgumentHelp("Seconds for one turn through all hues, 0.1 to 86400.", valueName: "seconds"))
    var seconds = Seconds(.seconds(5))

    @Option(help: ArgumentHelp("End after this many turns.", valueName: "count"))
    var turns: UInt32?

    @OptionGroup var options: BulbOptions

    func validate() throws {
        guard seconds.duration >= .milliseconds(100), seconds.duration <= .seconds(86_400) else {
            throw ValidationError("One turn through all hues must take 0.1 to 86400 seconds.")
        }
        guard turns != 0 else { throw ValidationError("--turns must be at least 1.") }
    }

    func run() async throws {
        let progress = options.format.isJSON ? ProgressLine.none : .standard()
        defer { progress.clear() }
        let printer = BulbCyclePrinter(
            output: .standard(), isJSON: options.format.isJSON, turn: seconds, turns: turns)
        let turn = UInt64(seconds.duration / .milliseconds(1))
        try await options.use(bulb.bulb, showing: progress) { connection, bulb in
            try printer.begin(bulb)
            let end = try await connection.cycle(bulb, turn: turn, turns: printer.turns) {
                try printer.show($0)
            }
            try printer.show(end)
        }
    }
}

/// Shows turns through the hues: a patch of colour that changes, or as JSON a line each.
struct BulbCyclePrinter: Sendable {
    let output: Output
    let isJSON: Bool
    let turn: Seconds
    let turns: UInt32?

    /// Says what will happen.
    func begin(_ bulb: FoundBulb) throws(OutputError) {
        guard !isJSON else { return }
        let name = PrintableText.escaped(BulbText.name(bulb))
        let end =
            switch turns {
            case nil: "Control-C ends it"
            case 1?: "once"
            case let turns?: "\(turns) times"
            }
        try output.line("\(name) goes through all hues, \(turn.text) a turn; \(end).")
    }

    /// Shows a hue.
    func show(_ event: BulbHueShown, at now: Timestamp = .now()) throws(OutputError) {
        if isJSON {
            try output.write(event.json(at: now) + [0x0A])
        } else if output.terminal.isInteractive {
            try output.write("\r\(output.terminal.swatch(event.color))\(event.color)\u{1B}[K")
        }
    }

    /// Says how it has ended.
    func show(_ end: BulbCycleEnded, at now: Timestamp = .now()) throws(OutputError) {
        guard !isJSON else { return try output.write(end.json(at: now) + [0x0A]) }
        if output.terminal.isInteractive { try output.line("") }
        let count = end.colors == 1 ? "1 colour" : "\(end.colors) colours"
        try output.line(end.isDone ? "Done: \(count)." : "Ended after \(count).")
    }
}
