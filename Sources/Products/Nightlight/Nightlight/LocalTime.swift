// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// A moment that is the same everywhere: seconds since the start of 1970 in UTC.
public struct UnixTime: Hashable, Comparable, Sendable {
    /// Seconds since the start of 1970.
    public var seconds: Int64

    /// Wraps seconds.
    public init(seconds: Int64) { self.seconds = seconds }

    /// Whether a moment is earlier than another.
    public static func < (a: UnixTime, b: UnixTime) -> Bool { a.seconds < b.seconds }

    /// A moment that many seconds later.
    ///
    /// - Parameter seconds: How much later, in seconds; negative is earlier.
    /// - Returns: The moment; the end of time when that is past it.
    public func advanced(bySeconds seconds: Int64) -> UnixTime {
        let (sum, overflow) = self.seconds.addingReportingOverflow(seconds)
        return UnixTime(seconds: overflow ? (seconds < 0 ? .min : .max) : sum)
    }

    /// Minutes from this moment to a later one, begun ones counted whole.
    ///
    /// - Parameter later: The later moment.
    /// - Returns: The minutes; 0 when it is not later.
    public func minutes(until later: UnixTime) -> Int {
        let (distance, overflow) = later.seconds.subtractingReportingOverflow(seconds)
        guard !overflow, distance > 0 else { return later > self ? .max : 0 }
        return Int(clamping: distance / 60 + (distance % 60 > 0 ? 1 : 0))
    }
}

/// A day of the Gregorian calendar, from 1 January 1582 to 31 December 9999 as the SIG's formats can say it.
public struct CalendarDate: Hashable, Comparable, Sendable {
    /// Days since 1 January 1970.
    public let dayNumber: Int32

    static let first: Int32 = -141_714
    static let last: Int32 = 2_932_896

    private init(checked: Int32) { dayNumber = checked }

    /// Makes the date of a number of days since 1 January 1970.
    ///
    /// - Parameter dayNumber: The days; what lies before 1582 or after 9999 becomes the nearest day that does not.
    public init(dayNumber: Int64) {
        self.dayNumber = Int32(max(Int64(Self.first), min(dayNumber, Int64(Self.last))))
    }

    /// Makes a date of a year, a month and a day.
    ///
    /// - Parameters:
    ///   - year: 1582 to 9999.
    ///   - month: 1 to 12.
    ///   - day: 1 to what the month has; `nil` comes back when there is no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1582...9999).contains(year), (1...12).contains(month),
            (1...GregorianCalendar.days(inMonth: Int64(month), of: Int64(year))).contains(Int64(day))
        else { return nil }
        let dayNumber = GregorianCalendar.dayNumber(
            year: Int64(year), month: Int64(month), day: Int64(day))
        self.init(checked: Int32(dayNumber))
    }

    /// The year, the month and the day, counted from 1.
    public var parts: (year: Int, month: Int, day: Int) {
        let date = GregorianCalendar.date(ofDayNumber: Int64(dayNumber))
        return (Int(date.year), date.month, date.day)
    }

    /// The day of the week; 1 January 1970 was a Thursday.
    public var dayOfWeek: DayOfWeek {
        DayOfWeek(rawValue: UInt8((Int(dayNumber) + 3 - 7 * Int(Self.first)) % 7)) ?? .monday
    }

    /// A day that many days later.
    ///
    /// - Parameter days: How many days later; negative is earlier.
    /// - Returns: The day, within the calendar's limits.
    public func advanced(byDays days: Int) -> CalendarDate {
        CalendarDate(dayNumber: Int64(dayNumber) + Int64(Int32(clamping: days)))
    }

    /// Days from an earlier day to this one.
    ///
    /// - Parameter earlier: The earlier day.
    /// - Returns: The days; negative when it is later.
    public func days(since earlier: CalendarDate) -> Int { Int(dayNumber) - Int(earlier.dayNumber) }

    /// Whether a day is earlier than another.
    public static func < (a: CalendarDate, b: CalendarDate) -> Bool { a.dayNumber < b.dayNumber }
}

/// What a calendar and a clock on the wall show.
public struct LocalTime: Hashable, Comparable, Sendable {
    /// The day.
    public var date: CalendarDate
    /// Seconds since midnight as the clock shows it, 0 to 86399.
    public let secondOfDay: Int32

    /// Makes a time.
    ///
    /// - Parameters:
    ///   - date: The day.
    ///   - hour: 0 to 23.
    ///   - minute: 0 to 59.
    ///   - second: 0 to 59; `nil` comes back when there is no such time.
    public init?(_ date: CalendarDate, hour: Int, minute: Int, second: Int = 0) {
        guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else {
            return nil
        }
        self.date = date
        secondOfDay = Int32(hour * 3600 + minute * 60 + second)
    }

    /// Makes a time at the start of a minute.
    ///
    /// - Parameters:
    ///   - date: The day.
    ///   - minute: The minute of the day.
    public init(_ date: CalendarDate, _ minute: MinuteOfDay = .midnight) {
        self.date = date
        secondOfDay = Int32(minute.rawValue) * 60
    }

    /// Makes the time of a number of seconds since the start of 1 January 1970, as a clock on the wall counts them.
    init(wallSeconds: Int64) {
        let (days, seconds) = GregorianCalendar.floorDivide(wallSeconds, 86_400)
        date = CalendarDate(dayNumber: days)
        secondOfDay = Int32(seconds)
    }

    /// Seconds as a clock on the wall counts them, from the start of 1 January 1970.
    var wallSeconds: Int64 { Int64(date.dayNumber) * 86_400 + Int64(secondOfDay) }

    /// The minute of the day.
    public var minuteOfDay: MinuteOfDay { MinuteOfDay(rawValue: UInt16(secondOfDay / 60)) ?? .midnight }

    /// The second of the minute, 0 to 59.
    public var second: Int { Int(secondOfDay) % 60 }

    /// Seconds from another time to this one, as if no clock were changed between them.
    ///
    /// - Parameter other: The other time.
    /// - Returns: The seconds; negative when the other one is later.
    public func seconds(since other: LocalTime) -> Int64 { wallSeconds - other.wallSeconds }

    /// Whether a time is earlier than another.
    public static func < (a: LocalTime, b: LocalTime) -> Bool { a.wallSeconds < b.wallSeconds }
}
