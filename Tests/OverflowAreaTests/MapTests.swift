// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEWire
import OverflowArea
import Testing

private let flock = BluetoothUUID(high: 0x4FAF_C201_1FB5_459E, low: 0x8FCC_C5C9_C331_914B)
private let lamp = BluetoothUUID(high: 0x7A5A_0000_D04B_48EB, low: 0xB3FA_32EB_4F0F_FAC4)

func octets(_ hex: String) -> [UInt8] {
    guard let octets = [UInt8](hexadecimal: hex) else { preconditionFailure("no hex: \(hex)") }
    return octets
}

func map(_ hex: String) -> OverflowMap {
    guard let map = OverflowMap(octets: octets(hex)) else { preconditionFailure("no map: \(hex)") }
    return map
}

@Suite struct OverflowMapTests {
    @Test func `a service sets its bit in a structure of 21 octets`() {
        let map = OverflowMap(services: [flock])
        //                     len type Apple type map
        #expect(map.structure == octets("14 FF 4C00 01 00000000000000 80 0000000000000000"))
        #expect(map.advertisingData == octets("02 01 1A") + map.structure)
        #expect(map.manufacturerData == ManufacturerData(company: 0x4C, data: [1] + map.octets))
        #expect(map.advertisingData.count <= AdvertisingDataBuilder.legacyLimit)
    }

    @Test func `services that share a bit set it once`() {
        #expect(OverflowMap(services: [flock, lamp]) == OverflowMap(services: [lamp]))
        #expect(OverflowMap(services: []).isEmpty)
    }

    @Test(arguments: 0..<128)
    func `each bit has its place in the octets`(_ number: Int) throws {
        let bit = try #require(OverflowBit(number: number))
        var map = OverflowMap()
        map.insert(bit)
        var expected = [UInt8](repeating: 0, count: 16)
        expected[bit.octet] = bit.mask
        #expect(map.octets == expected)
        #expect(OverflowMap(octets: expected) == map)
        #expect(Array(map) == [bit])
        #expect(map.contains(bit))
        #expect(map.count == 1)
        map.remove(bit)
        #expect(map.isEmpty)
    }

    @Test func `bits come in ascending order`() {
        let full = OverflowMap(low: .max, high: .max)
        #expect(full.map(\.number) == Array(0..<128))
        #expect(map("81000000000000000100000000000080").map(\.number) == [0, 7, 64, 127])
    }

    @Test func `maps are joined and taken from each other`() {
        let (a, b) = (OverflowMap(low: 0b0110, high: 1), OverflowMap(low: 0b0011, high: 2))
        #expect(a.union(b) == OverflowMap(low: 0b0111, high: 3))
        #expect(a.subtracting(b) == OverflowMap(low: 0b0100, high: 1))
    }

    @Test(arguments: [0, 1, 15, 17, 32])
    func `other counts of octets are no map`(_ count: Int) {
        #expect(OverflowMap(octets: [UInt8](repeating: 0, count: count)) == nil)
        let input = [UInt8](repeating: 0, count: count)
        var reader = ByteReader(input.span.bytes)
        if count < 16 {
            #expect(throws: DecodeError(.truncated(needed: 16 - count), at: 0)) {
                try OverflowMap(decoding: &reader)
            }
        } else {
            #expect(throws: Never.self) { try OverflowMap(decoding: &reader) }
            #expect(reader.remaining == count - 16)
        }
    }

    @Test func `random maps survive the octets`() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<2000 {
            let map = OverflowMap(low: random.next(), high: random.next())
            #expect(OverflowMap(octets: map.octets) == map)
            #expect(OverflowMap(services: map.tableUUIDs) == map)
            #expect(map.tableUUIDs.count == map.count)
            #expect(map.reduce(into: OverflowMap()) { $0.insert($1) } == map)
            #expect(OverflowAdvertisement(advertisingData: map.advertisingData).map == map)
        }
    }
}

@Suite struct OverflowAdvertisementTests {
    private static let area = "01 00000000000000800000000000000001"
    private static let found = map("00000000000000800000000000000001")

    @Test(arguments: [
        "14FF4C00" + area,  // alone
        "02011A 14FF4C00" + area,  // after the flags
        "02011A 1DFF4C00 1007 1F1B2C3D4E5F60" + area,  // after Nearby Info
        "02011A 1BFF4C00" + area + "1005 0102030405",  // before Nearby Info
        "02011A 0AFF4C00 1005 0102030405 14FF4C00" + area,  // in a structure of its own
        "14FF4C00" + area + "14FF4C00 01 00000000000000800000000000000000",  // twice
        "05FF59000102 14FF4C00" + area + "00",  // after another company's, before an early end
        "16FF4C00 0C00" + area,  // after a message with no data
    ])
    func `a map is found wherever it stands`(_ hex: String) {
        let advertisement = OverflowAdvertisement(advertisingData: octets(hex))
        #expect(advertisement.map == Self.found)
        #expect(advertisement.fault == nil)
    }

    @Test(arguments: [
        "", "00", "02011A", "03FF4C00", "04FF4C0010", "02FF4C", "14FF4D00" + area, "14004C00" + area,
        "08FF4C00 1003 010203",
    ])
    func `without Apple's map there is none`(_ hex: String) {
        let advertisement = OverflowAdvertisement(advertisingData: octets(hex))
        #expect(advertisement.map == nil)
        #expect((advertisement.fault != nil) == (hex == "04FF4C0010"))
    }

    @Test(arguments: [
        ("04FF4C0001", 16, 5),  // nothing of the map
        ("13FF4C00 01 000000000000000000000000000000", 1, 5),  // one octet short
        ("06FF4C00 1005 01", 4, 6),  // another message too short
        ("04FF4C0010", 1, 5),  // a type with no length
        ("14FF4C00 01 0000", 14, 7),  // the structure itself is cut off
    ])
    func `what is cut off is a fault`(_ hex: String, _ needed: Int, _ offset: Int) {
        let advertisement = OverflowAdvertisement(advertisingData: octets(hex))
        #expect(advertisement.map == nil)
        #expect(advertisement.fault == DecodeError(.truncated(needed: needed), at: offset))
    }

    @Test(
        arguments: [
            ("04FF4C0001", 0), ("13FF4C00 01 000000000000000000000000000000", 15), ("14FF4C00 01 0000", 2),
            ("07FF4C00 0C00 01 FF", 1), ("06FF4C00 1005 01", nil), ("04FF4C0010", nil), ("14FF4C00", nil),
            ("14FF4C00" + area, nil),
        ] as [(String, Int?)])
    func `of a map that is cut off it is known how much there is`(_ hex: String, _ count: Int?) {
        #expect(OverflowAdvertisement(advertisingData: octets(hex)).octetsOfCutMap == count)
    }

    @Test func `other structures that are cut off are nobody's fault here`() {
        for hex in ["05FF5900", "0509414243", "FF", "1EFF4C"] {
            #expect(OverflowAdvertisement(advertisingData: octets(hex)).fault == nil)
        }
    }

    @Test func `a map before a fault counts`() {
        let advertisement = OverflowAdvertisement(advertisingData: octets("17FF4C00" + Self.area + "100501"))
        #expect(advertisement.map == Self.found)
        #expect(advertisement.fault == DecodeError(.truncated(needed: 4), at: 23))
        #expect(OverflowAdvertisement(appleData: octets(Self.area)).map == Self.found)
        #expect(OverflowAdvertisement(appleData: []).map == nil)
    }

    @Test func `a full extended advertisement of Apple's messages is walked to its end`() {
        var data: [UInt8] = []
        for _ in 0..<6 { data += octets("FEFF4C00") + [UInt8]().apple(251) }
        let advertisement = OverflowAdvertisement(advertisingData: data + Self.found.structure)
        #expect(advertisement.map == Self.found)
        #expect(advertisement.fault == nil)
    }

    @Test func `any octets give a map, a fault or nothing`() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<3000 {
            var data = (0..<Int.random(in: 0..<64, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            if data.count > 6 {
                data.replaceSubrange(0..<5, with: [UInt8(data.count - 1), 0xFF, 0x4C, 0, 1])
            }
            let advertisement = OverflowAdvertisement(advertisingData: data)
            #expect((advertisement.map != nil) == (data.count >= 21))
        }
    }
}

extension [UInt8] {
    /// Messages of two octets, and one of three where the count is odd.
    fileprivate func apple(_ count: Int) -> [UInt8] {
        var octets = self
        if count % 2 == 1 { octets += [0x0C, 1, 9] }
        while octets.count < count { octets += [0x0C, 0] }
        return octets
    }
}
