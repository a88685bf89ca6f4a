// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import CommandIO
import CommandOptions
import Companion
import CompanionText
import Nightlight
import NightlightCompanion

/// `lantern nightlight week check`: whether a lamp would take a week.
struct NightlightWeekCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say whether a lamp would accept a week, and if not, why.",
        discussion: "Exit status: 0 when it would, 1 when not, 64 when the file cannot be read.")

    @Argument(help: "The week, as JSON.", completion: .file())
    var file: String

    @OptionGroup var format: FormatOptions

    func run() async throws {
        let file = ScheduleFile(path: file)
        let (week, faults) = try file.weekReading()
        try file.show(faults, size: week?.encoded().count, isJSON: format.isJSON) {
            week.map { NightlightText.valid($0) } ?? []
        }
    }
}

/// `lantern nightlight tonight check`: whether a lamp would take a day schedule.
struct NightlightTonightCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say whether a lamp would accept a schedule for tonight, and if not, why.",
        discussion: "Exit status: 0 when it would, 1 when not, 64 when the file cannot be read.")

    @Argument(help: "The schedule, as JSON.", completion: .file())
    var file: String

    @OptionGroup var days: DaysOptions
    @OptionGroup var format: FormatOptions

    func run() async throws {
        let file = ScheduleFile(path: file)
        let (day, faults) = try file.dayReading(days: days.days)
        try file.show(faults, size: day?.encoded().count, isJSON: format.isJSON) {
            day.map { NightlightText.valid($0, days: days.days) } ?? []
        }
    }
}

/// For how many days a schedule is.
struct DaysOptions: ParsableArguments {
    @Option(help: ArgumentHelp("For how many days, with today; 1 to 30.", valueName: "n"))
    var days = 1

    func validate() throws {
        guard (1...NightlightLimit.days).contains(days) else {
            throw ValidationError("--days is a number from 1 to \(NightlightLimit.days).")
        }
    }
}

extension ScheduleFile {
    /// Shows whether a lamp would take it.
    ///
    /// - Parameters:
    ///   - faults: What is wrong.
    ///   - size: How many octets a lamp would get.
    ///   - isJSON: Whether it is for scripts.
    ///   - lines: What to say when nothing is wrong.
    /// - Throws: ``CommandError`` that says what is wrong, and `ExitCode` where scripts know already.
    fileprivate func show(
        _ faults: [JSONDecodingError], size: Int?, isJSON: Bool, lines: () -> [StyledText]
    ) throws {
        if isJSON || faults.isEmpty {
            try Output.standard().show(ScheduleChecked(size: size, faults: faults), isJSON: isJSON) {
                lines()
            }
        }
        guard faults.isEmpty else {
            if isJSON { throw ExitCode(CommandError.Status.failed.rawValue) }
            throw CommandError.failed(sentence(faults))
        }
    }
}
