// SPDX-License-Identifier: Apache-2.0

import BLESMP
import BLEWire
import FuzzTargets
import Testing

@Suite struct SecretTests {
    @Test func `what is wiped is zero`() {
        let place = UnsafeMutablePointer<SMP.UInt256>.allocate(capacity: 1)
        defer { place.deallocate() }
        place.initialize(to: .init(.max, .max))
        wipe(place)
        #expect(place.pointee == .init(0, 0))
    }

    @Test func `secrets are compared whole`() {
        let secret = SMP.Secret(SMP.UInt256(1, 2))
        #expect(secret.isSame(as: SMP.Secret(SMP.UInt256(1, 2))))
        for bit in 0..<128 {
            #expect(!secret.isSame(as: SMP.Secret(SMP.UInt256(1 ^ 1 << UInt128(bit), 2))))
            #expect(!secret.isSame(as: SMP.Secret(SMP.UInt256(1, 2 ^ 1 << UInt128(bit)))))
            #expect(!isSame(0, 1 << UInt128(bit)) && isSame(1 << UInt128(bit), 1 << UInt128(bit)))
        }
    }

    /// All ways in which a value becomes text.
    private func texts(_ value: Any) -> String {
        var text = "\(value) " + String(reflecting: value) + " "
        dump(value, to: &text)
        return text
    }

    @Test func `no text has a key or a passkey in it`() throws {
        let key: UInt128 = 0xDEAD_BEEF_DEAD_BEEF_DEAD_BEEF_DEAD_BEEF
        let secret = SMP.Secret(key)
        let passkey = try #require(SMP.Passkey(987_654))
        let identity = SMP.Identity(resolvingKey: secret, address: BluetoothAddress(1, kind: .public))
        let bond = SMP.Bond(
            security: .init(isAuthenticated: true, keySize: 16, isSecureConnections: true, isBonded: true),
            keyAsCentral: .init(key: secret), keyAsPeripheral: nil, identity: identity)
        var configuration = SMP.Configuration()
        configuration.identity = identity
        configuration.passkey = passkey
        configuration.outOfBand.temporaryKey = secret
        let values: [Any] = [
            secret, bond, identity, configuration, passkey, SMP.EncryptionInformation(value: key),
            SMP.IdentityInformation(value: key), SMP.SigningInformation(value: key),
            SMP.PDU.encryptionInformation(.init(value: key)), SMP.Answer.passkey(passkey),
            SMP.Question.comparison(passkey), SMP.Pairing.Output.bond(bond), SMP.Pairing.Output.show(passkey),
            SMP.Pairing.Output.giveKey(secret), SMP.Pairing.Output.startEncryption(.init(key: secret)),
        ]
        for value in values {
            let text = texts(value).lowercased()
            for hidden in [
                "987654", "987_654", "deadbeef", String(key), String(UInt64(truncatingIfNeeded: key)),
            ] {
                #expect(!text.contains(hidden), "\(text)")
            }
        }
    }

    @Test func `a passkey has six digits`() {
        #expect(SMP.Passkey(999_999)?.value == 999_999)
        #expect(SMP.Passkey(1_000_000) == nil && SMP.Passkey(.max) == nil && SMP.Passkey(0) != nil)
    }
}

@Suite struct AttemptTests {
    private func failed(_ duo: inout Duo) -> SMP.Failure? {
        let count = duo.saidByInitiator.failures.count
        duo.pair()
        return duo.saidByInitiator.failures.dropFirst(count).first
    }

    @Test func `the wait doubles with each failure, and halves when it is quiet`() {
        var (first, second) = (
            SMP.Configuration.device(.displayYesNo), SMP.Configuration.device(.displayYesNo, identity: 2)
        )
        first.minimumKeySize = 7
        first.maximumKeySize = 7
        second.minimumKeySize = 16
        var duo = Duo(first, second)
        for wait in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 512] as [UInt64] {
            #expect(failed(&duo) == .refusedByPeer(.encryptionKeySize))
            let until = duo.now.advanced(bySeconds: wait)
            #expect(duo.initiator.attempts.until == until && duo.responder.attempts.until == until)
            #expect(failed(&duo) == .tooEarly(seconds: Int(wait)))
            duo.now = HostInstant(microseconds: until.microseconds - 1)
            #expect(failed(&duo) == .tooEarly(seconds: 1))
            duo.inject([1, 3, 0, 9, 16, 0, 0], to: .responder)
            #expect(duo.saidByResponder.sent.last == [5, 9])
            duo.now = until
        }
        // Three times five minutes after the last failure take three back, and the next one adds one.
        duo.now = duo.now.advanced(bySeconds: 900 - 512)
        #expect(failed(&duo) == .refusedByPeer(.encryptionKeySize))
        #expect(duo.initiator.attempts.failures == 8)
        duo.now = duo.now.advanced(bySeconds: 100_000)
        #expect(failed(&duo) == .refusedByPeer(.encryptionKeySize))
        #expect(duo.initiator.attempts.failures == 1)
    }

    @Test func `who hangs up has failed, too, and is remembered`() {
        var duo = Duo(.device(.displayOnly, mitm: true), .device(.keyboardOnly, mitm: true))
        duo.personsAnswer = false
        duo.pair()
        duo.responder.disconnected(at: duo.now)
        duo.settle()
        #expect(duo.saidByResponder.failures == [.disconnected] && duo.responder.attempts.failures == 1)
        var ledger = SMP.AttemptLedger(capacity: 2)
        let limit = duo.responder.attempts
        ledger.keep(limit, for: Duo.initiatorAddress)
        let isWaiting = ledger.limit(of: Duo.initiatorAddress).isWaiting(at: duo.now)
        #expect(isWaiting && !ledger.limit(of: Duo.responderAddress).isWaiting(at: duo.now))
        // Who pairs at last is forgiven.
        ledger.keep(SMP.AttemptLimit(), for: Duo.initiatorAddress)
        #expect(ledger.limit(of: Duo.initiatorAddress) == SMP.AttemptLimit())
        for value in 1...3 { ledger.keep(limit, for: BluetoothAddress(UInt64(value), kind: .random)) }
        #expect(ledger.limit(of: BluetoothAddress(1, kind: .random)).failures == 0)
        #expect(ledger.limit(of: BluetoothAddress(3, kind: .random)).failures == 1)
    }

    @Test func `a person who says no has not failed`() {
        var duo = Duo(.device(.displayOnly, mitm: true), .device(.keyboardOnly, mitm: true))
        duo.personsAnswer = false
        duo.pair()
        duo.responder.answer(.reject, at: duo.now)
        duo.settle()
        #expect(duo.saidByResponder.failures == [.cancelled] && duo.responder.attempts.failures == 0)
        #expect(duo.saidByInitiator.failures == [.refusedByPeer(.passkeyEntryFailed)])
        #expect(duo.initiator.attempts.failures == 1)
    }
}
