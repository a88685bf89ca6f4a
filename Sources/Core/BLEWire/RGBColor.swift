// SPDX-License-Identifier: Apache-2.0

/// A colour of light: how bright red, green and blue are.
///
/// | octets | field |
/// |---|---|
/// | 1 | red |
/// | 1 | green |
/// | 1 | blue |
public struct RGBColor: Hashable, Sendable {
    /// How bright red is, 0 to 255.
    public var red: UInt8
    /// How bright green is, 0 to 255.
    public var green: UInt8
    /// How bright blue is, 0 to 255.
    public var blue: UInt8

    /// Makes a colour.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Makes a colour of the number that people write in hex.
    ///
    /// - Parameter rgb: 0xRRGGBB; what is above is ignored.
    public init(rgb: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: rgb &>> 16), green: UInt8(truncatingIfNeeded: rgb &>> 8),
            blue: UInt8(truncatingIfNeeded: rgb))
    }

    /// Makes white light.
    ///
    /// - Parameter level: How bright, 0 to 255.
    public init(white level: UInt8) { self.init(red: level, green: level, blue: level) }

    /// Darkness.
    public static let black = RGBColor(rgb: 0)
    /// White, full on.
    public static let white = RGBColor(rgb: 0xFF_FFFF)

    /// 0xRRGGBB.
    public var rgb: UInt32 { UInt32(red) &<< 16 | UInt32(green) &<< 8 | UInt32(blue) }
}

// MARK: On the wire

extension RGBColor {
    /// Decodes three octets.
    ///
    /// - Parameter reader: Where to read.
    /// - Throws: ``DecodeError`` when fewer are left.
    public init(decoding reader: inout ByteReader) throws(DecodeError) {
        red = try reader.readUInt8()
        green = try reader.readUInt8()
        blue = try reader.readUInt8()
    }

    /// Decodes a value that is a colour and nothing else.
    ///
    /// - Parameter octets: The value.
    /// - Throws: ``DecodeError`` when it has not three octets.
    public init(decoding octets: [UInt8]) throws(DecodeError) {
        var reader = ByteReader(octets.octetSpan.bytes)
        try self.init(decoding: &reader)
        try reader.finish()
    }

    /// Appends three octets.
    ///
    /// - Parameter writer: Where to append.
    public func encode(into writer: inout ByteWriter) {
        writer.write(red)
        writer.write(green)
        writer.write(blue)
    }

    /// The three octets of the colour.
    public var octets: [UInt8] { [red, green, blue] }
}

// MARK: The colour wheel

extension RGBColor {
    /// Steps of a whole turn of the colour wheel: as many as there are colours of which one part is full and one is
    /// nothing.
    public static let hues = 6 * 255

    /// The greatest of the three parts: how bright the light is.
    public var brightest: UInt8 { max(red, max(green, blue)) }

    /// The smallest of the three parts: how much of the light is white.
    private var faintest: UInt8 { min(red, min(green, blue)) }

    /// Makes a hue at full saturation and full value.
    ///
    /// ```
    /// 0 red   255 yellow   510 green   765 cyan   1020 blue   1275 magenta   1530 red again
    /// ```
    ///
    /// Spec: Documentation/Protocols/led-bulb.md, Times.
    ///
    /// - Parameter hue: Which one; each ``hues`` is a turn.
    public init(hue: Int) { self = RGBColor(rgb: 0xFF_0000).turned(toHue: hue) }

    /// Where the colour stands on the wheel, from red over green and blue: 0 to 1529; 0 for white and grey.
    public var hue: Int {
        let low = Int(faintest)
        let range = Int(brightest) - low
        guard range > 0 else { return 0 }
        /// How far the smaller of two parts has come, of 255, rounded.
        func part(_ value: UInt8) -> Int { ((Int(value) - low) * 255 + range / 2) / range }
        let hue: Int
        if red == brightest {
            hue = blue > green ? Self.hues - part(blue) : part(green)
        } else if green == brightest {
            hue = red > blue ? 510 - part(red) : 510 + part(blue)
        } else {
            hue = green > red ? 1020 - part(green) : 1020 + part(red)
        }
        return hue % Self.hues
    }

    /// The colour at another place of the wheel, as bright and as pale as this one; white and grey stay.
    ///
    /// - Parameter hue: The place; any number, whole turns do not count.
    /// - Returns: The colour.
    public func turned(toHue hue: Int) -> RGBColor {
        let turn = hue % Self.hues
        let place = turn < 0 ? turn + Self.hues : turn
        let (high, low) = (brightest, faintest)
        let step = place % 255
        let range = Int(high) - Int(low)
        let rising = UInt8(Int(low) + (range * step + 127) / 255)
        let falling = UInt8(Int(high) - (range * step + 127) / 255)
        return switch place / 255 {
        case 0: RGBColor(red: high, green: rising, blue: low)
        case 1: RGBColor(red: falling, green: high, blue: low)
        case 2: RGBColor(red: low, green: high, blue: rising)
        case 3: RGBColor(red: low, green: falling, blue: high)
        case 4: RGBColor(red: rising, green: low, blue: high)
        default: RGBColor(red: high, green: low, blue: falling)
        }
    }

    /// The colour some way along the wheel.
    ///
    /// - Parameter steps: How far, of ``hues``; negative turns back.
    /// - Returns: The colour.
    public func turned(by steps: Int) -> RGBColor { turned(toHue: hue + steps % Self.hues) }

    /// The same hue, darker: all three parts in the same proportion, rounded.
    ///
    /// - Parameter percent: How much of the brightness is left, 0 to 100; more counts as 100.
    /// - Returns: The colour.
    public func dimmed(toPercent percent: UInt8) -> RGBColor {
        let share = UInt16(min(percent, 100))
        func part(_ value: UInt8) -> UInt8 { UInt8((UInt16(value) * share + 50) / 100) }
        return RGBColor(red: part(red), green: part(green), blue: part(blue))
    }
}
