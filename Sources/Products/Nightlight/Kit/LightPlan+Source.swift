// SPDX-License-Identifier: Apache-2.0

extension LightPlan {
    /// Takes in what a lamp shows now, of which its schedules do not say everything.
    ///
    /// A lamp tells how many days its day schedule has left, but not since when it is in force; and one that has come
    /// to its end, or was replaced, is gone while its last night still shines. So after midnight what shines may have
    /// begun under a schedule that this plan takes for the week's, or that nobody can read any more.
    ///
    /// - Parameters:
    ///   - source: What the lamp shows.
    ///   - moment: When it was asked.
    ///   - clock: The clock on the wall.
    public mutating func agree(with source: ActiveSource, at moment: UnixTime, on clock: WallClock) {
        let planned: [LightSource] = [.off, .week, .day]
        guard planned.contains(source.source), !shows(source, at: moment, on: clock) else { return }
        let today = clock.time(at: moment).date
        let yesterday = today.advanced(byDays: -1)
        var other = self
        // The day schedule was in force yesterday, too.
        if let days, days.first == today {
            other.days = days.begun(on: yesterday)
            if other.shows(source, at: moment, on: clock) {
                self = other
                return
            }
            other.days = days
        }
        // What shines, or does not, is of a schedule that is gone.
        var period: LightPeriod?
        if source.source != .off {
            guard let minutes = source.minutesToNextChange, minutes < MinuteOfDay.count else { return }
            let end = clock.time(at: moment.advanced(bySeconds: Int64(minutes) * 60))
            let off = end.minuteOfDay
            guard end.date == today, let on = MinuteOfDay(rawValue: off.rawValue + 1) else { return }
            do throws(LightPeriod.Fault) {
                period = try LightPeriod(on: on, off: off, color: source.color)
            } catch {
                // The markers differ, and there is no time-out.
                return
            }
        }
        other.lastNight = Night(date: yesterday, source: source.source, period: period, isKnown: false)
        if other.shows(source, at: moment, on: clock) { self = other }
    }

    /// Whether the plan says what a lamp says; without power a lamp has no colour.
    private func shows(_ source: ActiveSource, at moment: UnixTime, on clock: WallClock) -> Bool {
        let light = light(at: moment, on: clock)
        return light.source == source.source && (light.color == source.color || source.color == .black)
    }
}
