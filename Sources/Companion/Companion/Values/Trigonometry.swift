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
        let bits = (value < .leastNormalMagnitude ? value * 0x1p54 : value).bitPattern
        var exponent = Double(Int(bits >> 52) - 1023) - (value < .leastNormalMagnitude ? 54 : 0)
        var rest = Double(bitPattern: bits & 0xF_FFFF_FFFF_FFFF | 1023 << 52)
        if rest > 1.4142135623730951 {
            rest /= 2
            exponent += 1
        }
        let ratio = (rest - 1) / (rest + 1)
        let square = ratio * ratio
        // 1 + x/3 + x²/5 …, from its end, without a division.
        var sum = 0.047619047619047616
        sum = sum * square + 0.05263157894736842
        sum = sum * square + 0.058823529411764705
        sum = sum * square + 0.06666666666666667
        sum = sum * square + 0.07692307692307693
        sum = sum * square + 0.09090909090909091
        sum = sum * square + 0.1111111111111111
        sum = sum * square + 0.14285714285714285
        sum = sum * square + 0.2
        sum = sum * square + 0.3333333333333333
        sum = (sum * square + 1) * ratio
        return exponent * 0.6931471805599453 + 2 * sum
    }

    /// e to the power of a number of at most 0; 0 below -40.
    package static func exponential(_ value: Double) -> Double {
        guard value > -40 else { return 0 }
        // A power of two, times e to the power of a rest within a half of its logarithm.
        let bounded = min(value, 0)
        let exponent = Int(bounded * 1.4426950408889634 - 0.5)
        let rest = bounded - Double(exponent) * 0.6931471805599453
        // 1 + x + x²/2 + x³/6 …, from its end: even and odd powers side by side, and no division.
        let square = rest * rest
        var even = 2.08767569878681e-09
        var odd = 2.505210838544172e-08
        even = even * square + 2.755731922398589e-07
        odd = odd * square + 2.7557319223985893e-06
        even = even * square + 2.48015873015873e-05
        odd = odd * square + 0.0001984126984126984
        even = even * square + 0.001388888888888889
        odd = odd * square + 0.008333333333333333
        even = even * square + 0.041666666666666664
        odd = odd * square + 0.16666666666666666
        even = even * square + 0.5
        odd = odd * square + 1
        let power = even * square + 1 + odd * rest
        return power * Double(bitPattern: UInt64(1023 + exponent) << 52)
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
