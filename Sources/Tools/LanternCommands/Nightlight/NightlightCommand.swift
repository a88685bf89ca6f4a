// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `lantern nightlight`: everything about Smart Nightlights.
struct NightlightCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nightlight",
        abstract: "See what a nightlight does, and change it.",
        subcommands: [
            NightlightWeekCommand.self,
            NightlightSimulateCommand.self,
        ])
}

/// `lantern nightlight week`: the schedule of every week.
struct NightlightWeekCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "week",
        abstract: "The schedule of every week.",
        subcommands: [NightlightWeekCheckCommand.self])
}
