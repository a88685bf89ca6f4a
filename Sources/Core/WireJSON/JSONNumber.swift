// SPDX-License-Identifier: Apache-2.0

/// A number of JSON text, as digits times a power of ten.
package struct JSONNumber: Sendable {
    private(set) var isNegative = false
    /// The first 19 digits that count.
    private(set) var digits: UInt64 = 0
    /// How many times ten the digits are to be multiplied.
    private(set) var exponent = 0
    /// Whether digits other than 0 were left out.
    private(set) var isCutOff = false

    /// Reads a number that a scanner has passed.
    package init(_ token: JSONScanner.Token, in octets: Span<UInt8>) {
        var index = token.start
        var isFraction = false
        loop: while index < token.end {
            let octet = octets[index]
            switch octet {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): isFraction = true
            case 0x30...0x39: append(octet &- 0x30, isFraction: isFraction)
            default:
                applyExponent(octets, (index &+ 1)..<token.end)
                break loop
            }
            index &+= 1
        }
        if digits == 0 { exponent = 0 }
    }

    private mutating func append(_ digit: UInt8, isFraction: Bool) {
        if digits < 1_000_000_000_000_000_000 {
            digits = digits &* 10 &+ UInt64(digit)
            if isFraction { exponent &-= 1 }
        } else {
            if digit != 0 { isCutOff = true }
            if !isFraction { exponent &+= 1 }
        }
    }

    private mutating func applyExponent(_ octets: Span<UInt8>, _ range: Range<Int>) {
        var value = 0
        var isDown = false
        for index in range {
            let octet = octets[index]
            if octet == UInt8(ascii: "-") { isDown = true }
            // Past a million every number is 0 or too large anyway.
            if JSONScanner.isDigit(octet), value < 1_000_000 { value = value * 10 + Int(octet &- 0x30) }
        }
        exponent &+= isDown ? -value : value
    }

    /// The number, when it is a whole one that fits; a fraction of zero is not a fraction.
    package var integer: Int64? {
        guard !isCutOff else { return nil }
        var whole = digits
        var exponent = exponent
        while exponent < 0 {
            guard whole % 10 == 0 else { return nil }
            whole /= 10
            exponent += 1
            if whole == 0 { return 0 }
        }
        return Self.signed(whole, exponent, isNegative)
    }

    /// The number without its fraction, when it is not negative and fits.
    package var wholePart: Int64? {
        guard !isNegative || digits == 0 else { return nil }
        var whole = digits
        var exponent = exponent
        while exponent < 0, whole > 0 {
            whole /= 10
            exponent += 1
        }
        return Self.signed(whole, max(exponent, 0), false)
    }

    private static func signed(_ whole: UInt64, _ exponent: Int, _ isNegative: Bool) -> Int64? {
        guard whole > 0 else { return 0 }
        guard exponent < 20 else { return nil }
        var value = whole
        for _ in 0..<exponent {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            value = product
        }
        guard value <= UInt64(Int64.max) else { return nil }
        return isNegative ? -Int64(value) : Int64(value)
    }

    /// The number, when it lies between 0 and 1; rounded to the nearest that a `Double` can hold.
    ///
    /// With more than 27 decimal places the last digits may differ.
    package var proportion: Double? {
        guard digits > 0 else { return 0 }
        guard !isNegative, exponent <= 0, exponent > -1_000 else {
            return isNegative || exponent > 0 ? nil : 0
        }
        let places = -exponent
        let value: Double
        if digits < 1 &<< 53, places <= 22 {
            // Both are exact as Double, so the division rounds once.
            value = Double(digits) / Self.power(10, places)
        } else if places <= 27 {
            value = exactQuotient(places)
        } else {
            var quotient = exactQuotient(27)
            for _ in 27..<places { quotient /= 10 }
            value = quotient
        }
        return value > 1 || value == 1 && isAboveOne(places) ? nil : value
    }

    /// Whether digits that rounding has dropped make the number larger than 1.
    private func isAboveOne(_ places: Int) -> Bool {
        var one: UInt64 = 1
        for _ in 0..<min(places, 19) { one = one &* 10 }
        return places < 20 && (digits > one || digits == one && isCutOff)
    }

    /// Divides the digits by ten to the power of at most 27, bit by bit, and rounds once.
    private func exactQuotient(_ places: Int) -> Double {
        var divisor: UInt64 = 1
        for _ in 0..<places { divisor = divisor &* 5 }
        var quotient = digits / divisor
        var rest = digits % divisor
        var shift = places
        // 5^27 is below 2^63, so a rest can be doubled.
        while quotient < 1 &<< 54 {
            rest &<<= 1
            quotient = quotient &<< 1 | (rest >= divisor ? 1 : 0)
            if rest >= divisor { rest &-= divisor }
            shift &+= 1
        }
        // Two bits more than a Double holds; the last stands for all that follow.
        if rest > 0 || isCutOff { quotient |= 1 }
        return Double(quotient) / Self.power(2, shift)
    }

    static func power(_ base: Double, _ exponent: Int) -> Double {
        var result = 1.0
        for _ in 0..<exponent { result *= base }
        return result
    }
}
