// SPDX-License-Identifier: Apache-2.0

import BLETransport
import BLEWire
package import BluetoothLE
import DBus

/// Pairings that this side has begun, and who answers for those that others begin.
struct BlueZPairings {
    /// A pairing, and all who wait for it.
    struct Going {
        let ending: Ending<Result<LinkSecurity, BluetoothError>>
        let task: Task<Void, Never>
    }

    /// By the paths of devices.
    var going: [String: Going] = [:]
    /// Who answers when a device or a refused request begins.
    var agent: PairingAgent?
    /// What BlueZ asks then; only while somebody may begin.
    var standing: Standing?
    /// Devices that were paired so that nobody stood in the middle, as far as this program has seen it.
    var authenticated: Set<String> = []
    /// When a link has gone, how long BlueZ has to say what has become of its pairing.
    var lastWords: [String: LoopTimer] = [:]

    /// An agent that BlueZ is told of.
    struct Standing {
        let agent: BlueZAgent
        let isDefault: Bool
        /// Ends when BlueZ has answered.
        let registered: Ending<DBusError?>
        let task: Task<Void, Never>
    }
}

extension BlueZRadio {
    /// Pairing takes no longer: a person has 30 s for each of a few questions.
    private static let longestPairing = Duration.seconds(120)

    /// Pairs, or waits for the pairing that is going on; when the task is cancelled it is given up for all who wait.
    func pair(_ agent: PairingAgent, on link: BlueZConnection) async throws(BluetoothError) -> LinkSecurity {
        try BlueZ.check(agent.configuration)
        let path = link.path
        guard links[path] === link else { throw link.lost }
        let going = pairings.going[path] ?? begin(agent, link)
        do throws(BluetoothError) {
            return try await going.ending.wait().get()
        } catch {
            if error == .cancelled { going.task.cancel() }
            throw error
        }
    }

    private func begin(_ agent: PairingAgent, _ link: BlueZConnection) -> BlueZPairings.Going {
        let path = link.path
        let ending = Ending<Result<LinkSecurity, BluetoothError>>()
        let task = Task(executorPreference: loop) { [weak self] in
            let result: Result<LinkSecurity, BluetoothError>
            do throws(BluetoothError) {
                guard let self else { throw .cancelled }
                result = .success(try await negotiate(agent, path))
            } catch {
                // Given up by one of those who wait.
                result = .failure(error == .cancelled ? .pairing(.cancelled) : error)
            }
            await self?.ended(agent, result, path, ending)
        }
        let going = BlueZPairings.Going(ending: ending, task: task)
        pairings.going[path] = going
        return going
    }

    private func ended(
        _ agent: PairingAgent, _ result: Result<LinkSecurity, BluetoothError>, _ path: String,
        _ ending: Ending<Result<LinkSecurity, BluetoothError>>
    ) {
        if let peer = peer(of: path) { agent.ended?(peer, result) }
        if pairings.going[path]?.ending === ending { pairings.going[path] = nil }
        pairings.lastWords[path] = nil
        if ending.end(result), case .failure(.pairing(let failure)) = result {
            tell(.pairingFailed(failure), path)
        }
    }

    private func negotiate(
        _ agent: PairingAgent, _ path: String
    ) async throws(BluetoothError) -> LinkSecurity {
        let asked: BlueZAgent
        do throws(DBusError) {
            asked = try BlueZAgent(agent, bus: address, on: loop) { [weak self] in self?.subject($0) }
        } catch {
            throw BlueZ.requestFailure(error)
        }
        do throws(DBusError) {
            try await asked.register(asDefault: false)
            let pair = DBusCall(BlueZ.service, path, BlueZ.device, "Pair")
            _ = try await asked.bus.call(pair, timeout: Self.longestPairing)
        } catch .refused("org.bluez.Error.AlreadyExists", _) {
            asked.close()
            return try known(path, agent.configuration.minimumLevel)
        } catch {
            giveUp(path, asked, unless: error)
            throw BlueZ.pairingFailure(error, refusal: asked.refusals[path])
        }
        if asked.authenticated.contains(path) { pairings.authenticated.insert(path) }
        asked.close()
        return try await reached(path, agent.configuration.minimumLevel)
    }

    /// Has BlueZ give a pairing up that it goes on with, and then forget the agent: in this order the link stays.
    private func giveUp(_ path: String, _ asked: BlueZAgent, unless error: DBusError) {
        switch error {
        case .cancelled, .timeout:
            let cancel = DBusCall(BlueZ.service, path, BlueZ.device, "CancelPairing")
            asked.over(path)
            asked.bus.send(cancel, timeout: .seconds(5)) { _ in asked.close() }
        default: asked.close()
        }
    }

    /// What a device is that BlueZ has paired before, and does not pair again.
    private func known(_ path: String, _ minimum: SecurityLevel) throws(BluetoothError) -> LinkSecurity {
        guard let security = security(of: path), security.level >= minimum else {
            throw .invalidArgument(
                "BlueZ has paired with this device before, and does not tell how well: remove the bond and pair again."
            )
        }
        return security
    }

    /// What a pairing has come to; one that is not good enough is undone.
    private func reached(
        _ path: String, _ minimum: SecurityLevel
    ) async throws(BluetoothError) -> LinkSecurity {
        // On another connection than the answer.
        let deadline = loop.now.advanced(bySeconds: 5)
        while security(of: path) == nil, links[path] != nil {
            guard try await nextChange(before: deadline) else { throw .badResponse }
        }
        guard let security = security(of: path) else { throw .pairing(.disconnected) }
        guard security.level >= minimum else {
            _ = try await removeDevice(path)
            throw .pairing(.refused(.authenticationRequirements))
        }
        return security
    }

    /// A link has gone, and its pairing with it, which BlueZ may say more about.
    func linkWithPairingEnded(_ path: String, _ failure: LinkError) {
        guard let going = pairings.going[path] else { return }
        let timer = loop.makeTimer { [weak self] in
            self?.onLoop { _ in
                going.ending.end(.failure(.disconnected(failure)))
                going.task.cancel()
            }
        }
        let isOver = adapter == nil || bus == nil
        timer.set(isOver ? loop.now : loop.now.advanced(bySeconds: 1))
        pairings.lastWords[path] = timer
    }

    // MARK: What is known

    /// What protects a link to a device; BlueZ encrypts each with the keys that it keeps, before it says that it is there.
    func security(of path: String) -> LinkSecurity? {
        guard let device = device(of: path), device.isPaired else { return nil }
        let level: SecurityLevel = pairings.authenticated.contains(path) ? .authenticated : .encrypted
        return LinkSecurity(level: level, keySize: nil, isBonded: device.isBonded)
    }

    func encrypted(_ link: BlueZConnection) throws(BluetoothError) -> LinkSecurity {
        guard links[link.path] === link else { throw link.lost }
        guard let security = security(of: link.path) else { throw .pairing(.notBonded) }
        return security
    }

    /// A device of ours, for whoever is asked about it.
    private nonisolated func subject(_ path: String) -> BlueZAgent.Subject? {
        assumeIsolated { radio in
            guard radio.links[path] != nil || radio.serving?.guests[path] != nil,
                let device = radio.device(of: path), let address = device.address
            else { return nil }
            return BlueZAgent.Subject(peer: Peer(address), isBonded: device.isPaired)
        }
    }

    private func device(of path: String) -> BlueZDevice? {
        objects.properties(path, BlueZ.device).map { BlueZDevice(properties: $0) }
    }

    private func peer(of path: String) -> Peer? { device(of: path)?.address.map { Peer($0) } }

    /// Handles that BlueZ tells whether a device is paired.
    func pairedChanged(_ path: String, _ isPaired: Bool) {
        guard isPaired else {
            pairings.authenticated.remove(path)
            return
        }
        if let standing = pairings.standing?.agent, standing.authenticated.contains(path) {
            pairings.authenticated.insert(path)
        }
        pairings.standing?.agent.over(path)
        guard let security = security(of: path) else { return }
        tell(.secured(security), path)
        // One that this side has begun tells its own end.
        if pairings.going[path] == nil, let agent = pairings.agent, let peer = peer(of: path) {
            agent.ended?(peer, .success(security))
        }
    }

    /// Tells whoever listens to a link.
    private func tell(_ change: LinkChange, _ path: String) {
        if let link = links[path] {
            var wakeUps = StreamWakeUps()
            link.state.apply(change, &wakeUps)
            wakeUps.wake()
        }
        guard let serving, let guest = serving.guests[path], case .secured(let security) = change else {
            return
        }
        serving.server.state.source.yield(.secured(guest.client, security))
    }

    // MARK: Who answers when others begin

    /// Whether a device, or a request that is refused, may begin to pair with us now.
    private var mayBePaired: Bool {
        adapter != nil
            && (serving?.server.description.isConnectable == true
                || links.keys.contains { security(of: $0) == nil })
    }

    /// Has BlueZ know our agent, or not, as it is wanted.
    ///
    /// It takes the place of the system's only while this program serves: then others begin, and nobody else may answer for it.
    func adjustAgent() {
        let isServing = serving?.server.description.isConnectable == true
        if let standing = pairings.standing,
            pairings.agent == nil || !mayBePaired || standing.isDefault != isServing
        {
            standing.task.cancel()
            standing.agent.close()
            standing.registered.end(.lost("nobody is asked any more"))
            pairings.standing = nil
        }
        guard let agent = pairings.agent, mayBePaired, pairings.standing == nil else { return }
        // Without a bus there is nobody to ask.
        let made = try? BlueZAgent(agent, bus: address, on: loop) { [weak self] in self?.subject($0) }
        guard let made else { return }
        let registered = Ending<DBusError?>()
        let task = Task(executorPreference: loop) {
            do throws(DBusError) {
                try await made.register(asDefault: isServing)
                registered.end(nil)
            } catch {
                registered.end(error)
            }
        }
        pairings.standing = BlueZPairings.Standing(
            agent: made, isDefault: isServing, registered: registered, task: task)
    }

    /// Waits until BlueZ knows whom to ask, where somebody may be asked.
    ///
    /// - Returns: Why it does not.
    @discardableResult
    func agentIsKnown() async throws(BluetoothError) -> DBusError? {
        guard let standing = pairings.standing else { return nil }
        return try await standing.registered.wait()
    }

    /// Pairs when a request was refused until then.
    ///
    /// - Returns: Whether the request may be made once more.
    func secure(_ link: BlueZConnection) async throws(BluetoothError) -> Bool {
        // BlueZ pairs no device again that it has paired.
        guard let agent = pairings.agent, security(of: link.path) == nil else { return false }
        _ = try await pair(agent, on: link)
        return true
    }

    // MARK: Bonds

    private func use(_ agent: PairingAgent?) async throws(BluetoothError) {
        if let agent { try BlueZ.check(agent.configuration) }
        pairings.agent = nil
        adjustAgent()
        pairings.agent = agent
        adjustAgent()
        try await agentIsKnown()
    }

    private var knownBonds: [BondedPeer] {
        get throws(BluetoothError) {
            guard let adapter else { throw .radioUnavailable("it is off") }
            let own = BlueZAdapter.all(in: objects).first { adapter.hasSuffix("/" + $0.name) }?.address
            return objects.all(BlueZ.device).compactMap { path, properties in
                let device = BlueZDevice(properties: properties)
                guard path.hasPrefix(adapter + "/"), device.isBonded, let address = device.address,
                    let security = security(of: path)
                else { return nil }
                return BondedPeer(Peer(address), security, hasChangingAddress: nil, adapter: own)
            }
        }
    }

    private func forget(_ peer: Peer) async throws(BluetoothError) -> Bool {
        guard let adapter else { throw .radioUnavailable("it is off") }
        let path = objects.all(BlueZ.device).first { path, properties in
            let device = BlueZDevice(properties: properties)
            return path.hasPrefix(adapter + "/") && device.address == peer.address
                && (device.isBonded || device.isPaired)
        }?.path
        guard let path else { return false }
        return try await removeDevice(path)
    }

    /// Has BlueZ forget a device, which ends a link to it.
    private func removeDevice(_ path: String) async throws(BluetoothError) -> Bool {
        guard let adapter, let bus else { throw .radioUnavailable("it is off") }
        do throws(DBusError) {
            _ = try await bus.call(
                DBusCall(BlueZ.service, adapter, BlueZ.adapter, "RemoveDevice", [.path(path)]))
            return true
        } catch .refused("org.bluez.Error.DoesNotExist", _) {
            return false
        } catch {
            throw BlueZ.requestFailure(error)
        }
    }

    package nonisolated func pairWhenAsked(_ agent: PairingAgent?) async throws(BluetoothError) {
        try await use(agent)
    }
    package nonisolated func bonds() async throws(BluetoothError) -> [BondedPeer] { try await knownBonds }
    package nonisolated func removeBond(of peer: Peer) async throws(BluetoothError) -> Bool {
        try await forget(peer)
    }
}
