// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
public import CompanionText
public import Nightlight

/// What a plan makes a lamp do, in a parent's words.
public struct LampDayText {
    private let plan: LightPlan
    private let clock: WallClock

    /// Makes words of a plan.
    public init(_ plan: LightPlan, on clock: WallClock) {
        self.plan = plan
        self.clock = clock
    }

    /// The head of a day: its date and which schedule it has.
    ///
    /// - Parameter date: The day.
    /// - Returns: The text.
    public func heading(of date: CalendarDate) -> StyledText {
        StyledText(.plain("\(date.dayOfWeek) \(date)  "), .faint(rule(on: date)))
    }

    /// The parts of a day, a line each.
    ///
    /// - Parameters:
    ///   - stretches: The parts.
    ///   - date: The day.
    /// - Returns: The lines.
    public func lines(_ stretches: [LightStretch], of date: CalendarDate) -> [StyledText] {
        stretches.map { stretch in
            // The end of the day is that of its last hour, not the start of the next one.
            let end = stretch == stretches.last ? "24:00" : minute(stretch.to)
            let times = "\(minute(stretch.from))–\(end)  "
            let margin = FixedWidthText.width(times)
            guard stretch.source != .off else {
                return StyledText(.plain(times), .faint("dark")).indented(by: margin)
            }
            let why = reason(stretch.source, stretch.cause, on: date)
            return StyledText(.plain(times), .color(stretch.color), .plain("  \(why)")).indented(by: margin)
        }
    }

    /// What shines at a moment, in one line.
    ///
    /// - Parameter moment: The moment.
    /// - Returns: The line.
    public func line(at moment: UnixTime) -> StyledText {
        let light = plan.light(at: moment, on: clock)
        let time = clock.time(at: moment)
        let start = StyledText("\(time.date.dayOfWeek) \(time.date) \(minute(moment)): ")
        let what =
            light.source == .off
            ? StyledText("dark")
            : StyledText(.color(light.color), .plain(", \(reason(light.source, light.cause, on: time.date))"))
        let end =
            light.until.map { ", until \(day(of: $0, seenFrom: time.date))\(minute($0))" } ?? ", for ever"
        return start + what + "\(end)."
    }

    /// A moment of a day as the clock shows it.
    ///
    /// - Parameter moment: The moment.
    /// - Returns: Hour and minute; one that comes twice says so the second time.
    public func minute(_ moment: UnixTime) -> String {
        let time = clock.time(at: moment)
        // What comes twice needs the offset to be told apart.
        let again = clock.moment(of: time) != moment
        return time.minuteOfDay.description + (again ? " (again)" : "")
    }

    /// What makes it shine: `the week “School”`, `tonight’s schedule`.
    private func name(_ source: LightSource) -> String {
        guard source == .week else { return "tonight’s schedule" }
        let name = plan.week.name.string
        return name.isEmpty ? "the week" : "the week “\(name)”"
    }

    /// Which schedule the day has.
    private func rule(on date: CalendarDate) -> String {
        guard let left = plan.daySchedule(on: date)?.daysLeft else { return name(.week) }
        return name(.day) + (left == 1 ? ", its last day" : ", \(left) days left")
    }

    private func reason(_ source: LightSource, _ cause: PlannedLight.Cause?, on date: CalendarDate) -> String
    {
        var text = name(source)
        // Of a schedule that is gone.
        guard let cause else { return text + ", since the evening before" }
        if cause.date != date { text += ", since \(cause.date.dayOfWeek) \(cause.period.on)" }
        if let timeout = cause.period.timeout { text += ", for \(timeout) minutes at most" }
        return text
    }

    private func day(of moment: UnixTime, seenFrom date: CalendarDate) -> String {
        let day = clock.time(at: moment).date
        if day == date { return "" }
        return day.days(since: date) < 7 ? "\(day.dayOfWeek) " : "\(day.dayOfWeek) \(day) "
    }
}
