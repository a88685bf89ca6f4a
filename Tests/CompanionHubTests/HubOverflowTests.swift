// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEWire
import BluetoothLE
import OverflowArea
import Testing

@testable import CompanionHub
@testable import OverflowAreaCompanion
@testable import OverflowAreaSimulated

@Suite("Overflow areas around a hub", .timeLimit(.minutes(5)))
struct HubOverflowTests {
    private let payload = OverflowPayload(0x0102_0304)

    private func report(_ map: OverflowMap, from address: UInt64 = 1, rssi: Int8 = -60) -> Advertisement {
        Advertisement(
            peer: Peer(BluetoothAddress(address, kind: .random)), rssi: rssi, isConnectable: true,
            isScanResponse: false, data: AdvertisingData(map.advertisingData))
    }

    @Test func aMessageIsBelievedOnceItsPlaceWasSeenWithoutIt() async throws {
        let time = SteppedClock()
        let overflow = HubOverflow(clock: time.clock)
        let (first, second) = (
            OverflowBanks.map(of: payload, at: .first), OverflowBanks.map(of: payload, at: .second)
        )
        overflow.receive(report(first))
        let unsure = try #require(overflow.takeChanges().first?.payload)
        #expect(unsure.quality == .unknown && unsure.message.payload == payload && unsure.moves == 0)
        #expect(overflow.takeChanges().isEmpty)
        for (index, map) in [second, first, second].enumerated() {
            try await time.advance(by: .seconds(5), sleepers: 0)
            overflow.receive(report(map, rssi: -61 - Int8(index)))
        }
        let source = try #require(overflow.takeChanges().first)
        #expect(source.payload?.quality == .clean && source.payload?.moves == 3 && source.payload?.stay == 5)
        #expect(source.payload?.map == second && source.changes == 3 && source.rssi == -63)
        // Another app of the same phone sets a bit in the place where the message stands next.
        var dirty = second
        dirty.insert(try #require(OverflowBit(number: 3)))
        overflow.receive(report(dirty))
        overflow.receive(report(first))
        #expect(overflow.takeChanges().first?.payload?.quality == .polluted)
    }

    @Test func theOtherCodecSaysWhetherABitWasPutRight() throws {
        let overflow = HubOverflow(clock: SteppedClock().clock)
        var map = OverflowHamming.map(of: payload)
        overflow.receive(report(map, from: 1))
        map = map.subtracting(OverflowMap(low: 0, high: map.high & (~map.high &+ 1)))
        overflow.receive(report(map, from: 2))
        let found = overflow.sources.compactMap { $0.payload }
        #expect(found.map(\.quality) == [.clean, .corrected] && found.allSatisfy { $0.message.codec == .v2 })
    }

    @Test func aMapThatIsTooShortIsSaidUntilAWholeOneComes() throws {
        let overflow = HubOverflow(clock: SteppedClock().clock)
        let whole = OverflowMap(services: [BluetoothUUID(0x180D)])
        let short = Advertisement(
            peer: Peer(BluetoothAddress(1, kind: .random)), rssi: -60, isConnectable: true,
            isScanResponse: false, data: AdvertisingData([0x06, 0xFF, 0x4C, 0x00, 0x01, 0xAA, 0xBB]))
        overflow.receive(short)
        let first = try #require(overflow.takeChanges().first)
        #expect(first.octetsOfCutMap == 2 && first.map.isEmpty && first.changes == 0)
        overflow.receive(report(whole))
        let second = try #require(overflow.takeChanges().first)
        #expect(second.octetsOfCutMap == nil && second.map == whole)
        overflow.receive(short)
        let third = try #require(overflow.takeChanges().first)
        #expect(third.octetsOfCutMap == 2 && third.map == whole && third.changes == 0)
    }

    @Test func whoIsSilentWasHereAndTheLongestSilentMakeRoom() async throws {
        let time = SteppedClock()
        let overflow = HubOverflow(clock: time.clock)
        let map = OverflowMap(services: [BluetoothUUID(0x180D)])
        overflow.receive(report(map))
        #expect(overflow.takeChanges().count == 1)
        try await time.advance(by: .seconds(4), sleepers: 0)
        overflow.receive(report(map))
        #expect(overflow.takeChanges().isEmpty)
        try await time.advance(by: .seconds(4), sleepers: 0)
        // That it is still heard is told now and then.
        #expect(overflow.takeChanges().map(\.isHere) == [true])
        try await time.advance(by: .seconds(60), sleepers: 0)
        #expect(overflow.takeChanges().map(\.isHere) == [false])
        #expect(overflow.takeChanges().isEmpty)
        for address in 2...UInt64(OverflowSenders.limit + 1) {
            try await time.advance(by: .milliseconds(1), sleepers: 0)
            overflow.receive(report(map, from: address))
        }
        #expect(overflow.sources.count == OverflowSenders.limit)
        #expect(!overflow.sources.contains { $0.peer.address?.value == 1 })
        // What is no overflow area is nothing.
        overflow.receive(
            Advertisement(
                peer: Peer(BluetoothAddress(9999, kind: .random)), rssi: -60, isConnectable: true,
                isScanResponse: false, data: AdvertisingData([0x02, 0x01])))
        #expect(overflow.sources.count == OverflowSenders.limit)
    }

    @Test func aHubHearsAPhoneAndIsOneItself() async throws {
        let fixture = try await HubFixture(devices: { [SimulatedPhone.make()] })
        let hub = fixture.hub
        try await eventually { await hub.overflowState.sources.first?.payload?.message.payload == payload }
        try await eventually { !fixture.events.named("overflow_source_changed").isEmpty }
        let begun = try await hub.startBeacon(payload, .v2)
        #expect(begun.payload == payload && begun.map == nil && begun.since != nil)
        try await eventually { await hub.overflowState.beacon.map == OverflowHamming.map(of: payload) }
        // Another one takes its place.
        _ = try await hub.startBeacon(OverflowPayload(0xCAFE_0001), .v1)
        try await eventually {
            await hub.overflowState.beacon.map
                == OverflowBanks.map(of: OverflowPayload(0xCAFE_0001), at: .first)
        }
        await hub.endBeacon()
        #expect(await hub.overflowState.beacon == OverflowBeacon())
        #expect(await hub.overflowServices.count == OverflowCatalogue.services.count)
        try await fixture.remove()
    }
}
