// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import Companion
import CompanionDevices
import CompanionText
import Nightlight

/// `lantern nightlight show`: the dashboard.
struct NightlightShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what a lamp does and why, its schedules, button, battery and clock.")

    @Argument(help: "The lamp.")
    var address: DeviceAddress

    @OptionGroup var options: NightlightOptions

    func run() async throws {
        let state = try await options.use(address) { _, state in state }
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
        commandName: "name", abstract: "Give a lamp the name of its child; \"\" takes it away.")

    @Argument(help: "The lamp.")
    var address: DeviceAddress

    @Argument(help: ArgumentHelp("The name, at most 32 octets.", valueName: "text"))
    var text: String

    @OptionGroup var options: NightlightOptions

    func validate() throws {
        guard text.utf8.count <= NightlightLimit.childName else {
            throw ValidationError(
                "A lamp keeps a name of at most \(NightlightLimit.childName) octets, this one has \(text.utf8.count)."
            )
        }
    }

    func run() async throws {
        try await options.set([.childName(WireText(text))], at: address, LampNameRead.init) {
            [LampStateText($0).nameSentence]
        }
    }
}
