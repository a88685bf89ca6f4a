// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Nightlight
import Testing

@Suite("What a lamp shows, worked out by hand")
struct ScheduleCaseTests {
    @Test("The table is there, with both nights of both zones")
    func table() throws {
        let cases = try ScheduleCases.read()
        let count = cases.sections.flatMap(\.steps).count {
            if case .expectation = $0 { true } else { false }
        }
        #expect(count >= 120)
        for title in ["Berlin, the night in spring", "Berlin, the night in autumn"] {
            #expect(cases.sections.contains { $0.title.hasPrefix(title) })
            #expect(
                cases.sections.contains {
                    $0.title.hasPrefix(title.replacing("Berlin", with: "New York"))
                })
        }
    }

    @Test("Every schedule of the table is one that a lamp takes")
    func schedules() throws {
        for week in try ScheduleCases.read().weeks.values {
            #expect(week.faults.isEmpty, "\(week.name)")
            #expect(try WeekSchedule(decoding: week.encoded()) == week)
        }
    }

    @Test("The lamp does what the table says", arguments: (try? ScheduleCases.read().sections) ?? [])
    func section(_ section: ScheduleCases.Section) throws {
        let weeks = try ScheduleCases.read().weeks
        var plan = section.plan
        for step in section.steps {
            switch step {
            case .week(let name, let time):
                let clock = section.clock
                plan.set(week: try #require(weeks[name]), at: clock.moment(of: time), on: clock)
            case .tonight(let day, let time):
                plan.set(day: day, at: section.clock.moment(of: time), on: section.clock)
            case .clock(let before, let after): plan.adjustToClockChange(from: before.date, to: after.date)
            case .expectation(let expected):
                let light = plan.light(at: expected.at, on: section.clock)
                #expect(light.source == expected.source, "line \(expected.line)")
                #expect(light.color == expected.color, "line \(expected.line)")
                #expect(
                    light.until.map { section.clock.text($0) }
                        == expected.until.map { section.clock.text($0) },
                    "line \(expected.line)")
            }
        }
    }

    @Test("Forgetting what is past changes nothing", arguments: (try? ScheduleCases.read().sections) ?? [])
    func forgetting(_ section: ScheduleCases.Section) throws {
        let weeks = try ScheduleCases.read().weeks
        var plan = section.plan
        for step in section.steps {
            switch step {
            case .week(let name, let time):
                let clock = section.clock
                plan.set(week: try #require(weeks[name]), at: clock.moment(of: time), on: clock)
            case .tonight(let day, let time):
                plan.set(day: day, at: section.clock.moment(of: time), on: section.clock)
            case .clock(let before, let after): plan.adjustToClockChange(from: before.date, to: after.date)
            case .expectation(let expected):
                var tidy = plan
                tidy.forgetPast(on: section.clock.time(at: expected.at).date)
                let light = tidy.light(at: expected.at, on: section.clock)
                #expect(light == plan.light(at: expected.at, on: section.clock), "line \(expected.line)")
            }
        }
    }
}

@Suite("The days of a day schedule")
struct DaysLeftTests {
    private let first = CalendarDate("2026-11-24")

    @Test(
        "They count down at midnight, and at none left the schedule is gone",
        arguments: [(-1, nil), (0, 3), (1, 2), (2, 1), (3, nil), (400, nil)])
    func countDown(step: Int, left: Int?) throws {
        let first = try #require(first)
        let day = DaySchedule(daysLeft: 3, periods: [try period("19:00-06:30", "#102030")])
        let plan = LightPlan(week: .factory, day: day, from: first)
        #expect(plan.daySchedule(on: first.advanced(byDays: step))?.daysLeft == left)
    }

    @Test("A clock that is set back does not bring more days")
    func clockSetBack() throws {
        let first = try #require(first)
        var plan = LightPlan(
            week: .factory, day: DaySchedule(daysLeft: 3, periods: []), from: first)
        plan.adjustToClockChange(from: first.advanced(byDays: 2), to: first.advanced(byDays: -300))
        #expect(plan.daySchedule(on: first.advanced(byDays: -300))?.daysLeft == 1)
        #expect(plan.daySchedule(on: first.advanced(byDays: -299)) == nil)
        // What was used up does not come back.
        var old = LightPlan(week: .factory, day: DaySchedule(daysLeft: 3, periods: []), from: first)
        old.adjustToClockChange(from: first.advanced(byDays: 5), to: first.advanced(byDays: -1))
        #expect(old.daySchedule(on: first.advanced(byDays: -1)) == nil)
    }
}
