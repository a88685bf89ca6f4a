// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import Companion
import Nightlight

/// `lantern nightlight week get`: the week of a lamp.
struct NightlightWeekGetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Show the week of a lamp.",
        discussion: "What --json prints is what `week set` takes.")

    @Argument(help: "The lamp.")
    var address: DeviceAddress

    @OptionGroup var options: NightlightOptions

    func run() async throws {
        let week = try await options.use(address) { _, values in
            guard let week = values.week else {
                throw CommandError.failed(
                    "This lamp has no week that this version understands. Update its firmware.")
            }
            return week
        }
        let output = Output.standard()
        try output.line(
            options.format.isJSON
                ? ScheduleJSON.text(week) : NightlightScheduleText.lines(week, on: output.terminal))
    }
}

/// `lantern nightlight week set`: another week.
struct NightlightWeekSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Give a lamp another week; it counts at once.")

    @Argument(help: "The lamp.")
    var address: DeviceAddress

    @Argument(help: "The week, as JSON.")
    var file: String

    @OptionGroup var options: NightlightOptions

    func run() async throws {
        // What a lamp would refuse is not sent at all.
        let week = try ScheduleFile(path: file).week()
        try await options.set([.week(week)], at: address) { values in
            let name = values.week.map { TerminalText.escaped($0.name.string) } ?? ""
            return name.isEmpty ? "The lamp has its new week." : "The lamp has the week “\(name)” now."
        } json: { values in
            values.week.map { ScheduleJSON.text($0) } ?? "null"
        }
    }
}

/// `lantern nightlight tonight`: a schedule for a few days.
struct NightlightTonightCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tonight",
        abstract: "A schedule for tonight or a few days, in place of the week.",
        subcommands: [NightlightTonightSetCommand.self, NightlightTonightClearCommand.self])

    /// What the lamp has, for scripts.
    @Sendable static func json(_ values: NightlightValues) -> String {
        NightlightJSON.object { json in
            json.key("tonight")
            if let day = values.day { ScheduleJSON.write(day, to: &json) } else { json.value(nil as String?) }
            json.field("tonight_days_left", values.day?.daysLeft)
        }
    }
}

/// `lantern nightlight tonight set`: what to do tonight.
struct NightlightTonightSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Replace the week from today on, for some days.",
        discussion: "The days count down at midnight; the last night still runs out in the morning.")

    @Argument(help: "The lamp.")
    var address: DeviceAddress

    @Argument(help: "The schedule, as JSON.")
    var file: String

    @Option(help: ArgumentHelp("For how many days, with today; 1 to 30.", valueName: "n"))
    var days = 1

    @OptionGroup var options: NightlightOptions

    func validate() throws {
        guard (1...NightlightLimit.days).contains(days) else {
            throw ValidationError("--days is a number from 1 to \(NightlightLimit.days).")
        }
    }

    func run() async throws {
        let day = try ScheduleFile(path: file).day(days: days)
        try await options.set([.day(day)], at: address) { values in
            let left = values.day?.daysLeft ?? 0
            return left == 1
                ? "Tonight the lamp does this; tomorrow the week is back."
                : "The lamp does this for \(left) days, then the week is back."
        } json: {
            NightlightTonightCommand.json($0)
        }
    }
}

/// `lantern nightlight tonight clear`: back to the week.
struct NightlightTonightClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Go back to the week at once.")

    @Argument(help: "The lamp.")
    var address: DeviceAddress

    @OptionGroup var options: NightlightOptions

    func run() async throws {
        try await options.set([.day(nil)], at: address) { _ in
            "The lamp does as the week says."
        } json: {
            NightlightTonightCommand.json($0)
        }
    }
}

/// Schedules in a parent's words.
enum NightlightScheduleText {
    /// A week, a line for each group of days.
    static func lines(_ week: WeekSchedule, on terminal: Terminal) -> String {
        let name = TerminalText.escaped(week.name.string)
        return
            ([name.isEmpty ? "A week without a name" : "The week “\(name)”"]
            + NightlightWeekCheckCommand.groupLines(week, on: terminal)).joined(separator: "\n")
    }
}
