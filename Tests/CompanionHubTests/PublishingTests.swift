// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import Companion
import CompanionDevices
import CompanionStore
import Detections
import FlockFinder
import Testing

@testable import CompanionHub

@Suite("What a hub publishes of what it has stored", .timeLimit(.minutes(5)))
struct PublishingTests {
    private func sighting(_ ssid: String) -> Sighting {
        Sighting(
            Detection(
                type: .ring, label: "Ring", mac: nil, ssid: WireText(ssid), rssi: -60, confidence: 0.8,
                ts: nil),
            received: .now())
    }

    private func names(_ scripted: ScriptedHub) -> [String] { ssids(scripted.events) }

    private func ssids(_ events: FollowedEvents) -> [String] {
        events.named("detection").compactMap { text in
            let node = try? JSONReader.read(Array(text.utf8))
            return (try? node?.member("ssid")?.text("ssid")) ?? nil
        }
    }

    @Test func whatWasStoredJustNowIsPublishedAsTheStoreHasReturnedIt() async throws {
        let scripted = try await ScriptedHub()
        // Nothing of this is in the database: whoever reads there finds nothing to publish.
        let stored = (1...3).map { DetectionEvent(DetectionRecord(id: $0, sighting: sighting("n\($0)"))) }
        await scripted.hub.publishNew(stored)
        await scripted.hub.publishNew(stored)
        try await scripted.stop()
        #expect(names(scripted) == ["n1", "n2", "n3"])
    }

    @Test func whatIsNotTheNextIsReadWithAllBeforeIt() async throws {
        let scripted = try await ScriptedHub()
        let first = try await scripted.store.save([sighting("a"), sighting("b")])
        let last = try await scripted.store.save(sighting("c"))
        #expect(first.map(\.id) + [last.id] == [1, 2, 3])
        await scripted.hub.publishNew([DetectionEvent(last)])
        await scripted.hub.publishNew(first.map { DetectionEvent($0) })
        try await scripted.stop()
        #expect(names(scripted) == ["a", "b", "c"])
    }

    /// A hub that does nothing by itself, and whoever follows what it publishes.
    private func quietHub(_ change: (inout Hub.Options) -> Void = { _ in }) throws -> (Hub, FollowedEvents) {
        var options = Hub.Options(name: "test", version: "1", captureFile: "/nowhere")
        change(&options)
        let hub = Hub(options, store: try DetectionDatabase(), radio: ScriptedSource())
        return (hub, FollowedEvents(hub.feed))
    }

    /// Whoever has stored something publishes it a moment later.
    @Test func whatWasDeletedBeforeItWasPublishedIsNotPublished() async throws {
        let (hub, events) = try quietHub()
        let stored = try await hub.store.save([sighting("a"), sighting("b"), sighting("c")])
        #expect(try await hub.discard(ids: [1, 2]).count == 2)
        await hub.publishNew(stored.map { DetectionEvent($0) })
        let next = try await hub.store.save(sighting("d"))
        #expect(try await hub.discard(matching: DetectionFilter()).count == 2)
        await hub.publishNew([DetectionEvent(next)])
        // What comes later is published as ever.
        let last = try await hub.store.save(sighting("e"))
        await hub.publishNew([DetectionEvent(last)])
        hub.feed.finish()
        await events.end()
        #expect(events.names == ["detection", "detections_deleted", "detections_deleted", "detection"])
        #expect(ssids(events) == ["c", "e"])
        try await hub.store.close()
    }

    @Test func whatIsTooOldIsNotPublishedOnceItIsDeleted() async throws {
        let (hub, events) = try quietHub()
        _ = try await hub.change(settings: JSONReader.read(Array(#"{"retention_days":2}"#.utf8)))
        var old = sighting("a")
        old.received = Timestamp(milliseconds: Timestamp.now().milliseconds - 3 * 86_400_000)
        let stored = try await hub.store.save([old])
        await hub.deleteBeyondLimits(byAge: true)
        await hub.publishNew(stored.map { DetectionEvent($0) })
        hub.feed.finish()
        await events.end()
        #expect(events.names.suffix(1) == ["gap"] && ssids(events).isEmpty)
        try await hub.store.close()
    }

    @Test func aDeletionIsToldBehindWhatIsBeingPublished() async throws {
        // While somebody alerts the hub lets others in between two detections.
        let alerts = HeldAlerts()
        let (hub, events) = try quietHub { $0.alerts = alerts }
        _ = try await hub.store.save(sighting("a"))
        let stored = (1...5).map {
            DetectionEvent(DetectionRecord(id: $0, sighting: sighting("n"), source: $0))
        }
        let work = Task { await hub.publishNew(stored) }
        await alerts.untilHeld()
        let deletion = Task { try await hub.discard(ids: [1]) }
        while await hub.publishing.waiting.isEmpty { await Task.yield() }
        await alerts.letGo()
        #expect(try await deletion.value.count == 1)
        await work.value
        hub.feed.finish()
        await events.end()
        let told = events.names.filter { $0 != "alert_failed" }
        #expect(told == Array(repeating: "detection", count: 5) + ["detections_deleted"])
        #expect(events.names.count > told.count)
        try await hub.store.close()
    }

    @Test func whatTheStoreReturnsIsWhatItHas() async throws {
        let store = try DetectionDatabase()
        let saved = try await store.save([sighting("a"), sighting("a")])
        let read = try await store.records(page: DetectionPage(order: .oldestFirst))
        #expect(saved.map { DetectionEvent($0).json } == read.map { DetectionEvent($0).json })
        try await store.close()
    }
}

@Suite("A hub's link to a FlockFinder", .timeLimit(.minutes(5)))
struct FlockLinkLifeTests {
    /// A task that nobody waits for goes on for a moment after everybody has let go of the hub.
    @Test func aLinkThatGoesOnHoldsItsHubUntilItHasEnded() async throws {
        let store = try DetectionDatabase()
        weak var kept: Hub?
        let link: FlockLinkHost
        do {
            let hub = Hub(
                Hub.Options(name: "test", version: "1", captureFile: "/nowhere"), store: store,
                radio: ScriptedSource())
            kept = hub
            link = FlockLinkHost(HubDevice(id: 1, peer: Peer(BluetoothAddress(7, kind: .public))), of: hub)
        }
        await link.begin()
        for _ in 0..<100 { await Task.yield() }
        #expect(kept != nil)
        await link.end()
        try await store.close()
    }
}

/// Cannot alert anybody, and says so; the first time only once it is let go.
private actor HeldAlerts: AlertSink {
    private var isHeld = false
    private var isLetGo = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func raise(_ alert: RaisedAlert) async {
        isHeld = true
        wake()
        while !isLetGo { await change() }
        alert.failed("Nobody is there.")
    }

    func untilHeld() async { while !isHeld { await change() } }

    func letGo() {
        isLetGo = true
        wake()
    }

    func end() {}

    private func change() async { await withCheckedContinuation { waiting.append($0) } }

    private func wake() {
        for one in waiting { one.resume() }
        waiting = []
    }
}
