// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import Companion
import Foundation
import Nightlight

/// `lantern nightlight simulate`: what a lamp would do; no lamp is needed.
struct NightlightSimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Show what a lamp would do at a time or on a day, and why; no lamp is needed.",
        discussion: """
            The lamp's own code decides. A time that the end of DST brings twice means the first one, unless its offset \
            is given, as in 2026-10-25T02:30+01:00.
            """)

    @Option(help: ArgumentHelp("The week, as JSON.", valueName: "file"))
    var week: String

    @Option(help: ArgumentHelp("A schedule for a few days in place of the week, as JSON.", valueName: "file"))
    var tonight: String?

    @Option(help: ArgumentHelp("For how many days that is, 1 to 30.", valueName: "n"))
    var days: Int?

    @Option(
        help: ArgumentHelp(
            "The first of these days; the day that is asked about, if not given.", valueName: "date"))
    var from: ISODate?

    @Option(help: ArgumentHelp("What shines at this time, for example 2026-11-21T20:00.", valueName: "time"))
    var at: ISOTime?

    @Option(help: ArgumentHelp("What the lamp does on this day, for example 2026-11-21.", valueName: "day"))
    var date: ISODate?

    @Option(
        help: ArgumentHelp(
            "The time zone, for example Europe/Berlin; this computer's, if not given.", valueName: "tz"))
    var timeZone: String?

    @OptionGroup var format: FormatOptions

    func validate() throws {
        guard (at == nil) != (date == nil) else { throw ValidationError("Give either --at or --date.") }
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
    func text(on terminal: Terminal) throws(CommandError) -> String {
        let zone = timeZone.flatMap { TimeZone(identifier: $0) } ?? TimeZone.current
        // Twice, because the offset there is not known before.
        let day = at?.time.date ?? date?.date ?? CalendarDate(dayNumber: 0)
        let clock = HostClock.wall(zone, around: WallClock.utc.moment(of: LocalTime(day)))
        let moment = at?.moment(on: clock)
        let today = moment.map { clock.time(at: $0).date } ?? day

        let week = try ScheduleFile(path: week).week()
        var plan = LightPlan(week: week)
        if let tonight {
            let schedule = try ScheduleFile(path: tonight).day(days: days ?? 1)
            plan = LightPlan(week: week, day: schedule, from: from?.date ?? today)
        }
        if format.isJSON { return Self.json(plan, clock, moment, today) }
        let text = NightlightTimelineText(plan, on: clock, terminal: terminal)
        return (moment.map { [text.line(at: $0)] } ?? text.lines(of: today)).map { $0 + "\n" }.joined()
    }

    private static func json(
        _ plan: LightPlan, _ clock: WallClock, _ moment: UnixTime?, _ date: CalendarDate
    ) -> String {
        guard let moment else {
            return plan.timeline(of: date, on: clock).map { stretch in
                object { json in
                    json.field("from", clock.text(stretch.from))
                    json.field("to", clock.text(stretch.to))
                    json.field("source", stretch.source.description)
                    json.field("color", stretch.color.description)
                }
            }.joined()
        }
        let light = plan.light(at: moment, on: clock)
        return object { json in
            json.field("at", clock.text(moment))
            json.field("source", light.source.description)
            json.field("color", light.color.description)
            json.field("until", light.until.map { clock.text($0) })
        }
    }

    private static func object(_ body: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        json.object(body)
        return json.text + "\n"
    }
}

/// A day as a person writes it: `2026-11-21`.
struct ISODate: ExpressibleByArgument, Hashable, Sendable {
    let date: CalendarDate

    init?(argument: String) {
        guard let date = CalendarDate(argument) else { return nil }
        self.date = date
    }
}

/// A time as a person writes it: `2026-11-21T20:00`, where a clock shows it twice with the offset behind it.
struct ISOTime: ExpressibleByArgument, Hashable, Sendable {
    let time: LocalTime
    /// Seconds east of UTC, if they are given.
    let offset: Int32?

    init?(argument: String) {
        var text = argument[...]
        var offset: Int32?
        if text.hasSuffix("Z") || text.hasSuffix("z") {
            text = text.dropLast()
            offset = 0
        } else if let sign = text.dropFirst(10).lastIndex(where: { $0 == "+" || $0 == "-" }) {
            guard let distance = MinuteOfDay(String(text[text.index(after: sign)...])) else { return nil }
            offset = Int32(distance.rawValue) * (text[sign] == "-" ? -60 : 60)
            text = text[..<sign]
        }
        guard let time = LocalTime(String(text)) else { return nil }
        self.time = time
        self.offset = offset
    }

    /// The moment that is meant.
    func moment(on clock: WallClock) -> UnixTime {
        (offset.map { WallClock(offset: $0) } ?? clock).moment(of: time)
    }
}
