// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import Companion
import Nightlight

/// `lantern nightlight clock`: the lamp's clock after this computer's.
struct NightlightClockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract: "Set a lamp's clock after this computer's, with its time zone and the next change of DST.",
        discussion: """
            Less than 5 minutes apart it is set without a word, up to 30 minutes it is set and told, above that you are \
            asked first. A difference that time zone and DST alone explain is set and told.
            """)

    @Argument(help: "The lamp.")
    var address: DeviceAddress

    @Flag(help: "Set it without asking.")
    var yes = false

    @Flag(help: "Do not set it where you would be asked.")
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
        try await options.use(address) { conversation, values in
            let state = NightlightState(justRead: values)
            guard values[.currentTime] != nil else {
                throw CommandError.failed("This lamp has no clock that can be set; nothing was written.")
            }
            let isWanted = try await Self.decide(state, answer: answer, person)
            if isWanted { try await Self.set(&conversation, state) }
            if isJSON {
                try output.line(Self.json(state, isSet: isWanted))
            } else if let sentence = Self.sentence(state, isSet: isWanted) {
                try output.line(sentence)
            }
        }
    }

    /// Whether to set it.
    private static func decide(
        _ state: NightlightState, answer: Bool?, _ person: Person?
    ) async throws -> Bool {
        guard state.action == .ask else { return state.action != .none }
        if let answer { return answer }
        let apart = NightlightStateText.apart(state.difference ?? 0)
        guard let person else {
            throw CommandError.failed(
                "The lamp's clock is \(apart), and nobody can be asked: add --yes to set it, or --no to leave it."
            )
        }
        let typed = await person.ask("The lamp's clock is \(apart). Set it? [y/N] ")
        try Task.checkCancellation()
        return typed?.lowercased().hasPrefix("y") == true
    }

    /// Writes what this computer's clock shows; the time last, as it goes on.
    private static func set(_ conversation: inout NightlightConversation, _ state: NightlightState)
        async throws
    {
        var settings: [NightlightSetting] = []
        if state.values[.localTimeInformation] != nil { settings.append(.zone(state.host.zone)) }
        if state.values[.timeWithDST] != nil { settings.append(.nextDSTChange(state.host.next)) }
        try await conversation.set(settings)
        let (now, fraction) = HostClock.precise()
        let time = CurrentTime(now.time, fractions: UInt8(clamping: Int(fraction * 256)))
        let values = try await conversation.set([.clock(time)])
        let again = NightlightState(justRead: values)
        if again.difference.map({ $0.magnitude > 5 }) ?? true {
            try Output.standardError().line(
                "lantern: the lamp took the time but shows another one: look again with `nightlight show`.")
        }
    }

    /// What was done, for a person; nothing where nothing is to be said.
    static func sentence(_ state: NightlightState, isSet: Bool) -> String? {
        switch state.action {
        case .none: return "The lamp's clock is right."
        case .set: return nil
        case .setAndReport, .ask:
            guard let difference = state.difference else {
                return "The lamp's clock had never been set; it is right now."
            }
            let apart = NightlightStateText.apart(difference)
            guard isSet else { return "The lamp's clock stays \(apart)." }
            return difference == 0
                ? "The lamp's time zone and DST are those of this computer now."
                : "The lamp's clock was \(apart); it is right now."
        }
    }

    /// What was done, for scripts.
    static func json(_ state: NightlightState, isSet: Bool) -> String {
        NightlightJSON.object { json in
            state.writeClock(to: &json)
            json.field("set", isSet)
        }
    }
}
