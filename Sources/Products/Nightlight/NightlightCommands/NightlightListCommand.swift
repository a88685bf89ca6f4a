// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import CompanionText
import NightlightCompanion

/// `lantern nightlight list`: the lamps that are near.
struct NightlightListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the nightlights that are near, with the names of their children.",
        discussion: """
            It connects to each lamp for a moment. --json prints a line for each, as `nightlight show` does.
            """)

    @OptionGroup var options: NightlightOptions

    func run() async throws {
        let (output, isJSON) = (Output.standard(), options.format.isJSON)
        let progress = isJSON ? ProgressLine.none : .standard()
        let phyOptions = options.phyOptions
        let states = try await options.radioOptions.use { radio in
            try await phyOptions.check(radio)
            var states: [LampState] = []
            try await LampSearch(radio: radio, phys: phyOptions.phys, progress: progress).all { state in
                states.append(state)
                if isJSON { try output.write(LampStateRead(state).json(at: .now()) + [0x0A]) }
            } failed: { address, error in
                let why = PrintableText.escaped(error.sentence)
                try Output.standardError().line("lantern: \(address): \(why)")
            }
            return states
        }
        guard !states.isEmpty else {
            throw CommandError.failed("No nightlight could be read. Go nearer, then try again.")
        }
        if !isJSON { try output.write(Self.lines(states, on: output.terminal).map { $0 + "\n" }.joined()) }
    }

    /// The lamps, a line each.
    static func lines(_ states: [LampState], on terminal: Terminal) -> [String] {
        var table = TextTable([
            .init("CHILD", least: 8, most: 28), .init("ADDRESS"), .init("NOW", least: 12, isCutFirst: true),
        ])
        for state in states {
            table.add([
                .init(state.childName ?? "–", .bold), .init(state.peer.title),
                .init(LampStateText(state).now.plain),
            ])
        }
        return terminal.drawn(table)
    }
}
