// SPDX-License-Identifier: Apache-2.0

import Crypto

/// A secret that opens a hub: what is kept of it is its hash, which opens nothing.
struct AccessToken {
    /// The text that a person types, or a browser keeps.
    let text: String

    /// Digits and letters that nobody mistakes for each other.
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")

    /// Makes a token of 125 random bits, in five groups that can be typed.
    static func made(using generator: inout some RandomNumberGenerator) -> AccessToken {
        let groups = (0..<5).map { _ in
            String((0..<5).map { _ in alphabet[Int(generator.next(upperBound: UInt(alphabet.count)))] })
        }
        return AccessToken(text: groups.joined(separator: "-"))
    }

    /// Its SHA-256, after case, hyphens and blanks are made equal; `nil` when nothing is left.
    ///
    /// The bits are random, so a hash that is slow to make would protect nothing more.
    var hash: [UInt8]? {
        let plain = text.lowercased().filter { $0 != "-" && !$0.isWhitespace }
        guard !plain.isEmpty else { return nil }
        return Self.digest(of: Array(plain.utf8))
    }

    /// The SHA-256 of octets.
    static func digest(of octets: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: octets)) }

    /// Whether two hashes are the same; how long that takes says nothing about where they differ.
    static func matches(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard !one.isEmpty, one.count == other.count else { return false }
        var difference: UInt8 = 0
        for index in one.indices { difference |= one[index] ^ other[index] }
        return difference == 0
    }
}
