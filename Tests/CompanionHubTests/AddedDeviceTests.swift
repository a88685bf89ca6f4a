// SPDX-License-Identifier: Apache-2.0

import BLEVirtualRadio
import BLEWire
import BluetoothLE
import Companion
import CompanionHub
import CompanionStore
import Detections
import HubModel
import LEDBulbSimulated
import Testing

@Suite struct AddedDeviceTests {
    private func using(_ body: (Hub, ScriptedSource, DetectionDatabase) async throws -> Void) async throws {
        let (source, store) = (ScriptedSource(), try DetectionDatabase())
        var options = Hub.Options(name: "test", version: "1", captureFile: "/nowhere")
        options.publishInterval = .milliseconds(10)
        let hub = Hub(options, store: store, radio: source)
        let work = Task { await hub.run() }
        try await eventually { source.radios.first?.scanCount == 1 }
        try await body(hub, source, store)
        work.cancel()
        await work.value
        try await store.close()
    }

    /// What the next hub knows.
    private static func known(in store: DetectionDatabase) async throws -> [KnownDevice] {
        KnownDevice.list(try await store.settings().values[KnownDevice.setting] ?? "")
    }

    @Test func oneThatWasNotHeardIsConnectedAsSoonAsItIs() async throws {
        try await using { hub, source, _ in
            let address = try #require(DeviceAddress("00:00:00:00:00:07"))
            let device = try await hub.add(address, ownName: "Car")
            #expect(device.peer == Peer(BluetoothAddress(7, kind: .public)) && device.ownName == "Car")
            #expect(device.connectsByItself && device.link == .none && device.lastHeard == nil)
            // Nothing in its advertisement says what it is.
            source.radios[0].hear()
            try await eventually { hub.devices.first?.link != HubDevice.Link.none }
            // Once more is no other device.
            #expect(try await hub.add(address).id == device.id)
            #expect(hub.devices.count == 1 && hub.devices.first?.ownName == "Car")
        }
    }

    @Test func oneThatIsHeardIsFoundWhateverKindItsAddressHas() async throws {
        try await using { hub, source, _ in
            source.radios[0].hear()
            try await eventually { !hub.devices.isEmpty }
            #expect(hub.devices.first?.kind == .other)
            let device = try await hub.add(try #require(DeviceAddress("00:00:00:00:00:07")))
            #expect(device.id == hub.devices.first?.id && device.kind == .flockFinder)
            let other = try await hub.add(try #require(DeviceAddress("00:00:00:00:00:07/R")))
            #expect(other.id != device.id)
        }
    }

    @Test func anAddressOfWhichNobodyWantsAnythingIsForgotten() async throws {
        try await using { hub, _, store in
            let device = try await hub.add(try #require(DeviceAddress("C0:00:00:00:00:09")))
            #expect(device.peer == Peer(BluetoothAddress(0xC000_0000_0009, kind: .random)))
            #expect(try await Self.known(in: store).map(\.peer) == [device.peer])
            _ = try await hub.change(device: device.id, DeviceChange(connectsByItself: false))
            #expect(try await Self.known(in: store).isEmpty)
            await #expect(throws: HubError.self) {
                try await hub.add(
                    try #require(DeviceAddress("C0:00:00:00:00:0A")),
                    ownName: String(repeating: "x", count: KnownDevice.longestName + 1))
            }
        }
    }

    @Test func oneThatIsNoFlockFinderIsSeenToBeWhatItSaysAndLeftAlone() async throws {
        let fixture = try await HubFixture(devices: { [] })
        let device = try await fixture.hub.add(DeviceAddress(Peer(SimulatedBulb.address)))
        #expect(device.kind == .flockFinder)
        await fixture.air.add { [SimulatedBulb.make()] }
        try await eventually { try fixture.hub.device(device.id).kind == .bulb }
        try await eventually {
            let seen = try fixture.hub.device(device.id)
            return !seen.connectsByItself && seen.link == .none
        }
        try await eventually { try await Self.known(in: fixture.store).allSatisfy { !$0.connectsByItself } }
        try await fixture.remove()
    }
}
