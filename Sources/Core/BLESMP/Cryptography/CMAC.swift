// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// The cipher of a ``PairingCryptography`` with a key.
struct KeyedCipher: BlockCipher {
    let cryptography: any PairingCryptography
    let key: UInt128

    func encrypt(_ block: UInt128) -> UInt128 { cryptography.encrypt(block, key: key) }
}

extension CMAC<KeyedCipher> {
    init(key: UInt128, _ cryptography: any PairingCryptography) {
        self.init(KeyedCipher(cryptography: cryptography, key: key))
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
}
