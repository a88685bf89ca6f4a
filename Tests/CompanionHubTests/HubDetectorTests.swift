// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionDevices
import CompanionStore
import Detections
import FlockFinder
import FlockFinderDevices
import Testing

@testable import CompanionHub

@Suite("A hub's own radio", .timeLimit(.minutes(5)))
struct HubDetectorTests {
    private let camera: [UInt8] = [15, 9] + Array("FS Ext Battery".utf8)

    private func detects(_ isOn: Bool) throws -> JSONNode {
        try JSONReader.read(Array(#"{"this_radio":\#(isOn)}"#.utf8))
    }

    @Test func itNoticesCamerasWhileThatIsWanted() async throws {
        let scripted = try await ScriptedHub {
            $0.place = .route { time in
                Fix(
                    time: time.milliseconds, latitude: 52.5, longitude: 13.4, accuracy: 4, speed: 12.5,
                    course: 90,
                    source: .track)
            }
        }
        let (source, store, hub, events) = (scripted.source, scripted.store, scripted.hub, scripted.events)
        _ = try await hub.change(settings: detects(true))
        source.radios[0].hear(camera)
        try await eventually { try await store.count() == 1 }
        let record = try #require(try await store.record(id: 1))
        #expect(record.sighting.type == .flockSafety && record.sighting.isHeardHere)
        #expect(record.sighting.mac == "00:00:00:00:00:07")
        #expect(record.sighting.position?.latitude == 52.5)
        #expect(
            record.sighting.motion == Sighting.Motion(speed: 12.5, heading: 90, activity: "driving"))
        #expect((record.sighting.fix?.source, record.sighting.fix?.accuracy) == (.track, 4))
        #expect((0...10_000).contains(try #require(record.sighting.fix?.age)))
        #expect(record.sighting.reasonsHere == ["name FS Ext Battery +0.85"])
        try await eventually {
            events.named("detection").contains { $0.contains(#""origin":"this_radio""#) }
        }
        try await scripted.stop()
    }

    @Test func whatIsBelowTheConfidenceThatPeopleWantIsNotStored() async throws {
        let scripted = try await ScriptedHub()
        let (store, hub) = (scripted.store, scripted.hub)
        _ = try await hub.change(
            settings: JSONReader.read(Array(#"{"this_radio":true,"min_confidence":0.86}"#.utf8)))
        let unsure = [TimedEvent(event: .detection(try Self.detection(0.85)), time: .now())]
        _ = try await hub.recorder.receive(unsure)
        #expect(try await store.count() == 0)
        _ = try await hub.recorder.receive([
            TimedEvent(event: .detection(try Self.detection(0.86)), time: .now())
        ])
        #expect(try await store.count() == 1)
        _ = try await hub.change(settings: JSONReader.read(Array(#"{"min_confidence":null}"#.utf8)))
        _ = try await hub.recorder.receive(unsure)
        #expect(try await store.count() == 2)
        try await scripted.stop()
    }

    private static func detection(_ confidence: Double) throws -> Detection {
        try Detection(
            decoding: Array(
                #"{"type":"ring","mac":"02:00:00:00:00:01","rssi":-60,"confidence":\#(confidence),"ts":5}"#
                    .utf8))
    }

    @Test(arguments: [[], [true], [true, false]])
    func whatWasNoticedLastIsStoredAtTheEndAndNothingThatNobodyWants(settings: [Bool]) async throws {
        let source = ScriptedSource()
        let store = try DetectionDatabase()
        let hub = Hub(
            Hub.Options(name: "test", version: "1", captureFile: "/nowhere"), store: store, radio: source,
            // No time goes by, however long this takes: nothing is complete before the end.
            clock: HubClock(
                now: Timestamp.now, elapsed: { .seconds(100) }, sleep: { try await Task.sleep(for: $0) }))
        let work = Task { await hub.run() }
        try await eventually { source.radios.first?.scanCount == 1 }
        if !settings.isEmpty { _ = try await hub.change(settings: detects(true)) }
        source.radios[0].hear(camera)
        try await eventually { hub.devices.count == 1 }
        if settings.last == false { _ = try await hub.change(settings: detects(false)) }
        // It was heard a moment ago: the rest of what it says is still to come.
        work.cancel()
        await work.value
        #expect(try await store.count() == (settings == [true] ? 1 : 0))
        try await store.close()
    }
}
