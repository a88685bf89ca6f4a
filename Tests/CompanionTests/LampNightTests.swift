// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Nightlight
import NightlightCompanion
import Testing

@Suite("A night of a lamp, and what meets in it")
struct LampNightTests {
    /// Until noon it is the night that is over.
    @Test(arguments: [(0, 0, 20), (11, 59, 20), (12, 0, 21), (12, 59, 21), (23, 59, 21)])
    func theNightThatIsShown(hour: Int, minute: Int, day: Int) throws {
        let date = try #require(CalendarDate(year: 2026, month: 11, day: 21))
        let time = try #require(LocalTime(date, hour: hour, minute: minute))
        let reading = ClockReading(time: time, zone: LocalTimeInformation(zone: 0, dst: .standard))
        let state = LampState(Peer(BluetoothAddress(1, kind: .public)), NightlightValues(), host: reading)
        let night = LampNight(state, LightPlan(week: .factory))
        #expect(night.date == CalendarDate(year: 2026, month: 11, day: day))
    }

    @Test(arguments: [
        ((1140, 420), (1200, 1260), false, 60), ((1140, 1230), (1200, 1260), false, 30),
        ((1140, 420), (360, 480), true, 60), ((1140, 420), (360, 390), true, 30),
    ])
    func howLongTwoTimesMeet(
        first: (UInt16, UInt16), second: (UInt16, UInt16), nextDay: Bool, minutes: Int
    ) throws {
        func period(_ times: (UInt16, UInt16)) throws -> LightPeriod {
            let on = try #require(MinuteOfDay(rawValue: times.0))
            let off = try #require(MinuteOfDay(rawValue: times.1))
            return try LightPeriod(on: on, off: off, color: .white)
        }
        let fault = ScheduleError.dayOverlap(try period(first), try period(second), nextDay: nextDay)
        #expect(LampConflict(fault, "They meet.").minutes == minutes)
    }
}
