// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// A moment: milliseconds since 1970-01-01 UTC, without leap seconds.
public struct Timestamp: Hashable, Sendable, Comparable {
    /// Milliseconds since 1970-01-01 UTC.
    public let milliseconds: Int64

    /// Milliseconds of moments that are kept: from 1970 to the end of the year 9999.
    package static let storable: ClosedRange<Int64> = 0...253_402_300_799_999

    /// Makes a moment.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Whether a moment is earlier than another.
    ///
    /// - Parameters:
    ///   - left: One moment.
    ///   - right: The other.
    /// - Returns: Whether `left` is earlier.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

extension Timestamp: CustomStringConvertible, LosslessStringConvertible {
    /// ISO 8601 in UTC with milliseconds, for example `2026-11-21T14:03:32.123Z`.
    public var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(24)
        write(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the ``description`` to octets.
    package func write(to text: inout [UInt8]) {
        let (days, rest) = GregorianCalendar.floorDivide(milliseconds, 86_400_000)
        let (year, month, day) = GregorianCalendar.date(ofDayNumber: days)

        if year < 0 { text.append(UInt8(ascii: "-")) }
        text.append(decimal: year.magnitude, digits: 4)
        text.append(UInt8(ascii: "-"))
        text.append(decimal: UInt64(month), digits: 2)
        text.append(UInt8(ascii: "-"))
        text.append(decimal: UInt64(day), digits: 2)
        text.append(UInt8(ascii: "T"))
        text.append(decimal: (rest / 3_600_000).magnitude, digits: 2)
        text.append(UInt8(ascii: ":"))
        text.append(decimal: (rest / 60_000 % 60).magnitude, digits: 2)
        text.append(UInt8(ascii: ":"))
        text.append(decimal: (rest / 1000 % 60).magnitude, digits: 2)
        text.append(UInt8(ascii: "."))
        text.append(decimal: (rest % 1000).magnitude, digits: 3)
        text.append(UInt8(ascii: "Z"))
    }

    /// Reads a date, or a date and a time, as ISO 8601 writes them; without a zone it is UTC.
    ///
    /// - Parameter description: The text, as ``WrittenTime`` reads it.
    public init?(_ description: String) {
        guard let written = WrittenTime(description) else { return nil }
        self = written.start(offset: written.offset ?? 0)
    }
}

extension [UInt8] {
    /// Appends a number with at least so many digits.
    fileprivate mutating func append(decimal value: UInt64, digits: Int) {
        var unit: UInt64 = 1
        for _ in 1..<digits { unit *= 10 }
        while value / unit >= 10 { unit *= 10 }
        while unit > 0 {
            append(0x30 + UInt8(value / unit % 10))
            unit /= 10
        }
    }
}
