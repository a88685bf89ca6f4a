// SPDX-License-Identifier: Apache-2.0

extension SMP.Pairing {
    /// All that can happen.
    enum Input {
        case start
        case encrypt
        case received(SMP.PDU)
        /// A PDU that cannot be decoded, of a known code if it has any octet.
        case malformed(SMP.Code?)
        case answer(SMP.Answer)
        case keyRequested(rand: UInt64, ediv: UInt16)
        case encryption(SMP.EncryptionChange)
        case deadline
        case disconnected
    }

    /// How far pairing is, with what is known by then.
    enum Phase {
        /// A person is asked whether the request is answered.
        case consent(SMP.PairingFeatures)
        /// Our request is not answered.
        case features(SMP.PairingFeatures)
        /// Legacy: no passkey yet; the initiator may have confirmed already.
        case passkeyForConfirm(Terms, confirm: UInt128?)
        case legacyConfirm(Terms, Legacy)
        case legacyRandom(Terms, Legacy, confirm: UInt128)
        case publicKey(Terms, SMP.KeyPair)
        /// Secure Connections: no passkey yet; the initiator may have confirmed already.
        case passkeyForRounds(Exchange, confirm: UInt128?)
        /// `confirm` is ours, where we have sent it.
        case confirm(Exchange, Round, random: UInt128, confirm: UInt128?)
        /// `confirm` is the other side's, where it has sent one.
        case random(Exchange, Round, random: UInt128, confirm: UInt128?)
        /// The check of the initiator may have come already.
        case comparing(Checks, check: UInt128?)
        case check(Checks)
        case encryption(Terms, SMP.Secret, isKeyGiven: Bool)
        case distribution(Distribution)
    }

    /// What both sides have agreed upon.
    struct Terms {
        let request: SMP.PairingFeatures
        let response: SMP.PairingFeatures
        let method: SMP.Method
        let keySize: UInt8
        let isSecureConnections: Bool
        /// Whether both keep the keys, and the keys are worth it.
        var bonds: Bool

        /// What the keys will protect.
        var security: SMP.Security {
            SMP.Security(
                isAuthenticated: method.isAuthenticated, keySize: keySize,
                isSecureConnections: isSecureConnections, isBonded: bonds)
        }

        /// What a side hands out.
        func keys(of role: SMP.Role) -> SMP.KeyDistribution {
            let keys =
                role == .initiator
                ? request.initiatorKeys.intersection(response.initiatorKeys)
                : request.responderKeys.intersection(response.responderKeys)
            // The long-term key of Secure Connections is not sent; keys for signatures are never agreed upon.
            return keys.intersection(isSecureConnections ? .identity : [.encryption, .identity])
        }

        func features(of role: SMP.Role) -> SMP.PairingFeatures {
            role == .initiator ? request : response
        }
    }

    /// What legacy pairing has on our side.
    struct Legacy {
        let temporaryKey: SMP.Secret
        let random: UInt128
        let confirm: UInt128
    }

    /// What Secure Connections has once both public keys are known.
    struct Exchange {
        let terms: Terms
        let own: SMP.PublicKey
        let peer: SMP.PublicKey
        let sharedSecret: SMP.Secret
    }

    /// One exchange of random numbers: the only one, or one for each bit of the passkey.
    struct Round {
        /// `nil` when no passkey is used.
        let passkey: SMP.Secret?
        /// Counts from 0.
        var index = 0

        static let count = 20

        /// 0, or 0x80 and the bit of this round.
        var bit: UInt8 {
            guard let passkey else { return 0 }
            return 0x80 | UInt8(truncatingIfNeeded: passkey.value128 &>> UInt128(index) & 1)
        }

        var isLast: Bool { passkey == nil || index == Self.count - 1 }
    }

    /// What shows that both sides have the same key.
    struct Checks {
        let terms: Terms
        let longTermKey: SMP.Secret
        /// What we send.
        let own: UInt128
        /// What the other side has to send.
        let expected: UInt128
    }

    /// The keys that go over the encrypted link.
    struct Distribution {
        enum Part: Equatable {
            case longTermKey
            case identification
            case resolvingKey
            case address
        }

        let terms: Terms
        /// What the link is encrypted with.
        let key: SMP.Secret
        /// What is still to come, in its order.
        var awaited: [Part]
        var peerLongTermKey: SMP.Secret?
        var peerKey: SMP.LongTermKey?
        var peerResolvingKey: SMP.Secret?
        var peerIdentity: SMP.Identity?
        var ownKey: SMP.LongTermKey?
    }
}
