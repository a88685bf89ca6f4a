// SPDX-License-Identifier: Apache-2.0

/// The block cipher AES with a key of 128 bits, for LE Encrypt; most significant octet first.
///
/// It is written for few lines, not for speed or against timing attacks: its keys are those of a simulation.
///
/// Source: FIPS 197.
struct AES128 {
    private var roundKeys: [[UInt8]] = []

    /// - Parameter key: 16 octets.
    init(key: [UInt8]) {
        var words = stride(from: 0, to: 16, by: 4).map { Array(key[$0..<$0 + 4]) }
        var constant: UInt8 = 1
        for index in 4..<44 {
            var word = words[index - 1]
            if index.isMultiple(of: 4) {
                word = [word[1], word[2], word[3], word[0]].map { Self.box[Int($0)] }
                word[0] ^= constant
                constant = Self.doubled(constant)
            }
            words.append(zip(words[index - 4], word).map { $0 ^ $1 })
        }
        roundKeys = stride(from: 0, to: 44, by: 4).map { Array(words[$0..<$0 + 4].joined()) }
    }

    /// Encrypts 16 octets.
    func encrypt(_ block: [UInt8]) -> [UInt8] {
        var state = zip(block, roundKeys[0]).map { $0 ^ $1 }
        for round in 1...10 {
            // Bytes are replaced, and row r is turned by r columns.
            state = (0..<16).map { Self.box[Int(state[($0 + 4 * ($0 % 4)) % 16])] }
            if round < 10 { state = Self.mixed(state) }
            state = zip(state, roundKeys[round]).map { $0 ^ $1 }
        }
        return state
    }

    private static func mixed(_ state: [UInt8]) -> [UInt8] {
        (0..<16).map { index in
            let column = index & ~3
            let (a, b) = (state[index], state[column + (index + 1) % 4])
            return doubled(a ^ b) ^ b ^ state[column + (index + 2) % 4] ^ state[column + (index + 3) % 4]
        }
    }

    /// Twice a number of the field with the polynomial x⁸ + x⁴ + x³ + x + 1.
    private static func doubled(_ a: UInt8) -> UInt8 { (a &<< 1) ^ (a & 0x80 == 0 ? 0 : 0x1B) }

    private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var (result, a) = (0 as UInt8, a)
        for bit in 0..<8 as Range<UInt8> {
            if b & 1 &<< bit != 0 { result ^= a }
            a = doubled(a)
        }
        return result
    }

    /// The inverse in the field, then an affine map of its bits.
    private static let box: [UInt8] = (0...255 as ClosedRange<UInt8>).map { value in
        let inverse = (1...255 as ClosedRange<UInt8>).first { product(value, $0) == 1 } ?? 0
        // Turned to the left by 0 to 4 bits, all of them added.
        return (0..<5 as Range<UInt16>).reduce(0x63) { sum, turn in
            let turned = UInt16(inverse) &<< turn
            return sum ^ UInt8(truncatingIfNeeded: turned | turned &>> 8)
        }
    }
}
