// SPDX-License-Identifier: Apache-2.0

import BLECrypto
import BLEWire
import Testing

@testable import BLESMP

// Typed from the specifications, not from the sources that these numbers judge. What stands under "beyond the
// samples" was worked out with other implementations (Python's cryptography, Bumble).

@Suite("sample data of AES-128 and AES-CMAC")
struct AESVectorTests {
    let cryptography = HostCryptography()
    let toolbox = SMP.Toolbox(HostCryptography())

    /// Key, block and encrypted block.
    ///
    /// Spec: FIPS-197, appendix B and C.1; RFC 4493, 4; Core v5.4, Vol 3, Part H, D.7; Vol 6, Part C, 1.1.
    static let blocks: [(UInt128, UInt128, UInt128)] = [
        (
            0x2B7E1516_28AED2A6_ABF71588_09CF4F3C, 0x3243F6A8_885A308D_313198A2_E0370734,
            0x3925841D_02DC09FB_DC118597_196A0B32
        ),
        (
            0x00010203_04050607_08090A0B_0C0D0E0F, 0x00112233_44556677_8899AABB_CCDDEEFF,
            0x69C4E0D8_6A7B0430_D8CDB780_70B4C55A
        ),
        (0x2B7E1516_28AED2A6_ABF71588_09CF4F3C, 0, 0x7DF76B0C_1AB899B3_3E42F047_B91B546F),
        (0xEC0234A3_57C8AD05_341010A6_0A397D9B, 0x708194, 0x159D5FB7_2EBE2311_A48C1BDC_C40DFBAA),
        (
            0x4C683841_39F574D8_36BCF34E_9DFB01BF, 0x02132435_46576879_ACBDCEDF_E0F10213,
            0x99AD1B52_26A37E3E_058E3B8E_27C2C666
        ),
    ]

    @Test("encrypts a block", arguments: blocks)
    func block(key: UInt128, plain: UInt128, result: UInt128) {
        #expect(cryptography.encrypt(plain, key: key) == result)
    }

    static let key: UInt128 = 0x2B7E1516_28AED2A6_ABF71588_09CF4F3C

    /// Spec: RFC 4493, 4; the message of all examples.
    static let message: [UInt8] = [
        0x6B, 0xC1, 0xBE, 0xE2, 0x2E, 0x40, 0x9F, 0x96, 0xE9, 0x3D, 0x7E, 0x11, 0x73, 0x93, 0x17, 0x2A,
        0xAE, 0x2D, 0x8A, 0x57, 0x1E, 0x03, 0xAC, 0x9C, 0x9E, 0xB7, 0x6F, 0xAC, 0x45, 0xAF, 0x8E, 0x51,
        0x30, 0xC8, 0x1C, 0x46, 0xA3, 0x5C, 0xE4, 0x11, 0xE5, 0xFB, 0xC1, 0x19, 0x1A, 0x0A, 0x52, 0xEF,
        0xF6, 0x9F, 0x24, 0x45, 0xDF, 0x4F, 0x9B, 0x17, 0xAD, 0x2B, 0x41, 0x7B, 0xE6, 0x6C, 0x37, 0x10,
    ]

    /// Octets of the message and its code.
    ///
    /// Spec: RFC 4493, 4, and Core v5.4, Vol 3, Part H, D.1 (0, 16, 40, 64); NIST SP 800-38B (20).
    static let codes: [(Int, UInt128)] = [
        (0, 0xBB1D6929_E9593728_7FA37D12_9B756746),
        (16, 0x070A16B4_6B4D4144_F79BDD9D_D04A287C),
        (20, 0x7D85449E_A6EA19C8_23A7BF78_837DFADE),
        (40, 0xDFA66747_DE9AE630_30CA3261_1497C827),
        (64, 0x51F0BEBF_7E3B9D92_FC497417_79363CFE),
        // Beyond the samples: about the ends of the blocks.
        (15, 0xF212D4C2_154C8766_DE60C18C_98FA0C93),
        (17, 0xBC72CC16_8EC5A143_4DCDB20B_C1A2C2A4),
        (31, 0x8A157ACF_F517D21B_CD6AB65C_D014CC70),
        (48, 0xC47C4D9D_64588F67_FB9DE6FE_745D7FBF),
        (63, 0xDFD14ADB_E2AD17D9_18ED36A6_74AFB7D7),
    ]

    @Test("authenticates a message", arguments: codes)
    func code(octets: Int, code: UInt128) {
        #expect(toolbox.cmac(Array(Self.message.prefix(octets)), key: Self.key) == code)
    }

    /// The subkeys, seen through what they do to a last block: whole with K1, padded with K2.
    ///
    /// Spec: RFC 4493, 2.3, 2.4 and 4; Core v5.4, Vol 3, Part H, D.1.
    @Test("ends a message with the right subkey")
    func subkeys() {
        let k1: UInt128 = 0xFBEED618_35713366_7C85E08F_7236A8DE
        let k2: UInt128 = 0xF7DDAC30_6AE266CC_F90BC11E_E46D513B
        let block: UInt128 = 0x6BC1BEE2_2E409F96_E93D7E11_7393172A
        let padding: UInt128 = 0x80000000_00000000_00000000_00000000
        let whole = toolbox.cmac(Array(Self.message.prefix(16)), key: Self.key)
        #expect(whole == cryptography.encrypt(block ^ k1, key: Self.key))
        let empty = toolbox.cmac([], key: Self.key)
        #expect(empty == cryptography.encrypt(padding ^ k2, key: Self.key))
    }
}

@Suite("sample data of LE legacy pairing")
struct LegacyVectorTests {
    let toolbox = SMP.Toolbox(HostCryptography())

    static let random: UInt128 = 0x5783D521_56AD6F0E_6388274E_C6702EE0
    static let request: UInt64 = 0x07_0710_0000_0101
    static let response: UInt64 = 0x05_0008_0000_0302

    /// Temporary key, whether initiator and responder have random addresses, and the confirm value.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 2.2.3.
    static let confirmations: [(UInt128, Bool, Bool, UInt128)] = [
        (0, true, false, 0x1E1E3FEF_878988EA_D2A74DC5_BEF13B86),
        // Beyond the samples.
        (0x4CC7, false, true, 0x2698F83D_00286539_8303CD5E_6F0069E0),
        (0x4CC7, false, false, 0x52E2B722_22B24B88_0734C21D_DF5B5B54),
        (0x4CC7, true, true, 0x1B2F212E_6674FCBF_76D70F60_F18B5F21),
    ]

    @Test("c1 gives the confirm value", arguments: confirmations)
    func c1(key: UInt128, first: Bool, second: Bool, confirm: UInt128) {
        let result = toolbox.c1(
            key: key, random: Self.random, request: Self.request, response: Self.response,
            initiator: BluetoothAddress(0xA1A2_A3A4_A5A6, kind: first ? .random : .public),
            responder: BluetoothAddress(0xB1B2_B3B4_B5B6, kind: second ? .random : .public))
        #expect(result == confirm)
    }

    /// The last key is beyond the samples.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 2.2.4; r1 is the responder's and r2 the initiator's (2.3.5.5).
    @Test("s1 gives the short term key")
    func s1() {
        let r1: UInt128 = 0x000F0E0D_0C0B0A09_11223344_55667788
        let r2: UInt128 = 0x01020304_05060708_99AABBCC_DDEEFF00
        let key = toolbox.s1(key: 0, responder: r1, initiator: r2)
        #expect(key == 0x9A1FE1F0_E8B0F49B_5B4216AE_796DA062)
        let other = toolbox.s1(key: 0x4CC7, responder: r1, initiator: r2)
        #expect(other == 0xF5FB122D_932BC175_4556372F_19A0B6B0)
    }

    /// Spec: Core v5.4, Vol 3, Part H, 2.3.5.3, the example of 019655.
    @Test("makes a passkey the temporary key")
    func passkeys() {
        #expect(temporaryKey(passkey: 19655) == 0x4CC7)
        #expect(temporaryKey(passkey: 0) == 0)
        #expect(temporaryKey(passkey: 999_999) == 0xF423F)
    }

    /// The first two rows are the example; the rest follows from its rule.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 2.3.4.
    @Test("takes the most significant octets off a long key")
    func shorterKeys() {
        let key: UInt128 = 0x12345678_9ABCDEF0_12345678_9ABCDEF0
        #expect(shortened(key, octets: 16) == key)
        #expect(shortened(key, octets: 7) == 0x00345678_9ABCDEF0)
        #expect(shortened(key, octets: 8) == 0x12345678_9ABCDEF0)
        #expect(shortened(key, octets: 15) == 0x00345678_9ABCDEF0_12345678_9ABCDEF0)
    }

    /// Spec: Core v5.4, Vol 3, Part H, D.7 and 2.2.2.
    @Test("ah gives the hash of a random address")
    func ah() {
        #expect(toolbox.ah(irk: 0xEC0234A3_57C8AD05_341010A6_0A397D9B, prand: 0x708194) == 0x0DFBAA)
    }
}

@Suite("sample data of LE Secure Connections")
struct SecureConnectionsVectorTests {
    let toolbox = SMP.Toolbox(HostCryptography())

    static let u = SMP.UInt256(
        0x20B003D2_F297BE2C_5E2C83A7_E9F9A5B9, 0xEFF49111_ACF4FDDB_CC030148_0E359DE6)
    /// V, for which the samples take a private key.
    static let v = SMP.UInt256(
        0x55188B3D_32F6BB9A_900AFCFB_EED4E72A, 0x59CB9AC2_F19D7CFB_6B4FDD49_F47FC5FD)
    static let w = SMP.UInt256(
        0xEC0234A3_57C8AD05_341010A6_0A397D9B, 0x99796B13_B4F866F1_868D34F3_73BFA698)
    static let n1: UInt128 = 0xD5CB8454_D177733E_FFFFB2EC_712BAEAB
    static let n2: UInt128 = 0xA6E8E7CC_25A75F6E_216583F7_FF3DC4CF

    /// Z and the confirm value.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, D.2.
    static let confirmations: [(UInt8, UInt128)] = [
        (0x00, 0xF2C916F1_07A9BD1C_F1EDA1BE_A974872D),
        // Beyond the samples: a bit of a passkey.
        (0x80, 0x7CC67A24_D063D84A_D094595E_FE99FF28),
        (0x81, 0x79349D5A_636C6A37_78DDE94B_F0DABDC7),
    ]

    @Test("f4 gives the confirm value", arguments: confirmations)
    func f4(z: UInt8, confirm: UInt128) {
        #expect(toolbox.f4(u: Self.u, v: Self.v, x: Self.n1, z: z) == confirm)
    }

    /// Whether A1 and A2 are random addresses, MacKey, long term key and check value.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, D.3 and D.4.
    static let checks: [(Bool, Bool, UInt128, UInt128, UInt128)] = [
        (
            false, false, 0x2965F176_A1084A02_FD3F6A20_CE636E20, 0x69867911_69D7CD23_980522B5_94750A38,
            0xE3C47398_9CD0E8C5_D26C0B09_DA958F61
        ),
        // Beyond the samples; the check value always under the first MacKey.
        (
            true, false, 0x83C98889_DAD1137C_562F23F3_1F49B4BD, 0xBBDFC86C_2EE15C69_2831DB65_400CD02F,
            0x8FBCBFEF_1D7FFE61_DFC4C11D_4CD74BA5
        ),
        (
            false, true, 0x5D2EF5EB_940F3A98_4A8679F8_C865D057, 0xBCF54F14_54CC232F_56DC5028_A72A70FA,
            0xA665C747_28ADB1CA_37169A1E_EFA12995
        ),
    ]

    @Test("f5 gives MacKey and long term key, and f6 the check value", arguments: checks)
    func f5AndF6(first: Bool, second: Bool, macKey: UInt128, longTermKey: UInt128, check: UInt128) {
        let a1 = BluetoothAddress(0x5612_3737_BFCE, kind: first ? .random : .public)
        let a2 = BluetoothAddress(0xA713_702D_CFC1, kind: second ? .random : .public)
        let keys = toolbox.f5(w: secret(Self.w), n1: Self.n1, n2: Self.n2, a1: a1, a2: a2)
        #expect(shortNumber(keys.macKey) == macKey)
        #expect(shortNumber(keys.longTermKey) == longTermKey)
        let result = toolbox.f6(
            w: shortSecret(0x2965F176_A1084A02_FD3F6A20_CE636E20), n1: Self.n1, n2: Self.n2,
            r: 0x12A3343B_B453BB54_08DA42D2_0C2D0FC8, ioCapabilities: 0x010102, a1: a1, a2: a2)
        #expect(result == check)
    }

    /// Spec: Core v5.4, Vol 3, Part H, D.5; 2.2.9 for the second number (0x012EB72A shows 838762).
    @Test("g2 gives the number to compare, six digits of it")
    func g2() {
        let value = toolbox.g2(u: Self.u, v: Self.v, x: Self.n1, y: Self.n2)
        #expect(value == 0x2F9E_D5BA)
        #expect(sixDigits(value) == 938_554)
        #expect(sixDigits(0x012E_B72A) == 838_762)
        #expect(sixDigits(1_000_042) == 42)
    }

    /// Spec: Core v5.4, Vol 3, Part H, D.6 and D.8.
    @Test("h6 and h7 convert a key")
    func conversions() {
        let key: UInt128 = 0xEC0234A3_57C8AD05_341010A6_0A397D9B
        #expect(toolbox.h6(w: key, id: 0x6C65_6272) == 0x2D9AE102_E76DC91C_E8D3A9E2_80B16399)
        #expect(toolbox.h7(salt: 0x746D_7031, w: key) == 0xFB173597_C6A3C0EC_D2998C2A_75A57011)
    }

    /// What h7 gives between is beyond the samples.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, D.9 and D.10; 2.4.2.4: "tmp1" and "lebr".
    @Test("h6 and h7 make the long term key a link key")
    func linkKey() {
        let key: UInt128 = 0x368DF9BC_E3264B58_BD066C33_334FBF64
        let salted = toolbox.h7(salt: 0x746D_7031, w: key)
        #expect(salted == 0x5A95D55C_F6E6BF44_464DB19D_CBFC7A95)
        #expect(toolbox.h6(w: salted, id: 0x6C65_6272) == 0x287AD379_DCA40253_0A39F1F4_3047B835)
        let old = toolbox.h6(w: key, id: 0x746D_7031)
        #expect(old == 0xCE7F84CA_EC73885B_C7582A5F_CA68D763)
        #expect(toolbox.h6(w: old, id: 0x6C65_6272) == 0xBC1CA4EF_633FC1BD_0D8230AF_EE388FB0)
    }

    /// What h7 gives between is beyond the samples.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, D.11 and D.12; 2.4.2.5: "tmp2" and "brle".
    @Test("h6 and h7 make the link key a long term key")
    func longTermKey() {
        let key: UInt128 = 0x05040302_01000908_07060504_03020100
        let salted = toolbox.h7(salt: 0x746D_7032, w: key)
        #expect(salted == 0xADB69469_4E2BC033_8C87249B_264FC359)
        #expect(toolbox.h6(w: salted, id: 0x6272_6C65) == 0xE85E09EB_5ECCB3E2_69418A13_3211BC79)
        let old = toolbox.h6(w: key, id: 0x746D_7032)
        #expect(old == 0xC993085A_BAFF46A1_1D1666F1_F82F6153)
        #expect(toolbox.h6(w: old, id: 0x6272_6C65) == 0xA813FB72_F1A3DFA1_8A2C9A43_F10D0A30)
    }
}

@Suite("sample data of P-256")
struct CurveVectorTests {
    let cryptography = HostCryptography()

    struct KeySet {
        let a, ax, ay, b, bx, by, dh: SMP.UInt256
    }

    /// Private and public keys of A and B, and the key that they agree on.
    ///
    /// Spec: Core v5.4, Vol 2, Part G, 7.1.2.1 and 7.1.2.2.
    static let sets = [
        KeySet(
            a: SMP.UInt256(0x3F49F6D4_A3C55F38_74C9B3E3_D2103F50, 0x4AFF607B_EB40B799_5899B8A6_CD3C1ABD),
            ax: SMP.UInt256(0x20B003D2_F297BE2C_5E2C83A7_E9F9A5B9, 0xEFF49111_ACF4FDDB_CC030148_0E359DE6),
            ay: SMP.UInt256(0xDC809C49_652AEB6D_63329ABF_5A52155C, 0x766345C2_8FED3024_741C8ED0_1589D28B),
            b: SMP.UInt256(0x55188B3D_32F6BB9A_900AFCFB_EED4E72A, 0x59CB9AC2_F19D7CFB_6B4FDD49_F47FC5FD),
            bx: SMP.UInt256(0x1EA1F0F0_1FAF1D96_09592284_F19E4C00, 0x47B58AFD_8615A69F_559077B2_2FAAA190),
            by: SMP.UInt256(0x4C55F33E_429DAD37_7356703A_9AB85160, 0x472D1130_E28E3676_5F89AFF9_15B1214A),
            dh: SMP.UInt256(0xEC0234A3_57C8AD05_341010A6_0A397D9B, 0x99796B13_B4F866F1_868D34F3_73BFA698)),
        KeySet(
            a: SMP.UInt256(0x06A51669_3C9AA31A_6084545D_0C5DB641, 0xB48572B9_7203DDFF_B7AC73F7_D0457663),
            ax: SMP.UInt256(0x2C31A47B_5779809E_F44CB5EA_AF5C3E43, 0xD5F8FAAD_4A8794CB_987E9B03_745C78DD),
            ay: SMP.UInt256(0x91951218_3898DFBE_CD52E240_8E43871F, 0xD0211091_17BD3ED4_EAF84377_43715D4F),
            b: SMP.UInt256(0x529AA067_0D72CD64_97502ED4_73502B03, 0x7E8803B5_C60829A5_A3CAA219_505530BA),
            bx: SMP.UInt256(0xF465E43F_F23D3F1B_9DC7DFC0_4DA87581, 0x84DBC966_204796EC_CF0D6CF5_E16500CC),
            by: SMP.UInt256(0x0201D048_BCBBD899_EEEFC424_164E33C2, 0x01C2B010_CA6B4D43_A8A155CA_D8ECB279),
            dh: SMP.UInt256(0xAB85843A_2F6D883F_62E5684B_38E30733, 0x5FE6E194_5ECD1960_4105C6F2_3221EB69)),
    ]

    @Test("gives public keys and the same secret on both sides", arguments: sets)
    func agreement(set: KeySet) throws {
        let a = try #require(cryptography.publicKey(of: secret(set.a)))
        let b = try #require(cryptography.publicKey(of: secret(set.b)))
        #expect(a.x == set.ax && a.y == set.ay && a.isOnCurve)
        #expect(b.x == set.bx && b.y == set.by && b.isOnCurve)
        let first = try #require(cryptography.sharedSecret(of: secret(set.a), with: b))
        let second = try #require(cryptography.sharedSecret(of: secret(set.b), with: a))
        #expect(number(first) == set.dh && number(second) == set.dh)
    }

    /// Spec: Core v5.4, Vol 3, Part H, 2.3.5.6.1; the same numbers as A's of the first set.
    @Test("knows the debug keys")
    func debugKeys() {
        let set = Self.sets[0]
        #expect(number(debugSecret()) == set.a)
        #expect(SMP.PublicKey.debug.x == set.ax && SMP.PublicKey.debug.y == set.ay)
        #expect(SMP.PublicKey.debug.isOnCurve)
    }

    static let zero = SMP.UInt256(0, 0)
    static let ones = SMP.UInt256(
        0xFFFFFFFF_FFFFFFFF_FFFFFFFF_FFFFFFFF, 0xFFFFFFFF_FFFFFFFF_FFFFFFFF_FFFFFFFF)
    /// The root of b: the point with an x of 0.
    static let root = SMP.UInt256(
        0x66485C78_0E2F83D7_2433BD5D_84A06BB6, 0x541C2AF3_1DAE8717_28BF856A_174F93F4)
    /// The y of the point with an x of 5.
    static let yOf5 = SMP.UInt256(
        0x459243B9_AA581806_FE913BCE_99817ADE, 0x11CA503C_64D9A3C5_33415C08_3248FBCC)
    static let prime = SMP.UInt256(
        0xFFFFFFFF_00000001_00000000_00000000, 0x00000000_FFFFFFFF_FFFFFFFF_FFFFFFFF)
    static let primeAnd5 = SMP.UInt256(
        0xFFFFFFFF_00000001_00000000_00000000, 0x00000001_00000000_00000000_00000004)
    static let afterAY = SMP.UInt256(
        0xDC809C49_652AEB6D_63329ABF_5A52155C, 0x766345C2_8FED3024_741C8ED0_1589D28C)
    /// The base point of secp256k1.
    static let otherX = SMP.UInt256(
        0x79BE667E_F9DCBBAC_55A06295_CE870B07, 0x029BFCDB_2DCE28D9_59F2815B_16F81798)
    static let otherY = SMP.UInt256(
        0x483ADA77_26A3C465_5DA4FBFC_0E1108A8, 0xFD17B448_A6855419_9C47D08F_FB10D4B8)

    /// Points that no device may take: both coordinates below p, and on the curve.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 2.3.5.6.1 (the fourth is the attack of CVE-2018-5383).
    static let strangers = [
        SMP.PublicKey(x: zero, y: zero), SMP.PublicKey(x: ones, y: ones),
        SMP.PublicKey(x: sets[0].ax, y: afterAY),
        SMP.PublicKey(x: sets[0].ax, y: zero), SMP.PublicKey(x: sets[0].ay, y: sets[0].ax),
        SMP.PublicKey(x: sets[0].ax, y: sets[0].by), SMP.PublicKey(x: otherX, y: otherY),
        SMP.PublicKey(x: prime, y: root), SMP.PublicKey(x: primeAnd5, y: yOf5),
    ]

    @Test("refuses points that are not on the curve", arguments: strangers)
    func stranger(key: SMP.PublicKey) {
        #expect(!key.isOnCurve)
        #expect(cryptography.sharedSecret(of: secret(Self.sets[0].a), with: key) == nil)
    }

    @Test("takes points whose x is small")
    func smallPoints() {
        #expect(SMP.PublicKey(x: Self.zero, y: Self.root).isOnCurve)
        #expect(SMP.PublicKey(x: SMP.UInt256(0, 5), y: Self.yOf5).isOnCurve)
    }

    static let order = SMP.UInt256(
        0xFFFFFFFF_00000000_FFFFFFFF_FFFFFFFF, 0xBCE6FAAD_A7179E84_F3B9CAC2_FC632551)
    static let lastKey = SMP.UInt256(
        0xFFFFFFFF_00000000_FFFFFFFF_FFFFFFFF, 0xBCE6FAAD_A7179E84_F3B9CAC2_FC632550)

    /// The base point, its negative, and no key for 0 nor from the order on.
    ///
    /// Spec: FIPS 186-4, D.1.2.3.
    @Test("takes private keys from 1 to the order less 1")
    func privateKeys() throws {
        let baseX = SMP.UInt256(
            0x6B17D1F2_E12C4247_F8BCE6E5_63A440F2, 0x77037D81_2DEB33A0_F4A13945_D898C296)
        let first = try #require(cryptography.publicKey(of: secret(SMP.UInt256(0, 1))))
        #expect(first.x == baseX)
        let baseY = SMP.UInt256(
            0x4FE342E2_FE1A7F9B_8EE7EB4A_7C0F9E16, 0x2BCE3357_6B315ECE_CBB64068_37BF51F5)
        #expect(first.y == baseY)
        let last = try #require(cryptography.publicKey(of: secret(Self.lastKey)))
        #expect(last.x == baseX && last.y != baseY && last.isOnCurve)
        #expect(cryptography.publicKey(of: secret(Self.zero)) == nil)
        #expect(cryptography.publicKey(of: secret(Self.order)) == nil)
        #expect(cryptography.publicKey(of: secret(Self.ones)) == nil)
    }
}

// API: the functions below fit the tests to the module; none of them may compute what the tests ask for.
private func secret(_ number: SMP.UInt256) -> SMP.Secret { SMP.Secret(number) }  // API:
private func shortSecret(_ number: UInt128) -> SMP.Secret { SMP.Secret(number) }  // API: of 128 bits
private func number(_ secret: SMP.Secret) -> SMP.UInt256 { secret.value256 }  // API:
private func shortNumber(_ secret: SMP.Secret) -> UInt128 { secret.value128 }  // API: of 128 bits
private func debugSecret() -> SMP.Secret { SMP.Secret(SMP.debugPrivateKey) }  // API:
private func temporaryKey(passkey: UInt32) -> UInt128? { SMP.Passkey(passkey)?.secret.value128 }  // API:
private func shortened(_ key: UInt128, octets: Int) -> UInt128 { key.shortened(to: UInt8(octets)) }  // API:
private func sixDigits(_ value: UInt32) -> UInt32 { SMP.Passkey(lastDigitsOf: UInt64(value)).value }  // API:
