// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// The colour and intensity of a light.
///
/// | octets | field |
/// |---|---|
/// | 1 | red |
/// | 1 | green |
/// | 1 | blue |
///
/// Spec: nightlight-and-bulb.txt, Light color & intensity selection.
public struct LightColor: Hashable, Sendable {
    /// How much red.
    public var red: UInt8
    /// How much green.
    public var green: UInt8
    /// How much blue.
    public var blue: UInt8

    /// No light.
    public static let black = LightColor(red: 0, green: 0, blue: 0)
    /// The middle of the colour wheel at full intensity.
    public static let white = LightColor(red: 255, green: 255, blue: 255)

    /// Makes a colour.
    ///
    /// - Parameters:
    ///   - red: How much red.
    ///   - green: How much green.
    ///   - blue: How much blue.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

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
        var reader = ByteReader(octets.span.bytes)
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

    /// The greatest of the three components: how bright the light is.
    public var brightest: UInt8 { max(red, max(green, blue)) }

    /// The smallest of the three components: how much of the light is white.
    private var faintest: UInt8 { min(red, min(green, blue)) }
}

extension LightColor {
    /// Steps of a whole turn of the colour wheel.
    public static let hueSteps = 1536

    /// Where the colour stands on the wheel, from red over green and blue: 0 to 1535; 0 for white and grey.
    public var hue: Int {
        let low = Int(faintest)
        let range = Int(brightest) - low
        guard range > 0 else { return 0 }
        /// How far the smaller of two components has come, of 256, rounded.
        func part(_ component: UInt8) -> Int { ((Int(component) - low) * 256 + range / 2) / range }
        let hue: Int
        if red == brightest {
            hue = blue > green ? Self.hueSteps - part(blue) : part(green)
        } else if green == brightest {
            hue = red > blue ? 512 - part(red) : 512 + part(blue)
        } else {
            hue = green > red ? 1024 - part(green) : 1024 + part(red)
        }
        return hue % Self.hueSteps
    }

    /// The colour at another place of the wheel, as bright and as pale as this one; white and grey stay.
    ///
    /// - Parameter hue: The place; any number, whole turns do not count.
    /// - Returns: The colour.
    public func turned(toHue hue: Int) -> LightColor {
        let turn = hue % Self.hueSteps
        let place = turn < 0 ? turn + Self.hueSteps : turn
        let high = brightest
        let low = faintest
        let step = place % 256
        let range = Int(high) - Int(low)
        let rising = UInt8(Int(low) + (range * step + 128) / 256)
        let falling = UInt8(Int(high) - (range * step + 128) / 256)
        return switch place / 256 {
        case 0: LightColor(red: high, green: rising, blue: low)
        case 1: LightColor(red: falling, green: high, blue: low)
        case 2: LightColor(red: low, green: high, blue: rising)
        case 3: LightColor(red: low, green: falling, blue: high)
        case 4: LightColor(red: rising, green: low, blue: high)
        default: LightColor(red: high, green: low, blue: falling)
        }
    }

    /// The colour some way along the wheel.
    ///
    /// - Parameter steps: How far, of ``hueSteps``; negative turns back.
    /// - Returns: The colour.
    public func turned(by steps: Int) -> LightColor {
        turned(toHue: hue + steps % Self.hueSteps)
    }
}

/// A dimmer: scales a colour, and remembers it, so that it comes back with the same hue.
///
/// Red, green and blue grow together until one of them is 255, and shrink together until all are 0; above
/// 0 percent something always shines.
///
/// Spec: nightlight-and-bulb.txt, Light color & intensity selection; design section 7.
public struct LightDimmer: Hashable, Sendable {
    /// The colour at 100 percent.
    public let original: LightColor
    /// How bright it is, in percent of the original; 0 to ``maximum``.
    public private(set) var percent: Int

    /// Starts at 100 percent.
    ///
    /// - Parameter original: The colour to scale.
    public init(_ original: LightColor) {
        self.original = original
        percent = 100
    }

    /// The percentage at which one component has reached 255; black has no brighter.
    public var maximum: Int {
        let brightest = Int(original.brightest)
        guard brightest > 0 else { return 100 }
        return (25500 + brightest - 1) / brightest
    }

    /// Goes to a percentage, or as near as one gets.
    ///
    /// - Parameter percent: How bright, in percent of the original.
    public mutating func set(percent: Int) { self.percent = max(0, min(percent, maximum)) }

    /// Makes it brighter or darker.
    ///
    /// - Parameter percent: How much, in percent of the original; negative is darker.
    public mutating func change(byPercent percent: Int) {
        let (sum, overflow) = self.percent.addingReportingOverflow(percent)
        set(percent: overflow ? (percent < 0 ? 0 : maximum) : sum)
    }

    /// What shines.
    public var color: LightColor {
        let brightest = Int(original.brightest)
        guard percent > 0, brightest > 0 else { return .black }
        // The brightest component decides: it is at most 255, and at least 1.
        let top = max(1, min(255, (brightest * percent + 50) / 100))
        guard top < 255 else { return scaled(to: 255, of: brightest) }
        guard brightest * percent >= 50 else { return scaled(to: 1, of: brightest) }
        return LightColor(
            red: part(original.red, percent, 100), green: part(original.green, percent, 100),
            blue: part(original.blue, percent, 100))
    }

    private func scaled(to top: Int, of brightest: Int) -> LightColor {
        LightColor(
            red: part(original.red, top, brightest), green: part(original.green, top, brightest),
            blue: part(original.blue, top, brightest))
    }

    private func part(_ component: UInt8, _ numerator: Int, _ denominator: Int) -> UInt8 {
        UInt8((Int(component) * numerator + denominator / 2) / denominator)
    }
}
