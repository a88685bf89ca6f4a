// SPDX-License-Identifier: Apache-2.0

import BLESessions
import BLEWire
import BluetoothLE
import Companion
import CompanionCore
import HubModel

/// What is known and done of a device that is explored, beside its session: what its link is like, and pairing.
extension JobHost {
    /// How often the link's strength is read.
    private static let strengthInterval = Duration.seconds(2)

    /// What goes on beside the session.
    struct Exploring {
        let peer: Peer
        let connection: Connection
        let radio: Radio
        let tasks: [Task<Void, Never>]
        /// The pairing that a page has begun.
        var pairing: Task<LinkSecurity, any Error>?
        /// Whether everything is being read.
        var isSweeping = false

        func cancel() {
            for task in tasks { task.cancel() }
            pairing?.cancel()
        }
    }

    private func change(_ id: Int64, _ body: @Sendable (inout HubExplorer) -> Void) {
        // A job that has ended wants to know nothing.
        guard links[id] != nil else { return }
        _ = try? update(id, isUsed: false) { (explorer: inout ExplorerJob, _) throws(HubError) in
            explorer.change(body)
        }
    }

    /// Learns what the link of a device that is explored is like, and follows how that changes.
    func beginExploring(_ id: Int64, over runner: ClientRunner<JobRelay>, _ radio: Radio) async {
        guard explorer(id) != nil, let connection = await runner.connection else { return }
        // Asked for before anything can come.
        let changes = connection.changes()
        let capabilities = await radio.capabilities
        let parameters = await connection.parameters, security = await connection.security
        // What the radio does not tell is not known, and that is no trouble.
        let phy = capabilities.contains(.phy) ? try? await connection.readPHY() : nil
        change(id) { explorer in
            explorer.canPair = capabilities.contains(.pairing)
            if let parameters { explorer.timing = HubExplorer.timing(parameters) }
            if let phy { explorer.phy = HubExplorer.words(phy) }
            if let security { explorer.set(security) } else if explorer.canPair { explorer.security = "none" }
        }
        guard links[id] != nil else { return }
        let following = Task(executorPreference: executor) {
            for await change in changes { await self.take(change, of: id) }
        }
        let measuring = Task(executorPreference: executor) { await self.followStrength(of: connection, id) }
        links[id]?.exploring = Exploring(
            peer: connection.peer, connection: connection, radio: radio, tasks: [following, measuring])
    }

    private func take(_ change: LinkChange, of id: Int64) {
        let now = clock.now()
        self.change(id) { $0.apply(change, at: now) }
    }

    /// Reads the link's strength now and then, while the radio can.
    private func followStrength(of connection: Connection, _ id: Int64) async {
        while !Task.isCancelled, let rssi = try? await connection.readRSSI() {
            change(id, to: Int(rssi))
            do { try await clock.sleep(Self.strengthInterval) } catch { return }
        }
    }

    private func change(_ id: Int64, to rssi: Int) {
        if let explorer = explorer(id), explorer.rssi != rssi { change(id) { $0.rssi = rssi } }
    }

    // MARK: Pairing

    /// Handles that everything is about to be read of a device: what it refuses then is no reason to ask people.
    func prepareSweep(of id: Int64) async {
        guard let peer = links[id]?.exploring?.peer, links[id]?.exploring?.isSweeping == false else { return }
        links[id]?.exploring?.isSweeping = true
        await pairings.beginSweep(of: peer)
    }

    /// Notes how far a device is explored.
    func noteSweep(_ explorer: HubExplorer) {
        guard explorer.step == .ready || explorer.job.phase == .ended else { return }
        endSweep(of: explorer.job.id)
    }

    private func endSweep(of id: Int64) {
        guard let exploring = links[id]?.exploring, exploring.isSweeping else { return }
        links[id]?.exploring?.isSweeping = false
        Task(executorPreference: executor) { [pairings] in await pairings.endSweep(of: exploring.peer) }
    }

    /// Pairs with a device that is explored; what it shows or asks is shown or asked on the pages.
    ///
    /// - Throws: ``HubError`` that says why it cannot be.
    func pair(_ id: Int64) async throws(HubError) {
        try update(id) { (explorer: inout ExplorerJob, _) throws(HubError) in
            try explorer.beginPairing()
        }
        guard let exploring = links[id]?.exploring else { return endPairing(id, nil) }
        let task = Task(executorPreference: executor) { [pairings] in
            await pairings.personBegins(exploring.peer)
            let agent = await pairings.agent(begunBy: .person, on: exploring.radio)
            return try await exploring.connection.pair(agent) as LinkSecurity
        }
        links[id]?.exploring?.pairing = task
        let result = await task.result
        links[id]?.exploring?.pairing = nil
        switch result {
        case .success(let security):
            change(id) { $0.set(security) }
            await pairings.ended(exploring.peer, .success(security))
            endPairing(id, nil)
        case .failure(let error):
            let error = error as? BluetoothError ?? .cancelled
            await pairings.ended(exploring.peer, .failure(error))
            endPairing(id, "\(error)")
            throw .notNow("\(error)")
        }
    }

    private func endPairing(_ id: Int64, _ trouble: String?) {
        // A job that has ended has shown already that nothing is paired any more.
        guard links[id] != nil else { return }
        _ = try? update(id, isUsed: false) { (explorer: inout ExplorerJob, _) throws(HubError) in
            explorer.endPairing(trouble)
        }
    }

    /// Gives up the pairing that a page has begun.
    ///
    /// - Throws: ``HubError/notFound(_:)``.
    func cancelPairing(_ id: Int64) throws(HubError) {
        guard explorer(id) != nil else { throw .noJob }
        links[id]?.exploring?.pairing?.cancel()
    }
}
