// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEWire
import Companion
import CompanionCore
import CompanionDevices
import CompanionHub
import CompanionStore
import Detections
import FlockFinder
import Foundation
import HubModel
import LEDBulbSimulated
import Testing

@Suite("A hub", .timeLimit(.minutes(5)))
struct HubTests {
    private func ids(_ events: [String]) -> [Int64] {
        events.compactMap { event in
            event.firstMatch(of: /"id":([0-9]+)/).flatMap { Int64($0.1) }
        }
    }

    private func patch(_ text: String) throws -> JSONNode { try JSONReader.read(Array(text.utf8)) }

    @Test func aFlockFinderIsConnectedByItselfAndWhatItBringsIsStoredThenTold() async throws {
        let fixture = try await HubFixture()
        let device = try await fixture.finder { $0.link == .connected && $0.received >= 10 }
        #expect(device.kind == .flockFinder && device.connectsByItself && device.connectedSince != nil)
        try await eventually { fixture.events.named("detection").count >= 10 }
        let told = ids(fixture.events.named("detection"))
        #expect(told == Array(1...Int64(told.count)))
        #expect(fixture.events.named("detection").first?.contains(#""source":1,"new":true"#) == true)
        // Devices are told at intervals, and the first detection may come between two.
        try await eventually {
            fixture.events.named("device_changed").contains { $0.contains(#""state":"connected""#) }
        }
        #expect(fixture.events.named("hub_changed").contains { $0.contains(#""state":"scanning""#) })
        let state = await fixture.hub.state()
        #expect(state.radio.connections == 1 && state.isSimulated)
        try await eventually { await fixture.hub.state().storage.detections >= 10 }

        // The end: a farewell, and everything that was received is there.
        try await fixture.stop()
        #expect(fixture.hub.devices.allSatisfy { $0.link == .none })
        let last = ids(fixture.events.named("detection")).last ?? 0
        let store = try DetectionDatabase(reading: fixture.folder + "/lantern.sqlite")
        #expect(try await store.count() == Int(last))
        try await store.close()
        try FileManager.default.removeItem(atPath: fixture.folder)
    }

    @Test func aFlockFinderOfWhichNoStrengthIsKnownIsConnectedByItself() async throws {
        let source = ScriptedSource()
        let store = try DetectionDatabase()
        let hub = Hub(
            Hub.Options(name: "test", version: "1", captureFile: "/nowhere"), store: store, radio: source)
        let work = Task { await hub.run() }
        try await eventually { source.radios.first?.scanCount == 1 }
        var advertisement = AdvertisingDataBuilder()
        try advertisement.appendName(FlockFinderName.device)
        source.radios[0].hear(advertisement.octets, rssi: nil)
        try await eventually { hub.devices.contains { $0.kind == .flockFinder && $0.link != .none } }
        #expect(hub.devices.map(\.rssi) == [nil])
        work.cancel()
        await work.value
        try await store.close()
    }

    @Test func whoDisconnectsADeviceIsObeyedAndTheNextHubRemembersIt() async throws {
        let first = try await HubFixture()
        let device = try await first.finder { $0.link == .connected }
        _ = try await first.hub.change(
            device: device.id, DeviceChange(ownName: "Car", connectsByItself: false))
        #expect(try await first.hub.disconnect(device.id).link == HubDevice.Link.none)
        try await Task.sleep(for: .milliseconds(300))
        #expect(try first.hub.device(device.id).link == HubDevice.Link.none)
        #expect(try await first.hub.connect(device.id).link == .connecting)
        _ = try await first.finder { $0.link == .connected }
        try await first.stop()

        let second = try await HubFixture(folder: first.folder)
        let again = try await second.finder { $0.rssi != nil }
        #expect(again.ownName == "Car" && again.kind == .flockFinder && !again.connectsByItself)
        try await Task.sleep(for: .milliseconds(300))
        #expect(try second.hub.device(again.id).link == HubDevice.Link.none)
        try await second.remove()
    }

    @Test func whatCannotBeDoneIsSaidInPlainWords() async throws {
        let fixture = try await HubFixture(devices: { [SimulatedBulb.make()] })
        try await eventually { !fixture.hub.devices.isEmpty }
        let bulb = try #require(fixture.hub.devices.first)
        #expect(bulb.kind == .bulb)
        await #expect(throws: HubError.self) { try await fixture.hub.connect(bulb.id) }
        await #expect(throws: HubError.self) { try await fixture.hub.connect(4711) }
        await #expect(throws: HubError.self) { try await fixture.hub.disconnect(4711) }
        await #expect(throws: HubError.notNow("The device is not connected. Connect to it first.")) {
            try await fixture.hub.send("PING", to: bulb.id)
        }
        await #expect(throws: HubError.self) { try await fixture.hub.send("rm -rf", to: bulb.id) }
        await #expect(throws: HubError.self) {
            try await fixture.hub.change(
                device: bulb.id, DeviceChange(ownName: String(repeating: "x", count: 101)))
        }
        await #expect(throws: HubError.self) {
            try await fixture.hub.change(device: bulb.id, DeviceChange(connectsByItself: true))
        }
        await #expect(throws: HubError.self) { try await fixture.hub.mark(source: 9, as: .mine) }
        await #expect(throws: HubError.self) { try await fixture.hub.restore(detection: 9) }
        await #expect(throws: HubError.self) { try await fixture.hub.startCapture() }
        try await fixture.remove()
    }

    @Test func commandsAreAnswered() async throws {
        // It notices nothing more after these, so that what is counted changes by commands alone.
        let noticed = 3
        let fixture = try await HubFixture(devices: { [HubFixture.finder(noticed)] })
        let device = try await fixture.finder { $0.link == .connected && $0.received == noticed }
        for command in ["PING", "STATUS"] {
            let start = ContinuousClock.now
            let answer = try await fixture.hub.send(command, to: device.id)
            let waited = (ContinuousClock.now - start) / .milliseconds(1)
            #expect(!answer.text.isEmpty && Double(answer.milliseconds) <= waited + 1)
        }
        _ = try await fixture.hub.send("stream_on", to: device.id)
        #expect(try fixture.hub.device(device.id).isStreaming)
        try await eventually { fixture.events.named("flock_stream").count > 2 }
        _ = try await fixture.hub.send("stream_off", to: device.id)
        let isStreaming = try fixture.hub.device(device.id).isStreaming
        #expect(!isStreaming)
        #expect(try fixture.hub.device(device.id).received == noticed)
        _ = try await fixture.hub.send("RESET", to: device.id)
        #expect(try fixture.hub.device(device.id).received == 0)
        try await fixture.remove()
    }

    @Test func aRadioThatIsPulledOutAndPluggedInAgainIsUsedAgain() async throws {
        let fixture = try await HubFixture()
        _ = try await fixture.finder { $0.link == .connected && $0.received > 0 }
        fixture.source.set(isGone: true)
        try await eventually { await fixture.hub.state().radio.condition == .missing }
        // It is tried at once, and when that fails, later.
        try await eventually { await fixture.hub.state().radio.nextTry != nil }
        _ = try await fixture.finder { $0.link == .lost }
        fixture.source.set(isGone: false)
        await fixture.hub.retryRadio()
        let device = try await fixture.finder { $0.link == .connected }
        #expect(await fixture.hub.state().radio.condition == .scanning)
        #expect(device.reason == nil)
        try await fixture.remove()
    }

    @Test func settingsAreAnEventAndTwoPeopleAreToldApart() async throws {
        let fixture = try await HubFixture(devices: { [] })
        // What was set before it began to work is no event.
        try await eventually { await fixture.hub.state().radio.condition == .scanning }
        let first = try await fixture.hub.change(
            settings: patch(#"{"theme":"dark","alerts":{"volume":0.5}}"#))
        #expect(first.settings.theme == .dark)
        await #expect(throws: HubError.changedMeanwhile) {
            try await fixture.hub.change(
                settings: patch(#"{"theme":"light"}"#), ifRevision: first.revision - 1)
        }
        await #expect(throws: HubError.badValue("The theme must be one of system, light, dark.")) {
            try await fixture.hub.change(settings: patch(#"{"theme":"pink"}"#))
        }
        let place = try #require(Position(latitude: 52.5, longitude: 13.25))
        try await fixture.hub.setPlace(.fixed(place))
        #expect(await fixture.hub.state().location.position == place)
        // Another program writes, too.
        let other = try DetectionDatabase(path: fixture.folder + "/lantern.sqlite", createIfMissing: false)
        _ = try await other.change(settings: ["units": #""imperial""#])
        try await eventually { fixture.events.named("settings_changed").count == 3 }
        #expect(await fixture.hub.settings.units == .imperial)
        let told = fixture.events.named("settings_changed")
        #expect(told.last?.contains(#""units":"imperial""#) == true)
        #expect(told.last?.contains(#""etag":"\"3\"""#) == true)
        try await other.close()
        try await fixture.remove()
    }

    @Test func whatOtherProgramsStoreIsToldAndDeletionsAndMarksAre() async throws {
        let fixture = try await HubFixture(devices: { [] })
        let other = try DetectionDatabase(path: fixture.folder + "/lantern.sqlite", createIfMissing: false)
        // What is there when the hub begins is no news.
        try await eventually { !fixture.events.named("hub_changed").isEmpty }
        let sightings = (0..<5).map { number in
            Sighting(
                type: .ring, label: "Ring", mac: "A4:83:E7:00:00:0\(number % 2)", rssi: -60, confidence: 0.8,
                received: Timestamp.now())
        }
        _ = try await other.save(sightings)
        try await eventually { fixture.events.named("detection").count == 5 }
        #expect(ids(fixture.events.named("detection")) == [1, 2, 3, 4, 5])

        let deletion = try await fixture.hub.discard(ids: [2, 3, 99])
        #expect(deletion.count == 2)
        try await eventually { fixture.events.named("detections_deleted").count == 1 }
        #expect(fixture.events.named("detections_deleted")[0].contains(#""deleted":[2,3]"#))
        #expect(try await fixture.hub.restore(detection: 3) == 1)
        #expect(try await fixture.hub.restore(deletion: deletion.id) == 1)
        try await eventually { fixture.events.named("detections_restored").count == 2 }
        #expect(fixture.events.named("detections_restored")[1].contains(#""restored":[2]"#))

        let part = try await fixture.hub.mark(source: 1, as: .muted, note: "Neighbour")
        #expect(part.source.mark == .muted && part.confidence == 0.8 && part.isNew)
        let before = try await fixture.store.state().marks
        #expect(try await fixture.hub.mark(sources: [1, 2, 77], as: .mine, true).ids == [1, 2])
        // In one commit: either all have the mark or none.
        #expect(try await fixture.store.state().marks == before + 1)
        #expect(try await fixture.hub.mark(sources: [1, 2], as: .muted, false).ids == [])
        try await eventually { fixture.events.named("source_changed").count == 3 }
        // What was done here is not taken for the work of others.
        try await Task.sleep(for: .milliseconds(600))
        #expect(fixture.events.named("gap").isEmpty)
        // What another program deletes cannot be told one by one.
        _ = try await other.discard(ids: [1], at: .now())
        try await eventually { fixture.events.named("gap").count == 1 }
        #expect(fixture.events.ids == fixture.events.ids.sorted())
        try await other.close()
        try await fixture.remove()
    }

    @Test func whatIsTooOldIsDeletedForGood() async throws {
        let fixture = try await HubFixture({ $0.retentionInterval = .milliseconds(100) }, devices: { [] })
        let now = Timestamp.now().milliseconds
        let old = Sighting(
            type: .ring, label: "Ring", rssi: -60, confidence: 1,
            received: Timestamp(milliseconds: now - 3 * 86_400_000))
        var new = old
        new.received = Timestamp(milliseconds: now)
        _ = try await fixture.store.save([old, old, new])
        try await Task.sleep(for: .milliseconds(300))
        #expect(try await fixture.store.count() == 3)
        _ = try await fixture.hub.change(settings: patch(#"{"retention_days":2}"#))
        try await eventually { try await fixture.store.count() == 1 }
        let figures = try await fixture.store.figures()
        #expect(figures.detections == 1 && figures.sources == 1 && figures.octets > 0)
        try await fixture.remove()
    }
}
