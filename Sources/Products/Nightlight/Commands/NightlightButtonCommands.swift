// SPDX-License-Identifier: Apache-2.0

import BLEWire
import ArgumentParser
import Companion
import Nightlight

/// `lantern nightlight button`: the child's button.
struct NightlightButtonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "button",
        abstract: "The child's button.",
        subcommands: [NightlightButtonGetCommand.self, NightlightButtonSetCommand.self])

    /// The button for scripts.
    @Sendable static func json(_ values: NightlightValues) -> String {
        let state = NightlightState(justRead: values)
        var json = JSONWriter()
        state.writeButton(to: &json)
        return json.text
    }

    /// The button for a person.
    @Sendable static func text(_ values: NightlightValues) -> String {
        let state = NightlightState(justRead: values)
        return NightlightStateText(state, on: Output.standard().terminal).buttonLines.joined(separator: "\n")
    }
}

/// `lantern nightlight button get`: its settings.
struct NightlightButtonGetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Show how the button works.")

    @Argument(help: "The lamp.")
    var address: DeviceAddress

    @OptionGroup var options: NightlightOptions

    func run() async throws {
        try await options.set(
            [], at: address, NightlightButtonCommand.text, json: NightlightButtonCommand.json)
    }
}

/// `lantern nightlight button set`: other settings.
struct NightlightButtonSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change how the button works; what is not given stays.")

    @Argument(help: "The lamp.")
    var address: DeviceAddress

    @Option(help: ArgumentHelp("Whether it does anything.", valueName: "on|off"))
    var enabled: Switch?

    @Option(help: ArgumentHelp("How long a press lights the lamp, 0 to 65535 seconds.", valueName: "n"))
    var onSeconds: UInt16?

    @Option(help: ArgumentHelp("How many presses a day count: 1 to 254, off or unlimited.", valueName: "n"))
    var daily: DailyPresses?

    @Option(help: ArgumentHelp("When it does nothing, as 20:30-06:30, or none.", valueName: "HH:MM-HH:MM"))
    var deactivate: DeactivationWindow?

    @Option(help: ArgumentHelp("Whether shaking the lamp turns the colours.", valueName: "on|off"))
    var shake: Switch?

    @Option(
        help: ArgumentHelp("The colour of its light.", valueName: "#rrggbb"),
        transform: NightlightColor.argument)
    var color: RGBColor?

    @OptionGroup var options: NightlightOptions

    /// What is to be written.
    var settings: [NightlightSetting] {
        var settings: [NightlightSetting] = []
        if let onSeconds { settings.append(.buttonOnTime(onSeconds)) }
        if let daily { settings.append(.buttonDailyPresses(daily.presses)) }
        if let deactivate { settings.append(.buttonDeactivation(deactivate.window)) }
        if let shake { settings.append(.buttonShake(shake.isOn)) }
        if let color { settings.append(.buttonColor(color)) }
        if let enabled { settings.append(.buttonEnabled(enabled.isOn)) }
        return settings
    }

    func validate() throws {
        guard !settings.isEmpty else {
            throw ValidationError(
                "Say what to change: --enabled, --on-seconds, --daily, --deactivate, --shake or --color.")
        }
    }

    func run() async throws {
        try await options.set(
            settings, at: address, NightlightButtonCommand.text, json: NightlightButtonCommand.json)
    }
}

/// Presses a day, as a person writes them.
struct DailyPresses: ExpressibleByArgument, Hashable {
    let presses: UInt8

    init?(argument: String) {
        switch argument {
        case "off": presses = 0
        case "unlimited": presses = ButtonSettings.unlimitedPresses
        default:
            guard let number = UInt8(argument), argument.first != "+" else { return nil }
            presses = number
        }
    }
}

/// A stretch of the day, as a person writes it.
struct DeactivationWindow: ExpressibleByArgument, Hashable {
    let window: ButtonSettings.Deactivation

    init?(argument: String) {
        if argument == "none" {
            window = .none
            return
        }
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        // Equal ends would be no stretch, and cannot be meant.
        guard parts.count == 2, let from = MinuteOfDay(parts[0]), let to = MinuteOfDay(parts[1]), from != to
        else { return nil }
        window = ButtonSettings.Deactivation(from: from, to: to)
    }
}

/// A colour, as a person writes it.
enum NightlightColor {
    /// For `transform:`.
    @Sendable static func argument(_ text: String) throws -> RGBColor {
        guard let color = RGBColor(text) else {
            throw ValidationError("\(text) is no colour: give six hex digits, as '#ff8800'.")
        }
        return color
    }
}
