// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A moment: milliseconds since 1970-01-01 UTC, without leap seconds.
public struct Timestamp: Hashable, Sendable, Comparable {
    /// Milliseconds since 1970-01-01 UTC.
    public let milliseconds: Int64

    /// Makes a moment.
    ///
    /// - Parameter milliseconds: Milliseconds since 1970-01-01 UTC.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Makes a moment of a date; what is less than a millisecond is dropped.
    ///
    /// - Parameter date: The date; one beyond what 64 bits hold becomes the nearest that they do.
    public init(_ date: Date) {
        milliseconds =
            Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded(.down))
            ?? (date < Date(timeIntervalSince1970: 0) ? .min : .max)
    }

    /// Tells which of two moments is earlier.
    ///
    /// - Parameters:
    ///   - left: One moment.
    ///   - right: The other.
    /// - Returns: Whether `left` is earlier.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

// Calendar arithmetic of the proleptic Gregorian calendar in eras of 400 years, which are 146 097 days each;
// years begin in March so that the odd day comes last.
extension Timestamp: CustomStringConvertible, LosslessStringConvertible {
    /// ISO 8601 in UTC with milliseconds, for example `2026-11-21T14:03:32.123Z`.
    public var description: String {
        let (days, rest) = Self.floorDivide(milliseconds, 86_400_000)
        let (era, dayOfEra) = Self.floorDivide(days + 719_468, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)

        var text: [UInt8] = []
        text.reserveCapacity(24)
        if year < 0 { text.append(UInt8(ascii: "-")) }
        text.append(decimal: year.magnitude, digits: 4)
        text.append(UInt8(ascii: "-"))
        text.append(decimal: month.magnitude, digits: 2)
        text.append(UInt8(ascii: "-"))
        text.append(decimal: day.magnitude, digits: 2)
        text.append(UInt8(ascii: "T"))
        text.append(decimal: (rest / 3_600_000).magnitude, digits: 2)
        text.append(UInt8(ascii: ":"))
        text.append(decimal: (rest / 60_000 % 60).magnitude, digits: 2)
        text.append(UInt8(ascii: ":"))
        text.append(decimal: (rest / 1000 % 60).magnitude, digits: 2)
        text.append(UInt8(ascii: "."))
        text.append(decimal: (rest % 1000).magnitude, digits: 3)
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads a date, or a date and a time, as ISO 8601 writes them.
    ///
    /// `2026-11-21`, `2026-11-21T14:03`, `2026-11-21T14:03:32.123Z`, `2026-11-21 14:03:32+01:00`; without a
    /// zone it is UTC, without a time it is midnight. Digits after the third behind the point are dropped.
    ///
    /// - Parameter description: The text.
    public init?(_ description: String) {
        var scanner = DigitScanner(description.utf8[...])
        guard let year = scanner.number(digits: 4), scanner.skip("-"), let month = scanner.number(digits: 2),
            scanner.skip("-"), let day = scanner.number(digits: 2), (1...12).contains(month),
            (1...Self.days(inMonth: month, of: year)).contains(day)
        else { return nil }
        var total = Self.days(toYear: year, month: month, day: day) * 86_400_000
        if !scanner.isAtEnd {
            guard scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
                let time = scanner.timeOfDay(), let offset = scanner.zone(), scanner.isAtEnd
            else { return nil }
            total += time - offset
        }
        milliseconds = total
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, rest: Int64) {
        let rest = value % divisor
        return rest < 0 ? (value / divisor - 1, rest + divisor) : (value / divisor, rest)
    }

    private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func days(toYear year: Int64, month: Int64, day: Int64) -> Int64 {
        let (era, yearOfEra) = floorDivide(month <= 2 ? year - 1 : year, 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

extension Timestamp {
    /// Reads fixed numbers of digits and the marks between them.
    private struct DigitScanner {
        private var rest: Substring.UTF8View

        init(_ text: Substring.UTF8View) { rest = text }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func skip(_ mark: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: mark) else { return false }
            rest = rest.dropFirst()
            return true
        }

        mutating func number(digits: Int) -> Int64? {
            var value: Int64 = 0
            for _ in 0..<digits {
                guard let digit = digit() else { return nil }
                value = value * 10 + digit
            }
            return value
        }

        /// Reads `14:03`, `14:03:32` or `14:03:32.123` and gives milliseconds since midnight.
        mutating func timeOfDay() -> Int64? {
            guard let hour = number(digits: 2), hour < 24, skip(":"), let minute = number(digits: 2),
                minute < 60
            else { return nil }
            var total = hour * 3_600_000 + minute * 60_000
            if skip(":") {
                guard let second = number(digits: 2), second < 60 else { return nil }
                total += second * 1000
                if skip(".") {
                    guard let first = digit() else { return nil }
                    total += first * 100
                    var weight: Int64 = 10
                    while let next = digit() {
                        total += next * weight
                        weight /= 10
                    }
                }
            }
            return total
        }

        /// Reads nothing, `Z`, `+01:00` or `+0100` and gives milliseconds east of UTC.
        mutating func zone() -> Int64? {
            if isAtEnd || skip("Z") || skip("z") { return 0 }
            let sign: Int64 = skip("-") ? -1 : 1
            if sign == 1 { guard skip("+") else { return nil } }
            guard let hour = number(digits: 2), hour < 24 else { return nil }
            _ = skip(":")
            guard let minute = number(digits: 2), minute < 60 else { return nil }
            return sign * (hour * 3_600_000 + minute * 60_000)
        }

        private mutating func digit() -> Int64? {
            guard let octet = rest.first, (0x30...0x39).contains(octet) else { return nil }
            rest = rest.dropFirst()
            return Int64(octet - 0x30)
        }
    }
}

extension [UInt8] {
    /// Appends a number with at least so many digits.
    fileprivate mutating func append(decimal value: UInt64, digits: Int) {
        let text = String(value)
        for _ in 0..<Swift.max(0, digits - text.utf8.count) { append(0x30) }
        append(contentsOf: text.utf8)
    }
}
