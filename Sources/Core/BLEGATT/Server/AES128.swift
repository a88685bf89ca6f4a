// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// The block cipher AES with a key of 128 bits; most significant octet first.
///
/// It serves the Database Hash, whose key is zero and whose octets everyone knows, and the LE Encrypt of simulated
/// controllers: nothing is lost by tables that depend on them. For secrets it is not made.
///
/// Spec: FIPS 197; Core v5.4, Vol 3, Part H, 2.2.1.
package struct AES128: BlockCipher {
    private let substitutions: [UInt8]
    /// Eleven round keys of 16 octets.
    private let roundKeys: [UInt8]

    /// Makes a cipher.
    ///
    /// - Parameter key: The key; octets that miss of 16 are zero.
    package init(key: [UInt8]) {
        let substitutions = Self.substitutionTable()
        var keys = Array((key + [UInt8](repeating: 0, count: 16)).prefix(16))
        keys.reserveCapacity(176)
        var roundConstant: UInt8 = 1
        while keys.count < 176 {
            var word = Array(keys[(keys.count - 4)...])
            if keys.count.isMultiple(of: 16) {
                word = [word[1], word[2], word[3], word[0]].map { substitutions[Int($0)] }
                word[0] ^= roundConstant
                roundConstant = Self.doubled(roundConstant)
            }
            for octet in word { keys.append(keys[keys.count - 16] ^ octet) }
        }
        self.substitutions = substitutions
        roundKeys = keys
    }

    /// Encrypts one block.
    ///
    /// - Parameter block: 16 octets.
    /// - Returns: 16 octets.
    package func encrypt(_ block: [UInt8]) -> [UInt8] {
        var state = block
        addKey(0, to: &state)
        for round in 1...10 {
            // Row r of the columns moves r columns to the left.
            state = (0..<16).map { substitutions[Int(state[($0 + 4 * ($0 % 4)) % 16])] }
            if round < 10 { Self.mixColumns(&state) }
            addKey(round, to: &state)
        }
        return state
    }

    /// The message authentication code of octets.
    ///
    /// Spec: RFC 4493, 2.4.
    ///
    /// - Parameter message: Any number of octets.
    /// - Returns: 16 octets.
    package func cmac(_ message: [UInt8]) -> [UInt8] {
        var code = CMAC(self)
        for octet in message { code.append(octet) }
        return Self.octets(code.finish())
    }

    /// Encrypts one block.
    ///
    /// - Parameter block: The block as a number, its first octet the most significant.
    /// - Returns: The encrypted block.
    package func encrypt(_ block: UInt128) -> UInt128 {
        encrypt(Self.octets(block)).reduce(0) { $0 &<< 8 | UInt128($1) }
    }

    private static func octets(_ number: UInt128) -> [UInt8] {
        var (octets, rest) = ([UInt8](repeating: 0, count: 16), number)
        for index in (0..<16).reversed() {
            octets[index] = UInt8(truncatingIfNeeded: rest)
            // By a number that is known: a chip has no shift of 128 bits by any other.
            rest &>>= 8
        }
        return octets
    }

    private func addKey(_ round: Int, to state: inout [UInt8]) {
        for index in 0..<16 { state[index] ^= roundKeys[16 * round + index] }
    }

    private static func mixColumns(_ state: inout [UInt8]) {
        for column in stride(from: 0, to: 16, by: 4) {
            let old = Array(state[column..<(column + 4)])
            let sum = old[0] ^ old[1] ^ old[2] ^ old[3]
            for row in 0..<4 {
                state[column + row] ^= sum ^ doubled(old[row] ^ old[(row + 1) % 4])
            }
        }
    }

    /// A number times two, in the field of AES.
    private static func doubled(_ number: UInt8) -> UInt8 {
        number &<< 1 ^ (number & 0x80 == 0 ? 0 : 0x1B)
    }

    /// For each octet the affine image of its inverse; FIPS 197, 5.1.1.
    private static func substitutionTable() -> [UInt8] {
        // Powers of three run through all numbers but zero, and those of its inverse in the other direction.
        var powers: [UInt8] = [1]
        while powers.count < 255 {
            let last = powers[powers.count - 1]
            powers.append(last ^ doubled(last))
        }
        var table = [UInt8](repeating: 0x63, count: 256)
        for (exponent, number) in powers.enumerated() {
            let inverse = powers[(255 - exponent) % 255]
            var image = inverse
            for bits: UInt8 in 1...4 { image ^= inverse &<< bits | inverse &>> (8 - bits) }
            table[Int(number)] = image ^ 0x63
        }
        return table
    }
}
