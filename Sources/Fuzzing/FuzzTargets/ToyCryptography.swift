// SPDX-License-Identifier: Apache-2.0

package import BLESMP
import BLEWire

/// Cryptography that hides nothing, and is fast and the same for the same seed: for machines in fuzzers and tests.
///
/// Each of the two sides has four keys of its own, which are real points of the curve.
package final class ToyCryptography: PairingCryptography, @unchecked Sendable {
    // Unchecked: one machine at a time uses it.
    private var numbers: SplitMix64
    private let side: Int

    /// Makes a side's cryptography.
    package init(side: Int, seed: UInt64 = 1) {
        self.side = side & 1
        numbers = SplitMix64(seed: seed &* 2 &+ UInt64(side & 1))
    }

    /// Mixes block and key.
    package func encrypt(_ block: UInt128, key: UInt128) -> UInt128 {
        var mixed = block ^ key
        for _ in 0..<3 {
            mixed = mixed &* 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835
            mixed = (mixed ^ mixed &>> 67) &+ (key &<< 31 | key &>> 97)
        }
        return mixed
    }

    /// The next number of the seed.
    package func random() -> UInt128 { UInt128(numbers.next()) &<< 64 | UInt128(numbers.next()) }

    /// One of the four points of this side.
    package func publicKey(of privateKey: SMP.Secret) -> SMP.PublicKey? { Self.points[index(of: privateKey)] }

    /// The product of the numbers of two points; anything else is taken for a ninth one, and so refused by nobody here.
    package func sharedSecret(of privateKey: SMP.Secret, with publicKey: SMP.PublicKey) -> SMP.Secret? {
        let other = Self.points.firstIndex(of: publicKey) ?? 8
        return SMP.Secret(UInt128((index(of: privateKey) + 1) * (other + 1)))
    }

    private func index(of privateKey: SMP.Secret) -> Int { side * 4 + Int(privateKey.value128 & 3) }

    /// The first eight multiples of the base point.
    package static let points: [SMP.PublicKey] = [
        point(
            0x6b17d1f2e12c4247f8bce6e563a440f2, 0x77037d812deb33a0f4a13945d898c296,
            0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e16, 0x2bce33576b315ececbb6406837bf51f5),
        point(
            0x7cf27b188d034f7e8a52380304b51ac3, 0xc08969e277f21b35a60b48fc47669978,
            0x07775510db8ed040293d9ac69f7430db, 0xba7dade63ce982299e04b79d227873d1),
        point(
            0x5ecbe4d1a6330a44c8f7ef951d4bf165, 0xe6c6b721efada985fb41661bc6e7fd6c,
            0x8734640c4998ff7e374b06ce1a64a2ec, 0xd82ab036384fb83d9a79b127a27d5032),
        point(
            0xe2534a3532d08fbba02dde659ee62bd0, 0x031fe2db785596ef509302446b030852,
            0xe0f1575a4c633cc719dfee5fda862d76, 0x4efc96c3f30ee0055c42c23f184ed8c6),
        point(
            0x51590b7a515140d2d784c85608668fdf, 0xef8c82fd1f5be52421554a0dc3d033ed,
            0xe0c17da8904a727d8ae1bf36bf8a7926, 0x0d012f00d4d80888d1d0bb44fda16da4),
        point(
            0xb01a172a76a4602c92d3242cb897dde3, 0x024c740debb215b4c6b0aae93c2291a9,
            0xe85c10743237dad56fec0e2dfba70379, 0x1c00f7701c7e16bdfd7c48538fc77fe2),
        point(
            0x8e533b6fa0bf7b4625bb30667c01fb60, 0x7ef9f8b8a80fef5b300628703187b2a3,
            0x73eb1dbde03318366d069f83a6f59000, 0x53c73633cb041b21c55e1a86c1f400b4),
        point(
            0x62d9779dbee9b0534042742d3ab54cad, 0xc1d238980fce97dbb4dd9dc1db6fb393,
            0xad5accbd91e9d8244ff15d771167cee0, 0xa2ed51f6bbe76a78da540a6a0f09957e),
    ]

    private static func point(_ x: UInt128, _ lowX: UInt128, _ y: UInt128, _ lowY: UInt128) -> SMP.PublicKey {
        SMP.PublicKey(x: SMP.UInt256(x, lowX), y: SMP.UInt256(y, lowY))
    }
}
