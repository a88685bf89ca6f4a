// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// LE Secure Connections: two keys of a curve, and a proof that nobody has exchanged them on the way.
///
/// Spec: Core v5.4, Vol 3, Part H, 2.3.5.6.
extension SMP.Pairing {
    mutating func beginKeyExchange(_ terms: Terms) {
        // New keys for each attempt, so that nothing is learnt of them bit by bit.
        guard let keyPair = configuration.outOfBand.own?.keyPair ?? SMP.KeyPair(from: cryptography) else {
            return fail(.unspecifiedReason, as: .noCryptography)
        }
        if parties.role == .initiator { send(SMP.PairingPublicKey(key: keyPair.publicKey)) }
        enter(.publicKey(terms, keyPair))
    }

    /// The public key of the other side is there.
    mutating func exchanged(_ key: SMP.PublicKey, _ terms: Terms, _ keyPair: SMP.KeyPair) {
        // The first coordinate alone makes the values of both roles the same (CVE-2020-26558). Both end pairing (2.3.5.6.1); with
        // which code says Core v6.1, and the qualification tests SM/CEN/KDU/BI-04-C and SM/PER/KDU/BI-04-C have it.
        guard key.isOnCurve, key.x != keyPair.publicKey.x else { return fail(.dhKeyCheckFailed) }
        // Spec: Core v6.2, Vol 3, Part H, 2.3.5.6.1.
        guard configuration.acceptsDebugKeys || !key.isDebug else { return fail(.invalidParameters) }
        guard let sharedSecret = cryptography.sharedSecret(of: keyPair.privateKey, with: key) else {
            return fail(.dhKeyCheckFailed)
        }
        var terms = terms
        // Nobody keeps what everybody can compute.
        if key.isDebug { terms.bonds = false }
        if parties.role == .responder { send(SMP.PairingPublicKey(key: keyPair.publicKey)) }
        let exchange = Exchange(
            terms: terms, own: keyPair.publicKey, peer: key, sharedSecret: sharedSecret)
        switch terms.method {
        case .justWorks, .numericComparison: beginCommitment(exchange)
        case .outOfBand: beginOutOfBand(exchange)
        case .passkeyShownByInitiator, .passkeyShownByResponder, .passkeyEnteredAtBoth:
            if let passkey = shownPasskey(terms.method) {
                beginRounds(exchange, passkey.secret)
            } else {
                outputs.append(.ask(.passkey))
                enter(.passkeyForRounds(exchange, confirm: nil))
            }
        }
    }

    /// Just Works and Numeric Comparison: the responder commits first.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 2.3.5.6.2.
    private mutating func beginCommitment(_ exchange: Exchange) {
        let round = Round(passkey: nil)
        let random = cryptography.random()
        switch parties.role {
        case .initiator: enter(.confirm(exchange, round, random: random, confirm: nil))
        case .responder:
            send(SMP.PairingConfirm(value: confirm(of: random, exchange, round)))
            enter(.random(exchange, round, random: random, confirm: nil))
        }
    }

    /// Out of Band: the commitments have come another way.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 2.3.5.6.4.
    private mutating func beginOutOfBand(_ exchange: Exchange) {
        if exchange.terms.features(of: parties.role).hasOutOfBand {
            guard let received = configuration.outOfBand.received else { return fail(.oobNotAvailable) }
            let expected = toolbox.f4(
                u: exchange.peer.x, v: exchange.peer.x, x: received.random.value128, z: 0)
            guard isSame(expected, received.confirm) else { return fail(.confirmValueFailed) }
        }
        let random = cryptography.random()
        if parties.role == .initiator { send(SMP.PairingRandom(value: random)) }
        enter(.random(exchange, Round(passkey: nil), random: random, confirm: nil))
    }

    /// Passkey Entry: 20 rounds, one for each bit, the lowest first.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 2.3.5.6.3.
    mutating func beginRounds(_ exchange: Exchange, _ passkey: SMP.Secret) {
        begin(Round(passkey: passkey), exchange)
    }

    private mutating func begin(_ round: Round, _ exchange: Exchange) {
        let random = cryptography.random()
        switch parties.role {
        case .initiator:
            let own = confirm(of: random, exchange, round)
            send(SMP.PairingConfirm(value: own))
            enter(.confirm(exchange, round, random: random, confirm: own))
        case .responder: enter(.confirm(exchange, round, random: random, confirm: nil))
        }
    }

    private func confirm(of random: UInt128, _ exchange: Exchange, _ round: Round) -> UInt128 {
        toolbox.f4(u: exchange.own.x, v: exchange.peer.x, x: random, z: round.bit)
    }

    /// The other side has committed to its random number.
    mutating func confirmed(
        _ confirm: UInt128, _ exchange: Exchange, _ round: Round, random: UInt128, own: UInt128?
    ) {
        if let own, isSame(own, confirm) { return fail(.confirmValueFailed) }
        switch parties.role {
        case .initiator: send(SMP.PairingRandom(value: random))
        case .responder: send(SMP.PairingConfirm(value: self.confirm(of: random, exchange, round)))
        }
        enter(.random(exchange, round, random: random, confirm: confirm))
    }

    /// The other side has revealed its random number.
    mutating func revealed(
        _ value: UInt128, _ exchange: Exchange, _ round: Round, random: UInt128, confirm: UInt128?
    ) {
        let expected = toolbox.f4(u: exchange.peer.x, v: exchange.own.x, x: value, z: round.bit)
        guard confirm.map({ isSame($0, expected) }) ?? true, !isSame(value, random) else {
            return fail(.confirmValueFailed)
        }
        if parties.role == .responder { send(SMP.PairingRandom(value: random)) }
        guard round.isLast else {
            return begin(Round(passkey: round.passkey, index: round.index + 1), exchange)
        }
        beginChecks(exchange, round, own: random, peer: value)
    }

    /// Both random numbers are known, and so are the keys.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 2.3.5.6.5.
    private mutating func beginChecks(_ exchange: Exchange, _ round: Round, own: UInt128, peer: UInt128) {
        let isInitiator = parties.role == .initiator
        let keys = toolbox.f5(
            w: exchange.sharedSecret, n1: isInitiator ? own : peer, n2: isInitiator ? peer : own,
            a1: parties.initiator, a2: parties.responder)
        let ownFeatures = exchange.terms.features(of: parties.role)
        let peerFeatures = exchange.terms.features(of: isInitiator ? .responder : .initiator)
        // What our check covers of the other side, and the other side's of ours: the passkey, or what came another way.
        var ownCheck = round.passkey?.value128 ?? 0
        var peerCheck = ownCheck
        if exchange.terms.method == .outOfBand {
            if ownFeatures.hasOutOfBand { ownCheck = configuration.outOfBand.received?.random.value128 ?? 0 }
            if peerFeatures.hasOutOfBand { peerCheck = configuration.outOfBand.own?.random.value128 ?? 0 }
        }
        let checks = Checks(
            terms: exchange.terms, longTermKey: keys.longTermKey,
            own: toolbox.f6(
                w: keys.macKey, n1: own, n2: peer, r: ownCheck, ioCapabilities: ownFeatures.checkedBits,
                a1: parties.own, a2: parties.peer),
            expected: toolbox.f6(
                w: keys.macKey, n1: peer, n2: own, r: peerCheck, ioCapabilities: peerFeatures.checkedBits,
                a1: parties.peer, a2: parties.own))
        guard exchange.terms.method == .numericComparison else {
            if isInitiator { send(SMP.PairingDHKeyCheck(value: checks.own)) }
            return enter(.check(checks))
        }
        let number = toolbox.g2(
            u: isInitiator ? exchange.own.x : exchange.peer.x,
            v: isInitiator ? exchange.peer.x : exchange.own.x, x: isInitiator ? own : peer,
            y: isInitiator ? peer : own)
        outputs.append(.ask(.comparison(SMP.Passkey(lastDigitsOf: UInt64(number)))))
        enter(.comparing(checks, check: nil))
    }

    /// A person says that the numbers are the same; the initiator's check may have come before.
    mutating func compared(_ checks: Checks, check: UInt128?) {
        if parties.role == .initiator { send(SMP.PairingDHKeyCheck(value: checks.own)) }
        enter(.check(checks))
        if let check { checked(check, checks) }
    }

    /// The other side shows that it has the same key.
    mutating func checked(_ check: UInt128, _ checks: Checks) {
        guard isSame(check, checks.expected) else { return fail(.dhKeyCheckFailed) }
        if parties.role == .responder { send(SMP.PairingDHKeyCheck(value: checks.own)) }
        encrypt(checks.terms, with: checks.longTermKey.value128)
    }
}
