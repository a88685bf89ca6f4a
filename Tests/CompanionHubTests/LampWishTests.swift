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

    private func advertisement(_ name: String) throws -> [UInt8] {
        var builder = AdvertisingDataBuilder()
        try builder.appendName(WireText(Array(name.utf8)))
        return builder.octets
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

    @Test func aLampThatCannotBeConnectedToIsNotTriedWithEveryAdvertisement() async throws {
        let scripted = try await ScriptedHub()
        let hub = scripted.hub
        let radio = try #require(scripted.source.radios.first)
        _ = try await hub.wish(name("Mia"), of: lamp)
        radio.hear(try advertisement("Nightlight"))
        // The job looks for the lamp with a scan of its own, and this radio connects to nothing.
        try await eventually { radio.scanCount == 2 }
        radio.hear(try advertisement("Nightlight"))
        try await eventually { await hub.currentJobs().isEmpty }
        // Whatever is done because of one is done before the next is told.
        for number in 1...3 {
            radio.hear(try advertisement("Nightlight \(number)"))
            try await eventually {
                scripted.events.named("device_changed").contains { $0.contains("Nightlight \(number)") }
            }
        }
        #expect(radio.scanCount == 2)
        try await scripted.stop()
    }
}
