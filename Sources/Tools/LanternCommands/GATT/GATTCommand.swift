// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Companion

/// `lantern gatt`: looks into any device.
struct GATTCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gatt",
        abstract: "Explore a device: its services and characteristics, read, write and watch them.",
        subcommands: [
            GATTTreeCommand.self, GATTReadCommand.self, GATTWriteCommand.self, GATTWatchCommand.self,
            GATTShellCommand.self, GATTDiffCommand.self,
        ])
}

/// The device that a command is about.
struct DeviceArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The device, as AA:BB:CC:DD:EE:FF. Without /P (public) or /R (random) behind it, a scan finds out.",
            valueName: "address"))
    var address: DeviceAddress

    @OptionGroup var phyOptions: PHYOptions
}

/// The characteristic or descriptor that a command is about.
struct AttributeArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "What: a UUID like 2a19, a handle like 0x001f, or a name like battery-level.",
            valueName: "uuid|0xhandle|name"),
        completion: .attributeNames)
    var reference: AttributeReference
}
