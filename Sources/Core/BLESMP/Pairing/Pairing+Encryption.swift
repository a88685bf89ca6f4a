// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// Encryption: with the key that pairing has just made, and with kept ones.
///
/// Spec: Core v5.4, Vol 3, Part H, 2.4.4.
extension SMP.Pairing {
    /// Encrypts the link with a new key: the central begins, the peripheral is asked for it.
    mutating func encrypt(_ terms: Terms, with key: UInt128) {
        let key = SMP.Secret(key.shortened(to: terms.keySize))
        let isInitiator = parties.role == .initiator
        if isInitiator { outputs.append(.startEncryption(SMP.LongTermKey(key: key))) }
        enter(.encryption(terms, key, isKeyGiven: isInitiator))
    }

    /// The controller asks for a key while we pair: only the new one will do, and only now.
    mutating func giveNewKey(in phase: Phase, rand: UInt64, ediv: UInt16) {
        guard case .encryption(let terms, let key, false) = phase, rand == 0, ediv == 0 else {
            outputs.append(.refuseKey)
            return fail(.unspecifiedReason, as: .encryptionLost)
        }
        outputs.append(.giveKey(key))
        enter(.encryption(terms, key, isKeyGiven: true))
    }

    /// Encryption changes while we pair.
    mutating func encryptionChanged(_ change: SMP.EncryptionChange, in phase: Phase) {
        switch (phase, change) {
        case (.encryption(let terms, let key, true), .on): beginDistribution(terms, key)
        // Somebody else's key, or nobody's.
        case (_, .on): fail(.unspecifiedReason, as: .encryptionLost)
        case (.encryption, .failed(let status)), (.encryption, .refused(let status)):
            end(.encryption(status: status))
        case (_, .failed), (_, .refused), (_, .off): ignored += 1
        }
    }

    /// The link is not encrypted any more, which no side may have done on purpose.
    mutating func encryptionEnded(_ failure: SMP.Failure) {
        guard security != nil else {
            ignored += 1
            return
        }
        security = nil
        if case .closed = state { outputs.append(.failed(failure)) } else { end(failure) }
        outputs.append(.closeLink)
    }

    /// Encrypts the link with kept keys; a peripheral asks its central to.
    mutating func encryptWithKeys() {
        switch parties.role {
        case .initiator:
            guard let keys, let key = keys.keyAsCentral else { return end(.notBonded) }
            state = .encrypting(keys.security)
            outputs.append(.startEncryption(key))
        case .responder:
            send(SMP.SecurityRequest(requirements: configuration.requirements))
            state = .asked(until: now.advanced(bySeconds: SMP.timeoutSeconds))
        }
    }

    /// The controller asks for a kept key.
    mutating func giveKey(rand: UInt64, ediv: UInt16) {
        guard parties.role == .responder, let keys, let key = keys.keyAsPeripheral, key.rand == rand,
            key.ediv == ediv
        else {
            outputs.append(.refuseKey)
            return
        }
        state = .encrypting(keys.security)
        outputs.append(.giveKey(key.key))
    }
}
