// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import CompanionText
import Foundation
import Nightlight
import NightlightCompanion
import NightlightDevices
import Testing

@testable import CommandIO
@testable import NightlightCommands

private let schoolText = """
    {"name":"School","groups":[
      {"days":["mon","Tuesday","wed","thu","FRI"],"periods":[
        {"on":"19:30","off":"7:00","color":"#ff8800","timeout_minutes":null}]},
      {"days":["sat","sun"],"periods":[{"on":"20:30","off":"08:00","color":"#201040","timeout_minutes":90}]}]}
    """

private func school() throws -> WeekSchedule { try ScheduleJSON.week(Array(schoolText.utf8)).schedule }

private func berlin(_ text: String) throws -> (WallClock, UnixTime) {
    let time = try #require(LocalTime(text))
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let clock = HostClock.wall(zone, around: WallClock.utc.moment(of: time))
    return (clock, clock.moment(of: time))
}

/// A plan on a terminal.
private struct DayDrawing {
    let plan: LightPlan
    let clock: WallClock
    let terminal: Terminal

    init(_ plan: LightPlan, on clock: WallClock, terminal: Terminal) {
        self.plan = plan
        self.clock = clock
        self.terminal = terminal
    }

    func lines(of date: CalendarDate, now: UnixTime? = nil) -> [String] {
        let text = LampDayText(plan, on: clock)
        return plan.lines(
            of: date, on: clock, columns: terminal.columns,
            now: now.map { ($0, StyledText("now, \(text.minute($0))")) }
        ).map(terminal.drawn)
    }

    func line(at moment: UnixTime) -> String { terminal.drawn(LampDayText(plan, on: clock).line(at: moment)) }
}

@Suite struct NightlightTextTests {
    @Test func aDayIsABarAndALineForEachPart() throws {
        let (clock, now) = try berlin("2026-11-24T08:00")
        let day = DaySchedule(daysLeft: 2, periods: [try school().groups[1].periods[0]])
        let plan = LightPlan(week: try school(), day: day, from: clock.time(at: now).date)
        let text = DayDrawing(plan, on: clock, terminal: .plain(columns: 60))
        #expect(
            text.lines(of: clock.time(at: now).date, now: now) == [
                "Tuesday 2026-11-24  tonight’s schedule, 2 days left",
                " 00    03    06    09    12    15    18    21",
                " ██████████████···························███····",
                "                 ▲ now, 08:00",
                "00:00–07:00  #ff8800  the week “School”, since Monday 19:30",
                "07:00–20:30  dark",
                "20:30–22:00  #201040  tonight’s schedule, for 90 minutes at most",
                "22:00–24:00  dark",
            ])
    }

    @Test func aTerminalShowsTheColours() throws {
        let (clock, now) = try berlin("2026-11-23T20:00")
        let terminal = Terminal(isInteractive: true, hasColor: true, columns: 60, rows: 24)
        let text = DayDrawing(LightPlan(week: try school()), on: clock, terminal: terminal)
        #expect(text.lines(of: clock.time(at: now).date).contains { $0.contains("\u{1B}[48;2;255;136;0") })
        #expect(text.line(at: now).contains("\u{1B}[48;2;255;136;0"))
        let plain = DayDrawing(LightPlan(week: try school()), on: clock, terminal: .none)
        #expect(!plain.lines(of: clock.time(at: now).date).joined().contains("\u{1B}"))
        #expect(
            plain.line(at: now) == "Monday 2026-11-23 20:00: #ff8800, the week “School”, until Tuesday 07:00."
        )
    }

    @Test func aLightOfOneMinuteIsSeen() throws {
        let (clock, now) = try berlin("2026-11-23T20:00")
        let period = try LightPeriod(
            on: try #require(MinuteOfDay("12:00")), off: try #require(MinuteOfDay("12:01")), color: .white)
        let plan = LightPlan(week: WeekSchedule(groups: [DayGroup(.all, periods: [period])]))
        let text = DayDrawing(plan, on: clock, terminal: .plain(columns: 20))
        #expect(text.lines(of: clock.time(at: now).date)[2] == " ············█···········")
    }

    @Test func darknessAndEternityHaveWords() throws {
        let (clock, now) = try berlin("2026-11-23T20:00")
        let dark = DayDrawing(LightPlan(week: .factory), on: clock, terminal: .none)
        #expect(dark.line(at: now) == "Monday 2026-11-23 20:00: dark, for ever.")
        let off = DayDrawing(
            LightPlan(
                week: try school(), day: DaySchedule(daysLeft: 30, periods: []),
                from: clock.time(at: now).date),
            on: clock, terminal: .none)
        #expect(off.line(at: now) == "Monday 2026-11-23 20:00: dark, until Wednesday 2026-12-23 19:30.")
    }

    @Test func theSecondOfTwoHoursIsCalledSo() throws {
        let (clock, now) = try berlin("2026-10-25T02:30")
        let plan = LightPlan(week: .factory)
        let text = DayDrawing(plan, on: clock, terminal: .none)
        #expect(text.line(at: now).contains("02:30: dark"))
        #expect(text.line(at: now.advanced(bySeconds: 3600)).contains("02:30 (again): dark"))
    }

    @Test func aNameFromTheAirIsHarmless() throws {
        let (clock, now) = try berlin("2026-11-23T20:00")
        var week = try school()
        week.name = "\u{1B}[2J"
        let text = DayDrawing(LightPlan(week: week), on: clock, terminal: .none)
        #expect(!text.line(at: now).contains("\u{1B}"))
        #expect(!NightlightText.valid(week).map(Terminal.none.drawn).joined().contains("\u{1B}"))
    }
}

@Suite struct HostClockTests {
    private func reading(_ zone: String, _ utc: String) throws -> ClockReading {
        let moment = WallClock.utc.moment(of: try #require(LocalTime(utc)))
        return HostClock.reading(try #require(TimeZone(identifier: zone)), at: moment)
    }

    @Test func whatALampIsToldInBerlin() throws {
        let winter = try reading("Europe/Berlin", "2026-11-21T19:00")
        #expect(winter.time == LocalTime("2026-11-21T20:00"))
        #expect(winter.zone == LocalTimeInformation(zone: 4, dst: .standard))
        #expect(winter.next == TimeWithDST(LocalTime("2027-03-28T02:00"), dst: .daylight))
        let summer = try reading("Europe/Berlin", "2026-07-01T10:00")
        #expect(summer.time == LocalTime("2026-07-01T12:00"))
        #expect(summer.zone == LocalTimeInformation(zone: 4, dst: .daylight))
        #expect(summer.next == TimeWithDST(LocalTime("2026-10-25T03:00"), dst: .standard))
    }

    @Test func otherZones() throws {
        let newYork = try reading("America/New_York", "2026-11-21T19:00")
        #expect(newYork.zone == LocalTimeInformation(zone: -20, dst: .standard))
        #expect(newYork.next == TimeWithDST(LocalTime("2027-03-14T02:00"), dst: .daylight))
        let island = try reading("Australia/Lord_Howe", "2026-11-21T19:00")
        #expect(island.zone == LocalTimeInformation(zone: 42, dst: .halfHour))
        #expect(island.next == TimeWithDST(LocalTime("2027-04-04T02:00"), dst: .standard))
        let nepal = try reading("Asia/Kathmandu", "2026-11-21T19:00")
        #expect(nepal.zone == LocalTimeInformation(zone: 23, dst: .standard))
        #expect(nepal.next == .none)
    }

    @Test func aLampThatKnowsThisShowsTheSame() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let start = WallClock.utc.moment(of: try #require(LocalTime("2026-09-01T00:00")))
        let reading = HostClock.reading(zone, at: start)
        let lamp = WallClock(reading.zone, next: reading.next)
        for day in 0..<180 {
            let moment = start.advanced(bySeconds: Int64(day) * 86_400 + 3599)
            #expect(lamp.time(at: moment) == HostClock.wall(zone, around: moment).time(at: moment))
        }
    }
}

@Suite struct NightlightArgumentTests {
    @Test(
        arguments: [
            ("2026-10-25T02:30", "2026-10-25T02:30:00+02:00"),
            ("2026-10-25T02:30+01:00", "2026-10-25T02:30:00+01:00"),
            ("2026-10-25T01:30Z", "2026-10-25T02:30:00+01:00"),
            ("2026-11-21 20:00:59", "2026-11-21T20:00:59+01:00"),
            ("2026-11-21T14:00:00-05:00", "2026-11-21T20:00:00+01:00"),
            ("2026-03-29T02:30", "2026-03-29T03:00:00+02:00"),
        ])
    func times(text: String, expected: String) throws {
        let time = try #require(ISOTime(text))
        let (clock, _) = try berlin("2026-10-25T12:00")
        let other = try berlin("2026-03-29T12:00").0
        let chosen = text.hasPrefix("2026-03") ? other : clock
        #expect(chosen.text(time.moment(on: chosen, today: CalendarDate(dayNumber: 0))) == expected)
    }

    @Test func aTimeWithoutADateIsToday() throws {
        let time = try #require(ISOTime("20:00"))
        let (clock, now) = try berlin("2026-11-21T09:00")
        let today = clock.time(at: now).date
        #expect(clock.text(time.moment(on: clock, today: today)) == "2026-11-21T20:00:00+01:00")
    }

    @Test(arguments: [
        "2026-11-21", "25:00", "2026-11-21T20:00+1", "2026-11-21T20:00+25:00", "2026-11-21T24:00", "",
    ])
    func badTimes(text: String) { #expect(ISOTime(text) == nil) }

    @Test(
        arguments: [
            [], ["--week", "w", "--at", "2026-11-21T20:00", "--date", "2026-11-21"],
            ["--week", "w", "--date", "2026-02-30"], ["--week", "w", "--date", "2026-11-21", "--days", "2"],
            ["--week", "w", "--date", "2026-11-21", "--from", "2026-11-21"], ["--date", "2026-11-21"],
            ["--week", "w", "--date", "2026-11-21", "--tonight", "t", "--days", "31"],
            ["--week", "w", "--date", "2026-11-21", "--tonight", "t", "--days", "0"],
            ["--week", "w", "--date", "2026-11-21", "--time-zone", "Europe/Bern"],
        ])
    func wrongUsage(arguments: [String]) {
        #expect(throws: (any Error).self) { try NightlightSimulateCommand.parse(arguments) }
    }

    @Test func withoutATimeOrADayItIsToday() {
        #expect(throws: Never.self) { try NightlightSimulateCommand.parse(["--week", "w"]) }
    }
}
