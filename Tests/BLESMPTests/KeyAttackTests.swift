// SPDX-License-Identifier: Apache-2.0

import BLECrypto
import BLESMP
import BLEWire
import FuzzTargets
import Testing

/// Attacks on encryption, and on the keys that go over it.
@Suite struct KeyAttackTests {
    /// All keys that there are, as the other side would send them.
    private static let keys: [[UInt8]] = [
        SMP.EncryptionInformation(value: 7).octets, SMP.CentralIdentification(ediv: 1, rand: 2).octets,
        SMP.IdentityInformation(value: 7).octets,
        SMP.IdentityAddressInformation(address: BluetoothAddress(1, kind: .public)).octets,
        SMP.SigningInformation(value: 7).octets,
    ]

    /// A pair that has come as far as encryption, which does not happen.
    private func unencrypted(_ use: SMP.SecureConnectionsUse) -> Duo {
        var duo = Duo(
            .device(.noInputNoOutput, mitm: false, use),
            .device(.noInputNoOutput, mitm: false, use, identity: 2))
        duo.controllersEncrypt = false
        duo.pair()
        return duo
    }

    @Test(arguments: keys) func `keys that come before the link is encrypted are refused`(_ key: [UInt8]) {
        for role in [SMP.Role.initiator, .responder] {
            for use in [SMP.SecureConnectionsUse.off, .preferred] {
                var duo = unencrypted(use)
                #expect(duo.initiator.isPairing && duo.responder.isPairing && duo.saidByInitiator.key != nil)
                duo.inject(key, to: role)
                let said = role == .initiator ? duo.saidByInitiator : duo.saidByResponder
                #expect(said.failures == [.refused(.unspecifiedReason)] && said.bonds.isEmpty)
            }
        }
    }

    @Test func `only the new key encrypts the link, once`() {
        // Another name of a key: that of a bond, say.
        for name: (UInt64, UInt16) in [(1, 0), (0, 1), (.max, .max)] {
            var duo = unencrypted(.preferred)
            duo.responder.keyRequested(rand: name.0, ediv: name.1, at: duo.now)
            duo.settle()
            #expect(duo.saidByResponder.refusedKeys == 1 && duo.saidByResponder.key == nil)
            #expect(
                duo.saidByResponder.failures == [.encryptionLost]
                    && duo.saidByResponder.reason == .unspecifiedReason)
        }
        // Twice.
        var duo = unencrypted(.preferred)
        duo.responder.keyRequested(rand: 0, ediv: 0, at: duo.now)
        duo.settle()
        #expect(duo.saidByResponder.key != nil && duo.saidByResponder.failures.isEmpty)
        duo.responder.keyRequested(rand: 0, ediv: 0, at: duo.now)
        duo.settle()
        #expect(duo.saidByResponder.refusedKeys == 1 && duo.saidByResponder.failures == [.encryptionLost])
        // Encrypted without having asked for a key: with somebody else's.
        duo = unencrypted(.preferred)
        duo.responder.encryptionChanged(.on, at: duo.now)
        duo.settle()
        #expect(duo.saidByResponder.failures == [.encryptionLost] && duo.responder.security == nil)
    }

    /// A responder that waits for the keys of the initiator, which come no more.
    private func distributing() -> Duo {
        var duo = Duo(.device(.noInputNoOutput), .device(.noInputNoOutput, identity: 2))
        duo.onAir = { sender, octets in
            sender == .initiator && octets[0] >= 6 && octets[0] <= 9 ? [] : [octets]
        }
        duo.pair()
        return duo
    }

    @Test func `a pause of encryption while keys are on their way ends pairing`() {
        var duo = distributing()
        #expect(duo.responder.isPairing && duo.saidByResponder.secured.count == 1)
        duo.responder.keyRequested(rand: 0, ediv: 0, at: duo.now)
        duo.settle()
        #expect(duo.saidByResponder.refusedKeys == 1 && duo.saidByResponder.failures == [.encryptionLost])

        duo = distributing()
        duo.responder.encryptionChanged(.on, at: duo.now)
        duo.settle()
        #expect(duo.saidByResponder.failures == [.encryptionLost])

        duo = distributing()
        duo.responder.encryptionChanged(.off, at: duo.now)
        duo.settle()
        #expect(duo.saidByResponder.failures == [.encryptionLost] && duo.saidByResponder.closes == 1)
        #expect(duo.responder.security == nil && duo.saidByResponder.bonds.isEmpty)
    }

    @Test func `a link that stops being encrypted ends, whenever that is`() {
        var duo = Duo(.device(.noInputNoOutput), .device(.noInputNoOutput, identity: 2))
        duo.pair()
        for _ in 0..<2 {
            duo.initiator.encryptionChanged(.off, at: duo.now)
            duo.responder.encryptionChanged(.off, at: duo.now)
        }
        duo.settle()
        #expect(duo.saidByInitiator.closes == 1 && duo.saidByResponder.closes == 1)
        #expect(duo.saidByInitiator.failures == [.encryptionLost])
        #expect(duo.initiator.security == nil && duo.responder.security == nil)
    }

    @Test func `the new key encrypts the link anew, and no other`() throws {
        var duo = Duo(.device(.noInputNoOutput), .device(.noInputNoOutput, identity: 2))
        duo.pair()
        let key = try #require(duo.saidByInitiator.key)
        duo.initiator.encrypt(at: duo.now)
        duo.settle()
        #expect(duo.saidByInitiator.secured.count == 2 && duo.saidByResponder.secured.count == 2)
        #expect(try #require(duo.saidByResponder.key).key.isSame(as: key.key))
        duo.responder.keyRequested(rand: 0, ediv: 1, at: duo.now)
        duo.settle()
        #expect(duo.saidByResponder.refusedKeys == 1 && duo.responder.security != nil)
    }

    @Test func `a central that gives up encryption can pair, and a late report of encryption ends that`() {
        var first = Duo(.device(.noInputNoOutput), .device(.noInputNoOutput, identity: 2))
        first.pair()
        let bonds = (first.saidByInitiator.bonds.first, first.saidByResponder.bonds.first)
        for isLate in [false, true] {
            var duo = Duo(.device(.noInputNoOutput), .device(.noInputNoOutput, identity: 2), bonds: bonds)
            duo.responder.keyRequested(rand: 0, ediv: 0, at: duo.now)
            duo.settle()
            #expect(duo.saidByResponder.key != nil && duo.responder.security == nil)
            if isLate { duo.personsAnswer = false }
            duo.pair()
            #expect(duo.saidByResponder.questions == [.consent(replacesBond: true)])
            if isLate {
                duo.responder.encryptionChanged(.on, at: duo.now)
                duo.settle()
                #expect(duo.saidByResponder.failures == [.encryptionLost] && duo.responder.security == nil)
            } else {
                #expect(duo.saidByResponder.paired.count == 1)
            }
        }
    }

    /// Pairs with a responder that says it is somebody.
    private func claims(_ address: BluetoothAddress, key: UInt128 = 5, of role: SMP.Role) -> Said {
        let others = [BluetoothAddress(0xC1C1_C1C1_C1C1, kind: .random)]
        var duo = Duo(
            .device(.noInputNoOutput, identity: 1), .device(.noInputNoOutput, identity: 2),
            otherIdentities: others)
        duo.onAir = { sender, octets in
            guard sender == role else { return [octets] }
            return switch octets[0] {
            case 8: [SMP.IdentityInformation(value: key).octets]
            case 9: [SMP.IdentityAddressInformation(address: address).octets]
            default: [octets]
            }
        }
        duo.pair()
        return role == .initiator ? duo.saidByResponder : duo.saidByInitiator
    }

    @Test(arguments: [SMP.Role.initiator, .responder])
    func `nobody takes the identity of another bond, or ours`(
        _ role: SMP.Role
    ) {
        let taken: [BluetoothAddress] = [
            BluetoothAddress(0xC1C1_C1C1_C1C1, kind: .random),
            role == .initiator ? Duo.responderAddress : Duo.initiatorAddress,
            BluetoothAddress(role == .initiator ? 0xAABB_CCDD_0002 : 0xAABB_CCDD_0001, kind: .public),
        ]
        for address in taken {
            let said = claims(address, of: role)
            #expect(said.failures == [.refused(.keyRejected)] && said.bonds.isEmpty && said.paired.isEmpty)
        }
        // The same number, but public: somebody else.
        #expect(claims(BluetoothAddress(0xC1C1_C1C1_C1C1, kind: .public), of: role).bonds.count == 1)
    }

    @Test func `an identity does not change, and a key of zero resolves nobody`() {
        for value in [0x4000_0000_0001, 0x0000_0000_0001, 0x8000_0000_0001] as [UInt64] {
            let said = claims(BluetoothAddress(value, kind: .random), of: .responder)
            #expect(said.failures == [.refused(.invalidParameters)] && said.bonds.isEmpty)
        }
        let said = claims(BluetoothAddress(1, kind: .public), key: 0, of: .responder)
        #expect(said.bonds.count == 1 && said.bonds[0].identity?.resolvingKey == nil)
        #expect(said.bonds.first?.identity?.address == BluetoothAddress(1, kind: .public))
    }

    @Test func `a long-term key of zero is refused`() {
        var duo = Duo(
            .device(.noInputNoOutput, mitm: false, .off),
            .device(.noInputNoOutput, mitm: false, .off, identity: 2))
        duo.onAir = { _, octets in octets[0] == 6 ? [SMP.EncryptionInformation(value: 0).octets] : [octets] }
        duo.pair()
        #expect(duo.saidByInitiator.failures == [.refused(.keyRejected)])
    }

    @Test func `the key that everybody knows is refused, or not kept`() {
        for accepts in [false, true] {
            var configuration = SMP.Configuration.device(.noInputNoOutput, identity: 2)
            configuration.acceptsDebugKeys = accepts
            let analysed = KnownNumbers([SMP.debugPrivateKey.high, SMP.debugPrivateKey.low])
            var duo = Duo(
                .device(.noInputNoOutput), configuration, cryptography: (analysed, HostCryptography()))
            duo.pair()
            if accepts {
                #expect(
                    duo.saidByResponder.paired.map(\.isBonded) == [false] && duo.saidByResponder.bonds.isEmpty
                )
            } else {
                #expect(duo.saidByResponder.failures == [.refused(.invalidParameters)])
            }
        }
    }

    @Test func `a passkey that is wrong is found out bit by bit, and each try has its price`() {
        // Of 20 bits the attacker has the lowest wrong, then the next, and so on.
        var configuration = SMP.Configuration.device(.displayOnly, mitm: true)
        configuration.passkey = SMP.Passkey(0)
        for wrongBit in [0, 7, 19] {
            var duo = Duo(.device(.keyboardOnly, mitm: true), configuration)
            duo.personsAnswer = false
            duo.pair()
            #expect(
                duo.saidByResponder.shown == SMP.Passkey(0) && duo.saidByInitiator.questions == [.passkey])
            guard let guess = SMP.Passkey(1 << UInt32(wrongBit)) else { continue }
            duo.initiator.answer(.passkey(guess), at: duo.now)
            duo.settle()
            // The responder notices first: the initiator's value comes first.
            #expect(duo.saidByResponder.failures == [.refused(.confirmValueFailed)])
            #expect(duo.saidByResponder.codes.count { $0 == 4 } == wrongBit)
            #expect(duo.responder.attempts.failures == 1 && duo.responder.attempts.isWaiting(at: duo.now))
        }
    }
}

/// Real cryptography that begins with numbers of ours.
private final class KnownNumbers: PairingCryptography, @unchecked Sendable {
    // Unchecked: one test uses it.
    private var numbers: [UInt128]
    private let host = HostCryptography()

    init(_ numbers: [UInt128]) { self.numbers = numbers }

    func encrypt(_ block: UInt128, key: UInt128) -> UInt128 { host.encrypt(block, key: key) }
    func random() -> UInt128 { numbers.isEmpty ? host.random() : numbers.removeFirst() }
    func publicKey(of privateKey: SMP.Secret) -> SMP.PublicKey? { host.publicKey(of: privateKey) }
    func sharedSecret(of privateKey: SMP.Secret, with publicKey: SMP.PublicKey) -> SMP.Secret? {
        host.sharedSecret(of: privateKey, with: publicKey)
    }
}
