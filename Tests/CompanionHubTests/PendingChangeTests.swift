// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEWire
import BluetoothLE
import Companion
import CompanionCore
import CompanionHub
import CompanionStore
import Detections
import HubModel
import Nightlight
import NightlightCompanion
import Testing

@Suite("What is wanted of a lamp that is away", .timeLimit(.minutes(5)))
struct PendingChangeTests {
    /// What a scripted radio hears.
    private let lamp = Peer(BluetoothAddress(7, kind: .public))

    private func name(_ name: String) throws -> LampChange {
        try LampChange(JSONReader.read(Array(#"{"name":"\#(name)"}"#.utf8)))
    }

    @Test func tenWaitAndEachHasANumberOfItsOwn() async throws {
        let scripted = try await ScriptedHub()
        let hub = scripted.hub
        for number in 1...RememberedLamp.changeLimit {
            #expect(try await hub.addPending(name("\(number)"), of: lamp).pendingChanges.last?.id == number)
        }
        let more = try name("more")
        await #expect(throws: HubError.self) { try await hub.addPending(more, of: lamp) }
        _ = try await hub.takeBack(pending: 3, of: lamp)
        #expect(
            try await hub.addPending(more, of: lamp).pendingChanges.map(\.id) == [
                1, 2, 4, 5, 6, 7, 8, 9, 10, 11,
            ])
        await #expect(throws: HubError.self) { try await hub.takeBack(pending: 3, of: lamp) }
        try await scripted.stop()
    }

    @Test func changesThatComeAtOnceAllWait() async throws {
        let scripted = try await ScriptedHub()
        let (hub, lamp) = (scripted.hub, lamp)
        let changes = try (1...5).map { try name("\($0)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for change in changes { group.addTask { _ = try await hub.addPending(change, of: lamp) } }
            try await group.waitForAll()
        }
        let kept = try #require(await hub.kept.lamps.first)
        #expect(kept.pendingChanges.map(\.id) == [1, 2, 3, 4, 5])
        #expect(Set(kept.pendingChanges.map(\.change)) == Set(changes))
        try await scripted.stop()
        // Whoever follows has been told of all of them, too.
        let last = try #require(scripted.events.named("nightlights_changed").last)
        #expect((1...5).allSatisfy { last.contains(#""name":"\#($0)""#) })
    }

    @Test func whatAnotherProgramHasStoredMeanwhileStays() async throws {
        let scripted = try await ScriptedHub()
        let hub = scripted.hub
        var theirs = RememberedLamp(lamp)
        theirs.pendingChanges.append(
            RememberedLamp.PendingChange(id: 1, made: Timestamp(milliseconds: 0), try name("theirs")))
        _ = try await scripted.store.change(settings: [theirs.setting: theirs.text])
        let kept = try await hub.addPending(name("ours"), of: lamp)
        #expect(try kept.pendingChanges.map(\.change) == [name("theirs"), name("ours")])
        #expect(kept.pendingChanges.map(\.id) == [1, 2])
        try await scripted.stop()
    }

    @Test func weeksThatAreKeptAtOnceHaveNumbersOfTheirOwn() async throws {
        let scripted = try await ScriptedHub()
        let hub = scripted.hub
        let days = #"["mon","tue","wed","thu","fri","sat","sun"]"#
        let weeks = try (1...5).map { number in
            try JSONReader.read(
                Array(#"{"name":"\#(number)","groups":[{"days":\#(days),"periods":[]}]}"#.utf8))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for week in weeks { group.addTask { _ = try await hub.keep(schedule: week) } }
            try await group.waitForAll()
        }
        #expect(await hub.kept.schedules.map(\.id) == [1, 2, 3, 4, 5])
        #expect(Set(await hub.kept.schedules.map { "\($0.week.name)" }) == ["1", "2", "3", "4", "5"])
        try await scripted.stop()
    }

    @Test func devicesThatAreNamedAtOnceAreAllRemembered() async throws {
        let scripted = try await ScriptedHub()
        let hub = scripted.hub
        let addresses = try (1...5).map { try #require(DeviceAddress("AA:BB:CC:DD:EE:0\($0)/P")) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for address in addresses {
                group.addTask { _ = try await hub.add(address, ownName: "\(address)") }
            }
            try await group.waitForAll()
        }
        let stored = try await scripted.store.settings().values[KnownDevice.setting] ?? ""
        #expect(KnownDevice.list(stored).count == 5)
        try await scripted.stop()
    }

    @Test func aLampThatCannotBeConnectedToIsNotTriedAgainAtOnce() async throws {
        let scripted = try await ScriptedHub()
        let hub = scripted.hub
        let radio = try #require(scripted.source.radios.first)
        _ = try await hub.addPending(name("Mia"), of: lamp)
        var advertisement = AdvertisingDataBuilder()
        try advertisement.appendName("Nightlight")
        radio.hear(advertisement.octets)
        try await eventually { await !hub.currentJobs().isEmpty }
        let job = try #require(await hub.currentJobs().first)
        #expect(job.kind == .nightlight)
        try await hub.end(job: job.id)
        // Whatever is done because of one is done before the next is told.
        for number in 1...3 {
            _ = try await hub.change(device: job.device, DeviceChange(ownName: "Lamp \(number)"))
            try await eventually {
                scripted.events.named("device_changed").contains { $0.contains("Lamp \(number)") }
            }
        }
        #expect(await hub.currentJobs().isEmpty)
        try await scripted.stop()
    }
}
