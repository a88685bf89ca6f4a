// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Companion
import CompanionText
import Nightlight

/// A lamp and on or off, in either order: both read well.
struct SwitchArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("The lamp.", valueName: "address"), completion: .seenDevices)
    var first: String

    @Argument(
        help: ArgumentHelp("What it is to be; it may also stand before the address.", valueName: "on|off"),
        completion: .list(Switch.allValueStrings))
    var second: String

    func validate() throws { _ = try parsed() }

    /// Which is which.
    func parsed() throws -> (address: DeviceAddress, isOn: Bool) {
        for (address, word) in [(first, second), (second, first)] {
            if let address = DeviceAddress(argument: address), let word = Switch(rawValue: word) {
                return (address, word.isOn)
            }
        }
        throw ValidationError("Give the lamp's address and on or off.")
    }
}

/// `lantern nightlight power`: all LEDs.
struct NightlightPowerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "power", abstract: "Give all LEDs power or not; schedules go on in the dark.")

    @OptionGroup var arguments: SwitchArguments
    @OptionGroup var options: NightlightOptions

    func run() async throws {
        let (address, isOn) = try arguments.parsed()
        try await options.set([.power(isOn)], at: address, LampLEDsRead.init) {
            [LampStateText($0).powerSentence]
        }
    }
}

/// `lantern nightlight link`: whether the LEDs are one.
struct NightlightLinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Let LEDs 2 to 4 follow LED 1 or not.")

    @OptionGroup var arguments: SwitchArguments
    @OptionGroup var options: NightlightOptions

    func run() async throws {
        let (address, isOn) = try arguments.parsed()
        try await options.set([.link(isOn)], at: address, LampLEDsRead.init) {
            [LampStateText($0).linkSentence]
        }
    }
}
