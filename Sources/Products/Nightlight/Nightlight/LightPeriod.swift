// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// A time of light: from its on marker to its off marker, which may lie on the next day.
///
/// | octets | field |
/// |---|---|
/// | 2 | on, minute of the day, least significant octet first |
/// | 2 | off, minute of the day; smaller than on wraps past midnight, equal is refused |
/// | 3 | R, G, B |
/// | 1 | flags: bit 0 time-out on, others 0 |
/// | 1 | time-out, 1 to 255 minutes; 0 when the flag is off |
///
/// A value of this type always keeps to these rules.
///
/// Spec: Documentation/Protocols/nightlight.md, Light period.
public struct LightPeriod: Hashable, Sendable {
    /// Octets on the wire.
    static let width = 9

    /// When the light goes on.
    public let on: MinuteOfDay
    /// When it goes off.
    public let off: MinuteOfDay
    /// How it shines.
    public let color: RGBColor
    /// After how many elapsed minutes it goes off, if that is before the off marker.
    public let timeout: UInt8?

    /// Makes a period.
    ///
    /// - Parameters:
    ///   - on: When the light goes on.
    ///   - off: When it goes off.
    ///   - color: How it shines.
    ///   - timeout: After how many minutes it goes off at the latest, 1 to 255.
    /// - Throws: ``Failure`` when on and off are equal or the time-out is 0.
    public init(
        on: MinuteOfDay, off: MinuteOfDay, color: RGBColor, timeout: UInt8? = nil
    ) throws(Failure) {
        guard on != off else { throw .empty(on) }
        guard timeout != 0 else { throw .timeoutOfZero }
        self.on = on
        self.off = off
        self.color = color
        self.timeout = timeout
    }

    /// Whether the off marker lies on the next day.
    public var wrapsPastMidnight: Bool { off < on }

    /// Minutes from the on marker to the off marker, where no clock is changed between them.
    public var minutes: Int {
        Int(off.rawValue) - Int(on.rawValue) + (wrapsPastMidnight ? MinuteOfDay.count : 0)
    }

    /// Why nine octets are not a period.
    public enum Failure: Error, Hashable, Sendable {
        /// The on marker is no minute of a day.
        case on(UInt16)
        /// The off marker is no minute of a day.
        case off(UInt16)
        /// On and off are equal.
        case empty(MinuteOfDay)
        /// A flag that has no meaning is on.
        case unknownFlags(UInt8)
        /// The time-out is on and 0 minutes long.
        case timeoutOfZero
        /// The time-out is off but not 0.
        case timeoutWithoutFlag(UInt8)
    }

    /// Reads nine octets, whatever they say.
    static func decode(_ reader: inout ByteReader) throws(DecodeError) -> Result<LightPeriod, Failure> {
        let on = try reader.readUInt16()
        let off = try reader.readUInt16()
        let color = try RGBColor(decoding: &reader)
        let flags = try reader.readUInt8()
        let timeout = try reader.readUInt8()
        guard let onMarker = MinuteOfDay(rawValue: on) else { return .failure(.on(on)) }
        guard let offMarker = MinuteOfDay(rawValue: off) else { return .failure(.off(off)) }
        guard flags & 0xFE == 0 else { return .failure(.unknownFlags(flags)) }
        guard flags == 1 || timeout == 0 else { return .failure(.timeoutWithoutFlag(timeout)) }
        do throws(Failure) {
            return .success(
                try LightPeriod(
                    on: onMarker, off: offMarker, color: color, timeout: flags == 1 ? timeout : nil))
        } catch {
            return .failure(error)
        }
    }

    func encode(into writer: inout ByteWriter) {
        writer.write(on.rawValue)
        writer.write(off.rawValue)
        color.encode(into: &writer)
        writer.write(UInt8(timeout == nil ? 0 : 1))
        writer.write(timeout ?? 0)
    }
}
