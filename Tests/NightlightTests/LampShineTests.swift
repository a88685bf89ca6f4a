// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Nightlight
import Testing

// 21 November 2026 is a Saturday.

/// A lamp that somebody uses, at a time in winter in central Europe.
private func school(_ text: String, zone: Int8 = 4, dst: DSTOffset = .standard, next: TimeWithDST = .none)
    throws -> Lamp
{
    Lamp(
        NightlightSettings(week: try schoolWeek()), clock: try reading(text, zone: zone, dst: dst, next: next)
    )
}

func lampOfEveryDay(
    _ text: String, _ periods: [LightPeriod], zone: Int8 = 4, dst: DSTOffset = .standard,
    next: TimeWithDST = .none
) throws -> Lamp {
    Lamp(
        NightlightSettings(week: WeekSchedule(groups: [DayGroup(.all, periods: periods)])),
        clock: try reading(text, zone: zone, dst: dst, next: next))
}

@Suite("What a lamp shows")
struct LampShineTests {
    @Test("A new lamp is dark, and nothing is to come")
    func factory() throws {
        #expect(Lamp(clock: try reading("2026-11-21 20:00")).shows == "off 000000")
    }

    @Test("A lamp whose clock was never set is dark until it is set")
    func unset() throws {
        let lamp = Lamp(NightlightSettings(week: try schoolWeek()))
        #expect(lamp.shows == "off 000000")
        #expect(lamp.read(.currentTime) == [UInt8](repeating: 0, count: 10))
        #expect(lamp.time == nil)
        #expect(lamp.device.nextDeadline == nil)
        lamp.set(.clock(CurrentTime(try local("2026-11-23 20:00"))))
        #expect(lamp.shows == "week ff8800 660")
    }

    @Test("The week goes on, ends and begins by itself")
    func week() throws {
        let lamp = try school("2026-11-21 20:00")
        #expect(lamp.shows == "off 000000 30")
        lamp.run(minutes: 30)
        #expect(lamp.shows == "week 201040 90")
        lamp.run(minutes: 89)
        #expect(lamp.shows == "week 201040 1")
        lamp.run(minutes: 1)
        // The time-out; Sunday 20:30 is next.
        #expect(lamp.shows == "off 000000 1350")
        lamp.run(minutes: 1350 + 90 + 21 * 60 + 30)
        #expect(lamp.time == (try local("2026-11-23 19:30")))
        #expect(lamp.shows == "week ff8800 690")
    }

    @Test("Minutes that have begun count whole")
    func minutes() throws {
        let lamp = try school("2026-11-21 20:28:30")
        #expect(lamp.shows == "off 000000 2")
        lamp.run(seconds: 89)
        #expect(lamp.shows == "off 000000 1")
    }

    @Test("A night goes on past midnight, into Saturday under Friday's schedule")
    func midnight() throws {
        let lamp = try school("2026-11-20 23:59:30")
        #expect(lamp.shows == "week ff8800 421")
        lamp.run(minutes: 1)
        #expect(lamp.time?.date.dayOfWeek == .saturday)
        #expect(lamp.shows == "week ff8800 420")
        lamp.run(minutes: 420)
        #expect(lamp.shows.hasPrefix("off 000000"))
    }

    @Test("Sunday's night goes on into Monday")
    func sunday() throws {
        let week = WeekSchedule(groups: [
            DayGroup(.workingDays, periods: []), DayGroup(.weekend, periods: [try period("20:30-08:00")]),
        ])
        let lamp = Lamp(NightlightSettings(week: week), clock: try reading("2026-11-22 23:00"))
        lamp.run(minutes: 60 + 479)
        #expect(lamp.shows == "week ff8800 1")
        lamp.run(minutes: 1)
        #expect(lamp.time?.date.dayOfWeek == .monday)
        #expect(lamp.shows.hasPrefix("off 000000"))
    }

    @Test("The night of a leap day")
    func leapDay() throws {
        let lamp = try lampOfEveryDay("2028-02-28 23:59:50", [try period("23:00-01:00")])
        lamp.run(seconds: 15)
        #expect(lamp.time == (try local("2028-02-29 00:00:05")))
        #expect(lamp.shows == "week ff8800 60")
        lamp.run(seconds: 86_400)
        #expect(lamp.time?.date.parts.month == 3)
        #expect(lamp.time?.date.parts.day == 1)
        #expect(lamp.shows == "week ff8800 60")
    }

    @Test("Without power all is dark, and the source stays")
    func power() throws {
        let lamp = try school("2026-11-23 20:00")
        lamp.connect()
        lamp.set(.power(false))
        #expect(lamp.shows == "week 000000 660")
        #expect(lamp.read(.led3) == [0, 0, 0])
        lamp.set(.power(true))
        #expect(lamp.colors == [String](repeating: "ff8800", count: 4))
        #expect(lamp.notified() == ["week 000000", "week ff8800"])
    }

    @Test("What comes first shines: proof, button, day, week")
    func priority() throws {
        let lamp = try school("2026-11-23 20:00")
        lamp.connect()
        #expect(lamp.source.source == .week)
        lamp.set(.day(DaySchedule(daysLeft: 1, periods: [try period("19:00-21:00", "#102030")])))
        #expect(lamp.shows == "day 102030 60")
        #expect(lamp.press() == .lit(pressesLeft: nil))
        #expect(lamp.shows == "button ffa040 10")
        lamp.set(.led(2, try color("#00ff00")))
        #expect(lamp.shows == "proof ffa040 1")
        lamp.set(.proof(false))
        #expect(lamp.shows == "button ffa040 10")
        lamp.run(minutes: 10)
        #expect(lamp.shows == "day 102030 50")
        // Where the day schedule is dark, the lamp is, though the week would shine.
        lamp.run(minutes: 50)
        #expect(lamp.source.source == .off)
        lamp.set(.day(nil))
        #expect(lamp.shows == "week ff8800 600")
        #expect(
            lamp.notified() == [
                "day 102030", "button ffa040", "proof ffa040", "button ffa040", "day 102030", "off 000000",
                "week ff8800",
            ])
    }

    @Test("A day schedule counts down at midnight and removes itself; its last night runs out")
    func tonight() throws {
        let lamp = try school("2026-11-23 18:00")
        lamp.set(.day(DaySchedule(daysLeft: 2, periods: [try period("19:00-06:30", "#102030")])))
        #expect(lamp.read(.day) == hex("01 02 01 7404 8601 102030 00 00"))
        lamp.run(minutes: 6 * 60)
        #expect(lamp.read(.day) == hex("01 01 01 7404 8601 102030 00 00"))
        #expect(lamp.shows == "day 102030 390")
        lamp.run(minutes: 24 * 60)
        #expect(lamp.read(.day).isEmpty)
        #expect(lamp.shows == "day 102030 390")
        lamp.run(minutes: 390)
        // The week is back: 19:30.
        #expect(lamp.shows == "off 000000 780")
    }

    @Test("The days that are left are told as a setting at each midnight, so that a restart repeats none")
    func countdownIsKept() throws {
        let lamp = try school("2026-11-23 18:00")
        lamp.set(.day(DaySchedule(daysLeft: 3, periods: [])))
        lamp.events = []
        var kept: [Int?] = []
        for _ in 0..<4 {
            lamp.run(minutes: 24 * 60)
            for case .settings(let settings) in lamp.events { kept.append(settings.day?.daysLeft) }
            lamp.events = []
        }
        #expect(kept == [2, 1, nil])
        // A clock that is set into another day counts, too.
        lamp.set(.day(DaySchedule(daysLeft: 3, periods: [])))
        lamp.events = []
        lamp.set(.clock(CurrentTime(try local("2026-11-28 12:00"))))
        #expect(
            lamp.events.contains {
                if case .settings(let settings) = $0 { settings.day?.daysLeft == 2 } else { false }
            })
    }

    @Test("A day schedule on the last day of the calendar has no midnight to wait for")
    func lastDay() throws {
        let lamp = Lamp(clock: try reading("9999-12-31 12:00"))
        lamp.set(.day(DaySchedule(daysLeft: 3, periods: [])))
        lamp.run(minutes: 3 * 24 * 60)
        #expect(lamp.device.nextDeadline.map { $0 > lamp.now } ?? true)
    }

    @Test("A schedule that is written after midnight shines at once, unless an old one does")
    func afterMidnight() throws {
        let early = DaySchedule(daysLeft: 2, periods: [try period("19:00-06:30", "#102030")])
        // Tuesday; Monday's night is from 19:30 to 7:00.
        let dark = Lamp(clock: try reading("2026-11-24 00:30"))
        dark.set(.week(try schoolWeek()))
        #expect(dark.shows == "week ff8800 390")
        // A day schedule counts from today on.
        let tonight = Lamp(clock: try reading("2026-11-24 00:30"))
        tonight.set(.day(early))
        #expect(tonight.shows == "off 000000 1110")
        // In place of a dark one it is there at once, and the week stays away.
        let other = try school("2026-11-23 18:00")
        other.set(.day(DaySchedule(daysLeft: 5, periods: [])))
        other.run(minutes: 390)
        #expect(other.source.source == .off)
        other.set(.day(DaySchedule(daysLeft: 1, periods: [])))
        #expect(other.source.source == .off)
        other.set(.day(early))
        #expect(other.shows == "day 102030 360")
        #expect(other.read(.day) == early.encoded())
        // Without it the week is back, as if it had never been away; but what shines runs out.
        other.set(.day(nil))
        #expect(other.shows == "day 102030 360")
        other.run(minutes: 361)
        #expect(other.source.source == .off)
        let back = try school("2026-11-23 18:00")
        back.set(.day(DaySchedule(daysLeft: 5, periods: [])))
        back.run(minutes: 390)
        back.set(.day(nil))
        #expect(back.shows == "week ff8800 390")
        // What has timed out is no longer in the way.
        let timed = try lampOfEveryDay(
            "2026-11-24 02:00", [try period("23:00-07:00", "#0000ff", timeout: 120)])
        #expect(timed.source.source == .off)
        timed.set(.week(try schoolWeek()))
        #expect(timed.shows == "week ff8800 300")
    }

    @Test("A schedule that is replaced while it shines is over at once; the same again changes nothing")
    func replaced() throws {
        let lamp = try school("2026-11-23 20:00")
        lamp.connect()
        lamp.set(.week(try schoolWeek()))
        #expect(lamp.notified().isEmpty)
        let other = WeekSchedule(groups: [DayGroup(.all, periods: [try period("19:45-21:00", "#0000ff")])])
        lamp.set(.week(other))
        #expect(lamp.shows == "week 0000ff 60")
        lamp.set(.week(.factory))
        #expect(lamp.shows == "off 000000")
        #expect(lamp.notified() == ["week 0000ff", "off 000000"])
    }

    @Test("Only the end of what shines has changed: that is told, too")
    func otherEnd() throws {
        let lamp = try lampOfEveryDay("2026-11-23 20:00", [try period("19:00-21:00")])
        lamp.connect()
        lamp.set(.week(WeekSchedule(groups: [DayGroup(.all, periods: [try period("19:00-22:00")])])))
        #expect(lamp.notified() == ["week ff8800"])
        #expect(lamp.shows == "week ff8800 120")
    }

    @Test(
        "A lamp that restarts after midnight knows that last night was under its day schedule",
        arguments: [1, 2])
    func restarted(days: Int) throws {
        let lamp = try school("2026-11-23 20:00")
        lamp.set(.day(DaySchedule(daysLeft: days, periods: [try period("20:00-06:30", "#0000ff")])))
        // Past midnight, when the days count down.
        lamp.run(minutes: 300)
        guard
            case .settings(let kept)? = lamp.events.last(where: {
                if case .settings = $0 { true } else { false }
            })
        else {
            Issue.record("nothing was told")
            return
        }
        #expect(lamp.shows == "day 0000ff 330")
        let again = Lamp(kept, clock: try reading("2026-11-24 01:00"))
        #expect(again.shows == "day 0000ff 330")
        #expect(again.read(.day) == lamp.read(.day))
        // A day later the evening before was under the schedule only when it had two days.
        let later = Lamp(kept, clock: try reading("2026-11-25 01:00"))
        #expect(later.shows == (days == 2 ? "day 0000ff 330" : "week ff8800 360"))
    }

    @Test("Settings that are kept are told, and a lamp that gets them back goes on")
    func kept() throws {
        let lamp = try school("2026-11-23 20:00")
        lamp.set(.childName("Mia"))
        lamp.set(.day(DaySchedule(daysLeft: 3, periods: [])))
        lamp.set(.buttonOnTime(30))
        lamp.set(.link(true))
        lamp.run(minutes: 300)
        lamp.set(.power(false))
        guard
            case .settings(let kept)? = lamp.events.last(where: {
                if case .settings = $0 { true } else { false }
            })
        else {
            Issue.record("nothing was told")
            return
        }
        #expect(kept.day?.daysLeft == 2)
        let again = Lamp(kept, clock: try reading("2026-11-24 01:00"))
        for item in [
            NightlightItem.childName, .day, .week, .buttonOnTime, .ledLink, .ledPower, .buttonColor,
        ] {
            #expect(again.read(item) == lamp.read(item), "\(item)")
        }
    }
}
