// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEHCI
import BLEHost
import BLESMP
import BLEWire
import BluetoothLE

// Pairing, and what it leaves behind.
extension HostRadio {
    /// Whether keys can be made, and the controller can encrypt.
    var canPair: Bool { pairingObstacle == nil }

    /// Why there is no pairing; `nil` where there is.
    private var pairingObstacle: BluetoothError? {
        guard hasCryptography else { return .pairing(.noCryptography) }
        return stack.controller.features.contains(.encryption) ? nil : .unsupported(.pairing)
    }

    /// Pairs on a link, or waits for the pairing that is going on.
    nonisolated func pair(
        _ agent: PairingAgent, on connection: HostConnection
    ) async throws(BluetoothError) -> SMP.Security {
        let link = connection.link
        // Encryption with kept keys ends soon; that it fails is no reason not to pair.
        _ = try? await wait { radio in
            radio.waiters.isAwaited(.encryption(link)) ? .waiting(.encryption(link)) : .nothing
        }
        let arrived = try await wait { radio in radio.beginPairing(agent, on: connection) }
        guard case .security(let security) = arrived else { throw .badResponse }
        if security.isBonded, let error = await self.saving?.value { throw .bonds(error.description) }
        return security
    }

    private func beginPairing(_ agent: PairingAgent, on connection: HostConnection) -> WaitStart {
        let link = connection.link
        let key = WaitKey.pairing(link)
        if let pairingObstacle { return .over(.failure(pairingObstacle)) }
        if let bondFault { return .over(.failure(.bonds(bondFault.description))) }
        guard links[link] != nil else { return .over(.failure(connection.lost)) }
        if stack.isPairing(link) || waiters.isAwaited(key) { return .waiting(key) }
        guard stack.usePairing(agent.configuration, on: link) else {
            return .over(.failure(.pairing(.busy)))
        }
        links[link]?.pairing.agent = agent
        consentIsOver(link)
        guard stack.pair(link, at: loop.now) else { return .over(.failure(connection.lost)) }
        return .waiting(key)
    }

    /// Encrypts a link with kept keys, or waits for what is going on.
    nonisolated func encrypt(_ connection: HostConnection) async throws(BluetoothError) -> SMP.Security {
        let arrived = try await wait { radio in radio.beginEncrypting(connection) }
        guard case .security(let security) = arrived else { throw .badResponse }
        return security
    }

    private func beginEncrypting(_ connection: HostConnection) -> WaitStart {
        let link = connection.link
        if let pairingObstacle { return .over(.failure(pairingObstacle)) }
        if let security = stack.security(of: link) { return .over(.success(.security(security))) }
        for key in [WaitKey.pairing(link), .encryption(link)] where waiters.isAwaited(key) {
            return .waiting(key)
        }
        if stack.isPairing(link) { return .waiting(.pairing(link)) }
        guard links[link] != nil else { return .over(.failure(connection.lost)) }
        guard stack.bondedIdentity(of: link) != nil else {
            return .over(.failure(.pairing(.notBonded)))
        }
        guard stack.encrypt(link, at: loop.now) else { return .over(.failure(connection.lost)) }
        return .waiting(.encryption(link))
    }

    func security(of link: LinkID) -> SMP.Security? { stack.security(of: link) }

    /// Whether keys of a link's peer are kept.
    func isBonded(_ connection: HostConnection) -> Bool {
        canPair && stack.bondedIdentity(of: connection.link) != nil
    }

    /// Protects a link of which a request was refused until then.
    ///
    /// - Returns: Whether it is protected better than it was, so that the request may be made once more.
    nonisolated func secure(_ connection: HostConnection) async throws(BluetoothError) -> Bool {
        let security = await security(of: connection.link)
        if security == nil, await isBonded(connection) {
            _ = try await encrypt(connection)
            return true
        }
        guard let agent = await agentForRefusal(security), try await mayBegin(agent, on: connection) else {
            return false
        }
        // Somebody else has paired meanwhile.
        if await self.security(of: connection.link) != security { return true }
        _ = try await pair(agent, on: connection)
        return true
    }

    /// Who pairs when a request was refused; nobody where pairing would make nothing better.
    private func agentForRefusal(_ security: SMP.Security?) -> PairingAgent? {
        guard canPair, let agent else { return nil }
        guard let security else { return agent }
        return security.level < .authenticated && agent.configuration.wantsAuthentication ? agent : nil
    }

    // MARK: What the stack reports

    func handle(_ event: HostStack.SecurityEvent, of link: LinkID) {
        switch event {
        case .asked(.passkey): ask(.enter, link)
        case .asked(.comparison(let passkey)): ask(.compare(passkey), link)
        case .asked(.consent(let replacesBond)): ask(.consent(replacesBond: replacesBond), link)
        case .shown(let passkey): ask(.show(passkey), link)
        case .requested: securityWanted(link)
        // While pairing it is not over: `paired` follows.
        case .secured(let security): if security.isBonded { secured(link, security) }
        case .paired(let security):
            consentIsOver(link)
            endQuestion(link)
            tellAgent(.success(LinkSecurity(security)), link)
            endOwnPairing(link)
            secured(link, security)
        case .bonded(let bond): if let kept = KeptBond(bond) { save(kept, link) }
        case .kept(let identity, let client):
            guard let bond = stack.bonds.first(where: { $0.identity?.address == identity }),
                let kept = KeptBond(bond, client: client)
            else { return }
            save(kept, link)
        case .failed(let failure):
            if failure != .disconnected { consentIsOver(link, mayPair: false) }
            endQuestion(link)
            tellAgent(.failure(.pairing(failure)), link)
            endOwnPairing(link)
            // The link's end says why.
            guard failure != .disconnected else { return }
            for key in [WaitKey.pairing(link), .encryption(link)] {
                waiters.resume(key, .failure(.pairing(failure)))
            }
            links[link]?.connection.state.apply(.pairingFailed(failure), &wakeUps)
            if links[link]?.isClient == true { report(link) { .pairingFailed($0, failure) } }
        }
    }

    /// Whoever was to answer for one pairing answers for no other.
    private func endOwnPairing(_ link: LinkID) {
        guard links[link]?.pairing.agent != nil else { return }
        links[link]?.pairing.agent = nil
        _ = stack.usePairing(pairingConfiguration, on: link)
    }

    /// What this side can do when it is asked to pair.
    private var pairingConfiguration: SMP.Configuration {
        var configuration = agent?.configuration ?? SMP.Configuration()
        if agent == nil { configuration.isPairable = false }
        return configuration
    }

    private func secured(_ link: LinkID, _ security: SMP.Security) {
        for key in [WaitKey.pairing(link), .encryption(link)] {
            waiters.resume(key, .success(.security(security)))
        }
        links[link]?.connection.state.apply(.secured(LinkSecurity(security)), &wakeUps)
        if links[link]?.isClient == true { report(link) { .secured($0, LinkSecurity(security)) } }
    }

    /// The peripheral wants security.
    private func securityWanted(_ link: LinkID) {
        guard let agent = links[link]?.pairing.agent ?? agent else { return refuseSecurity(link) }
        guard agent.configuration.asksConsent, links[link]?.pairing.agent == nil else {
            return giveSecurity(link, agent)
        }
        askConsent(agent, link, to: .device)
    }

    /// Begins what the peripheral has asked for.
    func giveSecurity(_ link: LinkID, _ agent: PairingAgent) {
        guard stack.usePairing(agent.configuration, on: link) else { return refuseSecurity(link) }
        _ = stack.pair(link, at: loop.now)
    }

    func refuseSecurity(_ link: LinkID) {
        stack.answer(.reject, pairingOn: link, at: loop.now)
        links[link]?.connection.state.apply(.securityRefused, &wakeUps)
    }

    private func tellAgent(_ result: Result<LinkSecurity, BluetoothError>, _ link: LinkID) {
        guard let entry = links[link], let agent = entry.pairing.agent ?? agent else { return }
        agent.ended?(entry.connection.peer, result)
    }

    // MARK: Bonds

    /// Takes up what is kept of the adapter that has just been started.
    ///
    /// Before anybody is told that it is on, and connects with the keys that are kept. What cannot be read keeps nobody from
    /// scanning: whoever wants to pair is told.
    func loadBonds(for information: ControllerInformation) {
        hasLoadedBonds = true
        Task(executorPreference: loop) { await self.comeOn(information) }
    }

    private func comeOn(_ information: ControllerInformation) async {
        await loadBonds()
        guard stack.isReady else { return }
        isReady(information)
        drain()
    }

    private func loadBonds() async {
        guard let bondStore, hasCryptography, let adapter = stack.controller.ownAddress else { return }
        let kept: [KeptBond]
        do throws(BondStoreError) {
            kept = try await bondStore.bonds(of: adapter)
            bondFault = nil
        } catch {
            bondFault = error
            return
        }
        use(kept)
    }

    /// Takes up what other programs have changed of the bonds since they were read.
    ///
    /// A link that is not encrypted yet is not encrypted with keys that were forgotten.
    func refreshBonds() async {
        guard canPair, bondFault == nil, let bondStore, let adapter = stack.controller.ownAddress else {
            return
        }
        _ = await saving?.value
        let before = bondChanges
        // What cannot be read now was read before, and stays.
        guard let kept = try? await bondStore.bonds(of: adapter), bondChanges == before,
            Self.differ(kept.compactMap { KeptBond($0.bond) }, stack.bonds.compactMap { KeptBond($0) })
        else { return }
        use(kept)
    }

    /// Whether there are other bonds, or other keys of the same.
    private static func differ(_ kept: [KeptBond], _ known: [KeptBond]) -> Bool {
        var texts = [kept, known].map { bonds in
            var content = BondText.Content()
            content.bonds = bonds.sorted { $0.identity.value < $1.identity.value }
            return BondText(content)
        }
        defer { for index in texts.indices { texts[index].wipe() } }
        return texts[0].octets != texts[1].octets
    }

    private func use(_ kept: [KeptBond]) {
        let clients = kept.compactMap { bond in
            bond.client.map { HostStack.KeptPeer(bond.identity, $0) }
        }
        stack.useBonds(kept.map(\.bond), clients: clients)
        drain()
    }

    /// Keeps what is known of a peer, after what is being kept.
    private func save(_ bond: KeptBond, _ link: LinkID) {
        bondChanges += 1
        guard let bondStore, let adapter = stack.controller.ownAddress else { return }
        let before = saving
        saving = Task(executorPreference: loop) { [weak self] in
            _ = await before?.value
            do throws(BondStoreError) {
                try await bondStore.keep(bond, of: adapter)
                return nil
            } catch {
                await self?.bondNotKept(error, link)
                return error
            }
        }
    }

    private func bondNotKept(_ error: BondStoreError, _ link: LinkID) {
        links[link]?.connection.state.apply(.bondNotKept(error.description), &wakeUps)
        drain()
    }
}

// What RadioBackend wants of it.
extension HostRadio {
    package nonisolated func pairWhenAsked(_ agent: PairingAgent?) async throws(BluetoothError) {
        try await use(agent)
    }

    private func use(_ agent: PairingAgent?) throws(BluetoothError) {
        // What the controller can do is not known before it is on.
        if let pairingObstacle, stack.isReady || !hasCryptography { throw pairingObstacle }
        if agent != nil, let bondFault { throw .bonds(bondFault.description) }
        self.agent = agent
        stack.usePairing(pairingConfiguration)
        // A link that is being paired goes on as it has begun.
        for link in links.keys.sorted() { _ = stack.usePairing(pairingConfiguration, on: link) }
    }

    package nonisolated func bonds() async throws(BluetoothError) -> [BondedPeer] { try await knownBonds }

    private var knownBonds: [BondedPeer] {
        get throws(BluetoothError) {
            if let pairingObstacle { throw pairingObstacle }
            if let bondFault { throw .bonds(bondFault.description) }
            return stack.bonds.compactMap { bond in
                guard let identity = bond.identity else { return nil }
                return BondedPeer(
                    Peer(identity.address), LinkSecurity(bond.security),
                    hasChangingAddress: identity.resolvingKey != nil, adapter: stack.controller.ownAddress)
            }
        }
    }

    package nonisolated func removeBond(of peer: Peer) async throws(BluetoothError) -> Bool {
        try await forget(peer)
    }

    private func forget(_ peer: Peer) async throws(BluetoothError) -> Bool {
        if let pairingObstacle { throw pairingObstacle }
        guard let identity = peer.address else {
            throw .invalidArgument("This radio knows devices by their address.")
        }
        bondChanges += 1
        let wasKnown = stack.removeBond(identity)
        guard let bondStore, let adapter = stack.controller.ownAddress else { return wasKnown }
        _ = await saving?.value
        do throws(BondStoreError) {
            let wasKept = try await bondStore.remove(identity, of: adapter)
            return wasKept || wasKnown
        } catch {
            throw .bonds(error.description)
        }
    }
}
