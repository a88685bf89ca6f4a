// SPDX-License-Identifier: Apache-2.0

// String costs a chip its Unicode tables, so text forms exist on hosts and in pages only.
#if !hasFeature(Embedded) || arch(wasm32)

import BLEWire

extension MinuteOfDay: LosslessStringConvertible {
    /// Two digits for the hour and two for the minute: `07:05`.
    public var description: String { Self.twoDigits(hour) + ":" + Self.twoDigits(minute) }

    /// Reads one or two digits for the hour and two for the minute.
    ///
    /// - Parameter description: The text, for example `19:30`.
    public init?(_ description: String) {
        let parts = description.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let hour = decimal(parts[0], digits: 1...2),
            let minute = decimal(parts[1], digits: 2...2)
        else { return nil }
        self.init(hour: hour, minute: minute)
    }

    fileprivate static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension CalendarDate: LosslessStringConvertible {
    /// Year, month and day as ISO 8601 has them: `2026-02-28`.
    public var description: String {
        let (year, month, day) = parts
        return "\(year)-\(MinuteOfDay.twoDigits(month))-\(MinuteOfDay.twoDigits(day))"
    }

    /// Reads a year of four digits, a month and a day of two.
    ///
    /// - Parameter description: The text.
    public init?(_ description: String) {
        let parts = description.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = decimal(parts[0], digits: 4...4),
            let month = decimal(parts[1], digits: 2...2), let day = decimal(parts[2], digits: 2...2)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }
}

extension LocalTime: LosslessStringConvertible {
    /// Date and time as ISO 8601 has them: `2026-02-28T19:30:00`.
    public var description: String { "\(date)T\(minuteOfDay):\(MinuteOfDay.twoDigits(second))" }

    /// Reads a date, a `T` or a blank, and hours, minutes and perhaps seconds.
    ///
    /// - Parameter description: The text.
    public init?(_ description: String) {
        guard let mark = description.firstIndex(where: { $0 == "T" || $0 == "t" || $0 == " " }),
            let date = CalendarDate(String(description[..<mark]))
        else { return nil }
        let parts = description[description.index(after: mark)...]
            .split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, parts[0].utf8.count == 2,
            let minute = MinuteOfDay("\(parts[0]):\(parts[1])"),
            let second = parts.count == 3 ? decimal(parts[2], digits: 2...2) : 0
        else { return nil }
        self.init(date, hour: minute.hour, minute: minute.minute, second: second)
    }
}

/// A number that is written in so many decimal digits and nothing else.
private func decimal(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return Int(text)
}

extension WallClock {
    /// A moment as ISO 8601 has it, with the offset from UTC: `2026-02-28T19:30:00+01:00`.
    ///
    /// - Parameter moment: The moment.
    /// - Returns: The text.
    public func text(_ moment: UnixTime) -> String {
        let offset = offset(at: moment)
        let minutes = Int(abs(offset)) / 60
        let sign = offset < 0 ? "-" : "+"
        return time(at: moment).description + sign
            + MinuteOfDay.twoDigits(minutes / 60) + ":" + MinuteOfDay.twoDigits(minutes % 60)
    }
}

extension DayOfWeek: CustomStringConvertible {
    /// The day's name.
    public var description: String {
        switch self {
        case .monday: "Monday"
        case .tuesday: "Tuesday"
        case .wednesday: "Wednesday"
        case .thursday: "Thursday"
        case .friday: "Friday"
        case .saturday: "Saturday"
        case .sunday: "Sunday"
        }
    }

    /// Reads a day's name or its first three letters, in capitals or not.
    ///
    /// - Parameter text: The text.
    public init?(_ text: String) {
        let word = text.lowercased()
        guard
            let day = Self.allCases.first(where: {
                word == $0.keyword.description || word == "\($0)".lowercased()
            })
        else { return nil }
        self = day
    }
}

extension DaySet: CustomStringConvertible {
    /// The days in a parent's words: `Monday to Friday`.
    public var description: String {
        var runs: [[DayOfWeek]] = []
        for day in days {
            if let last = runs.last?.last, last.next == day, last != .sunday {
                runs[runs.count - 1].append(day)
            } else {
                runs.append([day])
            }
        }
        let words = runs.flatMap { run -> [String] in
            run.count < 3 ? run.map { $0.description } : ["\(run[0]) to \(run[run.count - 1])"]
        }
        guard let last = words.last else { return "no day" }
        return words.count == 1 ? last : words.dropLast().joined(separator: ", ") + " and " + last
    }
}

extension LightPeriod: CustomStringConvertible {
    /// Both markers: `19:30–07:00`.
    public var description: String { "\(on)–\(off)" }
}

extension LightPeriod.Failure: CustomStringConvertible {
    /// What is wrong, for a parent.
    public var description: String {
        switch self {
        case .on(let minute): "it goes on at minute \(minute), and a day has 1440"
        case .off(let minute): "it goes off at minute \(minute), and a day has 1440"
        case .empty(let minute): "it goes on and off at the same time, \(minute)"
        case .unknownFlags(let flags): "its flags are \(flags), and only 0 and 1 are known"
        case .timeoutOfZero: "it ends after 0 minutes: a time-out has 1 to 255"
        case .timeoutWithoutFlag(let minutes): "its time-out is off but has \(minutes) minutes"
        }
    }
}

extension ScheduleError: CustomStringConvertible {
    /// What is wrong, for a parent; no full stop at the end.
    public var description: String {
        switch self {
        case .badVersion(let version): "It is of version \(version), and only version 1 is known"
        case .badLength(let error): "Its octets do not add up: \(error)"
        case .nameTooLong(let count):
            "The name is too long: it has \(count) octets, and a lamp keeps \(NightlightLimit.weekName)"
        case .nameIsNotText: "The name is not text"
        case .groupCount(0): "There is no group of days"
        case .groupCount(let count):
            "There are \(count) groups of days, and a lamp keeps \(NightlightLimit.groups)"
        case .periodCount(let count, let group):
            (group.map { "Group \($0 + 1) has" } ?? "There are")
                + " \(count) periods, and a lamp keeps \(NightlightLimit.periods) a day"
        case .badPeriod(let fault, let group, let period):
            "Period \(period + 1)" + (group.map { " of group \($0 + 1)" } ?? "") + ": \(fault)"
        case .daysLeft(let days): "It is for \(days) days, and it can be for 1 to \(NightlightLimit.days)"
        case .unknownDay(_, let group): "Group \(group + 1) has a day that is not in the week"
        case .dayTwice(let day): "\(day) is in two groups"
        case .dayMissing(let day): "\(day) is in no group"
        case .overlap(let day, let first, let next, let second):
            day == next
                ? "\(day) \(first) and \(second) overlap" : "\(day) \(first) and \(next) \(second) overlap"
        case .dayOverlap(let first, let second, let nextDay):
            "\(first) and \(second)" + (nextDay ? " of the next day" : "") + " overlap"
        }
    }
}

extension LightSource: CustomStringConvertible {
    /// The word for files and scripts.
    public var description: String { keyword.description }
}

extension NightlightErrorCode: CustomStringConvertible {
    /// What the lamp did not like, for a parent.
    public var description: String {
        switch self {
        case .wrongSize: "the value has the wrong size"
        case .badVersion: "it does not know this version"
        case .badLength: "the octets do not add up"
        case .badDays: "the groups do not have each day of the week once"
        case .overlap: "periods overlap"
        case .outOfRange: "a value is out of its range"
        default: "error \(rawValue)"
        }
    }
}

extension ClockAction: CustomStringConvertible {
    /// The word for files and scripts.
    public var description: String { keyword.description }
}

#endif
