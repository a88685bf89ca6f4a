// SPDX-License-Identifier: Apache-2.0

import BLEGATT
public import BLEWire
public import Companion
import CompanionCore
import Detections
import FlockFinder
import FlockFinderSimulated
import HubModel
import OverflowArea
import OverflowAreaCompanion
import SimulatedDevices

/// What a hub is to its pages, without a hub: an air of its own with all simulated devices, and the hub's requests and events.
///
/// A machine like those of Core: inputs (``request(_:)``, ``advance(to:wall:)``), one drain (``nextOutput()``), one deadline.
/// What goes in and comes out is JSON: requests as `EngineRequest` reads them, answers, and events as a hub tells them.
///
/// ```
/// {"answer":7,"status":200,"etag":"\"1\"","value":{…}}
/// {"event":"detection","time":"…",…}
/// ```
public final class Engine {
    /// How long the air has gone on before the first page is shown, in seconds: every device has been heard and some detections
    /// have come by then, and each second more is waited for.
    public static let lead: UInt64 = 10
    /// Links at the same time.
    static let maximumLinks = 8

    /// What it answers and tells.
    private var outputs = FIFO<[UInt8]>()
    let radio: any SessionRadio
    /// The radio, when it is a browser's.
    var browser: BrowserRadio?
    /// What people have set, and what is remembered of devices and lamps.
    var kept = KeptSettings()
    /// Kept rows that could not be read.
    var unreadable = 0
    /// What keeps the page from keeping, as it says.
    var keepingTrouble: String?
    var importing: DetectionImport?
    /// The devices that it hears or knows, and to which of them there are links.
    var connections: LinkTable
    var detections = InMemoryDetectionStore()
    var alerts = AlertChoice()
    /// The links to FlockFinders, by the numbers of their devices.
    var links: [Int: RunningLink] = [:]
    /// What pages have in hand.
    var jobs: JobTable
    /// Requests whose answers wait for devices, by their numbers.
    var pending: [Int64: PendingRequest] = [:]
    var overflow = OverflowSenders()
    var zone = LocalClock()
    /// Devices that somebody has confirmed may be written to.
    var writable = WritableDevices()
    var saves: [(entry: SavedDeviceEntry, file: [UInt8])] = []
    /// The number of the save before the next one: none is given twice.
    var lastSave: Int64 = 0
    private let requests = RequestTable()
    /// Until when somebody looks at all that is heard.
    var lookEnd: HostInstant?
    var random: SplitMix64
    /// What says where the page is, and what is known of that.
    var placeChoice = PlaceChoice(.route)
    var whereabouts = Whereabouts(.route)
    /// Where it is in the demo, as long as nobody says otherwise.
    let route: DemoRoute
    var drives: InMemoryDriveStore
    /// Notices cameras by what the radio hears, while somebody wants that.
    var detector: Detector?
    /// When old detections are looked for next.
    private var nextCleaning: HostInstant
    /// Whether a page has shown where sources stand.
    var showsPlaces = false
    /// What becomes known by fixes and is to be stored.
    var recording = PlaceRecording()
    /// What others know, and the file of it that is being read.
    var known = InMemoryReferenceCameras()
    var knownFile: (name: String, file: KnownCameraFile)?
    private let started: Timestamp
    private var published: HubState?
    private var nextPublication: HostInstant
    /// The moment, by the clock of the air.
    private(set) var now: HostInstant
    /// The same by the clock on the wall.
    private(set) var time: Timestamp
    private var lastEvent: Int64 = 0

    /// Makes an engine whose air begins now.
    ///
    /// - Parameters:
    ///   - seed: What everything that is invented depends on.
    ///   - now: The moment.
    ///   - wall: The same by the clock on the wall.
    public convenience init(seed: UInt64, at now: HostInstant, wall: Timestamp) {
        var random = SplitMix64(seed: seed)
        let air = SimulatedRadio(SimulatedDevices.neighbourhood(), seed: random.next(), at: now)
        self.init(on: air, random, at: now, wall: wall)
    }

    init(on radio: any SessionRadio, _ random: SplitMix64, at now: HostInstant, wall: Timestamp) {
        var random = random
        connections = LinkTable(limit: Self.maximumLinks)
        jobs = JobTable(seed: random.next(), at: wall)
        (self.radio, self.random) = (radio, random)
        (self.now, time, started) = (now, wall, wall)
        route = DemoRoute(start: wall)
        // Those of the demo are invented: an hour or two are enough.
        drives = InMemoryDriveStore(limit: 10_000)
        (nextPublication, nextCleaning) = (now, now.advanced(bySeconds: 60))
        // The engine and its radio end together, with the page.
        radio.heard = { [self] report, _ in
            devices.receive(report, at: time)
            notice(report)
            overflow.receive(
                report.octets, from: report.peer, rssi: report.rssi.map { Int($0) }, at: time, moment.ticks)
        }
        radio.seen = { [self] peer in devices.seen(peer) }
    }

    /// When to call ``advance(to:wall:)`` at the latest.
    public var nextDeadline: HostInstant {
        var deadline = radio.nextDeadline.map { min($0, nextPublication) } ?? nextPublication
        for running in links.values { deadline = min(deadline, running.link.nextDeadline ?? deadline) }
        deadline = min(deadline, recording.nextDeadline ?? deadline)
        return jobs.nextDeadline.map { min($0, deadline) } ?? deadline
    }

    /// Lets time go by; every deadline until then is met, in order.
    ///
    /// - Parameters:
    ///   - moment: Up to when.
    ///   - wall: The same by the clock on the wall.
    public func advance(to moment: HostInstant, wall: Timestamp) {
        while nextDeadline <= moment { step(to: max(nextDeadline, now), moment, wall) }
        step(to: max(moment, now), moment, wall)
    }

    private func step(to due: HostInstant, _ moment: HostInstant, _ wall: Timestamp) {
        now = due
        time = Timestamp(
            milliseconds: wall.milliseconds - Int64(clamping: moment.microseconds(since: due) / 1000))
        radio.advance(to: now)
        refreshLinks()
        refreshJobs()
        refreshPlaces()
        guard nextPublication <= now else { return }
        nextPublication = now.advanced(bySeconds: 1)
        followPlace()
        storeNoticed()
        if nextCleaning <= now {
            nextCleaning = now.advanced(bySeconds: 60)
            keepWithinLimits()
        }
        publishChanges()
    }

    /// The next thing for the page.
    ///
    /// - Returns: One JSON object; `nil` when there is nothing until the next input.
    public func nextOutput() -> [UInt8]? { outputs.popFirst() ?? browser?.nextOutput() }

    /// Answers a request, now or when it is done.
    ///
    /// - Parameter octets: The request.
    public func request(_ octets: [UInt8]) {
        var request: EngineRequest
        do throws(JSONDecodingError) {
            request = try EngineRequest(octets)
        } catch {
            return put { json in
                json.field("answer", Int?.none)
                json.field("status", 400)
                json.field("detail", error.reason)
            }
        }
        do throws(RequestError) {
            try check(&request)
            try perform(request)
        } catch {
            refuse(request.id, error)
        }
        radio.turn(at: now)
    }

    /// Holds a request against what a hub declares of it, if it is not one that only a page has: files come in pieces there.
    private func check(_ request: inout EngineRequest) throws(RequestError) {
        switch (request.method, request.address) {
        case ("PUT", "/storage"), ("POST", "/zone"), ("POST", "/imports"), ("POST", "/map/known"),
            ("POST", "/saves"):
            return
        default: try requests.check(&request)
        }
    }

    // MARK: What is told

    /// Tells an event.
    func publish(_ event: some Event) {
        lastEvent += 1
        outputs.append(event.json(at: time))
    }

    /// Answers with nothing but that it was done.
    func answer(_ id: Int64) {
        put { json in
            json.field("answer", id)
            json.field("status", 204)
        }
    }

    /// Answers with a value.
    func answer(_ id: Int64, tag: Int64? = nil, _ value: (inout JSONWriter) -> Void) {
        put { json in
            json.field("answer", id)
            json.field("status", 200)
            if let tag { json.field("etag", "\"\(tag)\"") }
            json.key("value")
            value(&json)
        }
    }

    /// Answers with a file.
    func answer(_ id: Int64, _ file: NamedFile) {
        answer(id) { json in
            json.object { json in
                json.field("name", file.name)
                json.field("text", String(decoding: file.octets, as: UTF8.self))
            }
        }
    }

    /// Says why something is not done.
    func refuse(_ id: Int64, _ problem: RequestError) {
        put { json in
            json.field("answer", id)
            json.field("status", problem.status)
            json.field("detail", problem.detail)
        }
    }

    /// Tells the page something that is no event.
    func tell(_ octets: [UInt8]) { outputs.append(octets) }

    private func put(_ body: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        json.object(body)
        outputs.append(json.octets)
    }

    // MARK: State

    /// How it is, as a hub says it.
    var state: HubState {
        var radioState = HubRadioState(
            name: "the air of this page", condition: radio.isReady ? .scanning : .missing,
            maximumConnections: Self.maximumLinks)
        if !radio.isReady { radioState.title = "Starting" }
        if let browser { describe(browser, &radioState) }
        radioState.reportsPerMinute = devices.reportsPerMinute(at: time)
        radioState.connections = devices.devices.count { $0.link == .connected }
        var storage = HubStorage(file: keeps ? "the storage of this browser" : "the memory of this page")
        storage.trouble = storageTrouble
        storage.unreadable = unreadable
        let sources = detections.sources
        storage.detections = detections.count
        storage.sources = sources.count
        storage.quietSources = sources.count { [.mine, .muted].contains($0.source.mark) }
        storage.lastDetection = detections.last
        return HubState(
            name: "this page", version: "", time: time, started: started, isSimulated: browser == nil,
            lastEvent: lastEvent, radio: radioState, location: location, storage: storage)
    }

    private func publishChanges() {
        let (changed, gone) = devices.takeChanges(at: time)
        for id in gone { publish(DeviceGone(id)) }
        for device in changed { publish(DeviceChanged(device)) }
        for device in changed { connectByItself(device) }
        for device in changed { connectForPendingChanges(device) }
        for source in overflow.takeChanges(moment.ticks) { publish(OverflowSourceChanged(source)) }
        publishHeard()
        if !changed.isEmpty { keepDevices() }
        let state = state
        guard published.map({ state.differs(from: $0) }) ?? true else { return }
        published = state
        publish(HubChanged(state))
    }
}
