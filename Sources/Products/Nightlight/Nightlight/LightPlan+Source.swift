// SPDX-License-Identifier: Apache-2.0

import BLEWire

extension LightPlan {
    /// Adds what a lamp shows now, since its schedules do not say everything.
    ///
    /// A lamp says how many days its day schedule has left, but not since when it is in force; and one that has come
    /// to its end, or was replaced, is gone while its last night still shines. So after midnight what shines may have
    /// begun under a schedule that this plan takes for the week's, or that nobody can read any more.
    ///
    /// - Parameters:
    ///   - source: What the lamp shows.
    ///   - moment: When it was asked.
    ///   - clock: The local clock.
    public mutating func agree(with source: ActiveSource, at moment: UnixTime, on clock: WallClock) {
        let planned: [LightSource] = [.off, .week, .day]
        guard planned.contains(source.source) else { return }
        // Until when it shines says more, but a lamp need not count as this plan does.
        if !agree(with: source, untilThen: true, at: moment, on: clock) {
            _ = agree(with: source, untilThen: false, at: moment, on: clock)
        }
    }

    /// The same with or without regard to when it changes.
    ///
    /// - Returns: Whether the plan says the same now.
    private mutating func agree(
        with source: ActiveSource, untilThen: Bool, at moment: UnixTime, on clock: WallClock
    ) -> Bool {
        if shows(source, untilThen: untilThen, at: moment, on: clock) { return true }
        let today = clock.time(at: moment).date
        let yesterday = today.advanced(byDays: -1)
        var other = self
        // The day schedule was in force yesterday, too.
        if let days, days.first == today {
            other.days = days.begun(on: yesterday)
            if other.shows(source, untilThen: untilThen, at: moment, on: clock) {
                self = other
                return true
            }
            other.days = days
        }
        // What shines, or does not, is of a schedule that is gone.
        var period: LightPeriod?
        if source.source != .off {
            guard let minutes = source.minutesToNextChange, minutes < MinuteOfDay.count else { return false }
            let end = clock.time(at: moment.advanced(bySeconds: Int64(minutes) * 60))
            let off = end.minuteOfDay
            guard end.date == today, let on = MinuteOfDay(rawValue: off.rawValue + 1) else { return false }
            do throws(LightPeriod.Failure) {
                period = try LightPeriod(on: on, off: off, color: source.color)
            } catch {
                // The markers differ, and there is no time-out.
                return false
            }
        }
        other.lastNight = Night(date: yesterday, source: source.source, period: period, isKnown: false)
        guard other.shows(source, untilThen: untilThen, at: moment, on: clock) else { return false }
        self = other
        return true
    }

    /// Whether the plan agrees with what a lamp shows; without power a lamp has no colour.
    ///
    /// - Parameters:
    ///   - source: What the lamp says.
    ///   - untilThen: Whether it also has to change at the same time, to two minutes.
    ///   - moment: When it was asked.
    ///   - clock: The local clock.
    /// - Returns: Whether it does.
    public func shows(
        _ source: ActiveSource, untilThen: Bool, at moment: UnixTime, on clock: WallClock
    ) -> Bool {
        let light = light(at: moment, on: clock)
        guard light.source == source.source, light.color == source.color || source.color == .black else {
            return false
        }
        guard untilThen else { return true }
        guard let minutes = source.minutesToNextChange, let until = light.until else {
            return source.minutesToNextChange == nil && light.until == nil
        }
        // 65 534 also stands for all that is more.
        let planned = min(moment.minutes(until: until), 0xFFFE)
        return abs(planned - Int(minutes)) <= 2
    }
}
