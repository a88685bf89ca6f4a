// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Nightlight
import Testing

private let winter = LocalTimeInformation(zone: 4, dst: .standard)
private let summer = LocalTimeInformation(zone: 4, dst: .daylight)
private let london = LocalTimeInformation(zone: 0, dst: .standard)

private func reading(
    _ text: String, _ zone: LocalTimeInformation = winter, next: TimeWithDST = .none
) throws -> ClockReading {
    ClockReading(time: try #require(LocalTime(text)), zone: zone, next: next)
}

@Suite("What to do about a clock")
struct ClockActionTests {
    @Test(
        "Below 5 minutes silently, to 30 minutes aloud, above ask",
        arguments: [
            ("12:00:00", ClockAction.none), ("12:00:01", .none), ("11:59:59", .none), ("12:00:02", .set),
            ("12:04:59", .set), ("11:55:01", .set), ("12:05:00", .setAndReport), ("11:55:00", .setAndReport),
            ("12:30:00", .setAndReport), ("11:30:00", .setAndReport), ("12:30:01", .ask), ("11:29:59", .ask),
        ])
    func limits(time: String, action: ClockAction) throws {
        let host = try reading("2026-11-21T12:00:00")
        #expect(try reading("2026-11-21T\(time)").action(against: host) == action)
    }

    @Test("Days and years apart are asked about")
    func farApart() throws {
        let host = try reading("2026-11-21T12:00:00")
        #expect(try reading("2026-11-20T12:00:00").action(against: host) == .ask)
        #expect(try reading("1582-01-01T00:00:00").action(against: host) == .ask)
        #expect(try reading("9999-12-31T23:59:59").action(against: host) == .ask)
        // Five minutes over midnight are five minutes.
        #expect(
            try reading("2026-12-31T23:58:00").action(against: reading("2027-01-01T00:02:00")) == .set)
    }

    @Test("What zone and DST alone explain is set and told")
    func zones() throws {
        let host = try reading("2026-11-21T12:00:00")
        #expect(try reading("2026-11-21T11:00:00", london).action(against: host) == .setAndReport)
        #expect(try reading("2026-11-21T13:00:00", summer).action(against: host) == .setAndReport)
        #expect(try reading("2026-11-21T13:04:59", summer).action(against: host) == .setAndReport)
        #expect(try reading("2026-11-21T13:05:00", summer).action(against: host) == .ask)
        // The time is right, the zone is not.
        #expect(try reading("2026-11-21T12:00:00", london).action(against: host) == .setAndReport)
        // The zone is right, so it explains nothing.
        #expect(try reading("2026-11-21T13:00:00").action(against: host) == .ask)
        // Tokyo against Berlin.
        let tokyo = LocalTimeInformation(zone: 36, dst: .standard)
        #expect(try reading("2026-11-21T20:00:00", tokyo).action(against: host) == .setAndReport)
    }

    @Test("A lamp that does not know its zone is told it")
    func unknownZone() throws {
        let host = try reading("2026-11-21T12:00:00")
        #expect(try reading("2026-11-21T12:00:00", .unknown).action(against: host) == .set)
        #expect(try reading("2026-11-21T13:00:00", .unknown).action(against: host) == .ask)
    }

    @Test("The next change of DST is written")
    func nextChange() throws {
        let change = TimeWithDST(LocalTime("2027-03-28T02:00"), dst: .daylight)
        let host = try reading("2026-11-21T12:00:00", next: change)
        #expect(try reading("2026-11-21T12:00:00").action(against: host) == .set)
        #expect(try reading("2026-11-21T12:00:00", next: change).action(against: host) == .none)
    }
}

@Suite("The calendar")
struct CalendarTests {
    /// Days of the week from an almanac.
    @Test(
        "Days have their numbers and names",
        arguments: [
            ("1970-01-01", 0, DayOfWeek.thursday), ("1969-12-31", -1, .wednesday),
            ("2000-02-29", 11_016, .tuesday),
            ("2000-03-01", 11_017, .wednesday), ("2026-11-21", 20_778, .saturday),
            ("2028-02-29", 21_243, .tuesday),
            ("2100-03-01", 47_541, .monday), ("1582-01-01", -141_714, .friday),
            ("9999-12-31", 2_932_896, .friday),
        ])
    func days(text: String, number: Int32, day: DayOfWeek) throws {
        let date = try #require(CalendarDate(text))
        #expect(date.dayNumber == number)
        #expect(date.dayOfWeek == day)
        #expect(date.description == text)
    }

    @Test(
        "There is no such day",
        arguments: [
            "2026-02-29", "2100-02-29", "2026-04-31", "2026-00-10", "2026-13-01", "2026-01-00", "2026-01-32",
            "1581-12-31", "10000-01-01", "26-01-01", "2026-1-01", "2026-01-1", "2026-01-01-", "+026-01-01",
            "",
        ])
    func noSuchDay(text: String) { #expect(CalendarDate(text) == nil) }

    @Test("Every day of the calendar is the day after the one before it")
    func allDays() throws {
        var parts = (1582, 1, 1)
        var day = DayOfWeek.friday
        var date = try #require(CalendarDate("1582-01-01"))
        while date < CalendarDate(dayNumber: .max) {
            #expect(date.parts == parts)
            #expect(date.dayOfWeek == day)
            if date.parts != parts { break }
            #expect(CalendarDate(year: parts.0, month: parts.1, day: parts.2) == date)
            date = date.advanced(byDays: 1)
            day = day.next
            parts.2 += 1
            let longest = GregorianCalendar.days(inMonth: Int64(parts.1), of: Int64(parts.0))
            if parts.2 > longest { parts = (parts.0, parts.1 + 1, 1) }
            if parts.1 > 12 { parts = (parts.0 + 1, 1, 1) }
            // A few centuries with all kinds of leap years are enough.
            if parts == (1604, 1, 1) {
                (date, parts, day) = (try #require(CalendarDate("1890-01-01")), (1890, 1, 1), .wednesday)
            }
            if parts == (2110, 1, 1) { return }
        }
        Issue.record("the days ended too early")
    }

    @Test(
        "Times of day", arguments: [("00:00", 0), ("7:05", 425), ("07:05", 425), ("23:59", 1439)])
    func minutes(text: String, minute: UInt16) { #expect(MinuteOfDay(text)?.rawValue == minute) }

    @Test(
        "No times of day",
        arguments: ["24:00", "12:60", "12", "12:5", "012:05", "-1:00", "1+:00", "12:00:00", ""])
    func noMinutes(text: String) { #expect(MinuteOfDay(text) == nil) }

    @Test(
        "Local times",
        arguments: [
            ("2026-11-21T20:00", "2026-11-21T20:00:00"), ("2026-11-21 20:00:59", "2026-11-21T20:00:59"),
            ("2026-11-21t07:05", "2026-11-21T07:05:00"),
        ])
    func localTimes(text: String, written: String) { #expect(LocalTime(text)?.description == written) }

    @Test(
        "No local times",
        arguments: [
            "2026-11-21", "2026-11-21T", "2026-11-21T7:05", "2026-11-21T20:00:60", "2026-11-21T20:00:",
            "T20:00",
        ])
    func noLocalTimes(text: String) { #expect(LocalTime(text) == nil) }
}

@Suite("The clock on the wall")
struct WallClockTests {
    @Test("Minutes to a moment are rounded up")
    func minutes() {
        let start = UnixTime(seconds: 1000)
        let expected = [-60: 0, 0: 0, 1: 1, 59: 1, 60: 1, 61: 2, 41_400: 690]
        for (seconds, minutes) in expected {
            #expect(start.minutes(until: start.advanced(bySeconds: Int64(seconds))) == minutes)
        }
        #expect(UnixTime(seconds: .min).minutes(until: UnixTime(seconds: .max)) == .max)
        #expect(UnixTime(seconds: .max).minutes(until: UnixTime(seconds: .min)) == 0)
    }

    @Test("A lamp makes its clock of zone, DST and next change")
    func lampClock() throws {
        // Berlin, at the end of summer 2026: at 03:00 the clock goes back to 02:00.
        let clock = WallClock(
            LocalTimeInformation(zone: 4, dst: .daylight),
            next: TimeWithDST(LocalTime("2026-10-25T03:00"), dst: .standard))
        let change = WallClock.utc.moment(of: try #require(LocalTime("2026-10-25T01:00")))
        #expect(clock == WallClock(offset: 7200, changes: [WallClock.Change(at: change, offset: 3600)]))
        #expect(clock.text(change.advanced(bySeconds: -1)) == "2026-10-25T02:59:59+02:00")
        #expect(clock.text(change) == "2026-10-25T02:00:00+01:00")
        #expect(WallClock(.unknown) == .utc)
        #expect(
            WallClock(LocalTimeInformation(zone: -20, dst: .standard)).text(.init(seconds: 0))
                == "1969-12-31T19:00:00-05:00")
    }

    @Test("Where DST ends at midnight, the day that began for a moment keeps what began in it")
    func midnightTwice() throws {
        // At 00:01 on 2 November the clock goes back to 23:01, as it did in Newfoundland.
        let moment = WallClock.utc.moment(of: try #require(LocalTime("2026-11-02T00:01")))
        let clock = WallClock(offset: 0, changes: [WallClock.Change(at: moment, offset: -3600)])
        let plan = LightPlan(
            week: WeekSchedule(groups: [DayGroup(.all, periods: [try period("00:00-00:30")])]))
        let light = plan.light(at: moment, on: clock)
        #expect(clock.text(moment) == "2026-11-01T23:01:00-01:00")
        #expect(light.source == .week)
        #expect(light.until.map { clock.text($0) } == "2026-11-02T00:30:00-01:00")
    }
}
