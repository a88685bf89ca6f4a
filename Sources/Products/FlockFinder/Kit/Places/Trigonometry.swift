// SPDX-License-Identifier: Apache-2.0

/// The few functions that places need; a chip and a page have no library for them.
///
/// Each is right to about 14 digits, and gives the same on every machine.
package enum Trigonometry {
    /// The cosine of an angle in degrees.
    package static func cosine(_ degrees: Double) -> Double {
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
        for step in 1...10 {
            term *= -square / Double(2 * step * (2 * step - 1))
            sum += term
        }
        return isNegative ? -sum : sum
    }

    /// The sine of an angle in degrees.
    package static func sine(_ degrees: Double) -> Double {
        guard abs(degrees) < 45 else { return cosine(90 - degrees) }
        // Near zero the other series would lose what is small.
        let angle = degrees * (.pi / 180)
        let square = angle * angle
        var term = angle
        var sum = angle
        for step in 1...8 {
            term *= -square / Double(2 * step * (2 * step + 1))
            sum += term
        }
        return sum
    }

    /// The bearing of a way: degrees from north, clockwise, from 0 to below 360; 0 for no way at all.
    package static func bearing(east: Double, north: Double) -> Double {
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
    package static func arcTangent(_ value: Double) -> Double {
        // Beyond 15 degrees, turned back by 30: the series is short then.
        let root = 1.7320508075688772
        let isFar = value > 0.2679491924311227
        let tangent = isFar ? (root * value - 1) / (root + value) : value
        let square = tangent * tangent
        var power = tangent
        var sum = tangent
        for step in 1...12 {
            power *= -square
            sum += power / Double(2 * step + 1)
        }
        return sum * 180 / .pi + (isFar ? 30 : 0)
    }

    /// The natural logarithm of a positive number; 0 for anything else.
    package static func logarithm(_ value: Double) -> Double {
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
        for step in 1...10 {
            power *= square
            sum += power / Double(2 * step + 1)
        }
        return exponent * 0.6931471805599453 + 2 * sum
    }

    /// e to the power of a number of at most 0; 0 below -40.
    package static func exponential(_ value: Double) -> Double {
        guard value > -40 else { return 0 }
        // A power of two, times e to the power of a rest within a half of its logarithm.
        let exponent = Int(min(value, 0) / 0.6931471805599453 - 0.5)
        let rest = min(value, 0) - Double(exponent) * 0.6931471805599453
        var term = 1.0
        var power = 1.0
        for step in 1...13 {
            term *= rest / Double(step)
            power += term
        }
        return power * Double(sign: .plus, exponent: exponent, significand: 1)
    }

    /// 2 to the power of a number of 0 to 60.
    package static func powerOfTwo(_ value: Double) -> Double {
        let bounded = max(0, min(60, value))
        let whole = Int(bounded)
        let power = Double(UInt64(1) << UInt64(whole))
        let rest = bounded - Double(whole)
        return rest > 0 ? 2 * power * exponential((rest - 1) * 0.6931471805599453) : power
    }

    /// The angle whose sine is a number of 0 to 1, in degrees.
    package static func arcSine(_ value: Double) -> Double {
        let sine = max(0, min(1, value))
        return bearing(east: sine, north: ((1 - sine) * (1 + sine)).squareRoot())
    }
}
