// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEWire
import BluetoothLE
import Companion
import CompanionHub
import Testing

@Suite("What is wanted of a lamp that is away", .timeLimit(.minutes(5)))
struct LampWishTests {
    /// What a scripted radio hears.
    private let lamp = Peer(BluetoothAddress(7, kind: .public))

    private func name(_ name: String) throws -> LampChange {
        try LampChange(JSONReader.read(Array(#"{"name":"\#(name)"}"#.utf8)))
    }

    @Test func tenWaitAndEachHasANumberOfItsOwn() async throws {
        let scripted = try await ScriptedHub()
        let hub = scripted.hub
        for number in 1...LampMemory.wishLimit {
            #expect(try await hub.wish(name("\(number)"), of: lamp).wishes.last?.id == number)
        }
        let more = try name("more")
        await #expect(throws: HubFault.self) { try await hub.wish(more, of: lamp) }
        _ = try await hub.takeBack(wish: 3, of: lamp)
        #expect(try await hub.wish(more, of: lamp).wishes.map(\.id) == [1, 2, 4, 5, 6, 7, 8, 9, 10, 11])
        await #expect(throws: HubFault.self) { try await hub.takeBack(wish: 3, of: lamp) }
        try await scripted.stop()
    }

    @Test func aLampThatCannotBeConnectedToIsNotTriedAgainAtOnce() async throws {
        let scripted = try await ScriptedHub()
        let hub = scripted.hub
        let radio = try #require(scripted.source.radios.first)
        _ = try await hub.wish(name("Mia"), of: lamp)
        var advertisement = AdvertisingDataBuilder()
        try advertisement.appendName("Nightlight")
        radio.hear(advertisement.octets)
        try await eventually { await !hub.currentJobs().isEmpty }
        let job = try #require(await hub.currentJobs().first)
        #expect(job.kind == .nightlight)
        try await hub.end(job: job.id)
        // Whatever is done because of one is done before the next is told.
        for number in 1...3 {
            _ = try await hub.change(device: job.device, ownName: "Lamp \(number)")
            try await eventually {
                scripted.events.named("device_changed").contains { $0.contains("Lamp \(number)") }
            }
        }
        #expect(await hub.currentJobs().isEmpty)
        try await scripted.stop()
    }
}
