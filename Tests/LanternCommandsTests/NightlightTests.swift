// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import Companion
import Foundation
import Nightlight
import Testing

@testable import LanternCommands

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

@Suite struct ScheduleJSONTests {
    @Test func aWeekIsReadAsALampKeepsIt() throws {
        let reading = try ScheduleJSON.week(Array(schoolText.utf8))
        #expect(reading.faults.isEmpty)
        #expect(
            reading.schedule.encoded().hexadecimal
                == "0106" + "5363686f6f6c" + "02" + "1f01" + "9204a401ff88000000" + "6001"
                + "ce04e001201040015a")
    }

    @Test func aWeekIsWrittenAsTheDesignHasIt() throws {
        #expect(
            ScheduleJSON.text(try school())
                == ##"{"name":"School","groups":[{"days":["mon","tue","wed","thu","fri"],"periods":"##
                + ##"[{"on":"19:30","off":"07:00","color":"#ff8800","timeout_minutes":null}]},"##
                + ##"{"days":["sat","sun"],"periods":[{"on":"20:30","off":"08:00","color":"#201040","timeout_minutes":90}]}]}"##
        )
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        for week in [
            try school(), .factory, WeekSchedule(name: "夜 \"x\"", groups: [DayGroup(.all), DayGroup([])]),
        ] {
            let reading = try ScheduleJSON.week(Array(ScheduleJSON.text(week).utf8))
            #expect(reading.schedule == week && reading.faults.isEmpty)
        }
        let day = DaySchedule(daysLeft: 3, periods: try school().groups[1].periods)
        #expect(ScheduleJSON.text(day).hasPrefix(#"{"periods":[{"on":"20:30""#))
        #expect(try ScheduleJSON.day(Array(ScheduleJSON.text(day).utf8), days: 3).schedule == day)
    }

    @Test func everythingThatIsWrongIsSaidWithItsLine() throws {
        let text = """
            {"name":"A name of all too many words",
             "groups":[
              {"days":["mon","tue","wed","thu","fri"],"periods":[
                {"on":"19:30","off":"07:00","color":"#ff8800"},
                {"on":"06:00","off":"08:00","color":"#ff8800"},
                {"on":"25:00","off":"08:00","color":"#ff8800"}]},
              {"days":["tue","sun"],"periods":[
                {"on":"20:30","off":"20:30","color":"#201040"},
                {"on":"20:30","off":"21:30","colour":"#201040"},
                {"on":"20:30","off":"21:30","color":"#201040","timeout_minutes":0}]}]}
            """
        let faults = try ScheduleJSON.week(Array(text.utf8)).faults
        let lines = faults.map { "\($0.line) \($0.reason)" }
        #expect(
            lines == [
                #"6 "on" of period 3 of group 1 must be a time of day, from "00:00" to "23:59""#,
                "8 period 1 of group 2: it goes on and off at the same time, 20:30",
                #"9 "colour" is not known in period 2 of group 2, only "on", "off", "color", "timeout_minutes""#,
                #"10 "timeout_minutes" of period 3 of group 2 must be a number from 1 to 255"#,
                "2 The name is too long: it has 28 octets, and a lamp keeps 24",
                "7 Tuesday is in two groups",
                "2 Saturday is in no group",
                "5 Monday 19:30–07:00 and Tuesday 06:00–08:00 overlap",
            ])
    }

    @Test func aDayThatCannotBeReadIsNotCalledMissingToo() throws {
        let text = #"{"groups":[{"days":["mon","dimanche"],"periods":[]}]}"#
        let faults = try ScheduleJSON.week(Array(text.utf8)).faults
        #expect(
            faults.map(\.reason) == [#""dimanche" is not a day: write mon, tue, wed, thu, fri, sat or sun"#])
    }

    @Test(arguments: ["", "[]", "{}", "7", #"{"name":5,"groups":[]}"#, #"{"groups":7}"#, "{"])
    func whatIsNoWeekIsRefused(text: String) {
        #expect(throws: JSONFault.self) { try ScheduleJSON.week(Array(text.utf8)) }
    }

    @Test(arguments: ["{}", #"{"name":"x","groups":[]}"#, "[]", #"{"periods":null}"#])
    func whatIsNoDayScheduleIsRefused(text: String) {
        #expect(throws: JSONFault.self) { try ScheduleJSON.day(Array(text.utf8), days: 1) }
    }

    @Test func aDayScheduleSaysWhatOverlaps() throws {
        let text = """
            {"periods":[{"on":"19:00","off":"06:30","color":"#102030"},
             {"on":"06:00","off":"07:00","color":"#102030"}]}
            """
        let faults = try ScheduleJSON.day(Array(text.utf8), days: 2).faults
        #expect(faults == [JSONFault(2, "19:00–06:30 and 06:00–07:00 of the next day overlap")])
        #expect(try ScheduleJSON.day(Array(text.utf8), days: 1).faults.isEmpty)
    }
}

@Suite struct NightlightTextTests {
    @Test func aDayIsABarAndALineForEachPart() throws {
        let (clock, now) = try berlin("2026-11-24T08:00")
        let day = DaySchedule(daysLeft: 2, periods: [try school().groups[1].periods[0]])
        let plan = LightPlan(week: try school(), day: day, from: clock.time(at: now).date)
        let text = NightlightTimelineText(plan, on: clock, terminal: .plain(columns: 60))
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
        let text = NightlightTimelineText(LightPlan(week: try school()), on: clock, terminal: terminal)
        #expect(text.lines(of: clock.time(at: now).date).contains { $0.contains("\u{1B}[48;2;255;136;0") })
        #expect(text.line(at: now).contains("\u{1B}[48;2;255;136;0"))
        let plain = NightlightTimelineText(LightPlan(week: try school()), on: clock, terminal: .none)
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
        let text = NightlightTimelineText(plan, on: clock, terminal: .plain(columns: 20))
        #expect(text.lines(of: clock.time(at: now).date)[2] == " ············█···········")
    }

    @Test func darknessAndEternityHaveWords() throws {
        let (clock, now) = try berlin("2026-11-23T20:00")
        let dark = NightlightTimelineText(LightPlan(week: .factory), on: clock, terminal: .none)
        #expect(dark.line(at: now) == "Monday 2026-11-23 20:00: dark, for ever.")
        let off = NightlightTimelineText(
            LightPlan(
                week: try school(), day: DaySchedule(daysLeft: 30, periods: []),
                from: clock.time(at: now).date),
            on: clock, terminal: .none)
        #expect(off.line(at: now) == "Monday 2026-11-23 20:00: dark, until Wednesday 2026-12-23 19:30.")
    }

    @Test func theSecondOfTwoHoursIsCalledSo() throws {
        let (clock, now) = try berlin("2026-10-25T02:30")
        let plan = LightPlan(week: .factory)
        let text = NightlightTimelineText(plan, on: clock, terminal: .none)
        #expect(text.line(at: now).contains("02:30: dark"))
        #expect(text.line(at: now.advanced(bySeconds: 3600)).contains("02:30 (again): dark"))
    }

    @Test func aNameFromTheAirIsHarmless() throws {
        let (clock, now) = try berlin("2026-11-23T20:00")
        var week = try school()
        week.name = "\u{1B}[2J"
        let text = NightlightTimelineText(LightPlan(week: week), on: clock, terminal: .none)
        #expect(!text.line(at: now).contains("\u{1B}"))
        #expect(!NightlightWeekCheckCommand.lines(week, on: .none).joined().contains("\u{1B}"))
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
        let told = HostClock.reading(zone, at: start)
        let lamp = WallClock(told.zone, next: told.next)
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
        let time = try #require(ISOTime(argument: text))
        let (clock, _) = try berlin("2026-10-25T12:00")
        let other = try berlin("2026-03-29T12:00").0
        let chosen = text.hasPrefix("2026-03") ? other : clock
        #expect(chosen.text(time.moment(on: chosen)) == expected)
    }

    @Test(arguments: [
        "2026-11-21", "20:00", "2026-11-21T20:00+1", "2026-11-21T20:00+25:00", "2026-11-21T24:00", "",
    ])
    func badTimes(text: String) { #expect(ISOTime(argument: text) == nil) }

    @Test(
        arguments: [
            ["--week", "w"], ["--week", "w", "--at", "2026-11-21T20:00", "--date", "2026-11-21"],
            ["--week", "w", "--date", "2026-02-30"], ["--week", "w", "--date", "2026-11-21", "--days", "2"],
            ["--week", "w", "--date", "2026-11-21", "--from", "2026-11-21"], ["--date", "2026-11-21"],
            ["--week", "w", "--date", "2026-11-21", "--tonight", "t", "--days", "31"],
            ["--week", "w", "--date", "2026-11-21", "--tonight", "t", "--days", "0"],
            ["--week", "w", "--date", "2026-11-21", "--time-zone", "Europe/Bern"],
        ])
    func wrongUsage(arguments: [String]) {
        #expect(throws: (any Error).self) { try NightlightSimulateCommand.parse(arguments) }
    }
}
