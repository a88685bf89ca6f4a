// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import Nightlight
import NightlightCompanion
import NightlightDevices

/// Which LEDs, as a person writes it: 1 to 4, or all.
struct LEDChoice: Hashable, Sendable {
    let numbers: [Int]

    /// Reads an argument.
    static func argument(_ text: String) throws -> LEDChoice {
        guard let choice = LEDChoice(text) else {
            throw ValidationError("write the number of an LED, 1 to \(NightlightLimit.leds), or all.")
        }
        return choice
    }

    init?(_ text: String) {
        if text == "all" {
            numbers = Array(1...NightlightLimit.leds)
        } else {
            guard let number = Int(text), (1...NightlightLimit.leds).contains(number), text.first != "+"
            else { return nil }
            numbers = [number]
        }
    }

    static var allValueStrings: [String] { (1...NightlightLimit.leds).map { "\($0)" } + ["all"] }
}

/// `lantern nightlight color`: tries a colour out.
struct NightlightColorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "color",
        abstract: "Try a colour out on a lamp's LEDs; then the lamp goes back to what is due.",
        usage: "lantern nightlight color [<lamp>] <led> <color> [<options>]",
        discussion: """
            The lamp stops showing it when this command ends, also with Control-C. In a shell, a # without quotes begins \
            a comment: write '#ff8800', or leave out the #.
            """)

    @Argument(help: LampArgument.help, completion: .seenDevices)
    var first: String?

    @Argument(
        help: ArgumentHelp("Which LED: 1 to 4, or all.", valueName: "led"),
        completion: .list(LEDChoice.allValueStrings))
    var second: String?

    @Argument(
        help: ArgumentHelp("The colour: RRGGBB, '#RRGGBB' or a name.", valueName: "color"),
        completion: .colors)
    var third: String?

    @Option(
        help: ArgumentHelp(
            "How bright, in percent of the colour; above 100 until red, green or blue is 255.",
            valueName: "percent"))
    var brightness: Int?

    @Option(
        name: .customLong("for"), help: ArgumentHelp("For how many seconds, at most 3600.", valueName: "s"))
    var length = Seconds(.seconds(10))

    @OptionGroup var options: NightlightOptions

    /// The lamp, the LEDs, and the colour.
    func parsed() throws -> (lamp: DeviceChoice?, leds: LEDChoice, color: RGBColor) {
        let (lamp, words) = try DeviceChoice.split(
            [first, second, third], behind: 2,
            missing: "Say which LED, 1 to \(NightlightLimit.leds) or all, and which colour.")
        return (
            lamp, try DeviceChoice.value(words[0], of: "led", LEDChoice.argument),
            try DeviceChoice.value(words[1], of: "color", RGBColor.argument)
        )
    }

    func validate() throws {
        let color = try parsed().color
        let most = LightDimmer(color).maximum
        if let brightness, !(0...most).contains(brightness) {
            throw ValidationError(
                "--brightness must be from 0 to \(most) percent for \(color): nothing shines brighter than 255."
            )
        }
        guard length.duration > .zero, length.duration <= Self.longest.duration else {
            throw ValidationError("--for must be more than 0 and at most \(Self.longest.text).")
        }
    }

    /// A colour that is to be seen for longer belongs into a schedule.
    static let longest = Seconds(.seconds(3600))

    /// A colour as it is sent.
    func dimmed(_ color: RGBColor) -> RGBColor {
        var dimmer = LightDimmer(color)
        if let brightness { dimmer.set(percent: brightness) }
        return dimmer.color
    }

    func run() async throws {
        let output = Output.standard()
        let (lamp, choice, wanted) = try parsed()
        let (leds, color, length, isJSON) = (
            choice.numbers, dimmed(wanted), length, options.format.isJSON
        )
        try await options.use(lamp) { connection, state in
            if !isJSON, let note = NightlightText.proofNote(state.values, leds) {
                try Output.standardError().line("lantern: \(note).")
            }
            let after = try await connection.tryOut(
                color, on: leds, of: state.peer, for: length.duration
            ) { state in
                try output.show(LampProofBegan(state), isJSON: isJSON) {
                    [NightlightText.proof(state.values, leds, color, for: length.text)]
                }
            }
            if isJSON { try output.write(LampProofEnded(after).json(at: .now()) + [0x0A]) }
        }
    }
}
