// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandOptions
import Nightlight
import NightlightCompanion

/// A lamp, which may be left out, and on or off, in either order: both read well.
struct SwitchArguments: ParsableArguments {
    @Argument(help: LampArgument.help, completion: .seenDevices)
    var first: String?

    @Argument(
        help: ArgumentHelp("on or off; it may also come before the lamp.", valueName: "on|off"),
        completion: .list(Switch.allValueStrings))
    var second: String?

    func validate() throws { _ = try parsed() }

    /// Which is which.
    func parsed() throws -> (lamp: DeviceChoice?, isOn: Bool) {
        for words in [[first, second], [second, first]] {
            guard let (lamp, rest) = try? DeviceChoice.split(words, behind: 1, missing: ""),
                let word = Switch(rawValue: rest[0])
            else { continue }
            // Both of them can hardly be meant.
            if case .name(let name)? = lamp, Switch(rawValue: name) != nil { break }
            return (lamp, word.isOn)
        }
        throw ValidationError("Say on or off, and which lamp if there are several.")
    }
}

/// `lantern nightlight power`: all LEDs.
struct NightlightPowerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "power",
        abstract: "Switch the power of all LEDs on or off; schedules go on in the dark.",
        usage: "lantern nightlight power [<lamp>] <on|off> [<options>]")

    @OptionGroup var arguments: SwitchArguments
    @OptionGroup var options: NightlightOptions

    func run() async throws {
        let (lamp, isOn) = try arguments.parsed()
        try await options.set([.power(isOn)], at: lamp, LampLEDsRead.init) {
            [LampStateText($0).powerSentence]
        }
    }
}

/// `lantern nightlight link`: whether the LEDs are one.
struct NightlightLinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Link LEDs 2 to 4 to LED 1, or separate them.",
        usage: "lantern nightlight link [<lamp>] <on|off> [<options>]")

    @OptionGroup var arguments: SwitchArguments
    @OptionGroup var options: NightlightOptions

    func run() async throws {
        let (lamp, isOn) = try arguments.parsed()
        try await options.set([.link(isOn)], at: lamp, LampLEDsRead.init) {
            [LampStateText($0).linkSentence]
        }
    }
}
