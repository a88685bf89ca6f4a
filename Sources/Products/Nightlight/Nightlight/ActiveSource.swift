// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// Why the lamp shines as it does, as the octet on the wire.
///
/// Spec: Documentation/Protocols/nightlight.md, Active source.
public struct LightSource: RawRepresentable, Hashable, Sendable {
    /// The octet on the wire.
    public var rawValue: UInt8

    /// Wraps an octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Nothing makes it shine.
    public static let off = LightSource(rawValue: 0)
    /// The week.
    public static let week = LightSource(rawValue: 1)
    /// The day schedule.
    public static let day = LightSource(rawValue: 2)
    /// The child has pressed the button.
    public static let button = LightSource(rawValue: 3)
    /// The app drives the LEDs.
    public static let proof = LightSource(rawValue: 4)

    /// The word for files and scripts.
    public var keyword: StaticString {
        switch self {
        case .off: "off"
        case .week: "week"
        case .day: "day"
        case .button: "button"
        case .proof: "proof"
        default: "unknown"
        }
    }
}

/// What shines, why, and until when.
///
/// | octets | field |
/// |---|---|
/// | 1 | source: 0 off, 1 week, 2 day, 3 button, 4 proof |
/// | 3 | R, G, B; zero when the LEDs have no power |
/// | 2 | minutes until the next change, least significant octet first; 0xFFFF for none |
///
/// Spec: Documentation/Protocols/nightlight.md, Active source.
public struct ActiveSource: Hashable, Sendable {
    /// Why the lamp shines.
    public var source: LightSource
    /// How it shines.
    public var color: RGBColor
    /// How long it stays so, in minutes; `nil` when nothing is going to change it.
    public var minutesToNextChange: UInt16?

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - source: Why the lamp shines.
    ///   - color: How it shines.
    ///   - minutesToNextChange: How long it stays so, in minutes; more than 65534 count as that many.
    public init(_ source: LightSource, _ color: RGBColor, minutesToNextChange: Int?) {
        self.source = source
        self.color = color
        self.minutesToNextChange = minutesToNextChange.map { UInt16(max(0, min($0, 0xFFFE))) }
    }

    /// Decodes the value of the characteristic.
    ///
    /// - Parameter octets: The value.
    /// - Throws: ``DecodeError`` when it has not six octets.
    public init(decoding octets: [UInt8]) throws(DecodeError) {
        var reader = ByteReader(octets.octetSpan.bytes)
        source = LightSource(rawValue: try reader.readUInt8())
        color = try RGBColor(decoding: &reader)
        let minutes = try reader.readUInt16()
        minutesToNextChange = minutes == 0xFFFF ? nil : minutes
        try reader.finish()
    }

    /// The value of the characteristic.
    ///
    /// - Returns: Six octets.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: 6)
        writer.write(source.rawValue)
        color.encode(into: &writer)
        writer.write(minutesToNextChange ?? 0xFFFF)
        return writer.octets
    }
}
