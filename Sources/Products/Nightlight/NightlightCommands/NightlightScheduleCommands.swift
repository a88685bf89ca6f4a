// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import CommandIO
import CommandOptions
import Nightlight
import NightlightCompanion

/// A lamp, which may be left out, and a file.
struct LampAndFile: ParsableArguments {
    @Argument(help: LampArgument.help, completion: .seenDevices)
    var first: String?

    @Argument(help: ArgumentHelp("The schedule, as JSON.", valueName: "file"), completion: .file())
    var second: String?

    func validate() throws { _ = try parsed() }

    /// Which is which.
    func parsed() throws -> (lamp: DeviceChoice?, file: String) {
        let (lamp, words) = try DeviceChoice.split(
            [first, second], behind: 1, missing: "Name the file with the schedule.")
        return (lamp, words[0])
    }
}

/// `lantern nightlight week show`: the week of a lamp.
struct NightlightWeekShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a lamp's week.",
        discussion: "What --json prints is what `week set` takes.", aliases: ["get"])

    @OptionGroup var lamp: LampArgument

    @OptionGroup var options: NightlightOptions

    func run() async throws {
        let (state, week) = try await options.use(lamp.lamp) { _, state in
            guard let week = state.values.week else {
                throw CommandError.failed(
                    "This lamp has no week that this version understands. Update its firmware.")
            }
            return (state, week)
        }
        try Output.standard().show(LampWeekRead(state), isJSON: options.format.isJSON) {
            NightlightText.lines(week)
        }
    }
}

/// `lantern nightlight week set`: another week.
struct NightlightWeekSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Give a lamp a new week; it applies at once.",
        usage: "lantern nightlight week set [<lamp>] <file> [<options>]")

    @OptionGroup var words: LampAndFile

    @OptionGroup var options: NightlightOptions

    func run() async throws {
        // What a lamp would refuse is not sent at all.
        let (lamp, file) = try words.parsed()
        let week = try ScheduleFile(path: file).week()
        try await options.set([.week(week)], at: lamp, LampWeekRead.init) {
            [LampStateText($0).weekSentence]
        }
    }
}

/// `lantern nightlight tonight`: a schedule for a few days.
struct NightlightTonightCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tonight",
        abstract: "A schedule for tonight or a few days, in place of the week.",
        subcommands: [
            NightlightTonightShowCommand.self, NightlightTonightSetCommand.self,
            NightlightTonightClearCommand.self, NightlightTonightCheckCommand.self,
        ])
}

/// `lantern nightlight tonight show`: what a lamp does tonight.
struct NightlightTonightShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the schedule for tonight or a few days, if a lamp has one.",
        discussion: "What --json prints is what `tonight set` takes.")

    @OptionGroup var lamp: LampArgument

    @OptionGroup var options: NightlightOptions

    func run() async throws {
        let state = try await options.use(lamp.lamp) { _, state in state }
        try Output.standard().show(LampTonightRead(state), isJSON: options.format.isJSON) {
            LampStateText(state).tonightLines
        }
    }
}

/// `lantern nightlight tonight set`: what to do tonight.
struct NightlightTonightSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Replace the week from today on, for some days.",
        usage: "lantern nightlight tonight set [<lamp>] <file> [<options>]",
        discussion: "The days count down at midnight; the last night still lasts until morning.")

    @OptionGroup var words: LampAndFile

    @OptionGroup var days: DaysOptions
    @OptionGroup var options: NightlightOptions

    func run() async throws {
        let (lamp, file) = try words.parsed()
        let day = try ScheduleFile(path: file).day(days: days.days)
        try await options.set([.day(day)], at: lamp, LampTonightRead.init) {
            [LampStateText($0).tonightSentence]
        }
    }
}

/// `lantern nightlight tonight clear`: back to the week.
struct NightlightTonightClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Go back to the week at once.")

    @OptionGroup var lamp: LampArgument

    @OptionGroup var options: NightlightOptions

    func run() async throws {
        try await options.set([.day(nil)], at: lamp.lamp, LampTonightRead.init) {
            LampStateText($0).tonightLines
        }
    }
}
