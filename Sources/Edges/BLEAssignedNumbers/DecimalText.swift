// SPDX-License-Identifier: Apache-2.0

/// Numbers for people, with no more digits than they have.
enum DecimalText {
    /// A whole number times M · 10^d · 2^b.
    static func scaled(_ digits: String, by factor: (multiplier: Int, decimal: Int, binary: Int)) -> String {
        guard factor.binary == 0, let product = product(digits, factor.multiplier) else {
            return rounded(digits, by: factor)
        }
        return shifted(product, by: factor.decimal)
    }

    /// A whole number times a power of ten, exactly; in scientific form where nobody would count the zeros.
    static func shifted(_ digits: String, by exponent: Int) -> String {
        let isNegative = digits.hasPrefix("-")
        var digits = isNegative ? String(digits.dropFirst()) : digits
        if !(-18...18).contains(exponent) {
            if digits != "0" { digits = scientific(digits, exponent) }
        } else if exponent >= 0 {
            if digits != "0" { digits += String(repeating: "0", count: exponent) }
        } else {
            let missing = 1 - exponent - digits.utf8.count
            digits = String(repeating: "0", count: max(0, missing)) + digits
            digits = digits.dropLast(-exponent) + "." + digits.suffix(-exponent)
        }
        return (isNegative ? "-" : "") + digits
    }

    /// `3.66e102`; as many digits as there are.
    private static func scientific(_ digits: String, _ exponent: Int) -> String {
        let count = digits.utf8.count
        let point = count > 1 ? "." : ""
        return "\(digits.prefix(1))\(point)\(digits.dropFirst())e\(exponent + count - 1)"
    }

    /// The number that a text of this module says: digits, with a sign, a point and an exponent where they are.
    ///
    /// Not `Double(_:)`, which Embedded Swift has no runtime for.
    static func number(_ text: Substring) -> Double? {
        var (mantissa, exponent) = (0.0, 0)
        var (digits, isBehindPoint, isNegative) = (0, false, false)
        var rest = text.utf8[...]
        if rest.first == UInt8(ascii: "-") {
            isNegative = true
            rest.removeFirst()
        }
        while let octet = rest.popFirst() {
            switch octet {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                mantissa = mantissa * 10 + Double(octet - UInt8(ascii: "0"))
                digits += 1
                if isBehindPoint { exponent -= 1 }
            case UInt8(ascii: ".") where !isBehindPoint: isBehindPoint = true
            case UInt8(ascii: "e") where digits > 0:
                if rest.first == UInt8(ascii: "+") { rest.removeFirst() }
                guard let power = Int(Substring(rest)), power.magnitude < 400 else { return nil }
                exponent += power
                rest = rest.suffix(0)
            default: return nil
            }
        }
        guard digits > 0 else { return nil }
        let value = exponent < 0 ? mantissa / power(10, -exponent) : mantissa * power(10, exponent)
        return isNegative ? -value : value
    }

    private static func power(_ base: Double, _ exponent: Int) -> Double {
        (0..<exponent.magnitude).reduce(1) { result, _ in exponent < 0 ? result / base : result * base }
    }

    private static func product(_ digits: String, _ multiplier: Int) -> String? {
        if multiplier == 1 { return digits }
        guard let value = Int(digits) else { return nil }
        let (product, overflow) = value.multipliedReportingOverflow(by: multiplier)
        return overflow ? nil : String(product)
    }

    /// What binary fractions give is cut to four digits behind the point.
    private static func rounded(
        _ digits: String, by factor: (multiplier: Int, decimal: Int, binary: Int)
    ) -> String {
        let value =
            (number(digits[...]) ?? 0) * Double(factor.multiplier) * power(10, factor.decimal)
            * power(2, factor.binary)
        let scaled = value * 10_000
        // Not rounded(), which wants libm of whoever links this; from 2^52 on there is nothing to round.
        guard scaled.magnitude < 0x1p52 else { return value.description }
        let text = (Double(Int64(scaled + (scaled < 0 ? -0.5 : 0.5))) / 10_000).description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
