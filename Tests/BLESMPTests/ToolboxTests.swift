// SPDX-License-Identifier: Apache-2.0

import BLECrypto
import BLESMP
import BLEWire
import Testing

/// A few samples of the specification, on swift-crypto; all of them are in Tests/Conformance.
///
/// Spec: Core v5.4, Vol 3, Part H, appendix D, and 2.2.3, 2.2.4.
@Suite struct ToolboxTests {
    private let toolbox = SMP.Toolbox(HostCryptography())
    private let cryptography = HostCryptography()
    private let u = SMP.UInt256(0x20b003d2f297be2c5e2c83a7e9f9a5b9, 0xeff49111acf4fddbcc0301480e359de6)
    private let v = SMP.UInt256(0x55188b3d32f6bb9a900afcfbeed4e72a, 0x59cb9ac2f19d7cfb6b4fdd49f47fc5fd)
    private let x: UInt128 = 0xd5cb8454d177733effffb2ec712baeab
    private let y: UInt128 = 0xa6e8e7cc25a75f6e216583f7ff3dc4cf
    private let a1 = BluetoothAddress(0x5612_3737_bfce, kind: .public)
    private let a2 = BluetoothAddress(0xa713_702d_cfc1, kind: .public)
    private let shared = SMP.UInt256(0xec0234a357c8ad05341010a60a397d9b, 0x99796b13b4f866f1868d34f373bfa698)

    @Test func `AES-128 of FIPS 197, appendix C`() {
        let key: UInt128 = 0x000102030405060708090a0b0c0d0e0f
        let block: UInt128 = 0x00112233445566778899aabbccddeeff
        #expect(cryptography.encrypt(block, key: key) == 0x69c4e0d86a7b0430d8cdb78070b4c55a)
    }

    @Test func `AES-CMAC of RFC 4493, of each kind of length`() {
        let key: UInt128 = 0x2b7e151628aed2a6abf7158809cf4f3c
        let message =
            [UInt8](
                hexadecimal:
                    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
            ) ?? []
        let codes: [(Int, UInt128)] = [
            (0, 0xbb1d6929e95937287fa37d129b756746), (16, 0x070a16b46b4d4144f79bdd9dd04a287c),
            (40, 0xdfa66747de9ae63030ca32611497c827), (64, 0x51f0bebf7e3b9d92fc49741779363cfe),
        ]
        for (count, code) in codes {
            #expect(toolbox.cmac(Array(message.prefix(count)), key: key) == code, "\(count) octets")
        }
    }

    @Test func `legacy functions`() {
        let confirm = toolbox.c1(
            key: 0, random: 0x5783D52156AD6F0E6388274EC6702EE0, request: 0x07071000000101,
            response: 0x05000800000302, initiator: BluetoothAddress(0xA1A2_A3A4_A5A6, kind: .random),
            responder: BluetoothAddress(0xB1B2_B3B4_B5B6, kind: .public))
        #expect(confirm == 0x1e1e3fef878988ead2a74dc5bef13b86)
        let key = toolbox.s1(
            key: 0, responder: 0x000F0E0D0C0B0A091122334455667788,
            initiator: 0x010203040506070899AABBCCDDEEFF00)
        #expect(key == 0x9a1fe1f0e8b0f49b5b4216ae796da062)
    }

    @Test func `functions of Secure Connections`() {
        #expect(toolbox.f4(u: u, v: v, x: x, z: 0) == 0xf2c916f107a9bd1cf1eda1bea974872d)
        let keys = toolbox.f5(w: SMP.Secret(shared), n1: x, n2: y, a1: a1, a2: a2)
        #expect(keys.longTermKey.value128 == 0x6986791169d7cd23980522b594750a38)
        #expect(keys.macKey.value128 == 0x2965f176a1084a02fd3f6a20ce636e20)
        let check = toolbox.f6(
            w: keys.macKey, n1: x, n2: y, r: 0x12a3343bb453bb5408da42d20c2d0fc8, ioCapabilities: 0x010102,
            a1: a1, a2: a2)
        #expect(check == 0xe3c473989cd0e8c5d26c0b09da958f61)
        #expect(toolbox.g2(u: u, v: v, x: x, y: y) == 0x2f9ed5ba)
        #expect(toolbox.h6(w: shared.high, id: 0x6c656272) == 0x2d9ae102e76dc91ce8d3a9e280b16399)
        #expect(toolbox.h7(salt: 0x746D7031, w: shared.high) == 0xfb173597c6a3c0ecd2998c2a75a57011)
        #expect(toolbox.ah(irk: shared.high, prand: 0x708194) == 0x0dfbaa)
    }

    @Test func `the debug keys belong together, and are told`() {
        #expect(cryptography.publicKey(of: SMP.Secret(SMP.debugPrivateKey)) == .debug)
        #expect(SMP.PublicKey.debug.isDebug)
        #expect(SMP.PublicKey.debug.isOnCurve)
    }

    @Test func `both sides compute the same`() throws {
        let a = try #require(SMP.KeyPair(from: cryptography))
        let b = try #require(SMP.KeyPair(from: cryptography))
        #expect(a.publicKey.isOnCurve && b.publicKey.isOnCurve && a.publicKey != b.publicKey)
        let one = try #require(cryptography.sharedSecret(of: a.privateKey, with: b.publicKey))
        let other = try #require(cryptography.sharedSecret(of: b.privateKey, with: a.publicKey))
        #expect(one.isSame(as: other))
        // The sample of the specification: private keys and what comes of them.
        let sample = try #require(cryptography.publicKey(of: SMP.Secret(v)))
        let key = cryptography.sharedSecret(of: SMP.Secret(SMP.debugPrivateKey), with: sample)
        #expect(key?.value256 == shared)
    }

    @Test func `what is no key is none`() {
        #expect(cryptography.publicKey(of: SMP.Secret(SMP.UInt256(0, 0))) == nil)
        #expect(cryptography.publicKey(of: SMP.Secret(SMP.UInt256(.max, .max))) == nil)
        let off = SMP.PublicKey(x: SMP.PublicKey.debug.x, y: SMP.UInt256(0, 1))
        #expect(cryptography.sharedSecret(of: SMP.Secret(v), with: off) == nil)
    }

    @Test func `points off the curve are told without any cryptography`() {
        let debug = SMP.PublicKey.debug
        let prime = SMP.UInt256(0xFFFF_FFFF_0000_0001_0000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFFF_FFFF_FFFF)
        let wrong: [SMP.PublicKey] = [
            .init(x: .init(0, 0), y: .init(0, 0)), .init(x: debug.x, y: .init(0, 0)),
            .init(x: debug.y, y: debug.x), .init(x: debug.x, y: .init(debug.y.high, debug.y.low ^ 1)),
            .init(x: .init(debug.x.high ^ 1 << 127, debug.x.low), y: debug.y),
            .init(x: .init(.max, .max), y: .init(.max, .max)), .init(x: prime, y: debug.y),
            .init(x: debug.x, y: prime),
        ]
        for key in wrong { #expect(!key.isOnCurve) }
        // x = 0 is a point: y² = b. With y + p in place of y it would be the same one, and is refused.
        let y = SMP.UInt256(0x66485c780e2f83d72433bd5d84a06bb6, 0x541c2af31dae871728bf856a174f93f4)
        #expect(SMP.PublicKey(x: .init(0, 0), y: y).isOnCurve)
        #expect(!SMP.PublicKey(x: prime, y: y).isOnCurve)
    }
}
