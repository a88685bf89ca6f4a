// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Nightlight
import Testing

@Suite("A lamp and its clock")
struct LampClockTests {
    /// In Berlin DST begins on 29 March 2026 at 2:00, which becomes 3:00.
    private let spring = "2026-03-29 02:00"
    /// And ends on 25 October at 3:00, which becomes 2:00.
    private let autumn = "2026-10-25 03:00"

    @Test("The clock goes on by itself, with fractions")
    func runs() throws {
        let lamp = Lamp(clock: try reading("2026-11-21 20:00"))
        lamp.now = lamp.now.advanced(byMilliseconds: 61_500)
        #expect(lamp.read(.currentTime) == hex("ea07 0b 15 14 01 01 06 80 00"))
    }

    @Test("DST begins: the skipped hour is none, and what ends in it ends with it")
    func springForward() throws {
        let lamp = try lampOfEveryDay(
            "2026-03-29 01:59:30", [try period("01:30-02:30")],
            next: TimeWithDST(try local(spring), dst: .daylight))
        #expect(lamp.shows == "week ff8800 1")
        #expect(lamp.read(.localTimeInformation) == [4, 0])
        lamp.run(seconds: 30)
        #expect(lamp.time == (try local("2026-03-29 03:00")))
        #expect(lamp.read(.localTimeInformation) == [4, 4])
        #expect(lamp.read(.timeWithDST) == hex("00000000000000 ff"))
        // Until 01:30 of the next day.
        #expect(lamp.shows == "off 000000 1350")
        #expect(lamp.events.contains(.clock(try local("2026-03-29 03:00"))))
    }

    @Test("DST ends: what ends in the hour that comes twice ends the first time")
    func fallBack() throws {
        let lamp = try lampOfEveryDay(
            "2026-10-25 02:00", [try period("22:00-02:30")], dst: .daylight,
            next: TimeWithDST(try local(autumn), dst: .standard))
        #expect(lamp.shows == "week ff8800 30")
        lamp.run(minutes: 30)
        #expect(lamp.source.source == .off)
        lamp.run(minutes: 30)
        #expect(lamp.time == (try local("2026-10-25 02:00")))
        #expect(lamp.read(.localTimeInformation) == [4, 0])
        #expect(lamp.shows == "off 000000 1200")
    }

    @Test(
        "Time-outs are elapsed minutes in both nights of DST, in Berlin and in New York",
        arguments: [
            ("2026-03-29 01:30", "2026-03-29 02:00", DSTOffset.standard, Int8(4)),
            ("2026-10-25 01:30", "2026-10-25 03:00", .daylight, 4),
            ("2026-03-08 01:30", "2026-03-08 02:00", .standard, -20),
            ("2026-11-01 01:30", "2026-11-01 02:00", .daylight, -20),
        ])
    func timeOut(start: String, change: String, dst: DSTOffset, zone: Int8) throws {
        let after = dst == .standard ? DSTOffset.daylight : .standard
        let lamp = try lampOfEveryDay(
            start, [try period("01:00-08:00", timeout: 120)], zone: zone, dst: dst,
            next: TimeWithDST(try local(change), dst: after))
        #expect(lamp.shows == "week ff8800 90")
        lamp.run(minutes: 89)
        #expect(lamp.shows == "week ff8800 1")
        lamp.run(minutes: 1)
        #expect(lamp.source.source == .off)
    }

    @Test("A correction of some seconds after the change of DST does not lose the night before it")
    func correctedAfterChange() throws {
        let lamp = try lampOfEveryDay(
            "2026-03-29 01:59", [try period("01:00-08:00", timeout: 120)],
            next: TimeWithDST(try local(spring), dst: .daylight))
        lamp.run(minutes: 5)
        #expect(lamp.shows == "week ff8800 56")
        lamp.set(.clock(CurrentTime(try local("2026-03-29 03:04:02"))))
        lamp.set(.zone(LocalTimeInformation(zone: 4, dst: .daylight)))
        lamp.set(.nextDSTChange(TimeWithDST(try local(autumn), dst: .standard)))
        #expect(lamp.shows == "week ff8800 56")
        lamp.run(minutes: 56)
        #expect(lamp.source.source == .off)
    }

    @Test("A clock that is set past the change of DST does not change once more")
    func jumpedOver() throws {
        let lamp = Lamp(
            clock: try reading("2026-03-28 12:00", next: TimeWithDST(try local(spring), dst: .daylight)))
        lamp.set(.clock(CurrentTime(try local("2026-03-30 12:00"))))
        #expect(lamp.time == (try local("2026-03-30 12:00")))
        lamp.run(minutes: 60)
        #expect(lamp.time == (try local("2026-03-30 13:00")))
    }

    @Test("A change of DST that is past is kept, and never comes")
    func pastChange() throws {
        let lamp = Lamp(clock: try reading("2026-11-21 20:00"))
        let past = TimeWithDST(try local(autumn), dst: .daylight)
        lamp.set(.nextDSTChange(past))
        #expect(lamp.read(.timeWithDST) == past.encoded())
        lamp.run(minutes: 60)
        #expect(lamp.time == (try local("2026-11-21 21:00")))
        #expect(lamp.read(.localTimeInformation) == [4, 0])
    }

    @Test("Another time zone leaves what the clock shows")
    func zone() throws {
        let lamp = Lamp(clock: try reading("2026-11-21 20:00"))
        lamp.set(.zone(LocalTimeInformation(zone: -20, dst: .daylight)))
        #expect(lamp.time == (try local("2026-11-21 20:00")))
        #expect(lamp.read(.localTimeInformation) == [0xEC, 4])
    }

    @Test("A clock set forwards into a period makes it shine, set backwards out of it dark")
    func set() throws {
        let lamp = try lampOfEveryDay("2026-11-21 18:00", [try period("19:00-21:00", timeout: 90)])
        lamp.connect()
        lamp.set(.clock(CurrentTime(try local("2026-11-21 20:00"))))
        // The time-out counts from the on marker, as if the clock had always been right.
        #expect(lamp.shows == "week ff8800 30")
        lamp.set(.clock(CurrentTime(try local("2026-11-21 18:59:59"))))
        #expect(lamp.shows == "off 000000 1")
        lamp.run(seconds: 1)
        #expect(lamp.shows == "week ff8800 90")
        #expect(lamp.notified() == ["week ff8800", "off 000000", "week ff8800"])
    }

    @Test("Tonight stays tonight when the clock is set back before the day on which it was written")
    func tonightSetBack() throws {
        let lamp = Lamp(clock: try reading("2026-11-22 00:02"))
        lamp.set(.day(DaySchedule(daysLeft: 1, periods: [try period("19:00-21:00")])))
        lamp.set(.clock(CurrentTime(try local("2026-11-21 23:58"))))
        #expect(lamp.read(.day) == hex("01 01 01 7404 EC04 FF8800 00 00"))
        lamp.run(minutes: 3)
        #expect(lamp.read(.day).isEmpty)
    }

    @Test("Tonight, written to a lamp whose clock was never set, begins on the day that the clock is set to")
    func tonightBeforeClock() throws {
        let lamp = Lamp()
        lamp.set(.day(DaySchedule(daysLeft: 2, periods: [try period("19:00-21:00")])))
        lamp.set(.clock(CurrentTime(try local("2026-11-21 20:00"))))
        #expect(lamp.shows == "day ff8800 60")
        #expect(lamp.read(.day).dropFirst().first == 2)
    }

    @Test("A clock that jumps to a night knows the week and nothing of another night")
    func jumpIntoNight() throws {
        let lamp = Lamp(clock: try reading("2026-11-21 22:00"))
        lamp.set(.week(try schoolWeek()))
        // A correction: when the week was written, nothing was due that had begun on Friday.
        lamp.set(.clock(CurrentTime(try local("2026-11-21 21:30"))))
        lamp.set(.clock(CurrentTime(try local("2026-11-21 06:00"))))
        #expect(lamp.shows == "week ff8800 60")
    }

    @Test("A clock set forwards over midnight counts the day")
    func overMidnight() throws {
        let lamp = Lamp(clock: try reading("2026-11-21 23:58"))
        lamp.set(.day(DaySchedule(daysLeft: 2, periods: [])))
        lamp.set(.clock(CurrentTime(try local("2026-11-22 00:03"))))
        #expect(lamp.read(.day).dropFirst().first == 1)
    }

    @Test("Somebody can set the clock at the lamp itself")
    func byHand() throws {
        let lamp = try lampOfEveryDay("2026-11-21 18:00", [try period("19:00-21:00")])
        lamp.device.set(try local("2026-11-21 19:30"), at: lamp.now)
        #expect(lamp.shows == "week ff8800 90")
    }
}
