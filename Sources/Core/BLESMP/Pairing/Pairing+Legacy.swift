// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// LE legacy pairing: a temporary key, which both sides show that they have.
///
/// Whoever listens finds it out, unless it came another way.
///
/// Spec: Core v5.4, Vol 3, Part H, 2.3.5.2 to 2.3.5.5.
extension SMP.Pairing {
    mutating func beginLegacy(_ terms: Terms) {
        switch terms.method {
        case .justWorks, .numericComparison: beginLegacy(terms, temporaryKey: SMP.Secret(UInt128(0)))
        case .outOfBand:
            guard let key = configuration.outOfBand.temporaryKey else { return fail(.oobNotAvailable) }
            beginLegacy(terms, temporaryKey: key)
        case .passkeyShownByInitiator, .passkeyShownByResponder, .passkeyEnteredAtBoth:
            if let passkey = shownPasskey(terms.method) {
                beginLegacy(terms, temporaryKey: passkey.secret)
            } else {
                outputs.append(.ask(.passkey))
                enter(.passkeyForConfirm(terms, confirm: nil))
            }
        }
    }

    /// Commits to a random number.
    mutating func beginLegacy(_ terms: Terms, temporaryKey: SMP.Secret) {
        let random = cryptography.random()
        let confirm = confirm(of: random, terms, temporaryKey)
        if parties.role == .initiator { send(SMP.PairingConfirm(value: confirm)) }
        enter(.legacyConfirm(terms, Legacy(temporaryKey: temporaryKey, random: random, confirm: confirm)))
    }

    /// The other side has committed to its random number.
    mutating func legacyConfirmed(_ confirm: UInt128, _ terms: Terms, _ legacy: Legacy) {
        // The function does not tell the roles apart: our own value, sent back, would be right.
        guard !isSame(confirm, legacy.confirm) else { return fail(.confirmValueFailed) }
        switch parties.role {
        case .initiator: send(SMP.PairingRandom(value: legacy.random))
        case .responder: send(SMP.PairingConfirm(value: legacy.confirm))
        }
        enter(.legacyRandom(terms, legacy, confirm: confirm))
    }

    /// The other side has revealed its random number.
    mutating func legacyRevealed(_ random: UInt128, confirm: UInt128, _ terms: Terms, _ legacy: Legacy) {
        let expected = self.confirm(of: random, terms, legacy.temporaryKey)
        guard isSame(confirm, expected), !isSame(random, legacy.random) else {
            return fail(.confirmValueFailed)
        }
        let key: UInt128
        switch parties.role {
        case .initiator:
            key = toolbox.s1(key: legacy.temporaryKey.value128, responder: random, initiator: legacy.random)
        case .responder:
            send(SMP.PairingRandom(value: legacy.random))
            key = toolbox.s1(key: legacy.temporaryKey.value128, responder: legacy.random, initiator: random)
        }
        encrypt(terms, with: key)
    }

    private func confirm(of random: UInt128, _ terms: Terms, _ temporaryKey: SMP.Secret) -> UInt128 {
        toolbox.c1(
            key: temporaryKey.value128, random: random,
            request: number(SMP.PairingRequest(features: terms.request).octets),
            response: number(SMP.PairingResponse(features: terms.response).octets),
            initiator: parties.initiator, responder: parties.responder)
    }

    /// Seven octets, the first the least significant.
    private func number(_ octets: [UInt8]) -> UInt64 { octets.reversed().reduce(0) { $0 &<< 8 | UInt64($1) } }
}
