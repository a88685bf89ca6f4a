// SPDX-License-Identifier: Apache-2.0

/// The few functions that places need; a chip has no library for them.
///
/// Each is right to about one part in 10⁹.
enum Trigonometry {
    /// The cosine of an angle in degrees.
    static func cosine(_ degrees: Double) -> Double {
        guard abs(degrees) < 1e12 else { return 0 }
        // To 0 … 90 degrees, where the series is short.
        var angle = abs(degrees)
        angle -= 360 * Double(Int64(angle / 360))
        if angle > 180 { angle = 360 - angle }
        let isNegative = angle > 90
        if isNegative { angle = 180 - angle }
        let square = angle * angle * (Double.pi / 180) * (Double.pi / 180)
        var term = 1.0
        var sum = 1.0
        for step in 1...9 {
            term *= -square / Double(2 * step * (2 * step - 1))
            sum += term
        }
        return isNegative ? -sum : sum
    }

    /// The sine of an angle in degrees.
    static func sine(_ degrees: Double) -> Double { cosine(90 - degrees) }

    /// The bearing of a way: degrees from north, clockwise, from 0 to below 360; 0 for no way at all.
    static func bearing(east: Double, north: Double) -> Double {
        let (wide, high) = (abs(east), abs(north))
        guard wide > 0 || high > 0 else { return 0 }
        // Between north and north-east, then mirrored to where it belongs.
        var angle = arcTangent(min(wide, high) / max(wide, high))
        if wide > high { angle = 90 - angle }
        if north < 0 { angle = 180 - angle }
        if east < 0 { angle = 360 - angle }
        return angle >= 360 ? 0 : angle
    }

    /// The arc tangent of 0 to 1, in degrees.
    private static func arcTangent(_ value: Double) -> Double {
        // Beyond 15 degrees, turned back by 30: the series is short then.
        let root = 1.7320508075688772
        let isFar = value > 0.2679491924311227
        let tangent = isFar ? (root * value - 1) / (root + value) : value
        let square = tangent * tangent
        var power = tangent
        var sum = tangent
        for step in 1...7 {
            power *= -square
            sum += power / Double(2 * step + 1)
        }
        return sum * 180 / .pi + (isFar ? 30 : 0)
    }

    /// The natural logarithm of a positive number; 0 for anything else.
    static func logarithm(_ value: Double) -> Double {
        guard value > 0, value.isFinite else { return 0 }
        // 2 to the exponent, times 0.70 to 1.41, whose logarithm is twice an area tangent.
        var exponent = Double(value.exponent)
        var rest = value.significand
        if rest > 1.4142135623730951 {
            rest /= 2
            exponent += 1
        }
        let ratio = (rest - 1) / (rest + 1)
        let square = ratio * ratio
        var power = ratio
        var sum = ratio
        for step in 1...6 {
            power *= square
            sum += power / Double(2 * step + 1)
        }
        return exponent * 0.6931471805599453 + 2 * sum
    }

    /// e to the power of a number of at most 0; 0 below -40.
    static func exponential(_ value: Double) -> Double {
        guard value > -40 else { return 0 }
        // To the 64th of it, then squared six times.
        let small = min(value, 0) / 64
        var term = 1.0
        var power = 1.0
        for step in 1...9 {
            term *= small / Double(step)
            power += term
        }
        for _ in 0..<6 { power *= power }
        return power
    }
}
