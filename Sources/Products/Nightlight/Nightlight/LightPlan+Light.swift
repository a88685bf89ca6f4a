// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// What a plan makes shine at a moment, why, and until when.
public struct PlannedLight: Hashable, Sendable {
    /// Off, week or day.
    public var source: LightSource
    /// How it shines; black when it is off.
    public var color: RGBColor
    /// When that changes; `nil` when it never does.
    public var until: UnixTime?
    /// The period that shines, and the day on which it began; `nil` when it is off, or when nobody knows.
    public var cause: Cause?

    /// Why a lamp shines.
    public struct Cause: Hashable, Sendable {
        /// The period.
        public var period: LightPeriod
        /// The day on which it began.
        public var date: CalendarDate
    }
}

/// A part of a day in which a lamp does not change.
public struct LightStretch: Hashable, Sendable {
    /// When it begins.
    public var from: UnixTime
    /// When it ends.
    public var to: UnixTime
    /// Off, week or day.
    public var source: LightSource
    /// How it shines; black when it is off.
    public var color: RGBColor
    /// The period that shines, and the day on which it began; `nil` when it is off, or when nobody knows.
    public var cause: PlannedLight.Cause?
}

extension LightPlan {
    /// A whole week, and as much again so that a marker that DST skips does not end the search.
    private static let horizon = 15

    /// What shines at a moment, and until when.
    ///
    /// - Parameters:
    ///   - moment: The moment.
    ///   - clock: The local clock.
    /// - Returns: The light.
    public func light(at moment: UnixTime, on clock: WallClock) -> PlannedLight {
        var light = shining(at: moment, on: clock)
        light.until = change(from: light, after: moment, on: clock)
        return light
    }

    /// What a lamp does on a day, from its first moment to that of the next day.
    ///
    /// - Parameters:
    ///   - date: The day.
    ///   - clock: The local clock.
    /// - Returns: The parts of the day, without a gap, each different from the one before.
    public func timeline(of date: CalendarDate, on clock: WallClock) -> [LightStretch] {
        let end = clock.moment(of: LocalTime(date.advanced(byDays: 1)))
        var start = clock.moment(of: LocalTime(date))
        var stretches: [LightStretch] = []
        while start < end {
            let light = light(at: start, on: clock)
            let next = min(light.until ?? end, end)
            stretches.append(
                LightStretch(
                    from: start, to: next, source: light.source, color: light.color, cause: light.cause))
            start = next
        }
        return stretches
    }

    /// What shines at a moment.
    private func shining(at moment: UnixTime, on clock: WallClock) -> PlannedLight {
        var light = PlannedLight(source: .off, color: .black, until: nil, cause: nil)
        var began: UnixTime?
        let today = clock.time(at: moment).date
        // Tomorrow, too: where DST ends at midnight, tomorrow has begun for a moment already.
        for step in -1...1 {
            let date = today.advanced(byDays: step)
            let duty = duty(on: date)
            for period in duty.periods {
                let (start, end) = clock.span(of: period, on: date)
                guard start <= moment, moment < end else { continue }
                if let began {
                    guard
                        duty.source == light.source
                            ? start >= began : duty.source.rawValue > light.source.rawValue
                    else { continue }
                }
                began = start
                light.source = duty.source
                light.color = period.color
                light.cause =
                    lastNight?.date == date && lastNight?.isKnown == false
                    ? nil : PlannedLight.Cause(period: period, date: date)
            }
        }
        return light
    }

    /// When something else shines than now.
    private func change(from light: PlannedLight, after moment: UnixTime, on clock: WallClock) -> UnixTime? {
        let today = clock.time(at: moment).date
        let last = today.advanced(byDays: Self.horizon + (daySchedule(on: today)?.daysLeft ?? 0))
        var place = moment
        while let next = marker(after: place, upTo: last, on: clock) {
            let then = shining(at: next, on: clock)
            if then.source != light.source || then.color != light.color { return next }
            place = next
        }
        return nil
    }

    /// The next moment at which a period begins or ends.
    private func marker(after moment: UnixTime, upTo last: CalendarDate, on clock: WallClock) -> UnixTime? {
        var date = clock.time(at: moment).date.advanced(byDays: -1)
        var earliest: UnixTime?
        while date <= last {
            // What begins on a later day than the best one is later.
            if let earliest, clock.moment(of: LocalTime(date)) >= earliest { break }
            for period in duty(on: date).periods {
                let (start, end) = clock.span(of: period, on: date)
                for marker in [start, end] where marker > moment && earliest.map({ marker < $0 }) ?? true {
                    earliest = marker
                }
            }
            let next = date.advanced(byDays: 1)
            guard next > date else { break }
            date = next
        }
        return earliest
    }
}

extension WallClock {
    /// From when to when a period of a day shines; not at all when both are the same.
    ///
    /// - Parameters:
    ///   - period: The period.
    ///   - date: The day on which it begins.
    /// - Returns: Its first moment and the one after its last.
    public func span(of period: LightPeriod, on date: CalendarDate) -> (UnixTime, UnixTime) {
        let start = moment(of: LocalTime(date, period.on))
        let offDate = period.wrapsPastMidnight ? date.advanced(byDays: 1) : date
        let off = moment(of: LocalTime(offDate, period.off))
        guard let timeout = period.timeout else { return (start, off) }
        return (start, min(off, start.advanced(bySeconds: Int64(timeout) * 60)))
    }

    /// Whether a period of a day shines at a moment.
    func isShining(_ period: LightPeriod, of date: CalendarDate, at moment: UnixTime) -> Bool {
        let (start, end) = span(of: period, on: date)
        return start <= moment && moment < end
    }
}
