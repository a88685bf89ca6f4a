// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandOptions
import ProductRegistry

/// `lantern device run`: a device session as a peripheral on any radio.
struct DeviceRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Advertise and serve as a device until Control-C, or for a time.",
        discussion:
            "Each device has options of its own, which --help shows: lantern device run wifiset --help.",
        subcommands: Products.withCommands.map { $0.deviceCommand } + [
            StrapRunCommand.self, ThermometerRunCommand.self, ReplayRunCommand.self,
        ])
}
