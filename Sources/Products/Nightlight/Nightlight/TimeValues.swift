// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// The value of «Current Time»: what the lamp's clock shows.
///
/// | octets | field |
/// |---|---|
/// | 2 | year, least significant octet first; 0 unknown |
/// | 1 | month; 0 unknown |
/// | 1 | day; 0 unknown |
/// | 3 | hour, minute, second |
/// | 1 | day of the week, 1 Monday to 7 Sunday; 0 unknown |
/// | 1 | 1/256 of a second |
/// | 1 | why the time was changed |
///
/// Spec: Current Time Service v1.1, 3.1; GATT Specification Supplement, Current Time.
public struct CurrentTime: Hashable, Sendable {
    /// The time; `nil` when the lamp does not know it.
    public var time: LocalTime?
    /// 256ths of a second.
    public var fractions: UInt8
    /// Why the time was changed: bit 0 by hand, 1 from an external reference, 2 time zone, 3 DST.
    public var adjustReason: UInt8

    /// Makes a value.
    public init(_ time: LocalTime?, fractions: UInt8 = 0, adjustReason: UInt8 = 0) {
        self.time = time
        self.fractions = fractions
        self.adjustReason = adjustReason
    }

    /// Decodes the value of the characteristic; the day of the week is not looked at beyond its range.
    ///
    /// - Parameter octets: The value.
    /// - Throws: ``DecodeError`` when it has not ten octets, or there is no such time.
    public init(decoding octets: [UInt8]) throws(DecodeError) {
        var reader = ByteReader(octets.octetSpan.bytes)
        guard octets.count == 10 else {
            try reader.skip(10)
            throw DecodeError(.trailing(count: octets.count - 10), at: 10)
        }
        time = try LocalTime.decode(&reader)
        let day = try reader.readUInt8()
        guard day <= 7 else { throw DecodeError(.outOfRange(UInt64(day)), at: 7) }
        fractions = try reader.readUInt8()
        adjustReason = try reader.readUInt8()
    }

    /// The value of the characteristic.
    ///
    /// - Returns: Ten octets.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: 10)
        LocalTime.encode(time, into: &writer)
        writer.write(time.map { $0.date.dayOfWeek.rawValue + 1 } ?? 0)
        writer.write(fractions)
        writer.write(adjustReason)
        return writer.octets
    }
}

/// How far the clock is from its standard time, as the octet on the wire.
///
/// Spec: GATT Specification Supplement, DST Offset.
public struct DSTOffset: RawRepresentable, Hashable, Sendable {
    /// Quarters of an hour on the wire; 255 is unknown.
    public var rawValue: UInt8

    /// Wraps an octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Standard time.
    public static let standard = DSTOffset(rawValue: 0)
    /// Half an hour ahead.
    public static let halfHour = DSTOffset(rawValue: 2)
    /// An hour ahead.
    public static let daylight = DSTOffset(rawValue: 4)
    /// Two hours ahead.
    public static let doubleDaylight = DSTOffset(rawValue: 8)
    /// Not known.
    public static let unknown = DSTOffset(rawValue: 255)

    /// Whether the octet has a meaning.
    public var isValid: Bool { [0, 2, 4, 8, 255].contains(rawValue) }

    /// Seconds ahead of standard time; `nil` when that is not known.
    public var seconds: Int32? { self == .unknown ? nil : Int32(rawValue) * 900 }

    init(decoding reader: inout ByteReader) throws(DecodeError) {
        let offset = reader.offset
        rawValue = try reader.readUInt8()
        guard isValid else { throw DecodeError(.outOfRange(UInt64(rawValue)), at: offset) }
    }
}

/// The value of «Local Time Information»: the time zone and DST.
///
/// | octets | field |
/// |---|---|
/// | 1 | time zone, signed, quarters of an hour east of UTC, -48 to 56; -128 unknown |
/// | 1 | DST offset: 0, 2, 4 or 8 quarters of an hour; 255 unknown |
///
/// Spec: GATT Specification Supplement, Local Time Information.
public struct LocalTimeInformation: Hashable, Sendable {
    /// Quarters of an hour east of UTC in standard time; `nil` when that is not known.
    public var zone: Int8?
    /// How far the clock is ahead of that.
    public var dst: DSTOffset

    /// Makes a value.
    public init(zone: Int8?, dst: DSTOffset) {
        self.zone = zone
        self.dst = dst
    }

    /// Nothing is known.
    public static let unknown = LocalTimeInformation(zone: nil, dst: .unknown)

    /// Decodes the value of the characteristic.
    ///
    /// - Parameter octets: The value.
    /// - Throws: ``DecodeError`` when it has not two octets, or one is out of its range.
    public init(decoding octets: [UInt8]) throws(DecodeError) {
        var reader = ByteReader(octets.octetSpan.bytes)
        guard octets.count == 2 else {
            try reader.skip(2)
            throw DecodeError(.trailing(count: octets.count - 2), at: 2)
        }
        let zone = try reader.readInt8()
        guard zone == -128 || (-48...56).contains(zone) else {
            throw DecodeError(.outOfRange(UInt64(UInt8(bitPattern: zone))), at: 0)
        }
        self.zone = zone == -128 ? nil : zone
        dst = try DSTOffset(decoding: &reader)
    }

    /// The value of the characteristic.
    ///
    /// - Returns: Two octets.
    public func encoded() -> [UInt8] { [UInt8(bitPattern: zone ?? -128), dst.rawValue] }

    /// Seconds east of UTC, DST included; `nil` when part of it is not known.
    public var offset: Int32? {
        guard let zone, let ahead = dst.seconds else { return nil }
        return Int32(zone) * 900 + ahead
    }
}

/// The value of «Time with DST»: when DST begins or ends next.
///
/// | octets | field |
/// |---|---|
/// | 7 | the time of the change, as the clock shows it just before: year, month, day, hour, minute, second |
/// | 1 | the DST offset from then on |
///
/// Spec: GATT Specification Supplement, Time with DST; Documentation/Protocols/nightlight.md, Clock.
public struct TimeWithDST: Hashable, Sendable {
    /// When the clock is changed, as it shows it just before; `nil` when no change is known.
    public var time: LocalTime?
    /// How far it is ahead of standard time from then on.
    public var dst: DSTOffset

    /// Makes a value.
    public init(_ time: LocalTime?, dst: DSTOffset) {
        self.time = time
        self.dst = dst
    }

    /// No change is known.
    public static let none = TimeWithDST(nil, dst: .unknown)

    /// Decodes the value of the characteristic.
    ///
    /// - Parameter octets: The value.
    /// - Throws: ``DecodeError`` when it has not eight octets, or there is no such time.
    public init(decoding octets: [UInt8]) throws(DecodeError) {
        var reader = ByteReader(octets.octetSpan.bytes)
        guard octets.count == 8 else {
            try reader.skip(8)
            throw DecodeError(.trailing(count: octets.count - 8), at: 8)
        }
        time = try LocalTime.decode(&reader)
        dst = try DSTOffset(decoding: &reader)
    }

    /// The value of the characteristic.
    ///
    /// - Returns: Eight octets.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: 8)
        LocalTime.encode(time, into: &writer)
        writer.write(dst.rawValue)
        return writer.octets
    }
}

extension WallClock {
    /// Makes the clock of a lamp from what it knows.
    ///
    /// - Parameters:
    ///   - zone: The time zone and DST; an unknown one counts as UTC, an unknown DST as none.
    ///   - next: When DST begins or ends.
    public init(_ zone: LocalTimeInformation, next: TimeWithDST = .none) {
        let standard = Int32(zone.zone ?? 0) * 900
        let offset = standard + (zone.dst.seconds ?? 0)
        guard let time = next.time, let ahead = next.dst.seconds else {
            self.init(offset: offset)
            return
        }
        let moment = UnixTime(seconds: time.wallSeconds - Int64(offset))
        self.init(offset: offset, changes: [Change(at: moment, offset: standard + ahead)])
    }
}

extension LocalTime {
    /// Reads seven octets; `nil` when the year, the month or the day is 0, which stands for unknown.
    fileprivate static func decode(_ reader: inout ByteReader) throws(DecodeError) -> LocalTime? {
        let start = reader.offset
        let year = try reader.readUInt16()
        let month = try reader.readUInt8()
        let day = try reader.readUInt8()
        let hour = try reader.readUInt8()
        let minute = try reader.readUInt8()
        let second = try reader.readUInt8()
        guard hour < 24 else { throw DecodeError(.outOfRange(UInt64(hour)), at: start + 4) }
        guard minute < 60 else { throw DecodeError(.outOfRange(UInt64(minute)), at: start + 5) }
        guard second < 60 else { throw DecodeError(.outOfRange(UInt64(second)), at: start + 6) }
        guard year == 0 || (1582...9999).contains(year) else {
            throw DecodeError(.outOfRange(UInt64(year)), at: start)
        }
        guard month <= 12 else { throw DecodeError(.outOfRange(UInt64(month)), at: start + 2) }
        guard day <= 31 else { throw DecodeError(.outOfRange(UInt64(day)), at: start + 3) }
        guard year > 0, month > 0, day > 0 else { return nil }
        guard let date = CalendarDate(year: Int(year), month: Int(month), day: Int(day)) else {
            throw DecodeError(.outOfRange(UInt64(day)), at: start + 3)
        }
        return LocalTime(date, hour: Int(hour), minute: Int(minute), second: Int(second))
    }

    /// Appends seven octets; zeros for an unknown time.
    fileprivate static func encode(_ time: LocalTime?, into writer: inout ByteWriter) {
        guard let time else {
            writer.write([UInt8](repeating: 0, count: 7))
            return
        }
        let parts = time.date.parts
        writer.write(UInt16(truncatingIfNeeded: parts.year))
        writer.write(UInt8(truncatingIfNeeded: parts.month))
        writer.write(UInt8(truncatingIfNeeded: parts.day))
        writer.write(UInt8(truncatingIfNeeded: time.minuteOfDay.hour))
        writer.write(UInt8(truncatingIfNeeded: time.minuteOfDay.minute))
        writer.write(UInt8(truncatingIfNeeded: time.second))
    }
}
