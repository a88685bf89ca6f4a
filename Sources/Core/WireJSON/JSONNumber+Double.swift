// SPDX-License-Identifier: Apache-2.0

extension JSONNumber {
    /// The number, rounded to the nearest that a `Double` can hold; `nil` when it is too large for one.
    ///
    /// What any program writes as the shortest text of a `Double` comes back as it was. Of numbers with more than 19 digits
    /// and of those below the smallest normal one the last bit may differ.
    package var double: Double? {
        guard digits > 0 else { return isNegative ? -0.0 : 0 }
        guard let magnitude else { return nil }
        return isNegative ? -magnitude : magnitude
    }

    private var magnitude: Double? {
        if !isCutOff, digits < 1 &<< 53, (-22...22).contains(exponent) {
            // Both are exact as Double, so that one operation rounds once.
            let power = Self.power(10, exponent < 0 ? -exponent : exponent)
            return exponent < 0 ? Double(digits) / power : Double(digits) * power
        }
        // Digits are between 1 and 10^19.
        if exponent > 308 { return nil }
        if exponent < -400 { return 0 }
        var numerator = Limbs(digits)
        var denominator = Limbs(1)
        for _ in 0..<max(exponent, 0) { numerator.multiply(by: 10) }
        for _ in 0..<max(-exponent, 0) { denominator.multiply(by: 10) }
        // Brings the quotient between 1 and 2.
        var shift = numerator.bitCount - denominator.bitCount
        if shift > 0 { denominator.shift(by: shift) } else { numerator.shift(by: -shift) }
        if numerator < denominator {
            numerator.shift(by: 1)
            shift -= 1
        }
        var quotient: UInt64 = 0
        for _ in 0..<62 {
            let isOne = !(numerator < denominator)
            if isOne { numerator.subtract(denominator) }
            quotient = quotient &<< 1 | (isOne ? 1 : 0)
            numerator.shift(by: 1)
        }
        // The last bit stands for all that follow.
        if isCutOff || !numerator.isZero { quotient |= 1 }
        var value = Double(quotient)
        shift -= 61
        while shift > 0 {
            value *= 2
            shift -= 1
        }
        while shift < 0 {
            value /= 2
            shift += 1
        }
        return value.isFinite ? value : nil
    }
}

/// A whole number of any size, 32 bits a piece, the lowest first.
private struct Limbs {
    private var limbs: [UInt32]

    init(_ value: UInt64) {
        limbs = [UInt32(truncatingIfNeeded: value), UInt32(truncatingIfNeeded: value &>> 32)]
        trim()
    }

    var isZero: Bool { limbs.isEmpty }

    var bitCount: Int { limbs.count * 32 - (limbs.last?.leadingZeroBitCount ?? 0) }

    mutating func multiply(by factor: UInt32) {
        var carry: UInt64 = 0
        for index in limbs.indices {
            carry += UInt64(limbs[index]) * UInt64(factor)
            limbs[index] = UInt32(truncatingIfNeeded: carry)
            carry &>>= 32
        }
        if carry > 0 { limbs.append(UInt32(carry)) }
    }

    mutating func shift(by count: Int) {
        var carry: UInt32 = 0
        let bits = UInt32(count % 32)
        if bits > 0 {
            for index in limbs.indices {
                let limb = limbs[index]
                limbs[index] = limb &<< bits | carry
                carry = limb &>> (32 - bits)
            }
            if carry > 0 { limbs.append(carry) }
        }
        if count >= 32 { limbs.insert(contentsOf: [UInt32](repeating: 0, count: count / 32), at: 0) }
    }

    /// Takes away a number that is not larger.
    mutating func subtract(_ other: Limbs) {
        var borrow: UInt64 = 0
        for index in limbs.indices {
            let wanted = (index < other.limbs.count ? UInt64(other.limbs[index]) : 0) + borrow
            let limb = UInt64(limbs[index])
            borrow = limb < wanted ? 1 : 0
            limbs[index] = UInt32(truncatingIfNeeded: limb &+ borrow &<< 32 &- wanted)
        }
        trim()
    }

    static func < (left: Limbs, right: Limbs) -> Bool {
        guard left.limbs.count == right.limbs.count else { return left.limbs.count < right.limbs.count }
        for index in left.limbs.indices.reversed() where left.limbs[index] != right.limbs[index] {
            return left.limbs[index] < right.limbs[index]
        }
        return false
    }

    private mutating func trim() { while limbs.last == 0 { limbs.removeLast() } }
}
