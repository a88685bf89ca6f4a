// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import CompanionStore
import Detections
import HubModel
import Testing

@testable import CompanionHub

@Suite("Where a hub is, and what it drives", .timeLimit(.minutes(5)))
struct HubPlaceTests {
    private func settings(_ text: String) throws -> JSONNode { try JSONReader.read(Array(text.utf8)) }

    @Test func aRouteIsADriveThatIsStoredWhileItGoesOn() async throws {
        let store = try DetectionDatabase()
        var options = Hub.Options(name: "test", version: "1", captureFile: "/nowhere")
        options.publishInterval = .milliseconds(20)
        let start = Timestamp.now()
        options.place = .route { time in
            // Sixty metres a second, so that a drive begins at the second fix.
            let seconds = Double(time.milliseconds - start.milliseconds) / 1000
            return Fix(
                time: time.milliseconds, latitude: 52 + seconds * 60 / 111_195, longitude: 13, accuracy: 3,
                speed: 60, source: .track)
        }
        let hub = Hub(options, store: store, radio: ScriptedSource())
        let events = FollowedEvents(hub.feed)
        let work = Task { await hub.run() }
        try await eventually { try await store.drives().count == 1 }
        try await eventually { events.named("drive_changed").contains { $0.contains(#""change":"begun""#) } }
        let location = await hub.state().location
        #expect(location.source == .route && location.condition == .fix && location.speed == 60)
        work.cancel()
        await work.value
        await events.end()
        // The end of the hub is the end of the drive, with all that has come until then.
        #expect(events.named("drive_changed").last?.contains(#""change":"ended""#) == true)
        let drive = try #require(try await store.drives().first)
        let (_, points) = try #require(try await store.drive(id: drive.id))
        #expect(points.count >= 2 && drive.metres > 50 && drive.source == .track)
        try await store.close()
    }

    @Test func whatCameBeforeABrowserSaidWhereItIsGetsItsPlace() async throws {
        let scripted = try await ScriptedHub()
        let (source, store, hub, events) = (scripted.source, scripted.store, scripted.hub, scripted.events)
        let fix = Fix(time: 1000, latitude: 52.5, longitude: 13.4, accuracy: 20, source: .browser)
        #expect(throws: HubError.self) { try hub.receive(fix) }
        _ = try await hub.change(settings: settings(#"{"this_radio":true,"location":{"source":"browser"}}"#))
        source.radios[0].hear([15, 9] + Array("FS Ext Battery".utf8))
        try await eventually { try await store.count() == 1 }
        #expect(try await store.record(id: 1)?.sighting.position == nil)
        #expect(try hub.receive(fix) == nil)
        try await eventually { try await store.record(id: 1)?.sighting.position != nil }
        let sighting = try #require(try await store.record(id: 1)?.sighting)
        #expect(sighting.position == Position(latitude: 52.5, longitude: 13.4))
        #expect(sighting.fix?.wasFilledIn == true && sighting.fix?.source == .browser)
        try await eventually { !events.named("detection_placed").isEmpty }
        // Not told as the work of others, for which every page would fetch everything.
        #expect(events.named("\(EventsLost.name)").isEmpty)
        #expect(events.named("detection_placed")[0].contains(#""id":1,"source":1,"#))
        // Another source, at once; nothing is known of the place then.
        _ = try await hub.change(settings: settings(#"{"location":{"source":"none"}}"#))
        #expect(await hub.state().location == HubLocation())
        #expect(throws: HubError.self) { try hub.receive(fix) }
        await scripted.end()
        try await store.close()
    }

    @Test func aTrackCountsUntilPeopleSetAnotherPlace() async throws {
        let store = try DetectionDatabase()
        var options = Hub.Options(name: "test", version: "1", captureFile: "/nowhere")
        options.publishInterval = .milliseconds(20)
        let points = (0..<600).map { second in
            let time = Timestamp(milliseconds: 1_795_000_000_000 + Int64(second) * 1000)
            return #"<trkpt lat="\#(48 + Double(second) * 0.0001)" lon="2"><time>\#(time)</time></trkpt>"#
        }
        let text = "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
        options.place = .track(try GPXTrack(Array(text.utf8)), speed: 10)
        let hub = Hub(options, store: store, radio: ScriptedSource())
        let work = Task { await hub.run() }
        try await eventually { await hub.state().location.source == .track }
        try await eventually { await hub.state().location.activity == "driving" }
        #expect(await hub.state().location.condition == .fix)
        try await eventually { try await store.drives().count == 1 }
        _ = try await hub.change(settings: settings(#"{"theme":"dark"}"#))
        #expect(await hub.state().location.source == .track)
        _ = try await hub.change(
            settings: settings(#"{"location":{"source":"fixed","latitude":1,"longitude":2}}"#))
        let location = await hub.state().location
        #expect(location.source == .fixed && location.position == Position(latitude: 1, longitude: 2))
        work.cancel()
        await work.value
        try await store.close()
    }

    @Test func oldDrivesGoWithTheDetections() async throws {
        let store = try DetectionDatabase()
        let clock = SteppedClock()
        let options = Hub.Options(name: "test", version: "1", captureFile: "/nowhere")
        let hub = Hub(options, store: store, radio: ScriptedSource(), clock: clock.clock)
        let now = clock.clock.now().milliseconds
        for days in [1, 3] as [Int64] {
            let time = now - days * 86_400_000
            let points = [
                DrivePoint(time: time, latitude: 1, longitude: 2),
                DrivePoint(time: time + 1, latitude: 1.1, longitude: 2),
            ]
            _ = try await store.save(DrivePiece(source: .receiver, points: points, metres: 11_000))
        }
        _ = try await hub.change(settings: settings(#"{"retention_days":2}"#))
        await hub.deleteBeyondLimits(byAge: true)
        #expect(try await store.drives().map(\.id) == [1])
        #expect(await hub.state().storage.parts.drives > 0)
        try await store.close()
    }
}
