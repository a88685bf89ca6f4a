// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionCore
import CompanionDevices
import CompanionHub
import HubModel
import ImprovSimulated
import LEDBulbSimulated
import Testing
import WiFiSetSimulated

@Suite("A hub that works for pages", .timeLimit(.minutes(5)))
struct HubWiFiTests {
    private func device(_ address: BluetoothAddress, in fixture: HubFixture) async throws -> HubDevice {
        try await eventually { fixture.hub.devices.contains { $0.peer == Peer(address) } }
        return try #require(fixture.hub.devices.first { $0.peer == Peer(address) })
    }

    /// Nobody keeps the jobs here, and a busy machine takes its time, also until a device is connected.
    private func patient(_ options: inout Hub.Options) {
        (options.jobPatience.lease, options.jobPatience.search) = (3600, 3600)
    }

    /// How far the set-up of a job is.
    private func setup(_ job: Int64, in hub: Hub) async throws -> WiFiSetup {
        let wifi: JobHandle<WiFiJob> = hub.job(job)
        return try await wifi.shown
    }

    @Test func oneDeviceOneJobAndNoMoreLinksThanTheRadioHas() async throws {
        let fixture = try await HubFixture(
            patient,
            devices: { [SimulatedWiFiSet.make(), SimulatedImprov.make(), SimulatedBulb.make()] })
        let hub = fixture.hub
        let set = try await device(SimulatedWiFiSet.address, in: fixture)
        let improv = try await device(SimulatedImprov.address, in: fixture)
        let bulb = try await device(SimulatedBulb.address, in: fixture)
        let first = try await hub.beginWiFi(device: set.id)
        #expect(first.job.device == set.id && first.job.phase == .connecting && first.job.lease == 3600)
        await #expect(
            throws: HubError.notNow(
                "Another page is busy with this device. Wait until it has done, or go on there.")
        ) {
            try await hub.beginWiFi(device: set.id)
        }
        let second = try await hub.beginWiFi(device: improv.id)
        #expect(second.job.id > first.job.id && first.job.id > 1_000_000_000_000_000)
        await #expect(
            throws: HubError.notNow("All 2 connections are in use. Disconnect another device first.")
        ) {
            try await hub.beginWiFi(device: bulb.id)
        }
        await #expect(throws: HubError.self) { try await hub.beginWiFi(device: 4711) }
        await #expect(throws: HubError.self) { try await hub.keep(job: 4711) }
        #expect(await hub.currentJobs().map(\.id) == [first.job.id, second.job.id])
        // Both at once, while the hub goes on listening.
        for id in [first.job.id, second.job.id] {
            try await eventually { try await setup(id, in: hub).lists == 1 }
        }
        #expect(try hub.device(set.id).link == .connected)
        #expect(await hub.state().radio.connections == 2)
        #expect(fixture.events.named("wifi_setup_changed").contains { $0.contains(#""protocol":"Improv""#) })

        // What was ended makes room, and is remembered.
        try await hub.end(job: first.job.id)
        #expect(try await setup(first.job.id, in: hub).job.phase == .ended)
        #expect(try hub.device(set.id).link == HubDevice.Link.none)
        let third = try await hub.beginWiFi(device: bulb.id)
        try await eventually { try await setup(third.job.id, in: hub).job.phase == .ended }
        #expect(
            try await setup(third.job.id, in: hub).job.reason
                == "The device lacks what this page needs. Nothing was written to it.")
        try await fixture.remove()
        #expect(try await setup(second.job.id, in: hub).job.reason == "The hub was stopped.")
    }

    @Test func aFlockFinderThatIsConnectedIsLeftAlone() async throws {
        let fixture = try await HubFixture()
        let finder = try await fixture.finder { $0.link == .connected }
        await #expect(
            throws: HubError.notNow("This device is connected already. Disconnect it first.")
        ) {
            try await fixture.hub.beginWiFi(device: finder.id)
        }
        try await fixture.remove()
    }

    @Test func whatHasEndedIsRememberedForAWhile() async throws {
        let fixture = try await HubFixture(patient, devices: { [SimulatedWiFiSet.make()] })
        let hub = fixture.hub
        let set = try await device(SimulatedWiFiSet.address, in: fixture)
        var ended: [Int64] = []
        for _ in 1...9 {
            ended.append(try await hub.beginWiFi(device: set.id).job.id)
            try await hub.end(job: ended[ended.count - 1])
        }
        let oldest = ended.removeFirst()
        await #expect(throws: HubError.noJob) { try await hub.keep(job: oldest) }
        for id in ended { #expect(try await hub.keep(job: id).phase == .ended) }
        try await fixture.remove()
    }

    @Test func withoutARadioNothingIsBegun() async throws {
        let fixture = try await HubFixture(patient, devices: { [SimulatedWiFiSet.make()] })
        let set = try await device(SimulatedWiFiSet.address, in: fixture)
        let begun = try await fixture.hub.beginWiFi(device: set.id)
        try await eventually { try await setup(begun.job.id, in: fixture.hub).lists == 1 }
        fixture.source.set(isGone: true)
        try await eventually { try await setup(begun.job.id, in: fixture.hub).job.phase == .ended }
        #expect(try await setup(begun.job.id, in: fixture.hub).job.reason != nil)
        try await eventually { await fixture.hub.state().radio.condition == .missing }
        await #expect(throws: HubError.self) { try await fixture.hub.beginWiFi(device: set.id) }
        try await fixture.remove()
    }
}
