// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// What is wrong with a schedule.
///
/// A schedule may have several faults; ``refusal`` of the first in the profile's order is what a lamp answers.
///
/// Spec: Documentation/Protocols/nightlight.md, Refusals.
public enum ScheduleError: Error, Hashable, Sendable {
    /// The version is not 1.
    case badVersion(UInt8)
    /// The octets end too early, or some are left.
    case badLength(DecodeError)
    /// The week's name has more than 24 octets.
    case nameTooLong(Int)
    /// The week's name is not UTF-8.
    case nameIsNotText
    /// Not 1 to 7 groups.
    case groupCount(Int)
    /// More than 6 periods in a group, which is counted from 0; `nil` in a day schedule.
    case periodCount(Int, group: Int?)
    /// A period cannot be; the group as above, the period counted from 0.
    case badPeriod(LightPeriod.Failure, group: Int?, period: Int)
    /// Not 1 to 30 days left.
    case daysLeft(Int)
    /// A mask has a bit that stands for no day.
    case unknownDay(mask: UInt8, group: Int)
    /// A day is in two groups.
    case dayTwice(DayOfWeek)
    /// A day is in no group.
    case dayMissing(DayOfWeek)
    /// Two periods of a week overlap; the one that begins first stands first.
    case overlap(DayOfWeek, LightPeriod, DayOfWeek, LightPeriod)
    /// Two periods of a day schedule overlap; `nextDay` when the second one is that of the day after.
    case dayOverlap(LightPeriod, LightPeriod, nextDay: Bool)

    /// What a lamp answers.
    public var refusal: NightlightErrorCode {
        switch self {
        case .badVersion: .badVersion
        case .badLength: .badLength
        case .nameTooLong, .nameIsNotText, .groupCount, .periodCount, .badPeriod, .daysLeft: .outOfRange
        case .unknownDay, .dayTwice, .dayMissing: .badDays
        case .overlap, .dayOverlap: .overlap
        }
    }
}
