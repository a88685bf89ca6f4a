// SPDX-License-Identifier: Apache-2.0

extension LightPlan {
    /// Makes the plan of a lamp that has restarted.
    ///
    /// - Parameters:
    ///   - week: The week.
    ///   - day: The day schedule, if there is one.
    ///   - origin: Since when it counts; `nil` counts its days from today on.
    ///   - moment: When the lamp restarts.
    ///   - clock: The local clock.
    init(
        week: WeekSchedule, day: DaySchedule?, dayOrigin origin: NightlightSettings.DayOrigin?,
        at moment: UnixTime, on clock: WallClock
    ) {
        let today = clock.time(at: moment).date
        guard let origin, origin.date <= today else {
            self.init(week: week, day: day, from: today)
            return
        }
        self.init(week: week, day: day, from: origin.date)
        guard let before = origin.periodsBefore, origin.date == today else { return }
        let yesterday = today.advanced(byDays: -1)
        if let days, days.schedule.periods == before {
            self.days = days.begun(on: yesterday)
        } else {
            let running = before.first { clock.isShining($0, of: yesterday, at: moment) }
            lastNight = Night(date: yesterday, source: .day, period: running)
        }
    }

    /// Since when the day schedule counts, as a lamp keeps it without power.
    ///
    /// - Parameter today: The day that it is.
    /// - Returns: The origin; `nil` when no day schedule counts today, nor did yesterday.
    func dayOrigin(on today: CalendarDate) -> NightlightSettings.DayOrigin? {
        let before = duty(on: today.advanced(byDays: -1))
        guard before.source == .day || daySchedule(on: today) != nil else { return nil }
        return NightlightSettings.DayOrigin(
            date: today, periodsBefore: before.source == .day ? before.periods : nil)
    }
}
