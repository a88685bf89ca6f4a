// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Testing

@Suite struct GregorianCalendarTests {
    @Test(
        arguments: [
            (0, 1970, 1, 1), (-1, 1969, 12, 31), (11_016, 2000, 2, 29), (11_017, 2000, 3, 1),
            (47_540, 2100, 2, 28), (47_541, 2100, 3, 1), (-719_468, 0, 3, 1), (-719_469, 0, 2, 29),
            (-719_528, 0, 1, 1), (-719_529, -1, 12, 31), (2_932_896, 9999, 12, 31),
        ] as [(Int64, Int64, Int, Int)])
    func daysAndDatesBelongTogether(number: Int64, year: Int64, month: Int, day: Int) {
        #expect(GregorianCalendar.dayNumber(year: year, month: Int64(month), day: Int64(day)) == number)
        let date = GregorianCalendar.date(ofDayNumber: number)
        #expect(date == (year, month, day))
    }

    @Test func eachDayFollowsTheOneBefore() {
        // Two eras, with every kind of leap year.
        var number = GregorianCalendar.dayNumber(year: -400, month: 1, day: 1)
        for year in Int64(-400)..<400 {
            for month in Int64(1)...12 {
                for day in 1...GregorianCalendar.days(inMonth: month, of: year) {
                    let date = GregorianCalendar.date(ofDayNumber: number)
                    guard date == (year, Int(month), Int(day)) else {
                        Issue.record("day \(number) is \(date), not \(year)-\(month)-\(day)")
                        return
                    }
                    number += 1
                }
            }
        }
    }
}
