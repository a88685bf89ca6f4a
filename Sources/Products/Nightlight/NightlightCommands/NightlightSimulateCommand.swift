// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import Foundation
import Nightlight
import NightlightCompanion
import NightlightDevices

/// `lantern nightlight simulate`: what a lamp would do; no lamp is needed.
struct NightlightSimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Show what a lamp would do at a time or on a day, and why; no lamp is needed.",
        discussion: """
            The lamp's own code decides. A time that comes twice when DST ends means the first one, unless its offset \
            is given, as in 2026-10-25T02:30+01:00.
            """)

    @Option(help: ArgumentHelp("The week, as JSON.", valueName: "file"), completion: .file())
    var week: String

    @Option(
        help: ArgumentHelp("A schedule for a few days in place of the week, as JSON.", valueName: "file"),
        completion: .file())
    var tonight: String?

    @Option(help: ArgumentHelp("For how many days that is, 1 to 30.", valueName: "n"))
    var days: Int?

    @Option(
        help: ArgumentHelp(
            "The first of these days; the day that is asked about, if not given.", valueName: "date"),
        transform: ISODate.argument)
    var from: ISODate?

    @Option(
        help: ArgumentHelp(
            "What shines at this time, for example 20:00 or 2026-11-21T20:00.", valueName: "time"),
        transform: ISOTime.argument)
    var at: ISOTime?

    @Option(
        help: ArgumentHelp(
            "What the lamp does on this day, for example 2026-11-21; today, if neither is given.",
            valueName: "day"),
        transform: ISODate.argument)
    var date: ISODate?

    @Option(
        help: ArgumentHelp(
            "The time zone, for example Europe/Berlin; this computer's, if not given.", valueName: "tz"),
        completion: .timeZones)
    var timeZone: String?

    @OptionGroup var format: FormatOptions

    func validate() throws {
        guard at == nil || date == nil else {
            throw ValidationError("Give --at or --date, not both; without either it is today.")
        }
        guard tonight != nil || (days == nil && from == nil) else {
            throw ValidationError("--days and --from belong to --tonight.")
        }
        guard (1...NightlightLimit.days).contains(days ?? 1) else {
            throw ValidationError("--days is a number from 1 to \(NightlightLimit.days).")
        }
        if let timeZone, TimeZone(identifier: timeZone) == nil {
            throw ValidationError("There is no time zone \(timeZone): give one like Europe/Berlin.")
        }
    }

    func run() async throws {
        let output = Output.standard()
        try output.write(try text(on: output.terminal))
    }

    /// All that is printed.
    ///
    /// - Parameters:
    ///   - terminal: Where.
    ///   - now: The moment, which says what day it is today.
    /// - Returns: The text.
    /// - Throws: ``CommandError`` that says what is wrong with a file.
    func text(on terminal: Terminal, now: UnixTime = HostClock.now()) throws(CommandError) -> String {
        let zone = timeZone.flatMap { TimeZone(identifier: $0) } ?? TimeZone.current
        let nowThere = HostClock.wall(zone, around: now).time(at: now).date
        // Twice, because the offset there is not known before.
        let day = date?.date ?? at.map { $0.time(today: nowThere).date } ?? nowThere
        let clock = HostClock.wall(zone, around: WallClock.utc.moment(of: LocalTime(day)))
        let moment = at?.moment(on: clock, today: nowThere)
        let today = moment.map { clock.time(at: $0).date } ?? day

        let week = try ScheduleFile(path: week).week()
        var plan = LightPlan(week: week)
        if let tonight {
            let schedule = try ScheduleFile(path: tonight).day(days: days ?? 1)
            plan = LightPlan(week: week, day: schedule, from: from?.date ?? today)
        }
        if format.isJSON { return Self.json(plan, clock, moment, today) }
        let lines =
            moment.map { [LampDayText(plan, on: clock).line(at: $0)] }
            ?? plan.lines(of: today, on: clock, columns: terminal.columns)
        return lines.flatMap(terminal.lines).map { $0 + "\n" }.joined()
    }

    private static func json(
        _ plan: LightPlan, _ clock: WallClock, _ moment: UnixTime?, _ date: CalendarDate
    ) -> String {
        let now = Timestamp.now()
        let objects =
            moment.map {
                [PlannedLightShown(plan.light(at: $0, on: clock), at: $0, on: clock).json(at: now)]
            }
            ?? plan.timeline(of: date, on: clock).map { PlannedStretchShown($0, on: clock).json(at: now) }
        return objects.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
    }
}

/// A day as a person writes it: `2026-11-21`.
struct ISODate: Hashable, Sendable {
    let date: CalendarDate

    init?(_ text: String) {
        guard let date = CalendarDate(text) else { return nil }
        self.date = date
    }

    /// Reads what stands behind an option.
    static func argument(_ text: String) throws -> ISODate {
        guard let date = ISODate(text) else {
            throw ValidationError("write a day of the calendar, such as 2026-11-21.")
        }
        return date
    }
}

/// A time as a person writes it: `2026-11-21T20:00`, or `20:00` for today; where a clock shows it twice with the offset
/// behind it.
struct ISOTime: Hashable, Sendable {
    private enum Moment: Hashable {
        case today(LocalTime)
        case dated(LocalTime)
    }

    private let moment: Moment
    /// Seconds east of UTC, if they are given.
    let offset: Int32?

    /// Reads what stands behind an option.
    static func argument(_ text: String) throws -> ISOTime {
        guard let time = ISOTime(text) else {
            throw ValidationError("write a time from 00:00 to 23:59, such as 20:00 or 2026-11-21T20:00.")
        }
        return time
    }

    init?(_ written: String) {
        let hasDate = written.dropFirst(4).first == "-"
        // As if it were some day.
        var text = hasDate ? written : "2000-01-01T" + written
        var offset: Int32?
        if text.hasSuffix("Z") || text.hasSuffix("z") {
            text.removeLast()
            offset = 0
        } else if let sign = text.dropFirst(10).lastIndex(where: { $0 == "+" || $0 == "-" }) {
            guard let distance = MinuteOfDay(String(text[text.index(after: sign)...])) else { return nil }
            offset = Int32(distance.rawValue) * (text[sign] == "-" ? -60 : 60)
            text = String(text[..<sign])
        }
        guard let time = LocalTime(text) else { return nil }
        moment = hasDate ? .dated(time) : .today(time)
        self.offset = offset
    }

    /// The time that is meant.
    ///
    /// - Parameter today: The day that it is.
    /// - Returns: The time.
    func time(today: CalendarDate) -> LocalTime {
        switch moment {
        case .dated(let time): return time
        case .today(var time):
            time.date = today
            return time
        }
    }

    /// The moment that is meant.
    ///
    /// - Parameters:
    ///   - clock: The local clock.
    ///   - today: The day that it is.
    /// - Returns: The moment.
    func moment(on clock: WallClock, today: CalendarDate) -> UnixTime {
        (offset.map { WallClock(offset: $0) } ?? clock).moment(of: time(today: today))
    }
}
