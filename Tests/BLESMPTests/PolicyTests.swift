// SPDX-License-Identifier: Apache-2.0

import BLESMP
import BLEWire
import FuzzTargets
import Testing

/// What a device insists on, and how it says no.
@Suite struct PolicyTests {
    private func failure(
        _ initiator: SMP.Configuration, _ responder: SMP.Configuration
    ) -> (SMP.Failure?, SMP.Failure?) {
        var duo = Duo(initiator, responder)
        duo.pair()
        #expect(duo.saidByInitiator.failures.count <= 1 && duo.saidByResponder.failures.count <= 1)
        return (duo.saidByInitiator.failures.first, duo.saidByResponder.failures.first)
    }

    private func expect(
        _ device: SMP.Configuration, with other: SMP.Configuration, _ reason: SMP.FailureReason
    ) {
        var other = other
        other.identity = nil
        #expect(failure(device, other) == (.refused(reason), .refusedByPeer(reason)))
        #expect(failure(other, device) == (.refusedByPeer(reason), .refused(reason)))
    }

    @Test func `Secure Connections Only mode takes nothing else`() {
        var only = SMP.Configuration.device(.keyboardDisplay, mitm: true, .required)
        expect(only, with: .device(.keyboardDisplay, mitm: true, .off), .authenticationRequirements)
        #expect(failure(only, .device(.displayYesNo, identity: 2)) == (nil, nil))
        only.minimumLevel = .secureConnections
        expect(only, with: .device(.noInputNoOutput), .authenticationRequirements)
        var short = SMP.Configuration.device(.displayYesNo)
        short.maximumKeySize = 15
        short.minimumKeySize = 7
        only.minimumKeySize = 7
        expect(only, with: short, .encryptionKeySize)
        #expect(failure(only, .device(.displayYesNo, identity: 2)) == (nil, nil))
    }

    @Test func `somebody in the middle has to be noticed, where that is required`() {
        var device = SMP.Configuration.device(.displayYesNo)
        device.minimumLevel = .authenticated
        expect(device, with: .device(.noInputNoOutput), .authenticationRequirements)
        expect(device, with: .device(.displayOnly), .authenticationRequirements)
        // It asks for that by itself.
        #expect(failure(device, .device(.keyboardOnly, identity: 2)) == (nil, nil))
    }

    @Test(arguments: UInt8(7)...16) func `the shorter of two keys counts`(_ size: UInt8) {
        var device = SMP.Configuration.device(.noInputNoOutput)
        device.minimumKeySize = size
        var other = SMP.Configuration.device(.noInputNoOutput, identity: 2)
        other.minimumKeySize = 7
        for offered in UInt8(7)...16 {
            other.maximumKeySize = offered
            if offered < size {
                expect(device, with: other, .encryptionKeySize)
            } else {
                var duo = Duo(device, other)
                duo.pair()
                #expect(
                    duo.initiator.security?.keySize == offered && duo.responder.security?.keySize == offered)
            }
        }
    }

    @Test func `data of another way has to be there, and to be right`() {
        let toys = (ToyCryptography(side: 0), ToyCryptography(side: 1))
        var first = SMP.Configuration.device(.noInputNoOutput)
        var second = SMP.Configuration.device(.noInputNoOutput, identity: 2)
        let own = SMP.OutOfBand.Own(from: toys.1)
        first.outOfBand.received = own.map { .init(random: $0.random, confirm: $0.confirm) }
        // The responder says that it has no data of its own: it has made none.
        #expect(failure(first, second).1 == .refused(.oobNotAvailable))
        second.outOfBand.own = own
        #expect(failure(first, second) == (nil, nil))
        first.outOfBand.received = own.map { .init(random: $0.random, confirm: $0.confirm ^ 1) }
        #expect(failure(first, second).0 == .refused(.confirmValueFailed))
        first.outOfBand.received = own.map {
            .init(random: SMP.Secret($0.random.value128 ^ 1), confirm: $0.confirm)
        }
        #expect(failure(first, second).0 == .refused(.confirmValueFailed))
        // Legacy: both have a key, but not the same.
        var (old, other) = (SMP.Configuration.device(.displayOnly, mitm: false, .off), second)
        old.outOfBand.temporaryKey = SMP.Secret(UInt128(1))
        other.outOfBand.temporaryKey = SMP.Secret(UInt128(2))
        #expect(failure(old, other).1 == .refused(.confirmValueFailed))
    }

    @Test func `a device that does not pair says so, and still encrypts`() throws {
        var duo = Duo(.device(.noInputNoOutput), .device(.noInputNoOutput, identity: 2))
        duo.pair()
        let bonds = (duo.saidByInitiator.bonds.first, duo.saidByResponder.bonds.first)
        var closed = SMP.Configuration.device(.noInputNoOutput, identity: 2)
        closed.isPairable = false
        duo = Duo(.device(.noInputNoOutput), closed, bonds: bonds)
        duo.pair()
        #expect(duo.saidByInitiator.failures == [.refusedByPeer(.pairingNotSupported)])
        duo.initiator.encrypt(at: duo.now)
        duo.settle()
        #expect(duo.saidByResponder.secured.map(\.isBonded) == [true])
    }

    @Test func `a peripheral asks for security: kept keys, pairing by itself, or a person`() {
        var central = SMP.Configuration.device(.keyboardDisplay)
        var peripheral = SMP.Configuration.device(.displayOnly, identity: 2)
        peripheral.minimumLevel = .authenticated
        var duo = Duo(central, peripheral)
        duo.responder.start(at: duo.now)
        duo.settle()
        #expect(duo.saidByResponder.sent == [[0x0B, 0x0D]])
        #expect(duo.saidByInitiator.securityRequests == [[.bonding, .mitm, .secureConnections]])
        #expect(duo.responder.nextDeadline == duo.now.advanced(bySeconds: 30) && !duo.responder.isPairing)
        // Nobody answers: told, and no harm done.
        duo.wait(seconds: 30)
        #expect(duo.saidByResponder.failures == [.timeout])
        central.answersSecurityRequests = true
        duo = Duo(central, peripheral)
        duo.responder.encrypt(at: duo.now)
        duo.settle()
        // It wants authentication, so the central asks for it, too.
        #expect(duo.saidByInitiator.paired.map(\.level) == [.secureConnections])
        #expect(duo.saidByResponder.paired.count == 1 && duo.saidByInitiator.sent.first?[3] == 0x0D)
        // Encrypted well enough: nothing more happens.
        let count = duo.saidByInitiator.sent.count
        duo.responder.start(at: duo.now)
        duo.settle()
        #expect(duo.saidByInitiator.sent.count == count && duo.saidByInitiator.failures.isEmpty)
        duo = Duo(
            central, peripheral, bonds: (duo.saidByInitiator.bonds.first, duo.saidByResponder.bonds.first))
        duo.responder.start(at: duo.now)
        duo.settle()
        #expect(duo.saidByInitiator.sent.isEmpty && duo.saidByResponder.secured.map(\.isBonded) == [true])
    }

    @Test func `the central's no is heard`() {
        var duo = Duo(.device(.noInputNoOutput), .device(.noInputNoOutput))
        duo.responder.start(at: duo.now)
        duo.settle()
        duo.initiator.answer(.reject, at: duo.now)
        duo.settle()
        #expect(duo.saidByResponder.failures == [.refusedByPeer(.pairingNotSupported)])
        #expect(duo.responder.attempts.failures == 0)
    }

    @Test func `a person is asked before a stranger pairs, and may say no`() {
        var asking = SMP.Configuration.device(.noInputNoOutput, identity: 2)
        asking.asksConsent = true
        var duo = Duo(.device(.noInputNoOutput), asking)
        duo.pair()
        #expect(duo.saidByResponder.questions == [.consent(replacesBond: false)])
        #expect(duo.saidByResponder.paired.count == 1)
    }

    @Test func `keys are not handed out to who does not keep them`() {
        var guest = SMP.Configuration.device(.noInputNoOutput)
        guest.bonds = false
        for use in [SMP.SecureConnectionsUse.off, .preferred] {
            for isGuestFirst in [true, false] {
                let host = SMP.Configuration.device(.noInputNoOutput, mitm: false, use, identity: 2)
                var duo = isGuestFirst ? Duo(guest, host) : Duo(host, guest)
                duo.pair()
                #expect(duo.initiator.security?.isBonded == false && duo.saidByResponder.paired.count == 1)
                #expect(
                    !(duo.saidByInitiator.codes + duo.saidByResponder.codes).contains {
                        (6...10).contains($0)
                    })
            }
        }
    }

    @Test func `more keys in the answer than in the request are refused`() {
        for (index, keys) in [(5, UInt8(0x07)), (6, 0x07), (5, 0x0B), (6, 0x0B)] {
            var duo = Duo(.device(.noInputNoOutput), .device(.noInputNoOutput, identity: 2))
            duo.onAir = { _, octets in
                var octets = octets
                if octets[0] == 2 { octets[index] = keys }
                return [octets]
            }
            duo.pair()
            #expect(duo.saidByInitiator.failures == [.refused(.invalidParameters)])
        }
    }
}
