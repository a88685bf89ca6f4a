// SPDX-License-Identifier: Apache-2.0

import BLEWire

extension SMP.Pairing {
    /// The transition function: what each input does in each state.
    mutating func step(_ input: Input, at now: HostInstant) {
        self.now = now
        switch (state, input) {
        case (.ended, _): ignored += 1
        case (_, .disconnected): disconnect()
        case (.closed, .start), (.closed, .encrypt): outputs.append(.failed(.closed))
        case (.closed, .keyRequested): outputs.append(.refuseKey)
        case (_, .encryption(.off)): encryptionEnded(.encryptionLost)
        case (_, .encryption(.failed(let status))) where security != nil:
            encryptionEnded(state.failure(of: status))
        case (.closed, _): ignored += 1

        case (.idle, .start), (.securityRequested, .start): begin(asking: [])
        case (.idle, .encrypt), (.securityRequested, .encrypt): encryptWithKeys()
        case (_, .start), (_, .encrypt): outputs.append(.failed(.busy))

        case (.pairing(let phase, _), .received(let pdu)): receive(pdu, in: phase)
        case (.pairing, .malformed(let code)):
            // Spec: Core v5.4, Vol 3, Part H, 3.5.5: the length of a command is one of its parameters.
            if code == .pairingFailed {
                end(.refusedByPeer(.unspecifiedReason))
            } else {
                fail(.invalidParameters)
            }
        case (.pairing(let phase, _), .answer(let answer)): take(answer, in: phase)
        case (.pairing(let phase, _), .keyRequested(let rand, let ediv)):
            giveNewKey(in: phase, rand: rand, ediv: ediv)
        case (.pairing(let phase, _), .encryption(let change)): encryptionChanged(change, in: phase)
        case (.pairing, .deadline):
            state = .closed
            attempts.failed(at: now)
            outputs.append(.failed(.timeout))

        case (.asked, .deadline):
            state = .idle
            outputs.append(.failed(.timeout))
        case (_, .deadline): break

        case (_, .received(.pairingRequest(let pdu))): requested(pdu.features)
        case (_, .received(.securityRequest(let pdu))): securityRequested(pdu.requirements)
        case (.asked, .received(.pairingFailed(let pdu))): end(.refusedByPeer(pdu.reason))
        case (_, .received): ignored += 1
        case (_, .malformed(let code)):
            ignored += 1
            if code == .pairingRequest || code == .securityRequest {
                send(SMP.PairingFailed(reason: .invalidParameters))
            }

        case (.securityRequested, .answer(.reject)):
            send(SMP.PairingFailed(reason: .pairingNotSupported))
            state = .idle
        case (_, .answer): ignored += 1

        case (_, .keyRequested(let rand, let ediv)): giveKey(rand: rand, ediv: ediv)
        case (.encrypting(let security), .encryption(.on)):
            state = .idle
            self.security = security
            outputs.append(.secured(security))
        case (.encrypting, .encryption(.failed(let status))),
            (.encrypting, .encryption(.refused(let status))):
            let failure = state.failure(of: status)
            state = .idle
            outputs.append(.failed(failure))
        case (_, .encryption): ignored += 1
        }
    }

    /// What a PDU does in each phase of pairing.
    private mutating func receive(_ pdu: SMP.PDU, in phase: Phase) {
        switch (phase, pdu) {
        case (_, .unknown): ignored += 1
        case (_, .pairingFailed(let pdu)): end(.refusedByPeer(pdu.reason))
        case (.features(let request), .pairingResponse(let pdu)): responded(pdu.features, to: request)

        case (.passkeyForConfirm(let terms, nil), .pairingConfirm(let pdu)) where parties.role == .responder:
            enter(.passkeyForConfirm(terms, confirm: pdu.value))
        case (.legacyConfirm(let terms, let legacy), .pairingConfirm(let pdu)):
            legacyConfirmed(pdu.value, terms, legacy)
        case (.legacyRandom(let terms, let legacy, let confirm), .pairingRandom(let pdu)):
            legacyRevealed(pdu.value, confirm: confirm, terms, legacy)

        case (.publicKey(let terms, let keyPair), .pairingPublicKey(let pdu)):
            exchanged(pdu.key, terms, keyPair)
        case (.passkeyForRounds(let exchange, nil), .pairingConfirm(let pdu))
        where parties.role == .responder:
            enter(.passkeyForRounds(exchange, confirm: pdu.value))
        case (.confirm(let exchange, let round, let random, let confirm), .pairingConfirm(let pdu)):
            confirmed(pdu.value, exchange, round, random: random, own: confirm)
        case (.random(let exchange, let round, let random, let confirm), .pairingRandom(let pdu)):
            revealed(pdu.value, exchange, round, random: random, confirm: confirm)
        case (.comparing(let checks, nil), .pairingDHKeyCheck(let pdu)) where parties.role == .responder:
            enter(.comparing(checks, check: pdu.value))
        case (.check(let checks), .pairingDHKeyCheck(let pdu)): checked(pdu.value, checks)

        case (.distribution(let distribution), _): distributed(pdu, distribution)
        // A central ignores it while it pairs: Core v5.4, Vol 3, Part H, 2.4.6.
        case (_, .securityRequest) where parties.role == .initiator: ignored += 1
        case (_, _) where !isExpected(pdu): fail(.commandNotSupported)
        case (_, .keypressNotification) where phase.isPasskeyEntry: ignored += 1
        default: fail(.unspecifiedReason)
        }
    }

    /// Whether the other side may send it in its role at all.
    func isExpected(_ pdu: SMP.PDU) -> Bool {
        switch pdu {
        case .pairingRequest: parties.role == .responder
        case .securityRequest: parties.role == .initiator
        default: true
        }
    }

    /// What the answer of a person does in each phase of pairing.
    private mutating func take(_ answer: SMP.Answer, in phase: Phase) {
        switch (phase, answer) {
        case (.consent(let request), .accept): respond(to: request)
        case (.passkeyForConfirm(let terms, let confirm), .passkey(let passkey)):
            beginLegacy(terms, temporaryKey: passkey.secret)
            if let confirm, case .pairing(.legacyConfirm(let terms, let legacy), _) = state {
                legacyConfirmed(confirm, terms, legacy)
            }
        case (.passkeyForRounds(let exchange, let confirm), .passkey(let passkey)):
            beginRounds(exchange, passkey.secret)
            if let confirm, case .pairing(.confirm(let exchange, let round, let random, let own), _) = state {
                confirmed(confirm, exchange, round, random: random, own: own)
            }
        case (.comparing(let checks, let check), .accept): compared(checks, check: check)
        case (.consent, .reject):
            fail(.pairingNotSupported, as: parties.bond == nil ? .cancelled : .bondKept)
        case (.passkeyForConfirm, .reject), (.passkeyForRounds, .reject):
            fail(.passkeyEntryFailed, as: .cancelled)
        case (.comparing, .reject): fail(.numericComparisonFailed, as: .cancelled)
        case (_, .reject): fail(.unspecifiedReason, as: .cancelled)
        case (_, .accept), (_, .passkey): ignored += 1
        }
    }

    // MARK: What all steps use

    /// Sends a PDU; the other side has 30 s again.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.4.
    mutating func send(_ pdu: some SMPPDU) {
        outputs.append(.send(pdu.octets))
        timerStart = now
    }

    /// Goes on to another phase.
    mutating func enter(_ phase: Phase) {
        state = .pairing(phase, until: timerStart.advanced(bySeconds: SMP.timeoutSeconds))
    }

    /// Gives up, and tells the other side.
    mutating func fail(_ reason: SMP.FailureReason, as failure: SMP.Failure? = nil) {
        send(SMP.PairingFailed(reason: reason))
        end(failure ?? .refused(reason))
    }

    /// Pairing is over; it counts as an attempt unless somebody here has ended it.
    mutating func end(_ failure: SMP.Failure) {
        if isPairing, failure != .cancelled, failure != .bondKept { attempts.failed(at: now) }
        state = .idle
        outputs.append(.failed(failure))
    }

    private mutating func disconnect() {
        switch state {
        case .pairing, .asked, .encrypting: end(.disconnected)
        case .idle, .securityRequested, .closed, .ended: break
        }
        state = .ended
        security = nil
        keys = nil
    }
}

extension SMP.Pairing.State {
    /// What a controller's status says where it has not encrypted.
    func failure(of status: UInt8) -> SMP.Failure {
        // PIN or Key Missing: Core v5.4, Vol 1, Part F, 2.6.
        if status == 0x06, case .encrypting = self { return .keyMissing }
        return .encryption(status: status)
    }
}

extension SMP.Pairing.Phase {
    /// Whether keys pressed at the other device may be told.
    var isPasskeyEntry: Bool {
        switch self {
        case .passkeyForConfirm(let terms, _), .legacyConfirm(let terms, _), .legacyRandom(let terms, _, _):
            terms.method.isPasskey
        case .passkeyForRounds(let exchange, _), .confirm(let exchange, _, _, _),
            .random(let exchange, _, _, _):
            exchange.terms.method.isPasskey
        case .consent, .features, .publicKey, .comparing, .check, .encryption, .distribution: false
        }
    }
}
