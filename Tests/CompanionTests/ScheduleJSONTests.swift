// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Nightlight
import NightlightCompanion
import Testing

private let schoolText = """
    {"name":"School","groups":[
      {"days":["mon","Tuesday","wed","thu","FRI"],"periods":[
        {"on":"19:30","off":"7:00","color":"#ff8800","timeout_minutes":null}]},
      {"days":["sat","sun"],"periods":[{"on":"20:30","off":"08:00","color":"#201040","timeout_minutes":90}]}]}
    """

private func school() throws -> WeekSchedule { try ScheduleJSON.week(Array(schoolText.utf8)).schedule }

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
        let lines = faults.map { "\($0.line):\($0.column ?? 0) \($0.reason)" }
        #expect(
            lines == [
                #"6:11 "on" of period 3 of group 1 must be a time of day, from "00:00" to "23:59""#,
                "8:5 period 1 of group 2: it goes on and off at the same time, 20:30",
                #"9:42 "colour" is not known in period 2 of group 2, only "on", "off", "color", "timeout_minutes""#,
                #"10:69 "timeout_minutes" of period 3 of group 2 must be a number from 1 to 255"#,
                "2:11 The name is too long: it has 28 octets, and a lamp keeps 24",
                "7:3 Tuesday is in two groups",
                "2:11 Saturday is in no group",
                "5:5 Monday 19:30–07:00 and Tuesday 06:00–08:00 overlap",
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
        #expect(throws: JSONDecodingError.self) { try ScheduleJSON.week(Array(text.utf8)) }
    }

    @Test(arguments: ["{}", #"{"name":"x","groups":[]}"#, "[]", #"{"periods":null}"#])
    func whatIsNoDayScheduleIsRefused(text: String) {
        #expect(throws: JSONDecodingError.self) { try ScheduleJSON.day(Array(text.utf8), days: 1) }
    }

    @Test func aDayScheduleSaysWhatOverlaps() throws {
        let text = """
            {"periods":[{"on":"19:00","off":"06:30","color":"#102030"},
             {"on":"06:00","off":"07:00","color":"#102030"}]}
            """
        let faults = try ScheduleJSON.day(Array(text.utf8), days: 2).faults
        #expect(
            faults == [JSONDecodingError(2, column: 2, "19:00–06:30 and 06:00–07:00 of the next day overlap")]
        )
        #expect(try ScheduleJSON.day(Array(text.utf8), days: 1).faults.isEmpty)
    }

    @Test func whatACommandHasPrintedIsRead() throws {
        let week = try school()
        let printed =
            #"{"event":"lamp_week","time":"2026-11-21T12:00:00.000Z","week":"# + ScheduleJSON.text(week) + "}"
        #expect(try ScheduleJSON.week(Array(printed.utf8)).schedule == week)
        let tonight = #"{"event":"lamp_tonight","tonight":{"periods":[]},"tonight_days_left":1}"#
        #expect(try ScheduleJSON.day(Array(tonight.utf8), days: 1).faults.isEmpty)
        #expect(throws: JSONDecodingError.self) {
            try ScheduleJSON.day(Array(#"{"event":"lamp_tonight","tonight":null}"#.utf8), days: 1)
        }
    }

    @Test func aColourMayHaveAName() throws {
        let text = #"{"periods":[{"on":"19:00","off":"20:00","color":"orange"}]}"#
        #expect(
            try ScheduleJSON.day(Array(text.utf8), days: 1).schedule.periods.map(\.color)
                == [RGBColor(rgb: 0xFFA500)])
    }

    @Test func aLongWordIsNotQuotedWhole() throws {
        let text = #"{"groups":[{"days":["\#(String(repeating: "x", count: 10_000))"],"periods":[]}]}"#
        let faults = try ScheduleJSON.week(Array(text.utf8)).faults
        #expect(faults.allSatisfy { $0.reason.utf8.count < 200 })
    }
}
