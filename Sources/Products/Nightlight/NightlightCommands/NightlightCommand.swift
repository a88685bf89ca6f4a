// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `lantern nightlight`: everything about Smart Nightlights.
struct NightlightCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nightlight",
        abstract: "See what a nightlight does, and change it.",
        discussion: """
            A lamp is named by its address or the name of its child; where only one is near, it need not be named.
            """,
        subcommands: [
            NightlightListCommand.self,
            NightlightShowCommand.self,
            NightlightNameCommand.self,
            NightlightClockCommand.self,
            NightlightColorCommand.self,
            NightlightPowerCommand.self,
            NightlightLinkCommand.self,
            NightlightButtonCommand.self,
            NightlightWeekCommand.self,
            NightlightTonightCommand.self,
            NightlightSimulateCommand.self,
        ])
}

/// `lantern nightlight week`: the schedule of every week.
struct NightlightWeekCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "week",
        abstract: "The schedule of every week.",
        subcommands: [
            NightlightWeekShowCommand.self, NightlightWeekSetCommand.self, NightlightWeekCheckCommand.self,
        ])
}
