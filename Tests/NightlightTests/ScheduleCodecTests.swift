// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Nightlight
import Testing

/// Octets written as hex; blanks and bars between them are passed over.
func hex(_ text: String) -> [UInt8] { [UInt8](hexadecimal: text.filter { $0 != "|" }) ?? [] }

/// A time of day as people write it.
func time(_ text: String) throws -> MinuteOfDay {
    let parts = text.split(separator: ":").compactMap { Int($0) }
    return try #require(MinuteOfDay(hour: parts[0], minute: parts[1]))
}

/// A colour as people write it.
func color(_ text: String) throws -> RGBColor {
    try RGBColor(decoding: try #require([UInt8](hexadecimal: text.dropFirst())))
}

/// A period as people write it: `19:30-07:00`.
func period(_ text: String, _ shade: String = "#ff8800", timeout: UInt8? = nil) throws -> LightPeriod {
    let parts = text.split(separator: "-").map(String.init)
    return try LightPeriod(
        on: try time(parts[0]), off: try time(parts[1]), color: try color(shade), timeout: timeout)
}

func schoolWeek() throws -> WeekSchedule {
    WeekSchedule(
        name: "School",
        groups: [
            DayGroup(.workingDays, periods: [try period("19:30-07:00")]),
            DayGroup(.weekend, periods: [try period("20:30-08:00", "#201040", timeout: 90)]),
        ])
}

/// Spec: Documentation/Protocols/nightlight.md, Examples.
private let schoolOctets = hex(
    "01 06 5363686F6F6C 02 | 1F 01 9204 A401 FF8800 00 00 | 60 01 CE04 E001 201040 01 5A")
private let tonightOctets = hex("01 03 01 | 7404 8601 102030 00 00")

@Suite("Golden octets of the schedules")
struct GoldenScheduleTests {
    @Test("The week School")
    func week() throws {
        #expect(try schoolWeek().encoded() == schoolOctets)
        #expect(try WeekSchedule(decoding: schoolOctets) == schoolWeek())
    }

    @Test("Tonight, three days")
    func tonight() throws {
        let schedule = DaySchedule(daysLeft: 3, periods: [try period("19:00-06:30", "#102030")])
        #expect(schedule.encoded() == tonightOctets)
        #expect(try DaySchedule.decode(tonightOctets) == schedule)
        #expect(try DaySchedule.decode([]) == nil)
    }

    @Test("The factory's week")
    func factory() throws {
        #expect(WeekSchedule.factory.encoded() == hex("01 00 02 1F 00 60 00"))
        #expect(try WeekSchedule(decoding: hex("01 00 02 1F 00 60 00")) == .factory)
    }

    @Test("The active source")
    func activeSource() throws {
        let octets = hex("01 FF8800 B202")
        let value = ActiveSource(.week, try color("#ff8800"), minutesToNextChange: 690)
        #expect(value.encoded() == octets)
        #expect(try ActiveSource(decoding: octets) == value)
        #expect(ActiveSource(.off, .black, minutesToNextChange: nil).encoded() == hex("00 000000 FFFF"))
        #expect(try ActiveSource(decoding: hex("00 000000 FFFF")).minutesToNextChange == nil)
        #expect(ActiveSource(.off, .black, minutesToNextChange: 70_000).minutesToNextChange == 65_534)
    }
}
