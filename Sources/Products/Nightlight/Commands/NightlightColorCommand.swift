// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import Companion
import Nightlight

/// Which LEDs, as a person writes it: 1 to 4, or all.
struct LEDChoice: ExpressibleByArgument, Hashable, Sendable {
    let numbers: [Int]

    init?(argument: String) {
        if argument == "all" {
            numbers = Array(1...NightlightLimit.leds)
        } else {
            guard let number = Int(argument), (1...NightlightLimit.leds).contains(number),
                argument.first != "+"
            else { return nil }
            numbers = [number]
        }
    }
}

/// `lantern nightlight color`: tries a colour out.
struct NightlightColorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "color",
        abstract: "Try a colour out on a lamp's LEDs; then the lamp does again what is due.",
        discussion: """
            The lamp stops by itself when this command ends, also with Control-C. To a shell, a # without quotes begins \
            a comment: write '#ff8800', or leave it out.
            """)

    /// A lamp gives up after 60 s without a write.
    private static let refreshTime = Duration.seconds(25)

    @Argument(help: "The lamp.")
    var address: DeviceAddress

    @Argument(help: ArgumentHelp("Which LED: 1 to 4, or all.", valueName: "led"))
    var leds: LEDChoice

    @Argument(help: ArgumentHelp("The colour.", valueName: "#rrggbb"), transform: NightlightColor.argument)
    var color: RGBColor

    @Option(
        help: ArgumentHelp(
            "How bright, in percent of the colour; above 100 until red, green or blue is 255.",
            valueName: "percent"))
    var dim: Int?

    @Option(name: .customLong("for"), help: ArgumentHelp("For how many seconds.", valueName: "s"))
    var length = Seconds(.seconds(10))

    @OptionGroup var options: NightlightOptions

    func validate() throws {
        if let dim, dim < 0 { throw ValidationError("--dim is a percentage from 0.") }
    }

    /// The colour as it is sent.
    var dimmed: RGBColor {
        var dimmer = LightDimmer(color)
        if let dim { dimmer.set(percent: dim) }
        return dimmer.color
    }

    func run() async throws {
        let output = Output.standard()
        let settings = leds.numbers.map { NightlightSetting.led($0, dimmed) }
        let (leds, length, isJSON) = (leds, length.duration, options.format.isJSON)
        try await options.use(address) { conversation, values in
            if !isJSON, let note = Self.note(values, leds) {
                try Output.standardError().line("lantern: \(note)")
            }
            var shown = try await conversation.set(settings)
            try output.line(
                isJSON ? Self.json("proof", shown) : Self.sentence(shown, length, on: output.terminal))
            let end = ContinuousClock.now + length
            while ContinuousClock.now < end {
                // A lamp that dies meanwhile, or a radio, ends it.
                try await conversation.listen(
                    for: min(ContinuousClock.now.duration(to: end), Self.refreshTime))
                if ContinuousClock.now < end { shown = try await conversation.set([.proof(true)]) }
            }
            shown = try await conversation.set([.proof(false)])
            if isJSON { try output.line(Self.json("end", shown)) }
        }
    }

    /// Why the colour will not be seen, if so.
    static func note(_ values: NightlightValues, _ leds: LEDChoice) -> String? {
        if values.isPowered == false {
            return "the LEDs have no power, so nothing will be seen: `nightlight power on` gives it to them."
        }
        if values.isLinked == true, !leds.numbers.contains(1) {
            return
                "the LEDs are linked, so LED \(leds.numbers[0]) follows LED 1: `nightlight link off` parts them."
        }
        return nil
    }

    private static func sentence(_ values: NightlightValues, _ length: Duration, on terminal: Terminal)
        -> String
    {
        let colors = (1...NightlightLimit.leds).compactMap { values.led($0) }
        let shown = colors.map {
            terminal.swatch(red: $0.red, green: $0.green, blue: $0.blue) + $0.description
        }
        return "The LEDs show \(shown.joined(separator: " ")) for \(Seconds(length).text)."
    }

    private static func json(_ event: String, _ values: NightlightValues) -> String {
        NightlightJSON.object { json in
            json.field("event", event)
            json.field("source", values.source?.source.description)
            json.key("colors")
            json.array { json in
                for number in 1...NightlightLimit.leds { json.value(values.led(number)?.description) }
            }
        }
    }
}
