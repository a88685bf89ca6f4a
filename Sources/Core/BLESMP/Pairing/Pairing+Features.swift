// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// How pairing begins: who asks, what both sides tell of themselves, and what they agree upon.
///
/// Spec: Core v5.4, Vol 3, Part H, 2.3 and 2.4.6.
extension SMP.Pairing {
    /// Begins: the central pairs, the peripheral asks it to.
    ///
    /// - Parameter more: What the other side has asked for, beside what we want.
    mutating func begin(asking more: SMP.AuthenticationRequirements) {
        guard parties.peer != parties.own else { return end(.refused(.pairingNotSupported)) }
        guard !attempts.isWaiting(at: now) else { return end(.tooEarly(seconds: attempts.seconds(at: now))) }
        switch parties.role {
        case .initiator:
            let request = SMP.PairingFeatures(
                ioCapability: configuration.ioCapability,
                outOfBandFlag: hasOutOfBand(forSecureConnections: configuration.secureConnections != .off),
                requirements: configuration.requirements.union(more.intersection(.mitm)),
                maximumKeySize: configuration.keySizes.upperBound, initiatorKeys: configuration.distributed,
                responderKeys: configuration.taken)
            send(SMP.PairingRequest(features: request))
            enter(.features(request))
        case .responder: askForSecurity()
        }
    }

    private mutating func askForSecurity() {
        send(SMP.SecurityRequest(requirements: configuration.requirements))
        state = .asked(until: now.advanced(bySeconds: SMP.timeoutSeconds))
    }

    /// The peripheral wants security.
    mutating func securityRequested(_ requirements: SMP.AuthenticationRequirements) {
        guard parties.role == .initiator else { return refuse(.commandNotSupported) }
        guard case .idle = state else {
            ignored += 1
            return
        }
        if let security, security.satisfies(requirements) { return }
        if security == nil, let keys, keys.keyAsCentral != nil, keys.security.satisfies(requirements) {
            encryptWithKeys()
        } else if parties.peer == parties.own {
            refuse(.pairingNotSupported)
        } else if attempts.isWaiting(at: now) {
            refuse(.repeatedAttempts)
        } else if configuration.answersSecurityRequests {
            begin(asking: requirements)
        } else {
            state = .securityRequested
            outputs.append(.securityRequested(requirements))
        }
    }

    /// The central wants to pair.
    mutating func requested(_ request: SMP.PairingFeatures) {
        guard parties.role == .responder else { return refuse(.commandNotSupported) }
        switch state {
        // Nothing comes while a link is being encrypted, so the central has given that up.
        case .idle, .asked, .encrypting: break
        case .securityRequested, .pairing, .closed, .ended: return refuse(.unspecifiedReason)
        }
        guard parties.peer != parties.own, configuration.isPairable else {
            return refuse(.pairingNotSupported)
        }
        guard !attempts.isWaiting(at: now) else { return refuse(.repeatedAttempts) }
        timerStart = now
        enter(.consent(request))
        do throws(SMP.FailureReason) {
            let terms = try agree(request, response(to: request))
            // Whoever takes the place of a known device without showing anything needs a person's word.
            let replacesBond = parties.bond != nil
            if configuration.asksConsent || (replacesBond && !terms.method.isAuthenticated) {
                outputs.append(.ask(.consent(replacesBond: replacesBond)))
            } else {
                respond(to: request)
            }
        } catch {
            fail(error)
        }
    }

    /// Refuses what does not begin anything.
    private mutating func refuse(_ reason: SMP.FailureReason) {
        ignored += 1
        send(SMP.PairingFailed(reason: reason))
    }

    /// Answers a request that may be answered.
    mutating func respond(to request: SMP.PairingFeatures) {
        let response = response(to: request)
        do throws(SMP.FailureReason) {
            let terms = try agree(request, response)
            send(SMP.PairingResponse(features: response))
            authenticate(terms)
        } catch {
            fail(error)
        }
    }

    /// The peripheral has answered our request.
    mutating func responded(_ response: SMP.PairingFeatures, to request: SMP.PairingFeatures) {
        do throws(SMP.FailureReason) {
            let terms = try agree(request, response)
            // It may only take away: Core v5.4, Vol 3, Part H, 3.5.2.
            guard response.initiatorKeys.intersection(.defined).isSubset(of: request.initiatorKeys),
                response.responderKeys.intersection(.defined).isSubset(of: request.responderKeys)
            else { return fail(.invalidParameters) }
            authenticate(terms)
        } catch {
            fail(error)
        }
    }

    private func response(to request: SMP.PairingFeatures) -> SMP.PairingFeatures {
        var requirements = configuration.requirements
        let bonds = configuration.bonds && request.requirements.bonds
        if !bonds { requirements.remove(.bonding) }
        let isSecureConnections = requirements.intersection(request.requirements).contains(.secureConnections)
        return SMP.PairingFeatures(
            ioCapability: configuration.ioCapability,
            outOfBandFlag: hasOutOfBand(forSecureConnections: isSecureConnections),
            requirements: requirements, maximumKeySize: configuration.keySizes.upperBound,
            initiatorKeys: bonds ? request.initiatorKeys.intersection(configuration.taken) : [],
            responderKeys: bonds ? request.responderKeys.intersection(configuration.distributed) : [])
    }

    private func hasOutOfBand(forSecureConnections isSecureConnections: Bool) -> UInt8 {
        let data = configuration.outOfBand
        return (isSecureConnections ? data.received != nil : data.temporaryKey != nil) ? 1 : 0
    }

    /// What comes of both sides' features, if we are content with that.
    private func agree(
        _ request: SMP.PairingFeatures, _ response: SMP.PairingFeatures
    ) throws(SMP.FailureReason) -> Terms {
        guard request.isValid, response.isValid else { throw .invalidParameters }
        let both = request.requirements.intersection(response.requirements)
        let terms = Terms(
            request: request, response: response,
            method: SMP.Method(initiator: request, responder: response),
            keySize: min(request.maximumKeySize, response.maximumKeySize),
            isSecureConnections: both.contains(.secureConnections),
            bonds: request.requirements.bonds && response.requirements.bonds)
        let atBest = SMP.Security(
            isAuthenticated: terms.method.isAuthenticated, keySize: 16,
            isSecureConnections: terms.isSecureConnections, isBonded: terms.bonds)
        guard terms.isSecureConnections || configuration.secureConnections != .required,
            atBest.level >= configuration.minimumLevel
        else { throw .authenticationRequirements }
        guard terms.keySize >= configuration.keySizes.lowerBound,
            terms.security.level >= configuration.minimumLevel
        else { throw .encryptionKeySize }
        if let keys, !terms.security.isAtLeast(keys.security) { throw .authenticationRequirements }
        if terms.method == .outOfBand, !hasData(for: terms) { throw .oobNotAvailable }
        return terms
    }

    /// Whether everything is there that both sides' flags say.
    private func hasData(for terms: Terms) -> Bool {
        let data = configuration.outOfBand
        guard terms.isSecureConnections else { return data.temporaryKey != nil }
        let isInitiator = parties.role == .initiator
        let own = terms.features(of: parties.role)
        let peer = terms.features(of: isInitiator ? .responder : .initiator)
        return (!own.hasOutOfBand || data.received != nil) && (!peer.hasOutOfBand || data.own != nil)
    }

    /// Goes on with what both sides have agreed upon.
    private mutating func authenticate(_ terms: Terms) {
        terms.isSecureConnections ? beginKeyExchange(terms) : beginLegacy(terms)
    }

    /// The six digits, when it is us who show them.
    mutating func shownPasskey(_ method: SMP.Method) -> SMP.Passkey? {
        let isShown =
            parties.role == .initiator
            ? method == .passkeyShownByInitiator : method == .passkeyShownByResponder
        guard isShown else { return nil }
        let number = UInt64(truncatingIfNeeded: cryptography.random())
        let passkey = configuration.passkey ?? SMP.Passkey(lastDigitsOf: number)
        outputs.append(.show(passkey))
        return passkey
    }
}
