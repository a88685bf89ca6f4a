// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Nightlight
import Testing

/// Berlin, in 2026.
private func berlin() throws -> WallClock {
    func moment(_ text: String) throws -> UnixTime { WallClock.utc.moment(of: try #require(LocalTime(text))) }
    return WallClock(
        offset: 3600,
        changes: [
            WallClock.Change(at: try moment("2026-10-25T01:00"), offset: 3600),
            WallClock.Change(at: try moment("2026-03-29T01:00"), offset: 7200),
        ])
}

private func lines(_ plan: LightPlan, _ day: String) throws -> [String] {
    let clock = try berlin()
    return plan.timeline(of: try #require(CalendarDate(day)), on: clock).map {
        "\(clock.text($0.from)) \(clock.text($0.to)) \($0.source) \($0.color)"
    }
}

@Suite("The timeline of a day")
struct TimelineTests {
    @Test("A Saturday has the end of Friday's night and its own light")
    func saturday() throws {
        #expect(
            try lines(LightPlan(week: try schoolWeek()), "2026-11-28") == [
                "2026-11-28T00:00:00+01:00 2026-11-28T07:00:00+01:00 week #ff8800",
                "2026-11-28T07:00:00+01:00 2026-11-28T20:30:00+01:00 off #000000",
                "2026-11-28T20:30:00+01:00 2026-11-28T22:00:00+01:00 week #201040",
                "2026-11-28T22:00:00+01:00 2026-11-29T00:00:00+01:00 off #000000",
            ])
    }

    @Test("A day on which the clock is changed has 23 or 25 hours")
    func dst() throws {
        let plan = LightPlan(
            week: WeekSchedule(groups: [DayGroup(.all, periods: [try period("02:30-04:00", "#00ff00")])]))
        #expect(
            try lines(plan, "2026-03-29") == [
                "2026-03-29T00:00:00+01:00 2026-03-29T03:00:00+02:00 off #000000",
                "2026-03-29T03:00:00+02:00 2026-03-29T04:00:00+02:00 week #00ff00",
                "2026-03-29T04:00:00+02:00 2026-03-30T00:00:00+02:00 off #000000",
            ])
        #expect(
            try lines(plan, "2026-10-25") == [
                "2026-10-25T00:00:00+02:00 2026-10-25T02:30:00+02:00 off #000000",
                "2026-10-25T02:30:00+02:00 2026-10-25T04:00:00+01:00 week #00ff00",
                "2026-10-25T04:00:00+01:00 2026-10-26T00:00:00+01:00 off #000000",
            ])
    }

    @Test("A dark day is one stretch")
    func dark() throws {
        #expect(
            try lines(LightPlan(week: .factory), "2026-11-28") == [
                "2026-11-28T00:00:00+01:00 2026-11-29T00:00:00+01:00 off #000000"
            ])
    }

    @Test("It says on which day and in which period a light began")
    func cause() throws {
        let plan = LightPlan(week: try schoolWeek())
        let stretches = plan.timeline(of: try #require(CalendarDate("2026-11-28")), on: try berlin())
        #expect(stretches.first?.cause?.date == CalendarDate("2026-11-27"))
        #expect(stretches.first?.cause?.period == (try period("19:30-07:00")))
        #expect(stretches.last?.cause == nil)
    }

    @Test("Whatever the schedules, a timeline has no gap and says what each moment says", arguments: 0..<60)
    func wholeDays(seed: Int) throws {
        var dice = SplitMix64(seed: UInt64(seed))
        let clock = try berlin()
        let day = try #require(CalendarDate(["2026-03-29", "2026-10-25", "2026-11-23"][seed % 3]))
        var plan = LightPlan(
            week: anyWeek(&dice), day: Bool.random(using: &dice) ? anyDay(&dice) : nil,
            from: day.advanced(byDays: Int.random(in: -3...1, using: &dice)))
        if Bool.random(using: &dice) {
            plan.set(week: anyWeek(&dice), at: clock.moment(of: LocalTime(day)), on: clock)
        }
        let stretches = plan.timeline(of: day, on: clock)
        #expect(stretches.first?.from == clock.moment(of: LocalTime(day)))
        #expect(stretches.last?.to == clock.moment(of: LocalTime(day.advanced(byDays: 1))))
        for (stretch, next) in zip(stretches, stretches.dropFirst()) {
            #expect(stretch.to == next.from)
            #expect(stretch.source != next.source || stretch.color != next.color)
        }
        for stretch in stretches {
            #expect(stretch.from < stretch.to)
            for second in stride(from: stretch.from.seconds, to: stretch.to.seconds, by: 420) {
                let light = plan.light(at: UnixTime(seconds: second), on: clock)
                #expect(light.source == stretch.source && light.color == stretch.color)
                #expect(light.until.map { $0 >= stretch.to } ?? true)
            }
        }
    }

    // MARK: What a lamp shows after midnight

    /// What a plan says at 1:00 on Tuesday, 24 November, after it has heard what the lamp shows.
    private func agreed(
        _ source: ActiveSource, day: DaySchedule?
    ) throws -> (lines: [String], cause: PlannedLight.Cause?) {
        let clock = try berlin()
        let moment = clock.moment(of: try #require(LocalTime("2026-11-24T01:00")))
        let today = try #require(CalendarDate("2026-11-24"))
        var plan = LightPlan(week: try schoolWeek(), day: day, from: today)
        plan.agree(with: source, at: moment, on: clock)
        #expect(plan.daySchedule(on: today) == day)
        return (
            try lines(plan, "2026-11-24").map { String($0.dropFirst(11)) },
            plan.light(at: moment, on: clock).cause
        )
    }

    private let early = "19:00-06:30"

    @Test("Last night's day schedule is not drawn as the week")
    func lastNight() throws {
        let day = DaySchedule(daysLeft: 2, periods: [try period(early, "#102030")])
        let (lines, cause) = try agreed(
            ActiveSource(.day, try color("#102030"), minutesToNextChange: 330), day: day)
        #expect(lines.first == "00:00:00+01:00 2026-11-24T06:30:00+01:00 day #102030")
        #expect(cause?.period == day.periods[0] && cause?.date == CalendarDate("2026-11-23"))
        // Without power it has no colour.
        let (dark, _) = try agreed(ActiveSource(.day, .black, minutesToNextChange: 330), day: day)
        #expect(dark == lines)
    }

    @Test("The last night of a day schedule that is over is drawn as far as it is known")
    func overAlready() throws {
        let (lines, cause) = try agreed(
            ActiveSource(.day, try color("#102030"), minutesToNextChange: 330), day: nil)
        #expect(
            lines == [
                "00:00:00+01:00 2026-11-24T06:30:00+01:00 day #102030",
                "06:30:00+01:00 2026-11-24T19:30:00+01:00 off #000000",
                "19:30:00+01:00 2026-11-25T00:00:00+01:00 week #ff8800",
            ])
        #expect(cause == nil)
    }

    @Test("A dark night is drawn dark, and the week where it shines")
    func darkNight() throws {
        let dark = DaySchedule(daysLeft: 2, periods: [])
        #expect(
            try agreed(ActiveSource(.off, .black, minutesToNextChange: nil), day: dark).lines == [
                "00:00:00+01:00 2026-11-25T00:00:00+01:00 off #000000"
            ])
        let (over, _) = try agreed(ActiveSource(.off, .black, minutesToNextChange: 1110), day: nil)
        #expect(over.first == "00:00:00+01:00 2026-11-24T19:30:00+01:00 off #000000")
        let week = ActiveSource(.week, try color("#ff8800"), minutesToNextChange: 360)
        let (shining, cause) = try agreed(week, day: dark)
        #expect(shining.first == "00:00:00+01:00 2026-11-24T07:00:00+01:00 week #ff8800")
        #expect(cause?.date == CalendarDate("2026-11-23"))
    }

    @Test("Whatever a lamp says, a plan stays one", arguments: 0..<200)
    func anySource(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        let clock = try berlin()
        let day = try #require(CalendarDate(["2026-03-29", "2026-10-25", "2026-11-23"][Int(seed % 3)]))
        let moment = clock.moment(of: LocalTime(day)).advanced(
            bySeconds: .random(in: 0..<90_000, using: &dice))
        var plan = LightPlan(
            week: anyWeek(&dice), day: Bool.random(using: &dice) ? anyDay(&dice) : nil, from: day)
        let source = ActiveSource(
            LightSource(rawValue: .random(in: 0...5, using: &dice)), .white,
            minutesToNextChange: Bool.random(using: &dice) ? .random(in: 0...70_000, using: &dice) : nil)
        plan.agree(with: source, at: moment, on: clock)
        let stretches = plan.timeline(of: day, on: clock)
        #expect(stretches.first?.from == clock.moment(of: LocalTime(day)))
        for (stretch, next) in zip(stretches, stretches.dropFirst()) { #expect(stretch.to == next.from) }
    }

    @Test("The extremes of time neither trap nor hang")
    func extremes() throws {
        let plan = LightPlan(week: try schoolWeek())
        for seconds in [Int64.min, -1, 0, .max, .max - 1] {
            for clock in [WallClock(offset: .max), WallClock(offset: .min), .utc] {
                _ = plan.light(at: UnixTime(seconds: seconds), on: clock)
            }
        }
        let last = CalendarDate(dayNumber: .max)
        #expect(last.parts == (9999, 12, 31))
        #expect(last.advanced(byDays: 1) == last)
        #expect(plan.timeline(of: last, on: .utc).isEmpty)
    }
}
