// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// How a person writes the value that a device is to get.
public enum WrittenForm: String, Hashable, Sendable, CaseIterable {
    /// Two hexadecimal digits for each octet, as people type them.
    case hex
    /// Text, as UTF-8.
    case text
    /// Whole numbers without a sign, the least significant octet first.
    case u8, u16, u24, u32, u64
    /// Whole numbers with a sign, the least significant octet first.
    case s8, s16, s24, s32, s64
    /// Floating point numbers, the least significant octet first.
    case f32, f64

    /// Octets that a value may have.
    public static let longest = 512

    /// The octets that a text means.
    ///
    /// - Parameter text: The text; a whole number may have `0x` before it and is hexadecimal then.
    /// - Returns: The octets, 512 at most.
    /// - Throws: ``BadInput`` that says what is wrong.
    public func octets(of text: String) throws(BadInput) -> [UInt8] {
        let octets: [UInt8]
        switch self {
        case .hex:
            guard let read = [UInt8](typed: text) else {
                throw BadInput("A value in hex has two digits for each octet, such as 01 ff a0.")
            }
            octets = read
        case .text: octets = Array(text.utf8)
        case .f32, .f64:
            guard let number = Double(decimal: Self.trimmed(text).utf8),
                self == .f64 || Float(number).isFinite
            else {
                throw BadInput("Write a number, such as -12.5.")
            }
            octets =
                self == .f32
                ? Self.octets(UInt64(Float(number).bitPattern), 4) : Self.octets(number.bitPattern, 8)
        case .u8, .u16, .u24, .u32, .u64: octets = try Self.unsigned(text, bits)
        case .s8, .s16, .s24, .s32, .s64: octets = try Self.signed(text, bits)
        }
        guard octets.count <= Self.longest else {
            throw BadInput("A value has at most \(Self.longest) octets, and these are \(octets.count).")
        }
        return octets
    }

    /// The bits of a whole number.
    private var bits: Int { Int(rawValue.dropFirst()) ?? 0 }

    private static func trimmed(_ text: String) -> String {
        String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    private static func octets(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }

    private static func unsigned(_ text: String, _ bits: Int) throws(BadInput) -> [UInt8] {
        let written = trimmed(text)
        let isHexadecimal = written.lowercased().hasPrefix("0x")
        let most = bits == 64 ? UInt64.max : (1 << UInt64(bits)) - 1
        let digits = isHexadecimal ? written.dropFirst(2) : written[...]
        guard let number = UInt64(digits, radix: isHexadecimal ? 16 : 10), number <= most else {
            throw BadInput("This takes a whole number from 0 to \(most).")
        }
        return octets(number, bits / 8)
    }

    private static func signed(_ text: String, _ bits: Int) throws(BadInput) -> [UInt8] {
        let most = Int64.max >> Int64(64 - bits)
        guard let number = Int64(trimmed(text)), number >= -most - 1, number <= most else {
            throw BadInput("This takes a whole number from \(-most - 1) to \(most).")
        }
        return octets(UInt64(bitPattern: number), bits / 8)
    }
}
