// SPDX-License-Identifier: Apache-2.0

import Foundation

// A time of day is chosen as a date of which only hour and minute count.
extension Date {
    /// A day on which nowhere the clocks are changed.
    private static var day: DateComponents { DateComponents(year: 2001, month: 1, day: 15) }

    /// A minute of the day, 0 to 1439, by a calendar.
    init(minuteOfDay minute: Int, in calendar: Calendar = .current) {
        var wanted = Self.day
        (wanted.hour, wanted.minute) = (minute / 60, minute % 60)
        self = calendar.date(from: wanted) ?? Date(timeIntervalSinceReferenceDate: Double(minute) * 60)
    }

    /// The minute of the day by a calendar.
    func minuteOfDay(in calendar: Calendar = .current) -> Int {
        let parts = calendar.dateComponents([.hour, .minute], from: self)
        return (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
    }
}
