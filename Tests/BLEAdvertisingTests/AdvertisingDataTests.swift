// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEWire
import Testing

/// Octets of hex digits; none when they are no hex digits, so that the test fails.
func data(_ hex: String) -> AdvertisingData { AdvertisingData([UInt8](hexadecimal: hex) ?? [0xFF]) }

private let long = BluetoothUUID(high: 0x4FAF_C201_1FB5_459E, low: 0x8FCC_C5C9_C331_914B)
private let longHex = "4B9131C3C9C5CC8F9E45B51F01C2AF4F"

@Suite struct AdvertisingWalkTests {
    /// Octets, the types that are found in them, and where the fault is.
    static let walks: [(String, [UInt8], Int?)] = [
        ("", [], nil),
        // Two structures; a structure of a type alone.
        ("020106 03030F18", [0x01, 0x03], nil), ("0109", [0x09], nil), ("0109 0109", [0x09, 0x09], nil),
        // A length of 0 ends the data: nothing, padding, and padding before a structure.
        ("00", [], nil), ("020106 00", [0x01], nil), ("020106 0000000000", [0x01], nil),
        ("020106 00 020A04", [0x01], nil),
        // Lengths that run past the end: at once, by one, by all there is.
        ("01", [], 0), ("0201", [], 0), ("FF", [], 0), ("020106 01", [0x01], 3), ("020106 03AA", [0x01], 3),
        ("020106 FF" + String(repeating: "AA", count: 254), [0x01], 3),
        // The longest structure that there is.
        ("FF16" + String(repeating: "AA", count: 254), [0x16], nil),
        ("FF16" + String(repeating: "AA", count: 253), [], 0),
    ]

    @Test(arguments: walks) func `goes from structure to structure`(
        _ hex: String, _ types: [UInt8], _ fault: Int?
    ) {
        let data = data(hex)
        #expect(data.map(\.type.rawValue) == types)
        #expect(data.fault == fault)
    }

    @Test func `gives what stands in each structure`() {
        let data = data("020106 0109 03FF4C00")
        #expect(data.map { Array(data.data(of: $0)) } == [[0x06], [], [0x4C, 0x00]])
    }

    @Test(arguments: 0..<16) func `any octets are walked without harm`(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        for _ in 0..<2_000 {
            var octets = random.octets(random.number(0...(random.number(0...9) == 0 ? 300 : 62)))
            // Small lengths, so that more than one structure comes out.
            if random.number(0...1) == 0 { octets = octets.map { $0 % 24 } }
            let data = AdvertisingData(octets)
            var end = 0
            for structure in data {
                #expect(structure.range.lowerBound == end + 2)
                #expect(structure.range.upperBound == end + 1 + Int(octets[end]))
                end = structure.range.upperBound
            }
            #expect(end <= octets.count)
            let stopsEarly = end < octets.count
            #expect((data.fault != nil) == (stopsEarly && octets[end] != 0))
            #expect(Set(data.services).count == data.services.count)
            _ = (data.name, data.flags, data.txPower, data.appearance)
            #expect(data.manufacturerData.allSatisfy { $0.data.count <= 253 })
            #expect(data.serviceData.allSatisfy { $0.data.count <= 253 })
        }
    }
}

@Suite struct AdvertisingAccessorTests {
    @Test func `reads what a device says`() {
        let data = data("020106 020AF8 0319C003 05094C616D70 03030F18")
        #expect(data.flags == 0x06)
        #expect(data.txPower == -8)
        #expect(data.appearance == 0x03C0)
        #expect(data.name == "Lamp")
        #expect(data.services == [BluetoothUUID(0x180F)])
        #expect(data.fault == nil)
    }

    @Test func `knows nothing of what is not there`() {
        let data = data("")
        #expect(data.flags == nil && data.txPower == nil && data.appearance == nil && data.name == nil)
        #expect(data.services.isEmpty && data.manufacturerData.isEmpty && data.serviceData.isEmpty)
        #expect(data.first(.uri) == nil)
    }

    @Test(arguments: ["010A", "020A", "030AF800", "0119", "021903", "0419C00300"])
    func `fields of the wrong length are not there`(_ hex: String) {
        let data = data(hex)
        #expect(data.flags == nil && data.txPower == nil && data.appearance == nil)
    }

    @Test func `the whole name goes before a shortened one, wherever it stands`() {
        #expect(data("03084C61 05094C616D70").name == "Lamp")
        #expect(data("05094C616D70 03084C61").name == "Lamp")
        #expect(data("03084C61").name == "La")
        // Many fill theirs up with NULs or blanks; one that has nothing else is none.
        #expect(data("08094C616D70200000").name == "Lamp")
        // A line's end comes of a command that set the name, 0xFF of memory that nobody has written.
        #expect(data("07094C616D700D0A").name == "Lamp")
        #expect(data("07094C616D70FFFF").name == "Lamp")
        #expect(data("06094C00610020").name?.octets == [0x4C, 0, 0x61])
        for nothing in ["0109", "03090000", "04092020 20", "04090D0A09", "0309FFFF"] {
            #expect(data(nothing).name == nil)
        }
        #expect(data("03090000 03084C61").name == "La")
        #expect(data("0309FFFE").name?.octets == [0xFF, 0xFE])
    }

    @Test func `lists of every width add up, each service once`() {
        let data = data(
            "05020F180A18 03030F18 0504785634 12 05050F180000 1106\(longHex) 1107\(longHex)")
        #expect(
            data.services == [
                BluetoothUUID(0x180F), BluetoothUUID(0x180A), BluetoothUUID(short32: 0x1234_5678), long,
            ])
    }

    @Test(arguments: [
        ("0103", 0), ("02030F", 0), ("04030F180A", 1), ("06050F180000FF", 1),
        ("10074B9131C3C9C5CC8F9E45B51F01C2AF", 0),
        ("1207\(longHex)AA", 1),
    ]) func `of an odd list what fits is kept`(_ hex: String, _ count: Int) {
        #expect(data(hex).services.count == count)
        #expect(data(hex).fault == nil)
    }

    @Test func `data of companies keep their order; a company cut in half is none`() {
        let data = data("05FF4C001005 03FFE500 02FF4C 01FF 03FF4C00")
        #expect(
            data.manufacturerData == [
                .init(company: 0x004C, data: [0x10, 0x05]), .init(company: 0x00E5, data: []),
                .init(company: 0x004C, data: []),
            ])
    }

    @Test func `data of services come in every width; a UUID cut in half is none`() {
        let data = data("04160F1864 05207856 3412 1221\(longHex)AA 02160F 0420785634 0321AABB")
        #expect(
            data.serviceData == [
                .init(uuid: BluetoothUUID(0x180F), data: [0x64]),
                .init(uuid: BluetoothUUID(short32: 0x1234_5678), data: []), .init(uuid: long, data: [0xAA]),
            ])
    }
}

@Suite struct AdvertisingDataBuilderTests {
    @Test func `what is built is read again`() throws {
        var builder = AdvertisingDataBuilder(limit: 100)
        try builder.appendFlags()
        try builder.appendServices([long, BluetoothUUID(0x180F), BluetoothUUID(0x180A)])
        try builder.append(ManufacturerData(company: 0x1234, data: [1, 2]))
        try builder.appendName("Lamp")
        let data = AdvertisingData(builder.octets)
        #expect(data.flags == 0x06)
        #expect(data.services == [BluetoothUUID(0x180F), BluetoothUUID(0x180A), long])
        #expect(data.manufacturerData == [.init(company: 0x1234, data: [1, 2])])
        #expect(data.name == "Lamp")
        #expect(data.fault == nil)
        #expect(data.first(.completeLocalName) != nil)
    }

    @Test(arguments: [31, 254]) func `keeps to its limit exactly`(_ limit: Int) throws {
        var exact = AdvertisingDataBuilder(limit: limit)
        try exact.append(.uri, [UInt8](repeating: 1, count: limit - 2))
        #expect(exact.octets.count == limit)
        var over = AdvertisingDataBuilder(limit: limit)
        let overflow = #expect(throws: AdvertisingDataBuilder.Overflow.self) {
            try over.append(.uri, [UInt8](repeating: 1, count: limit - 1))
        }
        #expect(overflow?.needed == limit + 1 && overflow?.limit == limit)
        #expect(over.octets.isEmpty)
    }

    @Test func `no structure is longer than its length octet can say`() throws {
        var builder = AdvertisingDataBuilder(limit: 1_000)
        #expect(throws: AdvertisingDataBuilder.Overflow.self) {
            try builder.append(.uri, [UInt8](repeating: 1, count: 255))
        }
        try builder.append(.uri, [UInt8](repeating: 1, count: 254))
        #expect(builder.octets.count == 256)
        #expect(AdvertisingData(builder.octets).fault == nil)
    }

    /// Names, the room for them, and how much stays.
    static let names: [(String, Int, Int)] = [
        ("Lamp", 4, 4), ("Lamp", 3, 3), ("Lamp", 1, 1), ("", 0, 0),
        // Two, three and four octets a character.
        ("aéb", 4, 4), ("aéb", 3, 3), ("aéb", 2, 1), ("€€", 5, 3), ("€€", 4, 3), ("€€", 3, 3), ("a🔥", 4, 1),
        ("🔥🔥", 7, 4),
    ]

    @Test(arguments: names) func `names are cut between characters`(_ name: String, _ room: Int, _ kept: Int)
        throws
    {
        var builder = AdvertisingDataBuilder(limit: room + 2)
        try builder.appendName(WireText(name))
        let data = AdvertisingData(builder.octets)
        let type: AdvertisingDataType = kept == name.utf8.count ? .completeLocalName : .shortenedLocalName
        #expect(Array(data.first(type) ?? []) == Array(name.utf8.prefix(kept)))
        #expect(data.name == nil ? name.isEmpty : data.name?.validString != nil)
        #expect(data.map(\.type) == [type])
    }

    @Test(arguments: [("Lamp", 0), ("Lamp", -1), ("Lamp", -2), ("é", 1), ("🔥", 3), ("€uro", 2)])
    func `a name of which nothing fits is refused`(_ name: String, _ room: Int) {
        var builder = AdvertisingDataBuilder(limit: room + 2)
        #expect(throws: AdvertisingDataBuilder.Overflow.self) { try builder.appendName(WireText(name)) }
        #expect(builder.octets.isEmpty)
    }

    @Test func `a name that is no UTF-8 is cut all the same, or refused`() throws {
        var builder = AdvertisingDataBuilder(limit: 6)
        try builder.appendName(WireText([0xFF, 0xFE, 0xFD, 0xFC, 0xFB]))
        #expect(AdvertisingData(builder.octets).first(.shortenedLocalName)?.count == 4)
        var continuations = AdvertisingDataBuilder(limit: 6)
        #expect(throws: AdvertisingDataBuilder.Overflow.self) {
            try continuations.appendName(WireText([UInt8](repeating: 0x80, count: 5)))
        }
    }

    @Test func `services that do not fit leave nothing behind`() {
        var builder = AdvertisingDataBuilder(limit: 20)
        #expect(throws: AdvertisingDataBuilder.Overflow.self) {
            try builder.appendServices([BluetoothUUID(0x180F), long])
        }
        #expect(builder.octets.isEmpty)
    }
}
