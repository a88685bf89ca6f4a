// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// The keys that go over the encrypted link: the responder's first, each side's in a fixed order.
///
/// Spec: Core v5.4, Vol 3, Part H, 2.4.3 and 3.6.
extension SMP.Pairing {
    mutating func beginDistribution(_ terms: Terms, _ key: SMP.Secret) {
        let security = SMP.Security(
            isAuthenticated: terms.method.isAuthenticated, keySize: terms.keySize,
            isSecureConnections: terms.isSecureConnections, isBonded: false)
        self.security = security
        outputs.append(.secured(security))
        let keys = terms.keys(of: parties.role == .initiator ? .responder : .initiator)
        var distribution = Distribution(terms: terms, key: key, awaited: [])
        if keys.contains(.encryption) { distribution.awaited += [.longTermKey, .identification] }
        if keys.contains(.identity) { distribution.awaited += [.resolvingKey, .address] }
        if parties.role == .responder { distributeKeys(&distribution) }
        proceed(distribution)
    }

    /// A key of the other side.
    mutating func distributed(_ pdu: SMP.PDU, _ old: Distribution) {
        var distribution = old
        switch (distribution.awaited.first, pdu) {
        case (.longTermKey, .encryptionInformation(let pdu)):
            guard pdu.value != 0 else { return fail(.keyRejected) }
            distribution.peerLongTermKey = SMP.Secret(pdu.value)
        case (.identification, .centralIdentification(let pdu)):
            distribution.peerKey = distribution.peerLongTermKey.map {
                SMP.LongTermKey(key: $0, rand: pdu.rand, ediv: pdu.ediv)
            }
        case (.resolvingKey, .identityInformation(let pdu)):
            // Zero says that there is none; with it any stranger could be resolved.
            distribution.peerResolvingKey = pdu.value == 0 ? nil : SMP.Secret(pdu.value)
        case (.address, .identityAddressInformation(let pdu)):
            guard pdu.address.isIdentity else { return fail(.invalidParameters) }
            guard isFree(pdu.address) else { return fail(.keyRejected) }
            distribution.peerIdentity = SMP.Identity(
                resolvingKey: distribution.peerResolvingKey, address: pdu.address)
        // Nobody has asked for it, and nobody here signs.
        case (_, .signingInformation): return ignored += 1
        case (_, .securityRequest) where parties.role == .initiator: return ignored += 1
        default: return fail(isExpected(pdu) ? .unspecifiedReason : .commandNotSupported)
        }
        distribution.awaited.removeFirst()
        proceed(distribution)
    }

    /// Whether a device may say that an address is its own.
    private func isFree(_ address: BluetoothAddress) -> Bool {
        address != parties.own && address != configuration.identity?.address
            && !parties.otherIdentities.contains(address)
    }

    private mutating func proceed(_ old: Distribution) {
        guard old.awaited.isEmpty else { return enter(.distribution(old)) }
        var distribution = old
        if parties.role == .initiator { distributeKeys(&distribution) }
        finish(distribution)
    }

    /// Sends our keys.
    private mutating func distributeKeys(_ distribution: inout Distribution) {
        let keys = distribution.terms.keys(of: parties.role)
        if keys.contains(.encryption) {
            let key = cryptography.random().shortened(to: distribution.terms.keySize)
            let name = cryptography.random()
            // Not 0, which names the keys of Secure Connections.
            let ediv = UInt16(truncatingIfNeeded: name &>> 64) | 1
            let rand = UInt64(truncatingIfNeeded: name)
            distribution.ownKey = SMP.LongTermKey(key: SMP.Secret(key), rand: rand, ediv: ediv)
            send(SMP.EncryptionInformation(value: key))
            send(SMP.CentralIdentification(ediv: ediv, rand: rand))
        }
        if keys.contains(.identity), let identity = configuration.identity {
            send(SMP.IdentityInformation(value: identity.resolvingKey?.value128 ?? 0))
            send(SMP.IdentityAddressInformation(address: identity.address))
        }
    }

    private mutating func finish(_ distribution: Distribution) {
        let terms = distribution.terms
        let shared = terms.isSecureConnections ? SMP.LongTermKey(key: distribution.key) : nil
        let keys = SMP.Bond(
            security: terms.security, keyAsCentral: shared ?? distribution.peerKey,
            keyAsPeripheral: shared ?? distribution.ownKey, identity: distribution.peerIdentity)
        self.keys = keys
        security = terms.security
        attempts.succeeded()
        state = .idle
        if terms.bonds { outputs.append(.bond(keys)) }
        outputs.append(.paired(terms.security))
    }
}

extension BluetoothAddress {
    /// Whether it may stay: public, or static random.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 1.3.2.1.
    fileprivate var isIdentity: Bool { kind == .public || value &>> 46 == 0b11 }
}
