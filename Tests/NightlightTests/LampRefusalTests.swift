// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Nightlight
import Testing

@Suite("What a lamp refuses")
struct LampRefusalTests {
    /// A lamp with values of its own everywhere.
    private func lamp() throws -> Lamp {
        let lamp = Lamp(NightlightSettings(week: try schoolWeek()), clock: try reading("2026-11-21 12:00"))
        lamp.connect()
        lamp.set(.day(DaySchedule(daysLeft: 3, periods: [try period("19:00-06:30", "#102030")])))
        return lamp
    }

    @Test(
        "A small value of the wrong size gets 0x0D",
        arguments: NightlightItem.allCases.filter { $0.fixedSize != nil && $0.properties.contains(.write) })
    func size(item: NightlightItem) throws {
        let lamp = try lamp()
        let size = try #require(item.fixedSize)
        let before = lamp.read(item)
        #expect(before.count == size)
        for count in [0, size - 1, size + 1, 20, 512] where count != size {
            #expect(lamp.write([UInt8](repeating: 0, count: count), to: item) == 0x0D)
        }
        // A clock that goes on may show another fraction.
        #expect(lamp.read(item) == before)
    }

    @Test(
        "A value out of its range gets 0x84, and the old one stays",
        arguments: [
            (NightlightItem.ledPower, "02"), (.ledPower, "ff"), (.ledLink, "02"), (.ledProof, "02"),
            (.buttonShake, "02"), (.buttonEnabled, "80"), (.buttonDeactivation, "a005 0000"),
            (.buttonDeactivation, "0000 a005"), (.buttonDeactivation, "ffff ffff"),
            (.childName, "ff"), (.childName, "c3"), (.childName, "eda080"),
            // No month 13, no 30 February, no hour 24, no minute 60, no day 8, no unknown date.
            (.currentTime, "ea07 0d 15 14 00 00 00 00 00"), (.currentTime, "ea07 02 1e 14 00 00 00 00 00"),
            (.currentTime, "ea07 0b 15 18 00 00 00 00 00"), (.currentTime, "ea07 0b 15 14 3c 00 00 00 00"),
            (.currentTime, "ea07 0b 15 14 00 00 08 00 00"), (.currentTime, "0000 00 00 14 00 00 00 00 00"),
            (.currentTime, "ffff 0b 15 14 00 00 00 00 00"),
            (.localTimeInformation, "39 00"), (.localTimeInformation, "cf 00"),
            (.localTimeInformation, "04 01"),
            (.timeWithDST, "ea07 0d 1d 02 00 00 04"), (.timeWithDST, "ea07 03 1d 02 00 00 03"),
            (.week, "01 00 00"), (.week, "01 00 08 010002000400080010002000400000 00"),
            (.day, "01 00 00"), (.day, "01 1f 00"), (.day, "01 01 01 7404 7404 102030 00 00"),
            (.day, "01 01 01 a005 0000 102030 00 00"), (.day, "01 01 01 7404 8601 102030 02 00"),
            (.day, "01 01 01 7404 8601 102030 01 00"), (.day, "01 01 01 7404 8601 102030 00 05"),
        ])
    func range(item: NightlightItem, value: String) throws {
        let lamp = try lamp()
        let before = lamp.read(item)
        var octets = hex(value)
        // As long as it must be, so that its size is none of its faults.
        if let size = item.fixedSize { octets += [UInt8](repeating: 0, count: max(0, size - octets.count)) }
        #expect(lamp.write(octets, to: item) == 0x84)
        #expect(lamp.read(item) == before)
        #expect(lamp.events.contains { if case .refused(_, item, .outOfRange) = $0 { true } else { false } })
    }

    @Test(
        "Schedules are judged in the profile's order",
        arguments: [
            // The version before the length, the length before values, values before days, days before overlaps.
            (NightlightItem.week, "02", 0x80), (.week, "00 ff", 0x80), (.week, "", 0x81), (.week, "01", 0x81),
            (.week, "01 19 00", 0x81), (.week, "01 00 02 1f 00 60", 0x81), (.week, "01 00 01 7f 00 00", 0x81),
            (.week, "01 00 02 1f 00 60 07", 0x81), (.week, "01 00 02 1f 00 20 00", 0x82),
            (.week, "01 00 02 1f 00 70 00", 0x82), (.week, "01 00 02 1f 00 e0 00", 0x82),
            (.week, "01 00 02 1f 01 7404 7404 000000 00 00 20 00", 0x84),
            (.week, "01 00 02 1f 02 7404 8601 000000 00 00 7504 8701 000000 00 00 20 00", 0x82),
            (.week, "01 00 02 1f 02 7404 8601 000000 00 00 7504 8701 000000 00 00 60 00", 0x83),
            (.day, "02 01 00", 0x80), (.day, "01", 0x81), (.day, "01 00 01", 0x81),
            (.day, "01 01 00 00", 0x81),
            (.day, "01 01 02 7404 8601 000000 00 00 7504 8701 000000 00 00", 0x83),
            (.day, "01 1f 02 7404 8601 000000 00 00 7504 8701 000000 00 00", 0x84),
            (.childName, "61" + String(repeating: "62", count: 32), 0x81),
            (.childName, "ff" + String(repeating: "62", count: 32), 0x81),
        ] as [(NightlightItem, String, UInt8)])
    func order(item: NightlightItem, value: String, code: UInt8) throws {
        let lamp = try lamp()
        let before = lamp.read(item)
        let shows = lamp.shows
        #expect(lamp.write(hex(value), to: item) == code)
        #expect(lamp.read(item) == before)
        #expect(lamp.shows == shows)
    }

    @Test("What is just right is taken")
    func limits() throws {
        let lamp = try lamp()
        #expect(lamp.write([UInt8](repeating: 0x61, count: 32), to: .childName) == nil)
        #expect(lamp.write([], to: .childName) == nil)
        #expect(lamp.write(hex("38 08"), to: .localTimeInformation) == nil)
        #expect(lamp.write(hex("80 ff"), to: .localTimeInformation) == nil)
        #expect(lamp.write(hex("9f05 9f05"), to: .buttonDeactivation) == nil)
        #expect(lamp.write(hex("00000000000000 ff"), to: .timeWithDST) == nil)
        #expect(lamp.write(hex("01 1e 00"), to: .day) == nil)
        // The longest week: 7 groups of 6 periods, and 24 octets of name.
        let times = [
            "00:00-01:00", "02:00-03:00", "04:00-05:00", "06:00-07:00", "08:00-09:00", "10:00-11:00",
        ]
        let periods = try times.map { try period($0, timeout: 255) }
        let week = WeekSchedule(
            name: WireText([UInt8](repeating: 0x61, count: 24)),
            groups: (0..<7).map { DayGroup(DaySet(rawValue: 1 << $0), periods: periods) })
        #expect(week.encoded().count == 419)
        #expect(lamp.set(.week(week)) == nil)
        #expect(lamp.read(.week) == week.encoded())
    }

    @Test("What only the lamp says cannot be written")
    func readOnly() throws {
        let lamp = try lamp()
        for item in NightlightItem.allCases where !item.properties.contains(.write) {
            let before = lamp.read(item)
            #expect(lamp.write(before, to: item) == 0x03)
            #expect(lamp.read(item) == before)
        }
    }

    @Test("Nobody's octets trap it, and time goes on", arguments: 1...40)
    func anything(seed: UInt64) throws {
        var random = SystemlessRandom(seed: seed)
        let lamp = try lamp()
        for _ in 0..<400 {
            let item = NightlightItem.allCases[Int(random.next() % UInt64(NightlightItem.allCases.count))]
            // Half of them a real value with one octet changed.
            var octets =
                random.next() % 2 == 0 ? lamp.read(item) : (0..<random.next() % 40).map { _ in random.octet }
            if !octets.isEmpty { octets[Int(random.next() % UInt64(octets.count))] = random.octet }
            lamp.write(octets, to: item)
            switch random.next() % 6 {
            case 0: _ = lamp.press()
            case 1: lamp.shake()
            case 2: lamp.run(seconds: Int(random.next() % 4000))
            default: break
            }
            if let deadline = lamp.device.nextDeadline {
                lamp.device.deadlineReached(at: max(lamp.now, deadline))
                lamp.now = max(lamp.now, deadline)
                lamp.drain()
                #expect(lamp.device.nextDeadline.map { $0 > lamp.now } ?? true)
            }
        }
        #expect(lamp.read(.activeSource).count == 6)
    }
}

/// Numbers that are the same in every run.
struct SystemlessRandom {
    var seed: UInt64

    mutating func next() -> UInt64 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return seed >> 33
    }

    var octet: UInt8 {
        mutating get { UInt8(truncatingIfNeeded: next()) }
    }
}
