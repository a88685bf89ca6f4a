// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Companion
public import Nightlight

/// A night of a lamp, from noon to noon, so that it stays whole: what shines, and what each schedule wants.
public struct LampNight: EventPart, Hashable, Sendable {
    /// A time in which something shines, or wants to.
    public struct Span: EventPart, Hashable, Sendable {
        /// When it begins.
        public let from: UnixTime
        /// When it ends.
        public let to: UnixTime
        /// Why it shines.
        public let source: LightSource
        /// How it shines.
        public let color: RGBColor
        let clock: WallClock

        /// Declares its fields.
        public static func describe(_ schema: inout EventSchema<Self>) {
            schema.text("from", "When it begins, as `2026-11-21T20:00:00+01:00`.") { $0.clock.text($0.from) }
            schema.text("to", "When it ends.") { $0.clock.text($0.to) }
            schema.word("source", "Why it shines.", of: LightSource.words) { $0.source.description }
            schema.text("color", "How it shines.") { $0.color.description }
        }
    }

    /// A time of light of the night as it can be edited.
    public struct Period: EventPart, Hashable, Sendable {
        /// The period.
        public let period: LightPeriod
        /// Which schedule it is of.
        public let source: LightSource
        /// The day on which it begins.
        public let date: CalendarDate
        /// The days of its group.
        public let days: DaySet
        let on: UnixTime
        let off: UnixTime
        /// Whether it can be changed for today alone.
        public let isTonight: Bool
        let clock: WallClock

        /// Declares its fields.
        public static func describe(_ schema: inout EventSchema<Self>) {
            schema.include { SchedulePeriod(period: $0.period) }
            schema.word("source", "Which schedule it is of.", of: LightSource.words) {
                $0.source.description
            }
            schema.text("date", "The day on which it begins, as `2026-11-21`.") { $0.date.description }
            schema.text("days", "The days of its group, in words.") { $0.days.description }
            schema.text("from", "When it goes on, as `2026-11-21T20:00:00+01:00`.") {
                $0.clock.text($0.on)
            }
            schema.text("to", "When it goes off at the latest.") { $0.clock.text($0.off) }
            schema.flag("tonight", "Whether it can be changed for today alone.") { $0.isTonight }
        }
    }

    /// The day on which it begins.
    public let date: CalendarDate
    /// Its first moment.
    public let from: UnixTime
    /// The moment after its last.
    public let to: UnixTime
    /// What shines, part by part, without a gap.
    public private(set) var shines: [Span] = []
    /// What the week wants to shine.
    public private(set) var week: [Span] = []
    /// What the schedule in its place wants to shine.
    public private(set) var day: [Span] = []
    /// The light of the button or of a colour that is tried out, while it shines.
    public private(set) var guest: Span?
    /// The times of light that begin in it.
    public private(set) var periods: [Period] = []
    /// When the clock changes in it; `nil` for never.
    public let clockChange: UnixTime?
    private let clock: WallClock

    /// Makes a night of a plan.
    ///
    /// - Parameters:
    ///   - date: The day on which it begins.
    ///   - plan: What the schedules make the lamp do.
    ///   - clock: The local clock.
    ///   - today: The day that it is; `nil` for a night that is only looked at.
    public init(of date: CalendarDate, _ plan: LightPlan, on clock: WallClock, today: CalendarDate? = nil) {
        self.date = date
        self.clock = clock
        let noon = MinuteOfDay(rawValue: 720) ?? .midnight
        from = clock.moment(of: LocalTime(date, noon))
        to = clock.moment(of: LocalTime(date.advanced(byDays: 1), noon))
        let (first, end) = (from, to)
        clockChange = clock.changes.first { first < $0.at && $0.at < end }?.at
        for day in [date, date.advanced(byDays: 1)] {
            for stretch in plan.timeline(of: day, on: clock) {
                add(stretch.from, stretch.to, stretch.source, stretch.color, to: &shines)
            }
        }
        for step in -1...1 {
            let first = date.advanced(byDays: step)
            let inPlace = plan.daySchedule(on: first)
            let group = plan.week.groups.first { $0.days.contains(first.dayOfWeek) }
            for period in plan.week.periods(on: first.dayOfWeek) {
                let (start, end) = clock.span(of: period, on: first)
                add(start, end, .week, period.color, to: &week)
            }
            for period in inPlace?.periods ?? [] {
                let (start, end) = clock.span(of: period, on: first)
                add(start, end, .day, period.color, to: &day)
            }
            for period in inPlace?.periods ?? plan.week.periods(on: first.dayOfWeek) {
                let start = clock.moment(of: LocalTime(first, period.on))
                guard from <= start, start < to else { continue }
                let last = period.wrapsPastMidnight ? first.advanced(byDays: 1) : first
                periods.append(
                    Period(
                        period: period, source: inPlace == nil ? .week : .day, date: first,
                        days: group?.days ?? DaySet(first.dayOfWeek),
                        on: start, off: clock.moment(of: LocalTime(last, period.off)),
                        isTonight: first == today, clock: clock))
            }
        }
    }

    /// Makes the night in which a lamp is, with what its button or an app makes it shine now.
    ///
    /// - Parameters:
    ///   - state: What the lamp has.
    ///   - plan: What its schedules make it do.
    public init(_ state: LampState, _ plan: LightPlan) {
        let today = state.time.date
        let isMorning = state.time.minuteOfDay.hour < 12
        self.init(
            of: isMorning ? today.advanced(byDays: -1) : today, plan, on: state.wall, today: today)
        guard let source = state.values.source, source.source == .button || source.source == .proof else {
            return
        }
        let left = Int64(source.minutesToNextChange ?? 1) * 60
        let end = state.moment.advanced(bySeconds: left)
        let length = source.source == .button ? Int64(state.values.buttonOnSeconds ?? 0) : 60
        let start = min(state.moment, end.advanced(bySeconds: -length))
        cover(with: Span(from: start, to: end, source: source.source, color: source.color, clock: clock))
    }

    private func add(
        _ start: UnixTime, _ end: UnixTime, _ source: LightSource, _ color: RGBColor, to spans: inout [Span]
    ) {
        let (start, end) = (max(start, from), min(end, to))
        guard start < end else { return }
        if let last = spans.last, last.to == start, last.source == source, last.color == color {
            spans.removeLast()
            spans.append(Span(from: last.from, to: end, source: source, color: color, clock: clock))
        } else {
            spans.append(Span(from: start, to: end, source: source, color: color, clock: clock))
        }
    }

    /// Puts what comes before the schedules in front of them.
    private mutating func cover(with span: Span) {
        let old = shines
        shines = []
        var isIn = false
        for one in old {
            add(one.from, min(one.to, span.from), one.source, one.color, to: &shines)
            if one.to > span.from, !isIn {
                add(span.from, span.to, span.source, span.color, to: &shines)
                isIn = true
            }
            add(max(one.from, span.to), one.to, one.source, one.color, to: &shines)
        }
        guest = shines.first { $0.source == span.source }
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("date", "The day on which it begins, as `2026-11-21`.") { $0.date.description }
        schema.text("from", "Noon of that day, as `2026-11-21T12:00:00+01:00`.") { $0.clock.text($0.from) }
        schema.text("to", "Noon of the next day.") { $0.clock.text($0.to) }
        schema.text("clock_change", "When the clock changes in it, by the new one; null for never.") {
            night in
            night.clockChange.map { night.clock.text($0) }
        }
        schema.list("shines", "What shines, part by part, without a gap.") { $0.shines }
        schema.object("guest", "The light of the button, or of a colour that is tried out.") { $0.guest }
        schema.list("day", "What the schedule for a few days wants to shine.") { $0.day }
        schema.list("week", "What the week wants to shine.") { $0.week }
        schema.list("periods", "The times of light that begin in it.") { $0.periods }
    }
}
