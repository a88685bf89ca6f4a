// SPDX-License-Identifier: Apache-2.0

import BLESMP
import BLEWire
import FuzzTargets
import Testing

/// What somebody else does to get a key, and why it does not help.
@Suite struct AttackTests {
    /// What a Pairing Public Key looks like in place of the one that was sent.
    private func exchanged(_ key: @escaping (SMP.PublicKey) -> SMP.PublicKey) -> (SMP.Role, [UInt8]) ->
        [[UInt8]]
    {
        { _, octets in
            guard case .pairingPublicKey(let pdu)? = try? SMP.PDU(decoding: octets.span.bytes) else {
                return [octets]
            }
            return [SMP.PairingPublicKey(key: key(pdu.key)).octets]
        }
    }

    private func expectRefused(_ said: Said, _ reason: SMP.FailureReason) {
        #expect(said.failures == [.refused(reason)])
        #expect(said.reason == reason)
        #expect(said.paired.isEmpty && said.bonds.isEmpty && said.secured.isEmpty)
    }

    @Test(arguments: [SMP.Role.initiator, .responder]) func `CVE-2018-5383: a key off the curve is refused`(
        _ role: SMP.Role
    ) {
        var duo = Duo(.device(.displayYesNo), .device(.displayYesNo))
        let exchange = exchanged { SMP.PublicKey(x: $0.x, y: .init(0, 0)) }
        duo.onAir = { sender, octets in sender == role ? [octets] : exchange(sender, octets) }
        duo.pair()
        expectRefused(role == .initiator ? duo.saidByInitiator : duo.saidByResponder, .dhKeyCheckFailed)
    }

    @Test(arguments: [false, true]) func `CVE-2020-26558: our own key, or its first coordinate, is refused`(
        _ isNegated: Bool
    ) throws {
        // An attacker as responder, who sends the initiator's key back; negated, it is another point of the curve.
        var duo = Duo(.device(.keyboardDisplay, mitm: true), .device(.keyboardDisplay, mitm: true))
        var sent: SMP.PublicKey?
        duo.onAir = { sender, octets in
            guard case .pairingPublicKey(let pdu)? = try? SMP.PDU(decoding: octets.span.bytes) else {
                return [octets]
            }
            if sender == .initiator {
                sent = pdu.key
                return [octets]
            }
            var key = sent ?? pdu.key
            if isNegated { key.y = key.y.negated }
            #expect(key.isOnCurve)
            return [SMP.PairingPublicKey(key: key).octets]
        }
        duo.pair()
        expectRefused(duo.saidByInitiator, .dhKeyCheckFailed)
        // And as initiator, before the responder has shown its key: with a key pair that it uses again.
        let toy = ToyCryptography(side: 1)
        var configuration = SMP.Configuration.device(.keyboardDisplay, mitm: true)
        configuration.outOfBand.own = SMP.OutOfBand.Own(from: toy)
        let own = try #require(configuration.outOfBand.own?.keyPair.publicKey)
        duo = Duo(.device(.keyboardDisplay, mitm: true), configuration)
        duo.onAir = { sender, octets in
            guard sender == .initiator, octets[0] == 0x0C else { return [octets] }
            return [SMP.PairingPublicKey(key: isNegated ? .init(x: own.x, y: own.y.negated) : own).octets]
        }
        duo.pair()
        expectRefused(duo.saidByResponder, .dhKeyCheckFailed)
    }

    @Test(arguments: [SMP.SecureConnectionsUse.off, .preferred])
    func `our own confirm value, sent back, is refused`(
        _ use: SMP.SecureConnectionsUse
    ) {
        var duo = Duo(.device(.displayOnly, mitm: true, use), .device(.keyboardOnly, mitm: true, use))
        var own: [UInt8] = []
        duo.onAir = { sender, octets in
            guard octets[0] == 3 else { return [octets] }
            if sender == .initiator {
                own = octets
                return [octets]
            }
            return [own]
        }
        duo.pair()
        expectRefused(duo.saidByInitiator, .confirmValueFailed)
        // Nothing was revealed that it could be answered with.
        #expect(!duo.saidByInitiator.codes.contains(4))
    }

    @Test func `KNOB: a key that was made short on the way is refused by both`() {
        for size in UInt8(0)...15 {
            for role in [SMP.Role.initiator, .responder] {
                var duo = Duo(.device(.displayYesNo), .device(.displayYesNo))
                duo.onAir = { sender, octets in
                    var octets = octets
                    if sender == role, octets[0] <= 2 { octets[4] = size }
                    return [octets]
                }
                duo.pair()
                let said = role == .initiator ? duo.saidByResponder : duo.saidByInitiator
                expectRefused(said, size < 7 ? .invalidParameters : .encryptionKeySize)
            }
        }
    }

    @Test func `whoever changes a feature on the way is noticed`() {
        // Without somebody in the middle who knows the passkey, the checks cover what both have said.
        for index in 1...3 {
            var duo = Duo(.device(.displayOnly, mitm: true), .device(.keyboardOnly, mitm: true))
            duo.onAir = { sender, octets in
                var octets = octets
                if octets[0] == 1 { octets[index] ^= index == 3 ? 0x10 : 1 }
                return [octets]
            }
            duo.pair()
            #expect(duo.saidByInitiator.paired.isEmpty && duo.saidByResponder.paired.isEmpty)
            #expect(!duo.saidByInitiator.failures.isEmpty && !duo.saidByResponder.failures.isEmpty)
        }
    }

    /// Two bonds of a strong pairing.
    private func bonds() throws -> (SMP.Bond, SMP.Bond) {
        var duo = Duo(
            .device(.keyboardDisplay, mitm: true), .device(.keyboardDisplay, mitm: true, identity: 2))
        duo.pair()
        return (try #require(duo.saidByInitiator.bonds.first), try #require(duo.saidByResponder.bonds.first))
    }

    @Test func `a bonded device that pairs with less is refused, in either role`() throws {
        let bonds = try bonds()
        #expect(bonds.0.security.level == .secureConnections)
        var short = SMP.Configuration.device(.keyboardDisplay, mitm: true)
        short.maximumKeySize = 15
        short.minimumKeySize = 7
        let weaker: [SMP.Configuration] = [
            .device(.noInputNoOutput), .device(.keyboardDisplay, mitm: true, .off), short,
        ]
        var strong = SMP.Configuration.device(.keyboardDisplay, mitm: true, identity: 2)
        strong.minimumKeySize = 7
        for weak in weaker {
            var duo = Duo(weak, strong, bonds: (nil, bonds.1))
            duo.pair()
            expectRefused(duo.saidByResponder, .authenticationRequirements)
            duo = Duo(strong, weak, bonds: (bonds.0, nil))
            duo.pair()
            expectRefused(duo.saidByInitiator, .authenticationRequirements)
        }
        // As much as before is enough.
        var duo = Duo(.device(.keyboardDisplay, mitm: true), strong, bonds: bonds)
        duo.pair()
        #expect(duo.saidByInitiator.paired.count == 1 && duo.saidByResponder.bonds.count == 1)
    }

    @Test func `BLESA: a device that has forgotten its key does not get to pair unasked`() throws {
        var duo = Duo(.device(.keyboardDisplay), .device(.keyboardDisplay), bonds: (try bonds().0, nil))
        duo.initiator.encrypt(at: duo.now)
        duo.settle()
        #expect(duo.saidByInitiator.failures == [.keyMissing])
        #expect(duo.saidByResponder.refusedKeys == 1)
        #expect(duo.saidByInitiator.sent.isEmpty && duo.initiator.security == nil)
        // It asks for security: the kept key is tried, and nothing else.
        duo.inject(SMP.SecurityRequest(requirements: .bonding).octets, to: .initiator)
        #expect(
            duo.saidByInitiator.failures == [.keyMissing, .keyMissing] && duo.saidByInitiator.sent.isEmpty)
    }

    @Test func `a device that shows nothing takes a known one's place only with consent`() {
        var first = Duo(.device(.noInputNoOutput), .device(.noInputNoOutput, identity: 2))
        first.pair()
        var duo = Duo(
            .device(.noInputNoOutput), .device(.noInputNoOutput, identity: 2),
            bonds: (nil, first.saidByResponder.bonds.first))
        duo.personsAnswer = false
        duo.pair()
        #expect(duo.saidByResponder.questions == [.consent(replacesBond: true)])
        #expect(duo.saidByResponder.sent.isEmpty)
        duo.responder.answer(.reject, at: duo.now)
        duo.settle()
        // Nobody has guessed anything, so it has not to wait once the bond is removed.
        #expect(duo.saidByResponder.failures == [.bondKept] && duo.responder.attempts.failures == 0)
        #expect(duo.saidByInitiator.failures == [.refusedByPeer(.pairingNotSupported)])
    }

    @Test func `a flood of requests is answered one by one, and soon not looked at`() {
        var duo = Duo(.device(.noInputNoOutput), .device(.noInputNoOutput))
        let request = SMP.PairingRequest(
            features: .init(
                ioCapability: .noInputNoOutput, requirements: .secureConnections, initiatorKeys: [],
                responderKeys: []))
        duo.onAir = { _, _ in [] }
        for _ in 0..<10_000 {
            duo.inject(request.octets, to: .responder)
            duo.now = duo.now.advanced(byMilliseconds: 10)
        }
        // Begun, ended by the next, and then refused until the wait is over: 1, 2, 4 … 32 s of the 100.
        let answers = duo.saidByResponder.sent.count { $0[0] == 2 }
        #expect((5...8).contains(answers))
        #expect(duo.saidByResponder.sent.count == 10_000)
        #expect(duo.saidByResponder.sent.count { $0 == [5, 9] } > 9_900)
        #expect(duo.saidByResponder.failures.count == duo.responder.attempts.failures)
        #expect(duo.saidByResponder.failures.allSatisfy { $0 == .refused(.unspecifiedReason) })
    }

    @Test func `security is asked for once, however often the peripheral asks`() {
        var duo = Duo(.device(.noInputNoOutput), .device(.noInputNoOutput))
        for _ in 0..<1000 { duo.inject([0x0B, 0x05], to: .initiator) }
        #expect(duo.saidByInitiator.securityRequests == [[.bonding, .mitm]])
        #expect(duo.saidByInitiator.sent.isEmpty && duo.initiator.ignored == 999)
        duo.initiator.answer(.reject, at: duo.now)
        duo.settle()
        #expect(duo.saidByInitiator.sent == [[5, 5]])
        duo.inject([0x0B, 0x05], to: .initiator)
        #expect(duo.saidByInitiator.securityRequests.count == 2)
    }

    @Test(arguments: [SMP.Role.initiator, .responder]) func `a device with our own address does not pair`(
        _ role: SMP.Role
    ) {
        let own = Duo.responderAddress
        var pairing = SMP.Pairing(
            SMP.Parties(role: role, own: own, peer: own), configuration: .device(.keyboardDisplay),
            cryptography: ToyCryptography(side: 0))
        pairing.start(at: .zero)
        guard case .failed(.refused(.pairingNotSupported))? = pairing.nextOutput() else {
            Issue.record("it starts")
            return
        }
        let asking: [UInt8] = role == .initiator ? [0x0B, 1] : [1, 3, 0, 9, 16, 0, 0]
        pairing.receive(asking.span.bytes, at: .zero)
        guard case .send([5, 5])? = pairing.nextOutput() else {
            Issue.record("it takes part")
            return
        }
    }
}

extension SMP.UInt256 {
    /// The other point with the same first coordinate.
    fileprivate var negated: SMP.UInt256 {
        let prime = SMP.UInt256(0xFFFF_FFFF_0000_0001_0000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFFF_FFFF_FFFF)
        let (low, borrow) = prime.low.subtractingReportingOverflow(low)
        return SMP.UInt256(prime.high &- high &- (borrow ? 1 : 0), low)
    }
}
