// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandIO
import CommandOptions
import FlockFinderCommands
import ProductRegistry

/// `lantern`: the map of all commands.
struct LanternCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lantern",
        abstract: "Bluetooth LE companions: scan, explore, and listen to devices.",
        discussion: """
            Commands that use Bluetooth take --radio: `hci:N` is an adapter of this machine (Linux), `sim` needs no \
            hardware, and `lantern radios` lists your radios. Those that print data take --json: one object per line.

            Exit status: 0 done, 1 failed, 2 nothing found or timed out, 64 wrong usage. Control-C ends a \
            command cleanly.
            """,
        version: LanternVersion.text,
        subcommands: [
            DemoCommand.self, HubCommand.self, ScanCommand.self, GATTCommand.self, L2CAPCommand.self,
            PairCommand.self, BondsCommand.self, DetectionsCommand.self,
            WiFiCommand.self,
        ] + Products.withCommands.flatMap { $0.commands } + [
            DeviceCommand.self, RadioCommand.self, RadiosCommand.self, EventsCommand.self,
            CompletionsCommand.self,
        ])
}
