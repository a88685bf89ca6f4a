// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `lantern device`: this computer as a device.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Act as a device that others connect to.",
        subcommands: [DeviceRunCommand.self])
}
