// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// How the child's button is to work.
///
/// Spec: Documentation/Protocols/nightlight.md, Child button.
public struct ButtonSettings: Hashable, Sendable {
    /// A daily stretch of time in which the button does nothing.
    ///
    /// | offset | size | field | notes                              |
    /// |--------|------|-------|------------------------------------|
    /// | 0      | 2    | from  | minute of the day, 0 to 1439       |
    /// | 2      | 2    | to    | minute of the day; before `from` wraps past midnight, equal is none |
    public struct Deactivation: Hashable, Sendable {
        /// The first minute of the day in which the button does nothing.
        public var from: MinuteOfDay
        /// The first minute of the day in which it works again.
        public var to: MinuteOfDay

        /// Makes a stretch.
        public init(from: MinuteOfDay, to: MinuteOfDay) {
            self.from = from
            self.to = to
        }

        /// No stretch at all.
        public static let none = Deactivation(from: .midnight, to: .midnight)

        /// Whether there is such a stretch.
        public var isNone: Bool { from == to }

        /// Reads the value.
        ///
        /// - Parameter octets: The value.
        /// - Throws: ``DecodeError`` when it has not four octets, or one end is no minute of a day.
        public init(decoding octets: [UInt8]) throws(DecodeError) {
            var reader = ByteReader(octets.octetSpan.bytes)
            let from = try reader.readUInt16()
            let to = try reader.readUInt16()
            try reader.finish()
            guard let first = MinuteOfDay(rawValue: from) else {
                throw DecodeError(.outOfRange(UInt64(from)), at: 0)
            }
            guard let last = MinuteOfDay(rawValue: to) else {
                throw DecodeError(.outOfRange(UInt64(to)), at: 2)
            }
            self.init(from: first, to: last)
        }

        /// The value's octets.
        public var octets: [UInt8] {
            var writer = ByteWriter(capacity: 4)
            writer.write(from.rawValue)
            writer.write(to.rawValue)
            return writer.octets
        }

        /// Whether a minute lies in the stretch.
        ///
        /// - Parameter minute: The minute of the day.
        /// - Returns: Whether the button does nothing then.
        public func contains(_ minute: MinuteOfDay) -> Bool {
            from <= to ? minute >= from && minute < to : minute >= from || minute < to
        }
    }

    /// What ``dailyPresses`` is when every press counts.
    public static let unlimitedPresses: UInt8 = 255

    /// Whether the button does anything.
    public var isEnabled: Bool
    /// How long a press lights the lamp, in seconds.
    public var onSeconds: UInt16
    /// How many presses a day light the lamp: 0 none, 255 all.
    public var dailyPresses: UInt8
    /// When the button does nothing; equal ends are never.
    public var deactivation: Deactivation
    /// Whether shaking the lamp slowly alters the colours of the button's light.
    public var alters: Bool
    /// The colour of the button's light.
    public var color: RGBColor

    /// Makes settings.
    public init(
        isEnabled: Bool, onSeconds: UInt16, dailyPresses: UInt8, deactivation: Deactivation, alters: Bool,
        color: RGBColor
    ) {
        self.isEnabled = isEnabled
        self.onSeconds = onSeconds
        self.dailyPresses = dailyPresses
        self.deactivation = deactivation
        self.alters = alters
        self.color = color
    }
}
