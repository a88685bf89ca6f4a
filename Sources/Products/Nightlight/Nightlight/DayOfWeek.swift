// SPDX-License-Identifier: Apache-2.0

/// A day of the week.
public enum DayOfWeek: UInt8, CaseIterable, Hashable, Sendable {
    /// The first day, bit 0 of a day mask.
    case monday
    /// Bit 1.
    case tuesday
    /// Bit 2.
    case wednesday
    /// Bit 3.
    case thursday
    /// Bit 4.
    case friday
    /// Bit 5.
    case saturday
    /// The last day, bit 6.
    case sunday

    /// The day after; Monday after Sunday.
    public var next: DayOfWeek { DayOfWeek(rawValue: rawValue + 1) ?? .monday }

    /// The word for files and scripts: the first three letters, in lower case.
    public var keyword: StaticString {
        switch self {
        case .monday: "mon"
        case .tuesday: "tue"
        case .wednesday: "wed"
        case .thursday: "thu"
        case .friday: "fri"
        case .saturday: "sat"
        case .sunday: "sun"
        }
    }
}

/// Days of the week, as the mask on the wire: bit 0 Monday to bit 6 Sunday.
///
/// Spec: Documentation/Protocols/nightlight.md, Week.
public struct DaySet: OptionSet, Hashable, Sendable {
    /// The octet on the wire.
    public var rawValue: UInt8

    /// Wraps an octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Makes a set of one day.
    ///
    /// - Parameter day: The day.
    public init(_ day: DayOfWeek) { rawValue = 1 &<< day.rawValue }

    /// Monday to Friday.
    public static let workingDays = DaySet(rawValue: 0x1F)
    /// Saturday and Sunday.
    public static let weekend = DaySet(rawValue: 0x60)
    /// All seven days.
    public static let all = DaySet(rawValue: 0x7F)

    /// Whether a day is among them.
    ///
    /// - Parameter day: The day.
    /// - Returns: Whether it is.
    public func contains(_ day: DayOfWeek) -> Bool { rawValue & 1 &<< day.rawValue != 0 }

    /// The days from Monday to Sunday.
    public var days: [DayOfWeek] {
        var days: [DayOfWeek] = []
        for day in DayOfWeek.allCases where contains(day) { days.append(day) }
        return days
    }
}

/// A time of day as markers have it: minutes since midnight, 0 to 1439.
///
/// Spec: Documentation/Protocols/nightlight.md, Week.
public struct MinuteOfDay: RawRepresentable, Hashable, Comparable, Sendable {
    /// Minutes since midnight.
    public let rawValue: UInt16

    /// Minutes of a day.
    public static let count = 1440
    /// The start of the day.
    public static let midnight = MinuteOfDay(checked: 0)

    /// Makes the time of day of a number of minutes since midnight.
    ///
    /// - Parameter rawValue: The minutes; `nil` comes back for more than 1439.
    public init?(rawValue: UInt16) {
        guard rawValue < Self.count else { return nil }
        self.rawValue = rawValue
    }

    /// Makes a time of day of hours and minutes.
    ///
    /// - Parameters:
    ///   - hour: 0 to 23.
    ///   - minute: 0 to 59.
    public init?(hour: Int, minute: Int) {
        guard (0..<24).contains(hour), (0..<60).contains(minute) else { return nil }
        rawValue = UInt16(hour * 60 + minute)
    }

    private init(checked: UInt16) { rawValue = checked }

    /// The hour, 0 to 23.
    public var hour: Int { Int(rawValue) / 60 }
    /// The minute of the hour, 0 to 59.
    public var minute: Int { Int(rawValue) % 60 }

    /// Whether a time of day is earlier than another.
    public static func < (a: MinuteOfDay, b: MinuteOfDay) -> Bool { a.rawValue < b.rawValue }
}
