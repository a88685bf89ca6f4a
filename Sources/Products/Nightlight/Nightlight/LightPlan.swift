// SPDX-License-Identifier: Apache-2.0

/// What the schedules make a lamp do: the week, and for some days a schedule in its place.
///
/// - A period belongs to the day on which it begins, and runs to its off marker whatever begins at midnight.
/// - On the days of a day schedule only that counts: where it is dark the lamp is dark.
/// - Markers are times on the wall: one that a change of DST skips acts at the change, one that comes twice acts the
///   first time. Time-outs are elapsed minutes.
/// - Where two periods shine at once, one of the day schedule comes before one of the week, then the later one.
/// - A schedule that is replaced counts no more, and the new one counts as if it had always been there; but a period
///   that began on the day before and shines runs out.
/// - After the clock was set the lamp does what it would do had the clock always been right.
///
/// It costs nothing while nothing changes: ``light(at:on:)`` says until when its answer holds.
///
/// Spec: Documentation/Protocols/nightlight.md, What shines when.
public struct LightPlan: Hashable, Sendable {
    /// A day schedule with the day on which it was set.
    struct Days: Hashable, Sendable {
        var first: CalendarDate
        var schedule: DaySchedule

        /// The same with more days before, and as many from its first day on.
        func begun(on earlier: CalendarDate) -> Days {
            let left = schedule.daysLeft + first.days(since: earlier)
            return Days(first: earlier, schedule: DaySchedule(daysLeft: left, periods: schedule.periods))
        }
    }

    /// What shone past midnight when its schedule was replaced; `nil` for nothing.
    struct Night: Hashable, Sendable {
        var date: CalendarDate
        var source: LightSource
        var period: LightPeriod?
        /// Whether anybody knows when the period began.
        var isKnown = true
    }

    /// The week.
    public private(set) var week: WeekSchedule
    var days: Days?
    var lastNight: Night?

    /// Makes a plan.
    ///
    /// - Parameters:
    ///   - week: The week.
    ///   - day: The day schedule, if there is one.
    ///   - first: Its first day.
    public init(week: WeekSchedule, day: DaySchedule? = nil, from first: CalendarDate) {
        self.week = week
        days = day.map { Days(first: first, schedule: $0) }
    }

    /// Makes a plan without a day schedule.
    public init(week: WeekSchedule) { self.week = week }

    /// The day schedule with the days that are left on a day.
    ///
    /// - Parameter today: The day.
    /// - Returns: The schedule; `nil` when there is none or its days are over.
    public func daySchedule(on today: CalendarDate) -> DaySchedule? {
        guard let days, today >= days.first else { return nil }
        let left = days.schedule.daysLeft - today.days(since: days.first)
        guard left > 0 else { return nil }
        return DaySchedule(daysLeft: left, periods: days.schedule.periods)
    }

    /// Replaces the week.
    ///
    /// - Parameters:
    ///   - week: The new week.
    ///   - moment: When this happens.
    ///   - clock: The local clock.
    public mutating func set(week: WeekSchedule, at moment: UnixTime, on clock: WallClock) {
        keepNight(at: moment, on: clock)
        self.week = week
    }

    /// Replaces the day schedule; its days count from today on.
    ///
    /// - Parameters:
    ///   - day: The new schedule; `nil` for none.
    ///   - moment: When this happens.
    ///   - clock: The local clock.
    public mutating func set(day: DaySchedule?, at moment: UnixTime, on clock: WallClock) {
        keepNight(at: moment, on: clock)
        let today = clock.time(at: moment).date
        let yesterday = today.advanced(byDays: -1)
        let isFollowing = lastNight == nil && duty(on: yesterday).source == .day
        days = day.map { day in
            // In place of another one it has been there as long as that, and the week stays away until its turn.
            isFollowing
                ? Days(first: today, schedule: day).begun(on: yesterday) : Days(first: today, schedule: day)
        }
    }

    /// Follows a clock that was set.
    ///
    /// A day schedule that would begin in the future begins today, with as many days as were left.
    ///
    /// - Parameters:
    ///   - before: The day that it was before.
    ///   - today: The day that it is.
    public mutating func adjustToClockChange(from before: CalendarDate, to today: CalendarDate) {
        if let held = days, today < held.first {
            days = daySchedule(on: before).map { Days(first: today, schedule: $0) }
        }
        if let night = lastNight, night.date >= today { lastNight = nil }
    }

    /// Forgets what was running when a schedule was replaced, as the clock says now that it was another night.
    public mutating func forgetNight() { lastNight = nil }

    /// Forgets what cannot count any more; to be called now and then, as on a new day.
    ///
    /// - Parameter today: The day that it is.
    public mutating func forgetPast(on today: CalendarDate) {
        if let held = days, today.days(since: held.first) > held.schedule.daysLeft { days = nil }
        if let night = lastNight, today.days(since: night.date) > 1 { lastNight = nil }
    }

    /// What began yesterday and shines stays what it is, whatever comes.
    private mutating func keepNight(at moment: UnixTime, on clock: WallClock) {
        let yesterday = clock.time(at: moment).date.advanced(byDays: -1)
        let duty = duty(on: yesterday)
        let running = duty.periods.first { clock.isShining($0, of: yesterday, at: moment) }
        lastNight = running.map {
            Night(date: yesterday, source: duty.source, period: $0, isKnown: lastNight?.isKnown ?? true)
        }
    }

    /// Which schedule says what begins on a day, and what that is.
    func duty(on date: CalendarDate) -> (source: LightSource, periods: [LightPeriod]) {
        if let night = lastNight, night.date == date {
            return (night.source, night.period.map { [$0] } ?? [])
        }
        if let days, date >= days.first, date.days(since: days.first) < days.schedule.daysLeft {
            return (.day, days.schedule.periods)
        }
        return (.week, week.periods(on: date.dayOfWeek))
    }
}
