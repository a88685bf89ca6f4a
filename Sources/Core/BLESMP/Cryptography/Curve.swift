// SPDX-License-Identifier: Apache-2.0

extension SMP.PublicKey {
    /// The public key that everybody knows the private key of, so that a protocol analyser can follow.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 2.3.5.6.1.
    public static let debug = SMP.PublicKey(
        x: .init(0x20B0_03D2_F297_BE2C_5E2C_83A7_E9F9_A5B9, 0xEFF4_9111_ACF4_FDDB_CC03_0148_0E35_9DE6),
        y: .init(0xDC80_9C49_652A_EB6D_6332_9ABF_5A52_155C, 0x7663_45C2_8FED_3024_741C_8ED0_1589_D28B))

    /// Whether the private key is the one that everybody knows; also with the sign of the point turned.
    public var isDebug: Bool { x == Self.debug.x }

    /// Whether the numbers are a point of P-256: y² = x³ − 3x + b.
    ///
    /// A key that is not lets the other side guess our private key, or chooses what both have in common (CVE-2018-5383).
    /// The numbers are public, so the time that it takes may depend on them.
    ///
    /// Spec: FIPS 186-5, SP 800-186, 3.2.1.3.
    public var isOnCurve: Bool {
        let p = SMP.UInt256.prime
        guard !(x >= p), !(y >= p) else { return false }
        let three = x.added(x).added(x)
        let cube = x.multiplied(x).multiplied(x)
        return y.multiplied(y).added(three) == cube.added(.curveB)
    }
}

extension SMP {
    /// The private key of ``PublicKey/debug``, which everybody knows.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 2.3.5.6.1.
    public static let debugPrivateKey = UInt256(
        0x3F49_F6D4_A3C5_5F38_74C9_B3E3_D210_3F50, 0x4AFF_607B_EB40_B799_5899_B8A6_CD3C_1ABD)
}

/// Arithmetic modulo the prime of P-256, on public numbers.
extension SMP.UInt256 {
    /// 2²⁵⁶ − 2²²⁴ + 2¹⁹² + 2⁹⁶ − 1.
    static let prime = SMP.UInt256(
        0xFFFF_FFFF_0000_0001_0000_0000_0000_0000, 0x0000_0000_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF)

    static let curveB = SMP.UInt256(
        0x5AC6_35D8_AA3A_93E7_B3EB_BD55_7698_86BC, 0x651D_06B0_CC53_B0F6_3BCE_3C3E_27D2_604B)

    static func >= (a: SMP.UInt256, b: SMP.UInt256) -> Bool {
        a.high > b.high || (a.high == b.high && a.low >= b.low)
    }

    /// The sum of two numbers below the prime.
    func added(_ other: SMP.UInt256) -> SMP.UInt256 {
        let (low, carry) = low.addingReportingOverflow(other.low)
        let (part, first) = high.addingReportingOverflow(other.high)
        let (high, second) = part.addingReportingOverflow(carry ? 1 : 0)
        let sum = SMP.UInt256(high, low)
        return first || second || sum >= Self.prime ? sum.withoutPrime : sum
    }

    /// What is left without the prime, modulo 2²⁵⁶.
    private var withoutPrime: SMP.UInt256 {
        let (low, borrow) = low.subtractingReportingOverflow(Self.prime.low)
        return SMP.UInt256(high &- Self.prime.high &- (borrow ? 1 : 0), low)
    }

    /// The product of two numbers below the prime, bit by bit: it is needed five times a pairing.
    func multiplied(_ other: SMP.UInt256) -> SMP.UInt256 {
        var product = SMP.UInt256(0, 0)
        for half in [other.high, other.low] {
            var bit = UInt128(1) &<< 127
            while bit != 0 {
                product = product.added(product)
                if half & bit != 0 { product = product.added(self) }
                bit = bit &>> 1
            }
        }
        return product
    }
}
