// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
package import BluetoothLE
package import Companion
import CompanionDevices
import CompanionText

/// Explores a device for a page: finds what it has, reads it once, and then does what the page asks for.
///
/// Whatever waits for the device here ends with the link: an answer that does not come closes it after 30 s, a page that
/// is gone after its lease, and who waits then gets why.
package actor ExplorerWork: PacedWork {
    /// How long a link is waited for.
    private static let patience = Duration.seconds(15)
    /// How often the link's strength is read.
    private static let strengthInterval = Duration.seconds(2)
    /// How often values are told.
    private static let valuePause = Duration.milliseconds(200)

    nonisolated let peer: Peer
    nonisolated let clock: HubClock
    nonisolated let feed: EventFeed
    nonisolated let desk: PairingCoordinator
    /// How it is.
    package private(set) var explorer: HubExplorer
    /// What it has, once that is known.
    package private(set) var tree: GATTTree?
    var log: ExplorerLog
    var pace = Pace()
    private var telling: Task<Void, Never>?
    /// The link, while it is open.
    private(set) var connection: Connection?
    private(set) var radio: Radio?
    /// The pairing that a page has begun.
    var pairing: Task<LinkSecurity, any Error>?
    private(set) var targets: [AttributeHandle: AttributeTarget] = [:]
    /// Requests that wait for the device.
    private var waiting = 0
    /// Has everything found and read once more.
    private var explore: AsyncStream<Void>.Continuation?

    /// Makes the work.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - mayWrite: Whether somebody has confirmed that this device may be written to.
    ///   - desk: Asks people while the device pairs.
    ///   - clock: The time.
    ///   - feed: Gets what happens.
    package init(
        _ job: DeviceJob, mayWrite: Bool, desk: PairingCoordinator, clock: HubClock, feed: EventFeed
    ) {
        peer = job.peer
        explorer = HubExplorer(job, mayWrite: mayWrite)
        log = ExplorerLog()
        self.desk = desk
        self.clock = clock
        self.feed = feed
    }

    /// Whether something that was asked of the device has not been answered yet.
    package var isUnderWay: Bool { waiting > 0 }

    /// How it is, and what it has, both of one moment.
    package var state: (explorer: HubExplorer, tree: GATTTree?) { (explorer, tree) }

    /// Whether the device sends by itself what somebody wants to see.
    package var isWatching: Bool { !explorer.watched.isEmpty }

    // MARK: The link

    package func show(_ job: DeviceJob) {
        explorer.job = job
        if job.phase == .ended {
            (connection, radio) = (nil, nil)
            pairing?.cancel()
            explore?.finish()
            (explorer.watched, explorer.isPairing, explorer.rssi) = ([], false, nil)
            tellValues()
        }
        tell()
    }

    package nonisolated func run(
        on radio: Radio, opened: @escaping @Sendable (String?) async -> Void
    ) async throws {
        let connection: Connection
        do {
            connection = try await radio.connect(to: peer, ConnectOptions(timeout: Self.patience))
        } catch .connectFailed(.connectTimeout) {
            throw JobFailure(
                "The device did not answer within \(Self.patience.components.seconds) seconds. Check that it is near, switched on and not connected to something else."
            )
        } catch {
            throw Self.failure(error)
        }
        do {
            try await withTaskCancellationHandler {
                try await use(connection, radio, opened)
            } onCancel: {
                // A request that the device does not answer ends with the link only.
                Task { await connection.disconnect() }
            }
        } catch {
            await withoutCancellation { await connection.disconnect() }
            throw (error as? BluetoothError).map { Self.failure($0) } ?? error
        }
        await withoutCancellation { await connection.disconnect() }
    }

    /// Works until the link is lost or the task is cancelled.
    private nonisolated func use(
        _ connection: Connection, _ radio: Radio, _ opened: @Sendable (String?) async -> Void
    ) async throws {
        // Asked for before anything can come.
        let (values, changes, serviceChanges) = (
            connection.allValues(), connection.changes(), connection.serviceChanges()
        )
        let wishes = await begin(connection, radio)
        await learnLink(connection, await radio.capabilities)
        await opened(nil)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for try await value in values { await self.receive(value) }
                // It ends quietly when this side has closed the link, which is told otherwise.
                try Task.checkCancellation()
            }
            group.addTask { for await change in changes { await self.receive(change) } }
            group.addTask { for await range in serviceChanges { await self.forget(range) } }
            group.addTask {
                for await _ in wishes {
                    await self.desk.beginSweep(of: self.peer)
                    do { try await self.readAll(over: connection) } catch {
                        await self.desk.endSweep(of: self.peer)
                        throw error
                    }
                    await self.desk.endSweep(of: self.peer)
                }
            }
            group.addTask { await self.followStrength(of: connection) }
            // With the link ends what waits for its values.
            while try await group.next() != nil, connection.disconnectReason == nil {}
            group.cancelAll()
        }
        if let reason = connection.disconnectReason { throw BluetoothError.disconnected(reason) }
    }

    private func begin(_ connection: Connection, _ radio: Radio) -> AsyncStream<Void> {
        let (wishes, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        (self.connection, self.radio) = (connection, radio)
        explore = continuation
        continuation.yield()
        return wishes
    }

    /// What ends a job, in words.
    private static func failure(_ error: BluetoothError) -> any Error {
        switch error {
        case .cancelled: CancellationError()
        case .connectFailed, .disconnected: JobFailure("\(error) Bring it near and try again.")
        default: JobFailure("\(error)")
        }
    }

    // MARK: What it has

    /// Finds everything, and reads what can be read, one after the other.
    private nonisolated func readAll(over connection: Connection) async throws {
        await set(.discovering)
        let found: GATT.FoundServices
        do throws(BluetoothError) {
            found = try await connection.findServices()
        } catch {
            // A device may refuse to say what it has, and be good for other things.
            guard connection.disconnectReason == nil, error != .cancelled else { throw error }
            return await failed("What the device has could not be found. \(error)")
        }
        var left = await learn(found, mtu: connection.mtu)[...]
        if let ending = GATTTree.Ending(found.faults) { return await end(ending, left: left) }
        while let handle = left.popFirst() {
            do {
                let (reading, ending) = try await GATTTree.read(handle, over: connection)
                if let ending { return await end(ending, reading, left: left) }
                await learn(reading, at: handle)
            } catch {
                if let ending = GATTTree.Ending(handle, error) { await end(ending, left: left) }
                guard connection.disconnectReason == nil, error != .cancelled else { throw error }
                await failed("\(error)")
            }
        }
        await set(.ready)
    }

    /// Keeps what was read before the link ended.
    private func end(
        _ ending: GATTTree.Ending, _ reading: GATTTree.Reading? = nil, left: ArraySlice<AttributeHandle>
    ) {
        tree?.end(ending, reading, left: left)
        set(.ready)
    }

    private func set(_ step: HubExplorer.Step) {
        explorer.step = step
        if step == .ready {
            explorer.treeRevision += 1
            // By now the device has said what it calls things.
            if let tree { targets = tree.targets }
        }
        tell()
    }

    private func failed(_ sentence: String) {
        explorer.trouble = sentence
        set(.ready)
    }

    /// Learns what the device has.
    ///
    /// - Returns: The handles of what is to be read.
    private func learn(_ found: GATT.FoundServices, mtu: Int) -> [AttributeHandle] {
        tree = GATTTree(
            peer: peer, mtu: mtu, services: found.services, readings: [:], faults: found.faults)
        if let fault = found.faults.first {
            explorer.trouble =
                "The device has not said well what it has: \(fault.sentencePart). The rest is shown."
        }
        targets = tree?.targets ?? [:]
        let handles = tree?.markOurs() ?? []
        explorer.progress = (0, handles.count)
        explorer.treeRevision += 1
        set(.reading)
        return handles
    }

    private func learn(_ reading: GATTTree.Reading, at handle: AttributeHandle) {
        tree?.set(reading, at: handle)
        explorer.progress.read += 1
        tell()
    }

    /// Handles that the device says that it has changed.
    private func forget(_ range: ATT.HandleRange) {
        explorer.watched.removeAll { range.start.rawValue <= $0 && $0 <= range.end.rawValue }
        explorer.note("Its services have changed", at: clock.now())
        explore?.yield()
        tell()
    }

    // MARK: What comes by itself

    private func receive(_ value: ReceivedValue) {
        let handle = value.handle.attribute
        tree?.set(.value(value.value), at: handle)
        keep(part(handle), value.kind == .notify ? .notify : .indicate, value.value)
    }

    private func receive(_ change: LinkChange) async {
        explorer.apply(change, at: clock.now())
        if case .mtu(let mtu) = change { tree?.mtu = mtu }
        tell()
    }

    private func learnLink(_ connection: Connection, _ capabilities: RadioCapabilities) async {
        explorer.mtu = connection.mtu
        explorer.canPair = capabilities.contains(.pairing)
        if let parameters = await connection.parameters { explorer.timing = HubExplorer.timing(parameters) }
        if let security = await connection.security {
            explorer.set(security)
        } else if explorer.canPair {
            explorer.security = "none"
        }
        // What the radio does not tell is not known, and that is no trouble.
        if capabilities.contains(.phy), let phy = try? await connection.readPHY() {
            explorer.phy = HubExplorer.words(phy)
        }
        tell()
    }

    /// Reads the link's strength now and then, while the radio can.
    private nonisolated func followStrength(of connection: Connection) async {
        while !Task.isCancelled, let rssi = try? await connection.readRSSI() {
            await set(rssi: Int(rssi))
            do { try await clock.sleep(Self.strengthInterval) } catch { return }
        }
    }

    private func set(rssi: Int) {
        guard explorer.rssi != rssi else { return }
        explorer.rssi = rssi
        tell()
    }

    // MARK: Values

    func part(_ handle: AttributeHandle) -> AttributeJSON { AttributeJSON(handle, targets[handle]) }

    /// Keeps a value in the log, and tells it.
    @discardableResult
    func keep(
        _ attribute: AttributeJSON, _ kind: ExplorerValue.Kind, _ octets: [UInt8]?, incomplete: String? = nil,
        error: String? = nil, code: ATT.ErrorCode? = nil
    ) -> ExplorerValue {
        let value = log.append(
            attribute, kind, octets, incomplete: incomplete, error: error, code: code, at: clock.now())
        explorer.count(log)
        if telling == nil {
            tellValues()
            telling = Task {
                // An error says that the clock is gone; what is untold is told all the same.
                do { try await clock.sleep(Self.valuePause) } catch {}
                self.tellMoreValues()
            }
        }
        return value
    }

    private func tellMoreValues() {
        telling = nil
        guard log.hasNews else { return }
        tellValues()
        telling = Task {
            do { try await clock.sleep(Self.valuePause) } catch {}
            self.tellMoreValues()
        }
    }

    private func tellValues() {
        guard log.hasNews else { return }
        let (values, leftOut) = log.takeNews()
        feed.publish(
            ExplorerValuesCame(
                job: explorer.job.id, values, leftOut: leftOut, total: log.total, logged: log.count,
                dropped: log.dropped), at: clock.now())
    }

    // MARK: What is told

    func count() { explorer.revision += 1 }
    func publish() { feed.publish(ExplorerChanged(explorer), at: clock.now()) }

    // MARK: What a page asks for

    /// Does something with the device, unless too much waits for it already.
    ///
    /// - Parameter body: What to do.
    /// - Returns: What it has come to.
    /// - Throws: ``HubFault`` that says why it cannot be; what the device refuses is for the body to judge.
    func ask<Value: Sendable>(
        _ body: (Connection) async throws -> Value
    ) async throws(HubFault) -> Value {
        let connection = try explorer.admit(connection, waiting: waiting)
        waiting += 1
        defer { waiting -= 1 }
        do {
            return try await body(connection)
        } catch {
            explorer.trouble = Self.sentence(error)
            tell()
            throw .notNow(Self.sentence(error))
        }
    }

    /// Changes what is told.
    func change(_ body: (inout HubExplorer) -> Void) {
        body(&explorer)
        tell()
    }

    /// Notes a value that was read.
    func note(_ reading: GATTTree.Reading, at handle: AttributeHandle) { tree?.set(reading, at: handle) }

    /// Has everything found and read once more.
    func exploreAgain() { explore?.yield() }

    private static func sentence(_ error: any Error) -> String {
        switch error {
        case let error as BluetoothError: "\(error)"
        case let error as ExplorerFault: error.sentence(.page)
        default: "It did not work: \(error)."
        }
    }
}
