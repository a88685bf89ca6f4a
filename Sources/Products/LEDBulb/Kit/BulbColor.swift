// SPDX-License-Identifier: Apache-2.0

/// A colour of light, as bulbs take it: how bright red, green and blue are.
public struct BulbColor: Hashable, Sendable {
    /// How bright red is, 0 to 255.
    public var red: UInt8
    /// How bright green is, 0 to 255.
    public var green: UInt8
    /// How bright blue is, 0 to 255.
    public var blue: UInt8

    /// Makes a colour.
    ///
    /// - Parameters:
    ///   - red: How bright red is, 0 to 255.
    ///   - green: How bright green is, 0 to 255.
    ///   - blue: How bright blue is, 0 to 255.
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
    public static let black = BulbColor(rgb: 0)
    /// White, full on.
    public static let white = BulbColor(rgb: 0xFF_FFFF)

    /// 0xRRGGBB.
    public var rgb: UInt32 { UInt32(red) &<< 16 | UInt32(green) &<< 8 | UInt32(blue) }

    // MARK: Hues

    /// How many hues there are at full saturation and full value: all colours of which one part is full and
    /// one is nothing.
    public static let hues = 6 * 255

    /// Makes a hue at full saturation and full value, as the bulb of the document cycles through them.
    ///
    /// ```
    /// 0 red   255 yellow   510 green   765 cyan   1020 blue   1275 magenta   1530 red again
    /// ```
    ///
    /// Spec: nightlight-and-bulb.txt, "cycle through all the hues of color".
    ///
    /// - Parameter position: Which hue; each ``hues`` is a turn.
    public init(hue position: Int) {
        let inTurn = position % Self.hues
        let place = inTurn < 0 ? inTurn + Self.hues : inTurn
        let rise = UInt8(place % 255)
        switch place / 255 {
        case 0: self.init(red: 255, green: rise, blue: 0)
        case 1: self.init(red: 255 - rise, green: 255, blue: 0)
        case 2: self.init(red: 0, green: 255, blue: rise)
        case 3: self.init(red: 0, green: 255 - rise, blue: 255)
        case 4: self.init(red: rise, green: 0, blue: 255)
        default: self.init(red: 255, green: 0, blue: 255 - rise)
        }
    }

    // MARK: Brightness

    /// The same hue, darker: all three parts in the same proportion, rounded.
    ///
    /// - Parameter percent: How much of the brightness is left, 0 to 100; more counts as 100.
    /// - Returns: The colour.
    public func dimmed(toPercent percent: UInt8) -> BulbColor {
        let share = UInt16(min(percent, 100))
        func part(_ value: UInt8) -> UInt8 { UInt8((UInt16(value) * share + 50) / 100) }
        return BulbColor(red: part(red), green: part(green), blue: part(blue))
    }
}

/// Brightness as people say it and as bulbs take it.
public enum BulbLevel {
    /// The octet for a percentage, rounded.
    ///
    /// - Parameters:
    ///   - percent: 0 to 100; more counts as 100.
    ///   - full: The octet that means 100 %.
    /// - Returns: The octet.
    public static func octet(ofPercent percent: UInt8, full: UInt8 = 255) -> UInt8 {
        UInt8((UInt16(min(percent, 100)) * UInt16(full) + 50) / 100)
    }

    /// The percentage of an octet, rounded.
    ///
    /// - Parameters:
    ///   - octet: The octet; more than `full` counts as `full`.
    ///   - full: The octet that means 100 %; at least 1.
    /// - Returns: 0 to 100.
    public static func percent(ofOctet octet: UInt8, full: UInt8 = 255) -> UInt8 {
        let full = UInt16(max(full, 1))
        return UInt8((min(UInt16(octet), full) * 100 + full / 2) / full)
    }

    /// The octet of one scale on another, rounded.
    static func rescaled(_ octet: UInt8, from: UInt8, to: UInt8) -> UInt8 {
        let from = UInt16(max(from, 1))
        return UInt8((min(UInt16(octet), from) * UInt16(to) + from / 2) / from)
    }
}
