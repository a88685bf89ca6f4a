// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
import BLEHCI
import BLEL2CAP
public import BLESMP
public import BLEWire

extension HostStack {
    /// Something about the encryption of a link, or pairing on it.
    public enum SecurityEvent: Sendable {
        /// The link is encrypted.
        case secured(SMP.Security)
        /// A person is asked; the answer goes to ``HostStack/answer(_:pairingOn:at:)``.
        case asked(SMP.Question)
        /// Six digits are to be shown until pairing ends.
        case shown(SMP.Passkey)
        /// The peripheral wants security: pair, encrypt, or answer with a no.
        case requested(SMP.AuthenticationRequirements)
        /// Pairing has succeeded.
        case paired(SMP.Security)
        /// This is to be kept; the host uses it from now on, in place of what it had of the same identity.
        case bonded(SMP.Bond)
        /// This is to be kept of a client with this identity; the host uses it from now on.
        case kept(BluetoothAddress, GATT.KeptClient)
        /// Pairing, or encryption with kept keys, came to nothing; what was asked or shown is over.
        case failed(SMP.Failure)
    }

    /// What our server keeps of a bonded client.
    public struct KeptPeer: Sendable {
        /// The address that stays.
        public let identity: BluetoothAddress
        /// What is kept.
        public let client: GATT.KeptClient

        /// Puts it together.
        public init(_ identity: BluetoothAddress, _ client: GATT.KeptClient) {
            self.identity = identity
            self.client = client
        }
    }

    /// Tells what is kept of devices; for links that open from now on, and those that are not encrypted yet.
    ///
    /// - Parameters:
    ///   - bonds: All that is kept.
    ///   - clients: What our server keeps of the clients among them.
    public mutating func useBonds(_ bonds: [SMP.Bond], clients: [KeptPeer] = []) {
        self.bonds = bonds
        keptClients = clients
        bondsChanged()
        // Keys that were forgotten encrypt no link any more, and those that took their place do.
        for link in links {
            let name = identity(resolving: link.peer) ?? link.identity
            let bond = bonds.first { $0.identity?.address == name }
            guard link.pairing?.use(bond, otherIdentities: identities(but: bond)) == true else { continue }
            link.identity = bond?.identity?.address ?? link.peer
            tellServer(of: link)
        }
    }

    /// Forgets a device; a link to it that is open stays as it is.
    ///
    /// - Parameter identity: Its identity.
    /// - Returns: Whether it was known.
    public mutating func removeBond(_ identity: BluetoothAddress) -> Bool {
        keep(nil, of: identity)
        let count = bonds.count
        bonds.removeAll { $0.identity?.address == identity }
        bondsChanged()
        return bonds.count < count
    }

    /// Changes what this side can do and wants when it pairs, for links that open from now on.
    ///
    /// - Parameter pairing: What it can do and wants.
    public mutating func usePairing(_ pairing: SMP.Configuration) { configuration.pairing = pairing }

    /// Changes what this side can do and wants on a link, for pairing that begins from now on.
    ///
    /// - Parameters:
    ///   - pairing: What it can do and wants.
    ///   - id: Which link.
    /// - Returns: Whether it was taken; not while pairing is going on, or without cryptography.
    public mutating func usePairing(_ pairing: SMP.Configuration, on id: LinkID) -> Bool {
        guard let link = links.with(id) else { return false }
        var pairing = pairing
        pairing.bonds = pairing.bonds && mayKeepBond(of: link)
        pairing.identity = ownIdentity ?? pairing.identity
        return link.pairing?.configure(pairing) ?? false
    }

    /// Whether pairing is going on, on a link.
    ///
    /// - Parameter id: Which link.
    /// - Returns: Whether it is.
    public func isPairing(_ id: LinkID) -> Bool { links.with(id)?.pairing?.isPairing ?? false }

    /// Who is at the other end of a link, as far as a bond says.
    ///
    /// - Parameter id: Which link.
    /// - Returns: The identity of the bond; `nil` when there is none.
    public func bondedIdentity(of id: LinkID) -> BluetoothAddress? {
        guard let link = links.with(id), isKnown(link) else { return nil }
        return link.identity
    }

    private func isKnown(_ link: Link) -> Bool {
        bonds.contains { $0.identity?.address == link.identity }
    }

    /// What protects a link.
    ///
    /// - Parameter id: Which link.
    /// - Returns: The protection; `nil` when the link is not encrypted, or gone.
    public func security(of id: LinkID) -> SMP.Security? { links.with(id)?.pairing?.security }

    /// Pairs on a link; a peripheral asks its central to.
    ///
    /// Ends with `paired` or `failed`.
    ///
    /// - Parameters:
    ///   - id: Which link.
    ///   - now: The moment.
    /// - Returns: Whether it has begun; not when the link is gone or there is no cryptography.
    public mutating func pair(_ id: LinkID, at now: HostInstant) -> Bool {
        guard let link = secureLink(id) else { return false }
        link.pairing?.start(at: now)
        drainPairing(link, at: now)
        pump(at: now)
        return true
    }

    /// Encrypts a link with kept keys; a peripheral asks its central to.
    ///
    /// Ends with `secured` or `failed`.
    ///
    /// - Parameters:
    ///   - id: Which link.
    ///   - now: The moment.
    /// - Returns: Whether it has begun; not when the link is gone or there is no cryptography.
    public mutating func encrypt(_ id: LinkID, at now: HostInstant) -> Bool {
        guard let link = secureLink(id) else { return false }
        link.pairing?.encrypt(at: now)
        drainPairing(link, at: now)
        pump(at: now)
        return true
    }

    /// Takes a person's answer to `asked` or `requested`.
    ///
    /// - Parameters:
    ///   - answer: The answer; a no gives pairing up, whatever was asked.
    ///   - id: On which link.
    ///   - now: The moment.
    public mutating func answer(_ answer: SMP.Answer, pairingOn id: LinkID, at now: HostInstant) {
        guard let link = secureLink(id) else { return }
        link.pairing?.answer(answer, at: now)
        drainPairing(link, at: now)
        pump(at: now)
    }

    private func secureLink(_ id: LinkID) -> Link? {
        guard configuration.cryptography != nil, let link = links.with(id), link.life.isOpen else {
            return nil
        }
        return link
    }

    // MARK: A link opens and ends

    /// Gives a link that has just opened what is known of its peer.
    mutating func beginSecurity(_ link: Link, _ name: BluetoothAddress) {
        guard let cryptography = configuration.cryptography else { return }
        let bond = bonds.first { $0.identity?.address == name }
        let parties = SMP.Parties(
            role: link.role == .central ? .initiator : .responder,
            own: addressOnAir ?? BluetoothAddress(0, kind: .public), peer: link.peer, bond: bond,
            otherIdentities: identities(but: bond))
        link.identity = bond?.identity?.address ?? link.peer
        var pairing = configuration.pairing
        pairing.bonds = pairing.bonds && mayKeepBond(of: link)
        pairing.identity = ownIdentity ?? pairing.identity
        link.pairing = SMP.Pairing(
            parties, configuration: pairing, attempts: attempts.limit(of: link.identity),
            cryptography: cryptography)
        link.admitFrames(of: SMP.maximumLength)
        tellServer(of: link)
    }

    /// The identity addresses of all bonds but one.
    private func identities(but bond: SMP.Bond?) -> [BluetoothAddress] {
        let identity = bond?.identity?.address
        return bonds.compactMap { $0.identity?.address }.filter { $0 != identity }
    }

    /// What bonded devices know us by while our address changes.
    private var ownIdentity: SMP.Identity? {
        guard let privacy = configuration.privacy, let own = controller.ownAddress else { return nil }
        return SMP.Identity(resolvingKey: privacy.key, address: own)
    }

    /// Whether there is room for a bond; pairing tells the other side, so that it does not keep one in vain either.
    private func mayKeepBond(of link: Link) -> Bool {
        bonds.count < configuration.limits.bonds || isKnown(link)
    }

    /// Tells our server how well a link is protected.
    private mutating func tellServer(of link: Link) {
        let level = link.pairing?.security?.level ?? .none
        let security: GATT.LinkSecurity =
            switch level {
            case .none: .plain(hasKey: link.pairing?.hasKeys ?? false)
            case .encrypted: .encrypted
            case .authenticated: .authenticated
            case .secureConnections: .secureConnections
            }
        link.server.securityChanged(security)
    }

    // MARK: What our server keeps of bonded clients

    /// Takes up what was kept of a client whose link is encrypted with its bond now.
    private mutating func restoreClient(_ link: Link, at now: HostInstant) {
        guard let kept = keptClient(link.identity) else { return keepClient(link) }
        link.server.restore(kept, database: database, at: now)
        drain(link, at: now)
    }

    /// Keeps what a bonded client has switched on and said.
    mutating func keepClient(_ link: Link) {
        guard link.isRestored, link.pairing?.security?.isBonded == true, isKnown(link) else { return }
        let before = keptClient(link.identity)
        let kept = link.server.kept(after: before, database: database)
        let isNothing = before == nil && kept.subscriptions.isEmpty && kept.features.isEmpty
        guard kept != before, !isNothing else { return }
        keep(kept, of: link.identity)
        report(.security(link.id, .kept(link.identity, kept)))
    }

    private func keptClient(_ identity: BluetoothAddress) -> GATT.KeptClient? {
        keptClients.first { $0.identity == identity }?.client
    }

    private mutating func keep(_ client: GATT.KeptClient?, of identity: BluetoothAddress) {
        keptClients.removeAll { $0.identity == identity }
        if let client { keptClients.append(KeptPeer(identity, client)) }
    }

    mutating func endSecurity(_ link: Link, at now: HostInstant) {
        keepClient(link)
        link.pairing?.disconnected(at: now)
        drainPairing(link, at: now)
        if let limit = link.pairing?.attempts { attempts.keep(limit, for: link.identity) }
    }

    // MARK: What the controller says

    mutating func encryptionChanged(
        _ handle: ConnectionHandle, _ status: HCI.Status, isOn: Bool, at now: HostInstant
    ) {
        guard let link = links.with(handle) else { return }
        let change: SMP.EncryptionChange =
            status != .success ? .failed(status: status.rawValue) : isOn ? .on : .off
        link.pairing?.encryptionChanged(change, at: now)
        drainPairing(link, at: now)
    }

    /// The controller has taken up encryption, or has not.
    mutating func encryptionAnswered(_ status: HCI.Status, _ link: Link, at now: HostInstant) {
        guard status != .success else { return }
        link.pairing?.encryptionChanged(.refused(status: status.rawValue), at: now)
        drainPairing(link, at: now)
    }

    mutating func keyRequested(_ event: HCI.LELongTermKeyRequest, at now: HostInstant) {
        guard let link = links.with(event.handle), configuration.cryptography != nil, link.life.isOpen else {
            return enqueue(
                HCI.LELongTermKeyRequestNegativeReply(handle: event.handle), for: .key, at: now)
        }
        link.pairing?.keyRequested(rand: event.random, ediv: event.diversifier, at: now)
        drainPairing(link, at: now)
    }

    // MARK: What pairing wants

    /// Carries out what pairing on a link wants.
    mutating func drainPairing(_ link: Link, at now: HostInstant) {
        while let output = link.pairing?.nextOutput() {
            switch output {
            case .send(let pdu): link.enqueue(pdu, on: .securityManager)
            case .show(let passkey): report(.security(link.id, .shown(passkey)))
            case .ask(let question): report(.security(link.id, .asked(question)))
            case .startEncryption(let key):
                guard
                    let command = HCI.LEEnableEncryption(
                        handle: link.handle, random: key.rand, diversifier: key.ediv, key: key.key.octets)
                else { continue }
                enqueue(command, for: .encryption(link.id), at: now)
            case .giveKey(let key):
                guard let command = HCI.LELongTermKeyRequestReply(handle: link.handle, key: key.octets) else {
                    continue
                }
                enqueue(command, for: .key, at: now)
            case .refuseKey:
                enqueue(HCI.LELongTermKeyRequestNegativeReply(handle: link.handle), for: .key, at: now)
            case .securityRequested(let request): report(.security(link.id, .requested(request)))
            case .secured(let security):
                tellServer(of: link)
                report(.security(link.id, .secured(security)))
                if security.isBonded, !link.isRestored, isKnown(link) {
                    link.isRestored = true
                    restoreClient(link, at: now)
                }
            case .bond(let bond):
                keep(bond, of: link)
                link.isRestored = true
                keep(nil, of: link.identity)
                keepClient(link)
            case .paired(let security): report(.security(link.id, .paired(security)))
            case .failed(let failure):
                tellServer(of: link)
                report(.security(link.id, .failed(failure)))
            case .closeLink: close(link, because: .protocolFailure, at: now)
            }
        }
    }

    /// Keeps a bond; a device without an identity of its own is known by its address.
    private mutating func keep(_ bond: SMP.Bond, of link: Link) {
        let identity = bond.identity ?? SMP.Identity(resolvingKey: nil, address: link.peer)
        let kept = SMP.Bond(
            security: bond.security, keyAsCentral: bond.keyAsCentral, keyAsPeripheral: bond.keyAsPeripheral,
            identity: identity)
        bonds.removeAll { $0.identity?.address == identity.address }
        bonds.append(kept)
        bondsChanged()
        link.identity = identity.address
        report(.security(link.id, .bonded(kept)))
    }
}

extension SMP.Secret {
    /// A key as it travels to the controller: 16 octets, the least significant first.
    var octets: [UInt8] {
        let value = value128
        return (0..<16).map { UInt8(truncatingIfNeeded: value &>> UInt128(8 * $0)) }
    }
}
