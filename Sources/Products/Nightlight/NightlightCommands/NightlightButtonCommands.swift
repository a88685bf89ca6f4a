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

/// `lantern nightlight button`: the child's button.
struct NightlightButtonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "button",
        abstract: "The child's button.",
        subcommands: [NightlightButtonShowCommand.self, NightlightButtonSetCommand.self])
}

extension NightlightOptions {
    /// Changes the button's settings and shows all of them.
    fileprivate func setButton(_ settings: [NightlightSetting], at lamp: DeviceChoice?) async throws {
        let state = try await use(lamp) { connection, state in
            settings.isEmpty ? state : try await connection.set(settings, of: state.peer)
        }
        let output = Output.standard()
        if format.isJSON { return try output.write(LampButtonRead(state).json(at: .now()) + [0x0A]) }
        let rows = LampStateText(state).buttonRows
        try output.write(output.terminal.drawn(rows: rows).map { $0 + "\n" }.joined())
    }
}

/// `lantern nightlight button show`: its settings.
struct NightlightButtonShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show how the button works.", aliases: ["get"])

    @OptionGroup var lamp: LampArgument

    @OptionGroup var options: NightlightOptions

    func run() async throws {
        try await options.setButton([], at: lamp.lamp)
    }
}

/// `lantern nightlight button set`: other settings.
struct NightlightButtonSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change how the button works; what you leave out stays.")

    @OptionGroup var lamp: LampArgument

    @Option(help: ArgumentHelp("Whether it does anything.", valueName: "on|off"))
    var enabled: Switch?

    @Option(help: ArgumentHelp("How long a press lights the lamp, 0 to 65535 seconds.", valueName: "n"))
    var onSeconds: UInt16?

    @Option(
        help: ArgumentHelp("How many presses a day count: 1 to 254, off or unlimited.", valueName: "n"),
        transform: DailyPresses.argument)
    var daily: DailyPresses?

    @Option(
        help: ArgumentHelp("When it does nothing, such as 20:30-06:30, or none.", valueName: "HH:MM-HH:MM"),
        transform: DeactivationWindow.argument)
    var deactivate: DeactivationWindow?

    @Option(help: ArgumentHelp("Whether shaking the lamp turns the colours.", valueName: "on|off"))
    var shake: Switch?

    @Option(
        help: ArgumentHelp("The colour of its light: RRGGBB, '#RRGGBB' or a name.", valueName: "color"),
        completion: .colors,
        transform: RGBColor.argument)
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
        try await options.setButton(settings, at: lamp.lamp)
    }
}

/// Presses a day, as a person writes them.
struct DailyPresses: Hashable {
    let presses: UInt8

    /// Reads what stands behind an option.
    static func argument(_ text: String) throws -> DailyPresses {
        guard let presses = DailyPresses(text) else {
            throw ValidationError("write a number from 1 to 254, off or unlimited.")
        }
        return presses
    }

    init?(_ text: String) {
        switch text {
        case "off": presses = 0
        case "unlimited": presses = ButtonSettings.unlimitedPresses
        default:
            guard let number = UInt8(text), text.first != "+" else { return nil }
            presses = number
        }
    }
}

/// A stretch of the day, as a person writes it.
struct DeactivationWindow: Hashable {
    let window: ButtonSettings.Deactivation

    /// Reads what stands behind an option.
    static func argument(_ text: String) throws -> DeactivationWindow {
        guard let window = DeactivationWindow(text) else {
            throw ValidationError("write two different times, such as 20:30-06:30, or none.")
        }
        return window
    }

    init?(_ text: String) {
        if text == "none" {
            window = .none
            return
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        // Equal ends would be no stretch, and cannot be meant.
        guard parts.count == 2, let from = MinuteOfDay(parts[0]), let to = MinuteOfDay(parts[1]), from != to
        else { return nil }
        window = ButtonSettings.Deactivation(from: from, to: to)
    }
}
