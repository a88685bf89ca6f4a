// SPDX-License-Identifier: Apache-2.0

// String costs a chip its Unicode tables, so text forms exist on hosts only.
#if !hasFeature(Embedded) || arch(wasm32)

extension BluetoothUUID: CustomStringConvertible, LosslessStringConvertible {
    /// Lower-case text: 4 or 8 hex digits in the Bluetooth base, else 36 characters.
    public var description: String {
        if let short { return hexadecimal(UInt64(short), digits: 4) }
        if let short32 { return hexadecimal(UInt64(short32), digits: 8) }
        let head = hexadecimal(high, digits: 16)
        let tail = hexadecimal(low, digits: 16)
        let parts = [
            head.prefix(8), head.dropFirst(8).prefix(4), head.suffix(4), tail.prefix(4), tail.suffix(12),
        ]
        return parts.joined(separator: "-")
    }

    /// Reads 4, 8 or 32 hex digits; the long form with or without hyphens, and in braces or behind `urn:uuid:`, too.
    ///
    /// - Parameter description: The text.
    public init?(_ description: String) {
        var text = Substring(description)
        if text.hasPrefix("0x") || text.hasPrefix("0X") {
            text = text.dropFirst(2)
        } else if text.hasPrefix("{"), text.hasSuffix("}") {
            text = text.dropFirst().dropLast()
        } else if text.hasPrefix("urn:uuid:") {
            text = text.dropFirst(9)
        }
        if text.utf8.count == 36 {
            let hyphens = text.utf8.enumerated().filter { $0.element == UInt8(ascii: "-") }.map { $0.offset }
            guard hyphens == [8, 13, 18, 23] else { return nil }
        } else if text.utf8.contains(UInt8(ascii: "-")) {
            return nil
        }
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
        guard digits.allSatisfy({ hexadecimalDigit($0) != nil }) else { return nil }
        func number(_ part: ArraySlice<UInt8>) -> UInt64 {
            part.reduce(0) { $0 << 4 | UInt64(hexadecimalDigit($1) ?? 0) }
        }
        switch digits.count {
        case 4: self.init(UInt16(number(digits[...])))
        case 8: self.init(short32: UInt32(number(digits[...])))
        case 32: self.init(high: number(digits[..<16]), low: number(digits[16...]))
        default: return nil
        }
    }
}

extension BluetoothAddress: CustomStringConvertible {
    /// Six pairs of upper-case hex digits with colons; the kind is not part of it.
    public var description: String {
        stride(from: 40, through: 0, by: -8)
            .map { hexadecimal(value >> UInt64($0) & 0xFF, digits: 2).uppercased() }
            .joined(separator: ":")
    }

    /// Reads six pairs of hex digits with colons, or with hyphens, between them.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - kind: Where the address comes from.
    public init?(_ text: some StringProtocol, kind: Kind) {
        let separator: Character = text.contains(":") ? ":" : "-"
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count == 6 else { return nil }
        var value: UInt64 = 0
        for part in parts {
            let digits = part.utf8.compactMap(hexadecimalDigit)
            guard part.utf8.count == 2, digits.count == 2 else { return nil }
            value = value << 8 | UInt64(digits[0]) << 4 | UInt64(digits[1])
        }
        self.init(value, kind: kind)
    }
}

extension AttributeHandle: CustomStringConvertible {
    /// Four hex digits, as in `0x0014`.
    public var description: String { "0x" + hexadecimal(UInt64(rawValue), digits: 4) }
}

extension ConnectionHandle: CustomStringConvertible {
    /// Four hex digits, as in `0x0001`.
    public var description: String { "0x" + hexadecimal(UInt64(rawValue), digits: 4) }
}

extension LinkID: CustomStringConvertible {
    /// The number in decimal.
    public var description: String { String(rawValue) }
}

extension WireText: CustomStringConvertible {
    /// The text with every invalid octet replaced by U+FFFD.
    public var string: String { String(decoding: octets, as: UTF8.self) }

    /// The text, when it is valid UTF-8.
    public var validString: String? { String(validating: octets, as: UTF8.self) }

    /// The text with every invalid octet replaced by U+FFFD.
    public var description: String { string }

    /// Takes text.
    ///
    /// - Parameter string: The text.
    public init(_ string: String) { self.init(Array(string.utf8)) }
}

extension DecodeError: CustomStringConvertible {
    /// One phrase: what was wrong and where.
    public var description: String {
        switch reason {
        case .truncated(let needed): "\(needed) more octets were due after octet \(offset)"
        case .trailing(let count): "\(count) octets too many after octet \(offset)"
        case .badLength(let length): "a length of \(length) does not fit at octet \(offset)"
        case .outOfRange(let value): "the value \(value) at octet \(offset) is out of range"
        case .unknownCode(let code):
            "the code 0x\(hexadecimal(code, digits: 2)) at octet \(offset) is unknown"
        case .badText: "the text at octet \(offset) is not UTF-8"
        }
    }
}

extension Sequence<UInt8> {
    /// Two lower-case hex digits for each octet.
    public var hexadecimal: String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * underestimatedCount)
        for octet in self { text.append(hexadecimal: octet) }
        return String(decoding: text, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Appends the two lower-case hex digits of an octet.
    ///
    /// - Parameter octet: The octet.
    public mutating func append(hexadecimal octet: UInt8) {
        let (high, low) = (octet >> 4, octet & 15)
        append(high < 10 ? 0x30 + high : 0x57 + high)
        append(low < 10 ? 0x30 + low : 0x57 + low)
    }
}

extension [UInt8] {
    /// Reads pairs of hex digits; blanks between them are passed over.
    ///
    /// - Parameter text: The text, for example `0A ff` or `0aff`.
    public init?(hexadecimal text: some StringProtocol) {
        let digits = text.utf8.filter { $0 != 0x20 }
        guard digits.count.isMultiple(of: 2) else { return nil }
        self = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = hexadecimalDigit(digits[index]), let low = hexadecimalDigit(digits[index + 1])
            else { return nil }
            append(high << 4 | low)
        }
    }
}

/// A number in lower-case hex digits with leading zeros.
func hexadecimal(_ value: UInt64, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
}

/// The value of one hex digit.
func hexadecimalDigit(_ character: UInt8) -> UInt8? {
    switch character {
    case 0x30...0x39: character - 0x30
    case 0x41...0x46: character - 0x37
    case 0x61...0x66: character - 0x57
    default: nil
    }
}

#endif
