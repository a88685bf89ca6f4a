// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import CommandIO
import CommandOptions
import CompanionText
import Nightlight
import NightlightCompanion
import NightlightDevices

/// `lantern nightlight clock`: the lamp's clock after this computer's.
struct NightlightClockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract: "Set a lamp's clock by this computer's, with its time zone and the next change of DST.",
        discussion: """
            A clock that is less than 5 minutes off is set silently, up to 30 minutes it is set and you are told, beyond \
            that you are asked first. If only time zone and DST explain the difference, it is set and you are told.
            """)

    @OptionGroup var lamp: LampArgument

    @Flag(help: "Set it without asking.")
    var yes = false

    @Flag(help: "Leave the clock as it is where you would be asked.")
    var no = false

    @OptionGroup var options: NightlightOptions

    func validate() throws {
        if yes, no { throw ValidationError("Give --yes or --no, not both.") }
    }

    func run() async throws {
        let output = Output.standard()
        let isJSON = options.format.isJSON
        let answer = yes ? true : no ? false : nil
        let person = isJSON ? nil : Person.atTerminal()
        try await options.use(lamp.lamp) { connection, state in
            guard state.values[.currentTime] != nil else {
                throw CommandError.failed("This lamp has no clock that can be set; nothing was written.")
            }
            let isWanted = try await Self.decide(state, answer: answer, person)
            if isWanted, try await connection.setClock(state).isClockOff {
                try Output.standardError().line(
                    "lantern: the lamp took the time but shows another one: check it with `nightlight show`."
                )
            }
            try output.show(LampClockChecked(state, isSet: isWanted), isJSON: isJSON) {
                LampStateText(state).clockSentence(isSet: isWanted).map { [StyledText($0)] } ?? []
            }
        }
    }

    /// Whether to set it.
    private static func decide(
        _ state: LampState, answer: Bool?, _ person: Person?
    ) async throws -> Bool {
        guard state.action == .ask else { return state.action != .none }
        if let answer { return answer }
        let apart = LampStateText.apart(state.difference ?? 0)
        guard let person else {
            throw CommandError.failed(
                "The lamp's clock is \(apart), and nobody can be asked: add --yes to set it, or --no to leave it."
            )
        }
        let typed = await person.ask("The lamp's clock is \(apart). Set it? [y/N] ")
        try Task.checkCancellation()
        return typed?.lowercased().hasPrefix("y") == true
    }
}

extension LampState {
    /// Whether the clock does not show what was written a moment ago.
    fileprivate var isClockOff: Bool { difference.map { $0.magnitude > 5 } ?? true }
}
