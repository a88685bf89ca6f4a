// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
package import CompanionCore
import CompanionDevices
public import CompanionStore
import Detections
package import FlockFinder
public import HubModel
public import Locating
import OverflowAreaCompanion
import Synchronization

/// A hub: one radio that always listens, the devices around it, what they bring, and what people have set.
///
/// Pages and programs ask it for its state and tell it what to do; all that happens is an event in its ``feed``.
/// It works without a radio and while the database is held by somebody else, and says so.
///
/// ```
/// radio ─► board (devices around) ──────────────┐
///   ├────► detector, when it is wanted ─► store
///   │      place: gpsd, a track, a browser ─► places filled in, drives ─► store
///   └────► a run for each FlockFinder ─► store ─► what is new in it ─► feed ─► pages
/// ```
public actor Hub {
    /// What distinguishes one hub from another.
    public struct Options: Sendable {
        /// What it is called: the name of its machine.
        public var name: String
        /// Which version of Lantern it is.
        public var version: String
        /// Where captures are written.
        public var captureFile: String
        /// Where the hub is, whatever the settings say; `nil` to do as they say.
        package var place: GivenPlace?
        /// How gpsd is listened to, when the settings say that places come from it; `nil` when it cannot be.
        public var gpsd: (any GPSDConnection)?
        /// Alerts people outside of pages; `nil` for nobody.
        public var alerts: (any AlertSink)?
        /// Told in a sentence what whoever runs the hub should know, beside the events.
        public var log: @Sendable (String) -> Void = { _ in }
        /// By what its own radio notices cameras, when people want that.
        package var signatures = SignatureTable.builtIn
        /// Pictures of the ground for maps.
        package var mapTiles: MapTiles?
        /// How often what has changed is published.
        package var publishInterval = Duration.seconds(1)
        /// How often what is too old or too much is deleted.
        package var retentionInterval = Duration.seconds(600)
        /// How long the radio may be silent.
        package var patience = HubRadio.Patience()
        /// How long what it does for a page waits for that page.
        package var jobPatience = JobPatience()
        /// Keeps the bonds of its radio; `nil` when the radio does.
        public var bonds: (any HubBondStore)?

        /// Makes options.
        public init(name: String, version: String = "", captureFile: String = "capture.btsnoop") {
            self.name = name
            self.version = version
            self.captureFile = captureFile
        }
    }

    /// What happens in it.
    public nonisolated let feed: EventFeed
    /// What it keeps; what is changed there goes through the hub.
    public nonisolated let store: DetectionDatabase
    /// The devices that it hears or knows.
    nonisolated let board: DeviceRegistry
    nonisolated let radio: HubRadio
    nonisolated let place: HubPlace
    /// Keeps drives, and the places of detections that came before a fix.
    nonisolated let places: PlaceRecorder
    nonisolated let detector: HubDetector
    /// How sure a device must be for a detection to be kept.
    nonisolated let leastConfidence = Mutex(0.0)
    nonisolated let overflow: HubOverflow
    /// Asks on pages while devices pair.
    package nonisolated let pairings: PairingCoordinator
    /// What it does with devices for pages.
    nonisolated let jobs: JobHost
    let options: Options
    let source: any HubRadioSource
    let clock: HubClock
    let started: Timestamp
    /// Which detections raise an alert.
    var alerts = AlertChoice()

    /// The links to devices, by the numbers of those.
    var links: [Int: FlockLinkHost] = [:]
    /// The saved device that it serves again, and the task that does so.
    package internal(set) var serving = HubServing()
    var servingTask: Task<Void, Never>?
    /// Devices of which somebody has confirmed that they may be written to.
    var writable = WritableDevices()
    /// Until when pages look at all that is heard, by a clock that nobody sets; `nil` when none does.
    var lookEnd: Duration?
    /// What it advertises as an iPhone would, and the task that does so.
    var beacon = OverflowBeacon()
    var beaconTask: Task<Void, Never>?
    /// What people have set, and what is remembered of lamps.
    package internal(set) var kept = KeptSettings()
    /// Who wants to know when a setting has got another value.
    var watchers: [(setting: String, changed: @Sendable () async -> Void)] = []
    var access = HubAccess()
    var storage: HubStorage
    /// What is derived has so many octets; measured now and then.
    var derivedOctets: Int64 = 0
    var driveOctets: Int64 = 0
    var capture = HubCapture()
    var published: HubState?
    /// How far the store was when it was looked at last.
    var storeState: StoreState?
    /// Changes of the store under way that this hub makes.
    var ownChanges = 0 {
        didSet {
            guard ownChanges == 0 else { return }
            for waiter in waitingForChanges { waiter.resume() }
            waitingForChanges = []
        }
    }
    /// What stores places and drives at the moment, or did last.
    var placing: Task<Void, Never>?
    /// Whether the last of them are stored.
    var arePlacesOver = false
    /// Times that this hub stores places and drives just now.
    var ownPlaceChanges = 0
    /// Who waits until no such change is under way.
    var waitingForChanges: [CheckedContinuation<Void, Never>] = []
    var publishing = Publishing()
    /// Since when it leaves its devices, because it is about to end.
    package private(set) var leavingSince: ContinuousClock.Instant?

    /// Makes a hub that does nothing yet.
    ///
    /// - Parameters:
    ///   - options: What distinguishes it from others.
    ///   - store: What it keeps.
    ///   - source: Where it gets its radio from.
    ///   - clock: The time.
    public init(
        _ options: Options, store: DetectionDatabase, radio source: any HubRadioSource,
        clock: HubClock = .system
    ) {
        self.options = options
        self.store = store
        self.source = source
        self.clock = clock
        started = clock.now()
        let feed = EventFeed(startedAt: started)
        self.feed = feed
        board = DeviceRegistry(connections: source.maximumConnections)
        detector = HubDetector(options.signatures, clock: clock)
        overflow = HubOverflow(clock: clock)
        pairings = PairingCoordinator(board, bonds: options.bonds, feed: feed, clock: clock)
        radio = HubRadio(
            source, board: board, detector: detector, overflow: overflow, pairings: pairings, clock: clock,
            patience: options.patience)
        jobs = JobHost(patience: options.jobPatience, pairings: pairings, clock: clock, feed: feed) {
            [radio] in
            await radio.usable()
        }
        place = HubPlace(options.place, gpsd: options.gpsd, clock: clock)
        places = PlaceRecorder(
            into: PlaceRecorder.Store(
                fill: store.fill(_:), save: { piece async throws(StoreError) in try await store.save(piece) }),
            now: clock.now, elapsed: clock.elapsed)
        storage = HubStorage(file: store.path)
    }

    /// Opens a database, or makes one, for a hub that does nothing yet.
    ///
    /// - Parameters:
    ///   - path: The file of the database.
    ///   - name: What the hub is called.
    ///   - source: Where it gets its radio from.
    /// - Throws: ``StoreError`` when the database cannot be used.
    public init(
        database path: String, name: String = "Lantern", radio source: any HubRadioSource
    ) throws(StoreError) {
        self.init(
            Options(name: name, captureFile: path + ".btsnoop"),
            store: try DetectionDatabase(path: path, createIfMissing: true), radio: source)
    }

    /// Works until the task is cancelled.
    ///
    /// Then every device is left with a farewell, what has come is stored, and the radio is let go; that takes a few
    /// seconds at most.
    public func run() async {
        await readSettings()
        await readStore()
        await jobs.follow { [weak self] in await self?.follow($0) }
        let radioWork = Task { await radio.run() }
        let work = Task { await self.work() }
        await Wait.untilCancelled()
        // A task of its own: what is left to do is not cancelled.
        await Task {
            await self.leave()
            work.cancel()
            radioWork.cancel()
            await radioWork.value
            await work.value
            self.feed.finish()
        }.value
    }

    /// What goes on beside the radio.
    private func work() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await self.clock.every(self.options.publishInterval) { await self.publishChanges() }
            }
            group.addTask {
                await self.clock.every(self.options.publishInterval) { await self.storeNoticed() }
            }
            group.addTask { await self.followPlace() }
            group.addTask {
                await self.places.follow(sleep: self.clock.sleep) { await self.storePlaces() }
            }
            group.addTask { await self.followStore() }
            group.addTask { await self.followTroubles() }
            group.addTask { await self.keepWithinLimits() }
        }
    }

    /// Leaves every device.
    private func leave() async {
        leavingSince = .now
        board.links { $0.close() }
        await pairings.close()
        await store.hurry()
        await storeNoticed(isEnding: true)
        let leaving = Array(links.values)
        links = [:]
        await withTaskGroup(of: Void.self) { group in
            for link in leaving { group.addTask { await link.end() } }
            group.addTask { await self.jobs.endAll("The hub was stopped.") }
            group.addTask { await self.endBeacon() }
            group.addTask { await self.endServing() }
            // A program that does not end keeps nobody waiting for the devices.
            group.addTask { await self.options.alerts?.end() }
        }
        await publishNew()
        await storePlaces(isEnding: true)
        capturing?.stop()
        await capturing?.flush()
    }

    /// Whether devices may still be connected to.
    var isLeaving: Bool { leavingSince != nil }

    // MARK: State

    /// The time, by its clock.
    package nonisolated var now: Timestamp { clock.now() }

    /// How it is.
    public func state() async -> HubState {
        let now = clock.now()
        var radioState = await radio.state
        radioState.reportsPerMinute = board.reportsPerMinute(at: now)
        radioState.connections = board.devices.count { $0.link == .connected }
        refreshCapture()
        return HubState(
            name: options.name, version: options.version, time: now, started: started,
            isSimulated: source.isSimulated, lastEvent: feed.lastID, radio: radioState,
            location: place.location(at: now), mapFile: options.mapTiles?.description, storage: storage,
            capture: capture, access: access)
    }

    /// The pictures of the ground for maps, where it was started with a file of them.
    package nonisolated var mapTiles: MapTiles? { options.mapTiles }

    /// Tells it how its pages are reached.
    package func setAccess(_ access: HubAccess) { self.access = access }

    /// Tries to open the radio at once, if it cannot be used.
    public func retryRadio() async { await radio.retry() }

    /// Publishes what has changed since the last time.
    func publishChanges() async {
        let now = clock.now()
        // What could not be read when another program had changed it.
        if let state = storeState, state.settings > kept.stored.revision { await readSettingsAgain() }
        await refreshLinks()
        let (changed, gone) = board.takeChanges(at: now)
        for id in gone { feed.publish(DeviceGone(id), at: now) }
        for device in changed { feed.publish(DeviceChanged(device), at: now) }
        publishHeard(at: now)
        for device in changed { connectByItself(device) }
        for device in changed { await connectForPendingChanges(device) }
        for source in overflow.takeChanges() { feed.publish(OverflowSourceChanged(source), at: now) }
        let state = await state()
        if published.map({ state.differs(from: $0) }) ?? true {
            published = state
            feed.publish(HubChanged(state), at: now)
        }
    }
}
