// SPDX-License-Identifier: Apache-2.0

/// A block cipher of 128 bits with its key.
package protocol BlockCipher {
    /// Encrypts one block, whose most significant octet comes first.
    func encrypt(_ block: UInt128) -> UInt128
}

/// A message authentication code that is computed as the message comes; the message is kept nowhere.
///
/// Spec: RFC 4493, 2.4; Core v5.4, Vol 3, Part H, 2.2.5.
package struct CMAC<Cipher: BlockCipher> {
    private let cipher: Cipher
    private var code: UInt128 = 0
    /// The octets of the last block that has begun, and how many they are: 16 at most.
    private var block: UInt128 = 0
    private var count = 0

    /// Begins a code.
    package init(_ cipher: Cipher) { self.cipher = cipher }

    /// Goes on with an octet of the message.
    package mutating func append(_ octet: UInt8) {
        if count == 16 {
            code = cipher.encrypt(code ^ block)
            block = 0
            count = 0
        }
        block = block &<< 8 | UInt128(octet)
        count += 1
    }

    /// The code of all that was appended.
    package func finish() -> UInt128 {
        var subkey = Self.doubled(cipher.encrypt(0))
        var last = block
        if count < 16 {
            subkey = Self.doubled(subkey)
            last = (last &<< 8 | 0x80) &<< UInt128(8 * (15 - count))
        }
        return cipher.encrypt(code ^ last ^ subkey)
    }

    /// A number times two in the field of CMAC, in a time that does not depend on it.
    private static func doubled(_ number: UInt128) -> UInt128 {
        number &<< 1 ^ (0x87 & (0 &- number &>> 127))
    }
}
