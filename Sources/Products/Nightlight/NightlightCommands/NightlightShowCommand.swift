// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import Nightlight
import NightlightCompanion

/// `lantern nightlight show`: the dashboard.
struct NightlightShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what a lamp does and why, its schedules, button, battery and clock.")

    @OptionGroup var lamp: LampArgument

    @OptionGroup var options: NightlightOptions

    func run() async throws {
        let state = try await options.use(lamp.lamp) { _, state in state }
        let output = Output.standard()
        if options.format.isJSON {
            try output.write(LampStateRead(state).json(at: .now()) + [0x0A])
        } else {
            try output.write(Self.lines(state, on: output.terminal).map { $0 + "\n" }.joined())
        }
    }

    /// Everything that a lamp has, for a person.
    static func lines(_ state: LampState, on terminal: Terminal) -> [String] {
        let text = LampStateText(state)
        var lines = terminal.lines(text.headline) + [""] + terminal.drawn(rows: text.rows)
        if let plan = state.plan {
            let day = LampDayText(plan, on: state.wall)
            lines.append("")
            lines += plan.lines(
                of: state.time.date, on: state.wall, columns: terminal.columns,
                now: (state.moment, text.nowMark(day))
            ).flatMap(terminal.lines)
        }
        return lines
    }
}

/// `lantern nightlight name`: the child's name.
struct NightlightNameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "name", abstract: "Give a lamp the name of its child; \"\" takes it away.",
        usage: "lantern nightlight name [<lamp>] <text> [<options>]")

    @Argument(help: LampArgument.help, completion: .seenDevices)
    var first: String?

    @Argument(help: ArgumentHelp("The name, at most 32 octets.", valueName: "text"))
    var second: String?

    @OptionGroup var options: NightlightOptions

    /// The lamp, and the name.
    func parsed() throws -> (lamp: DeviceChoice?, text: String) {
        let (lamp, words) = try DeviceChoice.split(
            [first, second], behind: 1, missing: "Give the name, or \"\" for none.")
        return (lamp, words[0])
    }

    func validate() throws {
        let text = try parsed().text
        guard text.utf8.count <= NightlightLimit.childName else {
            throw ValidationError(
                "A lamp keeps a name of at most \(NightlightLimit.childName) octets; this one has \(text.utf8.count)."
            )
        }
    }

    func run() async throws {
        let (lamp, text) = try parsed()
        try await options.set([.childName(WireText(text))], at: lamp, LampNameRead.init) {
            [LampStateText($0).nameSentence]
        }
    }
}
