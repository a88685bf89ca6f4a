// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// A date, or a date and a time, as a person or a file writes it: with or without a time zone.
///
/// `2026-11-21`, `2026-11-21T14:03`, `2026-11-21T14:03:32.123Z`, `2026-11-21 14:03:32+01:00`, `2026-11-21T14:03:32,5+01`.
/// Digits after the third behind the point are dropped. A leap second counts as the last millisecond of its minute.
public struct WrittenTime: Hashable, Sendable {
    /// The unit to which a time is written.
    public enum Precision: Hashable, Sendable {
        /// A day: there is no time.
        case day
        /// A minute.
        case minute
        /// A second.
        case second
        /// A fraction of a second.
        case fraction
    }

    /// Milliseconds since 1970-01-01, by the clock of the place.
    public let milliseconds: Int64
    /// Milliseconds east of UTC; `nil` when no zone is written.
    public let offset: Int64?
    /// The unit to which a time is written.
    public let precision: Precision

    /// Reads a time.
    ///
    /// - Parameter text: The text.
    public init?(_ text: String) {
        var scanner = DigitScanner(text.utf8[...])
        guard let year = scanner.number(digits: 4), scanner.skip("-"), let month = scanner.number(digits: 2),
            scanner.skip("-"), let day = scanner.number(digits: 2), (1...12).contains(month),
            (1...GregorianCalendar.days(inMonth: month, of: year)).contains(day)
        else { return nil }
        var total = GregorianCalendar.dayNumber(year: year, month: month, day: day) * 86_400_000
        var precision = Precision.day
        var offset: Int64?
        if !scanner.isAtEnd {
            guard scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
                let time = scanner.timeOfDay(&precision)
            else { return nil }
            total += time
            if !scanner.isAtEnd {
                guard let zone = scanner.zone(), scanner.isAtEnd else { return nil }
                offset = zone
            }
        }
        milliseconds = total
        self.offset = offset
        self.precision = precision
    }

    /// The first millisecond of it.
    ///
    /// - Parameter offset: Milliseconds east of UTC.
    /// - Returns: The moment.
    public func start(offset: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds - offset) }

    /// What comes right after it by the clock of the place: the next day, minute, second or millisecond.
    public var next: WrittenTime {
        let length: Int64 =
            switch precision {
            case .day: 86_400_000
            case .minute: 60_000
            case .second: 1000
            case .fraction: 1
            }
        return WrittenTime(milliseconds: milliseconds + length, offset: offset, precision: precision)
    }

    private init(milliseconds: Int64, offset: Int64?, precision: Precision) {
        self.milliseconds = milliseconds
        self.offset = offset
        self.precision = precision
    }
}

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
    mutating func timeOfDay(_ precision: inout WrittenTime.Precision) -> Int64? {
        guard let hour = number(digits: 2), hour < 24, skip(":"), let minute = number(digits: 2), minute < 60
        else { return nil }
        var total = hour * 3_600_000 + minute * 60_000
        precision = .minute
        if skip(":") {
            guard let second = number(digits: 2), second <= 60 else { return nil }
            total += second * 1000
            precision = .second
            let isLeap = second == 60
            // They are put in at the end of an hour of UTC, which is no full hour everywhere.
            if isLeap, minute % 15 != 14 { return nil }
            if isLeap { total -= 1 }
            if skip(".") || skip(",") {
                guard let first = digit() else { return nil }
                total += isLeap ? 0 : first * 100
                precision = .fraction
                var weight: Int64 = isLeap ? 0 : 10
                while let next = digit() {
                    total += next * weight
                    weight /= 10
                }
            }
        }
        return total
    }

    /// Reads `Z`, `+01:00`, `+0100` or `+01` and gives milliseconds east of UTC.
    mutating func zone() -> Int64? {
        if skip("Z") || skip("z") { return 0 }
        let sign: Int64 = skip("-") ? -1 : 1
        if sign == 1 { guard skip("+") else { return nil } }
        guard let hour = number(digits: 2), hour < 24 else { return nil }
        if isAtEnd { return sign * hour * 3_600_000 }
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
