// SPDX-License-Identifier: Apache-2.0

/// A message authentication code that is computed as the message comes; the message is kept nowhere.
///
/// Spec: RFC 4493, 2.4; Core v5.4, Vol 3, Part H, 2.2.5.
struct CMAC {
    private let cryptography: any PairingCryptography
    private let key: UInt128
    private var code: UInt128 = 0
    /// The octets of the last block that has begun, and how many they are: 16 at most.
    private var block: UInt128 = 0
    private var count = 0

    init(key: UInt128, _ cryptography: any PairingCryptography) {
        self.key = key
        self.cryptography = cryptography
    }

    mutating func append(_ octet: UInt8) {
        if count == 16 {
            code = cryptography.encrypt(code ^ block, key: key)
            block = 0
            count = 0
        }
        block = block &<< 8 | UInt128(octet)
        count += 1
    }

    /// Appends the lowest octets of a number, the most significant of them first.
    mutating func append(_ number: UInt128, octets: Int = 16) {
        for index in 1...octets {
            append(UInt8(truncatingIfNeeded: number &>> UInt128(8 * (octets - index))))
        }
    }

    mutating func append(_ number: SMP.UInt256) {
        append(number.high)
        append(number.low)
    }

    /// The code of all that was appended.
    func finish() -> UInt128 {
        var subkey = Self.doubled(cryptography.encrypt(0, key: key))
        var last = block
        if count < 16 {
            subkey = Self.doubled(subkey)
            last = (last &<< 8 | 0x80) &<< UInt128(8 * (15 - count))
        }
        return cryptography.encrypt(code ^ last ^ subkey, key: key)
    }

    /// A number times two in the field of CMAC, in a time that does not depend on it.
    private static func doubled(_ number: UInt128) -> UInt128 {
        number &<< 1 ^ (0x87 & (0 &- number &>> 127))
    }
}
