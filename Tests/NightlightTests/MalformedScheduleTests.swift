// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Nightlight
import Testing

private let period = "9204 A401 FF8800 00 00"

@Suite("Schedules that a lamp refuses")
struct MalformedScheduleTests {
    /// The first fault in the order 0x80, 0x81, 0x84, 0x82, 0x83 decides.
    static let weeks: [(String, UInt8)] = [
        ("", 0x81), ("01", 0x81), ("01 00", 0x81),
        ("00", 0x80), ("02 00 02 1F 00 60 00", 0x80), ("FF", 0x80),
        // One octet short, one long, a name that is not there.
        ("01 00 02 1F 00 60", 0x81), ("01 00 02 1F 00 60 00 00", 0x81), ("01 06 02 1F 00 60 00", 0x81),
        ("01 00 02 1F 01 9204 A401 FF8800 00 60 00", 0x81), ("01 00 02 1F 01 60 00", 0x81),
        // A length that is wrong comes before a value that is.
        ("01 00 02 1F 01 FFFF A401 FF8800 00 00 60", 0x81),
        // Counts.
        ("01 00 00", 0x84), ("01 00 08 01 00 02 00 04 00 08 00 10 00 20 00 40 00 00 00", 0x84),
        ("01 00 01 7F 07" + String(repeating: period, count: 7), 0x84),
        // Markers, flags, time-outs.
        ("01 00 01 7F 01 A005 A401 FF8800 00 00", 0x84), ("01 00 01 7F 01 9204 A005 FF8800 00 00", 0x84),
        ("01 00 01 7F 01 FFFF FFFF FF8800 00 00", 0x84), ("01 00 01 7F 01 9204 9204 FF8800 00 00", 0x84),
        ("01 00 01 7F 01 9204 A401 FF8800 02 00", 0x84), ("01 00 01 7F 01 9204 A401 FF8800 81 5A", 0x84),
        ("01 00 01 7F 01 9204 A401 FF8800 01 00", 0x84), ("01 00 01 7F 01 9204 A401 FF8800 00 01", 0x84),
        // A name that is too long, or not UTF-8.
        ("01 19 " + String(repeating: "41", count: 25) + "02 1F 00 60 00", 0x84),
        ("01 FF " + String(repeating: "41", count: 255) + "02 1F 00 60 00", 0x84),
        ("01 01 FF 02 1F 00 60 00", 0x84), ("01 02 C3 28 02 1F 00 60 00", 0x84),
        // A value that is wrong comes before days that are, days before an overlap.
        ("01 00 01 1F 01 9204 9204 FF8800 00 00", 0x84),
        ("01 00 01 1F 02 0000 A401 FF8800 00 00 0000 A401 FF8800 00 00", 0x82),
        // Days: missing, twice, none, one that is not there.
        ("01 00 01 3F 00", 0x82), ("01 00 02 3F 00 60 00", 0x82), ("01 00 01 00 00", 0x82),
        ("01 00 02 1F 00 E0 00", 0x82), ("01 00 01 FF 00", 0x82),
        // Overlaps: on the same day, across midnight, from Sunday to Monday.
        ("01 00 01 7F 02 0000 3C00 FF8800 00 00 3B00 5A00 FF8800 00 00", 0x83),
        ("01 00 01 7F 02 9204 A401 FF8800 00 00 A301 A501 FF8800 00 00", 0x83),
        ("01 00 02 3F 01 6801 A401 FF8800 00 00 40 01 9204 6901 FF8800 00 00", 0x83),
        ("01 00 02 01 01 6801 A401 FF8800 00 00 7E 01 9204 6901 FF8800 00 00", 0x83),
        // The time-out does not count: markers do.
        ("01 00 01 7F 02 0000 3C00 FF8800 01 01 1E00 5A00 FF8800 00 00", 0x83),
    ]

    @Test("A week gets the first error in the profile's order", arguments: weeks)
    func week(octets: String, code: UInt8) throws {
        let fault = #expect(throws: ScheduleError.self) { try WeekSchedule(decoding: hex(octets)) }
        #expect(fault?.refusal.rawValue == code)
    }

    static let days: [(String, UInt8)] = [
        ("00", 0x80), ("02 03 01" + period, 0x80), ("01", 0x81), ("01 03", 0x81), ("01 03 01", 0x81),
        ("01 03 01 7404 8601 102030 00", 0x81), ("01 03 01 7404 8601 102030 00 00 00", 0x81),
        ("01 00 00", 0x84), ("01 1F 00", 0x84), ("01 FF 00", 0x84),
        ("01 03 07" + String(repeating: period, count: 7), 0x84),
        ("01 03 01 7404 7404 102030 00 00", 0x84), ("01 03 01 A005 8601 102030 00 00", 0x84),
        ("01 03 01 7404 8601 102030 04 00", 0x84), ("01 03 01 7404 8601 102030 01 00", 0x84),
        ("01 00 02 0000 3C00 FF8800 00 00 0000 3C00 FF8800 00 00", 0x84),
        ("01 03 02 0000 3C00 FF8800 00 00 3B00 5A00 FF8800 00 00", 0x83),
        // The night runs into the morning of the next day.
        ("01 02 02 9204 A401 FF8800 00 00 A301 F401 FF8800 00 00", 0x83),
    ]

    @Test("A day schedule gets the first error in the profile's order", arguments: days)
    func day(octets: String, code: UInt8) throws {
        let fault = #expect(throws: ScheduleError.self) { try DaySchedule.decode(hex(octets)) }
        #expect(fault?.refusal.rawValue == code)
    }

    @Test("What touches does not overlap, and limits are inside")
    func limits() throws {
        for octets in [
            "01 00 01 7F 02 0000 3C00 FF8800 00 00 3C00 0000 FF8800 00 00",
            "01 00 02 3F 01 6901 A401 FF8800 00 00 40 01 9204 6901 FF8800 00 00",
            "01 18 " + String(repeating: "41", count: 24) + "02 1F 00 60 00",
            "01 00 07 01 00 02 00 04 00 08 00 10 00 20 00 40 00", "01 00 02 7F 00 00 00",
            "01 00 01 7F 01 9F05 0000 FF8800 01 FF", "01 00 01 7F 01 0000 9F05 FF8800 01 01",
        ] { #expect(try WeekSchedule(decoding: hex(octets)).encoded() == hex(octets)) }
        for octets in [
            "01 01 00", "01 1E 00", "01 1E 01 9F05 9E05 FF8800 01 FF",
            // On one day alone, a night ends in no morning of its own.
            "01 01 02 9204 A401 FF8800 00 00 A301 F401 FF8800 00 00",
        ] {
            #expect(try DaySchedule(decoding: hex(octets)).encoded() == hex(octets))
        }
    }

    @Test("The longest week has 419 octets")
    func longest() throws {
        let periods = try (0..<6).map { index in
            try LightPeriod(
                on: try #require(MinuteOfDay(hour: index, minute: 0)),
                off: try #require(MinuteOfDay(hour: index, minute: 59)), color: .white, timeout: 255)
        }
        let week = WeekSchedule(
            name: WireText([UInt8](repeating: 0x41, count: 24)),
            groups: DayOfWeek.allCases.map { DayGroup(DaySet($0), periods: periods) })
        #expect(week.encoded().count == 419)
        #expect(try WeekSchedule(decoding: week.encoded()) == week)
    }

    @Test("What was read is what was written", arguments: 0..<300)
    func roundTrip(seed: Int) throws {
        var dice = SplitMix64(seed: UInt64(seed))
        let week = anyWeek(&dice)
        #expect(week.faults.isEmpty)
        #expect(try WeekSchedule(decoding: week.encoded()) == week)
        let day = anyDay(&dice)
        #expect(try DaySchedule.decode(day.encoded()) == day)
    }

    @Test("Any octets are a week or an error, and one that is read is written the same", arguments: 0..<300)
    func anyOctets(seed: Int) throws {
        var dice = SplitMix64(seed: UInt64(seed))
        var octets = Bool.random(using: &dice) ? anyWeek(&dice).encoded() : anyDay(&dice).encoded()
        for _ in 0..<Int.random(in: 1...3, using: &dice) where !octets.isEmpty {
            octets[Int.random(in: octets.indices, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
        }
        if let week = try? WeekSchedule(decoding: octets) { #expect(week.encoded() == octets) }
        if let day = try? DaySchedule(decoding: octets) { #expect(day.encoded() == octets) }
    }
}

@Suite("What is wrong, in a parent's words")
struct ScheduleFaultTextTests {
    private func faults(_ groups: [DayGroup]) -> [String] {
        WeekSchedule(groups: groups).faults.map(\.description)
    }

    @Test("Days")
    func days() {
        #expect(
            faults([DayGroup([.workingDays, DaySet(.saturday)]), DayGroup([DaySet(.tuesday)])]) == [
                "Tuesday is in two groups", "Sunday is in no group",
            ])
        #expect(faults([]).first == "There is no group of days")
        #expect(faults([DayGroup(DaySet(rawValue: 0xFF))]) == ["Group 1 has a day that is not in the week"])
    }

    @Test("Overlaps name the days and the times")
    func overlaps() throws {
        let evening = try NightlightTests.period("19:30-07:00")
        let morning = try NightlightTests.period("06:00-08:00")
        let rest = DayGroup(DaySet.all.subtracting([DaySet(.monday), DaySet(.tuesday)]))
        #expect(
            faults([
                DayGroup(DaySet(.monday), periods: [evening]), DayGroup(DaySet(.tuesday), periods: [morning]),
                rest,
            ]) == ["Monday 19:30–07:00 and Tuesday 06:00–08:00 overlap"])
        #expect(
            faults([
                DayGroup(DaySet(.monday), periods: [morning]),
                DayGroup([DaySet(.sunday)], periods: [evening]),
                DayGroup(DaySet.all.subtracting([DaySet(.monday), DaySet(.sunday)])),
            ]) == ["Sunday 19:30–07:00 and Monday 06:00–08:00 overlap"])
        let later = try NightlightTests.period("07:30-09:00")
        #expect(
            faults([
                DayGroup(DaySet(.monday), periods: [later, morning]),
                DayGroup(DaySet.all.subtracting(DaySet(.monday))),
            ])
                == ["Monday 06:00–08:00 and 07:30–09:00 overlap"])
        #expect(
            DaySchedule(daysLeft: 2, periods: [evening, morning]).faults.map(\.description)
                == ["19:30–07:00 and 06:00–08:00 of the next day overlap"])
    }

    @Test("Counts and lengths")
    func counts() throws {
        let long = WeekSchedule(name: "A name of all too many words", groups: WeekSchedule.factory.groups)
        #expect(
            long.faults.map(\.description) == ["The name is too long: it has 28 octets, and a lamp keeps 24"])
        #expect(
            DaySchedule(daysLeft: 31, periods: []).faults.map(\.description)
                == ["It is for 31 days, and it can be for 1 to 30"])
        #expect(DaySet.workingDays.description == "Monday to Friday")
        #expect(
            DaySet([DaySet(.monday), DaySet(.wednesday), .weekend]).description
                == "Monday, Wednesday, Saturday and Sunday")
        #expect(DaySet(.sunday).description == "Sunday")
        #expect(DaySet().description == "no day")
    }
}
