// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEWire
import Testing

private let sixteen = (0..<16).map { UInt8($0) }
private let sixteenHex = "000102030405060708090A0B0C0D0E0F"
private let long = BluetoothUUID(high: 0x4FAF_C201_1FB5_459E, low: 0x8FCC_C5C9_C331_914B)
private let longHex = "4B9131C3C9C5CC8F9E45B51F01C2AF4F"
private let publicAddress = BluetoothAddress(0x0011_2233_4455, kind: .public)
private let randomAddress = BluetoothAddress(0xC011_2233_4455, kind: .random)

/// What one structure looks like, and by how many octets it may be shorter or longer.
struct ElementCase: Sendable {
    enum Length: Sendable {
        /// One octet more or less is a fault.
        case fixed
        /// Any length will do.
        case any
        /// At least as long as it is.
        case atLeast
        /// A whole number of such parts.
        case multiple
    }
    let hex: String
    let element: AdvertisingElement
    let length: Length

    init(_ hex: String, _ element: AdvertisingElement, _ length: Length = .fixed) {
        self.hex = hex
        self.element = element
        self.length = length
    }
}

/// Laid out by hand from CSS v11, Part A, and from the specifications that the cases name.
private let cases: [ElementCase] = [
    ElementCase("020106", .flags([.generalDiscoverable, .noBREDR]), .any),
    ElementCase(
        "05020F180A18", .services([.init(0x180F), .init(0x180A)], .bits16, isComplete: false), .multiple),
    ElementCase("03030F18", .services([.init(0x180F)], .bits16, isComplete: true), .multiple),
    ElementCase(
        "050478563412", .services([.init(short32: 0x1234_5678)], .bits32, isComplete: false), .multiple),
    ElementCase(
        "050578563412", .services([.init(short32: 0x1234_5678)], .bits32, isComplete: true), .multiple),
    ElementCase("1106\(longHex)", .services([long], .bits128, isComplete: false), .multiple),
    ElementCase("1107\(longHex)", .services([long], .bits128, isComplete: true), .multiple),
    ElementCase("0103", .services([], .bits16, isComplete: true), .multiple),
    ElementCase("03084C61", .shortenedName("La"), .any),
    ElementCase("05094C616D70", .completeName("Lamp"), .any),
    ElementCase("05304C616D70", .broadcastName("Lamp"), .any),
    ElementCase("020AF8", .txPower(-8)),
    ElementCase("040D0C025A", .classOfDevice(0x5A020C)),
    ElementCase("110E\(sixteenHex)", .pairingValue(.simplePairingHash192, sixteen)),
    ElementCase("110F\(sixteenHex)", .pairingValue(.simplePairingRandomizer192, sixteen)),
    ElementCase("111D\(sixteenHex)", .pairingValue(.simplePairingHash256, sixteen)),
    ElementCase("111E\(sixteenHex)", .pairingValue(.simplePairingRandomizer256, sixteen)),
    ElementCase("1122\(sixteenHex)", .pairingValue(.secureConnectionsConfirmation, sixteen)),
    ElementCase("1123\(sixteenHex)", .pairingValue(.secureConnectionsRandom, sixteen)),
    ElementCase("1110\(sixteenHex)", .pairingValue(.deviceIDOrTemporaryKey, sixteen)),
    ElementCase(
        "09100200 D104 0100 2301",
        .deviceID(.init(vendorSource: 2, vendor: 0x04D1, product: 1, version: 0x0123))),
    ElementCase("02110B", .securityManagerFlags([.hasData, .supportsLE, .randomAddress])),
    ElementCase(
        "051206000C00",
        .connectionIntervals(.init(minimum: .init(rawValue: 6), maximum: .init(rawValue: 12)))),
    ElementCase("0512FFFF800C", .connectionIntervals(.init(minimum: nil, maximum: .init(rawValue: 3200)))),
    ElementCase("03140F18", .solicitedServices([.init(0x180F)], .bits16), .multiple),
    ElementCase("051F78563412", .solicitedServices([.init(short32: 0x1234_5678)], .bits32), .multiple),
    ElementCase("1115\(longHex)", .solicitedServices([long], .bits128), .multiple),
    ElementCase("04160F1864", .serviceData(.init(uuid: .init(0x180F), data: [0x64])), .any),
    ElementCase("05207856 3412", .serviceData(.init(uuid: .init(short32: 0x1234_5678), data: [])), .atLeast),
    ElementCase("1221\(longHex)AA", .serviceData(.init(uuid: long, data: [0xAA])), .any),
    ElementCase("0717554433221100", .targets([publicAddress], .public), .multiple),
    ElementCase(
        "0D18 5544332211C0 5544332211C0", .targets([randomAddress, randomAddress], .random), .multiple),
    ElementCase("0319C203", .appearance(0x03C2)),
    ElementCase("031AA000", .advertisingInterval(.init(rawValue: 160))),
    ElementCase("042F000001", .advertisingInterval(.init(rawValue: 0x01_0000)), .atLeast),
    ElementCase("052F00000001", .advertisingInterval(.init(rawValue: 0x0100_0000)), .any),
    ElementCase("081B55443322110000", .deviceAddress(publicAddress)),
    ElementCase("081B5544332211C001", .deviceAddress(randomAddress)),
    ElementCase("021C02", .role(.peripheralPreferred)),
    ElementCase("0824172F2F612E6578", .uri(.init(scheme: "\u{17}", rest: "//a.ex")), .any),
    ElementCase("0324C280", .uri(.init(scheme: "\u{80}", rest: "")), .atLeast),
    ElementCase("0424E2829F", .uri(.init(scheme: "\u{209F}", rest: "")), .atLeast),
    ElementCase("0524F09F9880", .uri(.init(scheme: "\u{1F600}", rest: "")), .atLeast),
    ElementCase("03251234", .other(.indoorPositioning, [0x12, 0x34]), .any),
    ElementCase(
        "08260102 01AA 020300",
        .transportDiscovery([
            .init(organization: 1, flags: 2, data: [0xAA]), .init(organization: 2, flags: 3, data: []),
        ])),
    ElementCase("03270180", .supportedFeatures([0x01, 0x80]), .any),
    ElementCase(
        "0828FFFFFFFF1F3412", .channelMapUpdate(.init(channels: 0x1F_FFFF_FFFF, instant: 0x1234))),
    ElementCase(
        "0829 AABBCCDD 05 0304",
        .meshProvisioning(.init(link: 0xAABB_CCDD, transaction: 5, pdu: [3, 4])), .any),
    ElementCase("032A6812", .meshMessage([0x68, 0x12]), .any),
    ElementCase(
        "142B00\(sixteenHex)0020",
        .meshBeacon(.unprovisioned(device: sixteen, outOfBand: 0x0020, uriHash: nil))),
    ElementCase(
        "182B00\(sixteenHex)002001020304",
        .meshBeacon(.unprovisioned(device: sixteen, outOfBand: 0x0020, uriHash: [1, 2, 3, 4]))),
    ElementCase(
        "172B0102 0001020304050607 00000005 08090A0B0C0D0E0F",
        .meshBeacon(
            .secureNetwork(
                flags: 2, network: Array(sixteen[..<8]), ivIndex: 5, authentication: Array(sixteen[8...])))),
    ElementCase(
        "1C2B02 000102030405060708090A0B0C 0001020304 0001020304050607",
        .meshBeacon(
            .privateNetwork(
                random: Array(sixteen[..<13]), hidden: Array(sixteen[..<5]),
                authentication: Array(sixteen[..<8])))),
    ElementCase("032B7F01", .meshBeacon(.other(0x7F, [1])), .any),
    ElementCase("112D\(sixteenHex)", .broadcastCode(sixteen)),
    ElementCase(
        "072E01020304 0546", .resolvableSetIdentifier(.init(hash: 0x030201, random: 0x460504))),
    ElementCase(
        "0C31 0102030405 AABB 06070809",
        .encrypted(.init(randomizer: [1, 2, 3, 4, 5], payload: [0xAA, 0xBB], mic: [6, 7, 8, 9])), .any),
    ElementCase(
        "0A31 0102030405 06070809",
        .encrypted(.init(randomizer: [1, 2, 3, 4, 5], payload: [], mic: [6, 7, 8, 9])), .atLeast),
    ElementCase(
        "0932 78563412 05 06 07 08",
        .periodicResponseTiming(
            .init(
                accessAddress: 0x1234_5678, subeventCount: 5, subeventInterval: 6, responseSlotDelay: 7,
                responseSlotSpacing: 8))),
    ElementCase("04340001FF", .electronicShelfLabel([0x00, 0x01, 0xFF]), .any),
    ElementCase("033D8040", .threeDInformation(.init(flags: 0x80, pathLossThreshold: 0x40))),
    ElementCase("05FF4C001005", .manufacturerData(.init(company: 0x004C, data: [0x10, 0x05])), .any),
    ElementCase("03FF4C00", .manufacturerData(.init(company: 0x004C, data: [])), .atLeast),
    ElementCase("0377AABB", .other(AdvertisingDataType(rawValue: 0x77), [0xAA, 0xBB]), .any),
]

@Suite("What advertising data says") struct AdvertisingElementTests {
    /// The octets of one structure with its data made shorter or longer.
    private func changed(_ hex: String, by count: Int) -> AdvertisingData {
        var octets = data(hex).octets
        if count < 0 { octets.removeLast(-count) } else { octets += [UInt8](repeating: 0, count: count) }
        octets[0] = UInt8(octets.count - 1)
        return AdvertisingData(octets)
    }

    @Test(arguments: cases) func `every element is read and written`(_ item: ElementCase) throws {
        let data = data(item.hex)
        #expect(data.elements == [item.element])
        #expect(data.faults.isEmpty)
        var builder = AdvertisingDataBuilder()
        try builder.append(item.element)
        #expect(builder.octets.hexadecimal == data.octets.hexadecimal)
    }

    @Test(arguments: cases) func `a wrong length is a fault at its offset, and the rest is kept`(
        _ item: ElementCase
    ) {
        let changes: [Int] =
            switch item.length {
            case .fixed: [-1, 1]
            case .multiple: [1]
            case .atLeast: [-1]
            case .any: []
            }
        for change in changes {
            let bad = changed(item.hex, by: change).octets
            let data = AdvertisingData([2, 0x0A, 4] + bad + [2, 0x0A, 5])
            #expect(data.elements == [.txPower(4), .txPower(5)], "by \(change)")
            #expect(data.faults.map(\.offset) == [3])
            #expect(data.faults.map(\.type?.rawValue) == [bad[1]])
            #expect(data.faults.allSatisfy { $0.error.offset >= 5 && $0.error.offset <= 3 + bad.count })
        }
    }

    @Test func `several of one type stay in order, whatever stands between`() {
        let data = data("03FF0100 020A01 03FF0200 03FF0300")
        #expect(
            data.elements == [
                .manufacturerData(.init(company: 1, data: [])), .txPower(1),
                .manufacturerData(.init(company: 2, data: [])),
                .manufacturerData(.init(company: 3, data: [])),
            ])
    }

    @Test func `a structure that runs past the end is a fault behind all others`() {
        let data = data("020102 030A0405 027F")
        #expect(data.elements == [.flags([.generalDiscoverable])])
        #expect(
            data.faults == [
                .init(
                    offset: 3, type: AdvertisingDataType(rawValue: 0x0A),
                    error: .init(.trailing(count: 1), at: 6)),
                .init(offset: 7, type: nil, error: .init(.truncated(needed: 1), at: 9)),
            ])
    }

    @Test func `flags may be empty or longer than we know`() {
        #expect(data("0101").flags == [])
        #expect(data("0101").elements == [.flags([])])
        #expect(data("03010601").flags == [.generalDiscoverable, .noBREDR])
    }

    @Test(arguments: [
        "022480", "0224C2", "0324C000", "0424E28041", "0424EDA080", "0524F4908080", "0224FF", "0124",
    ])
    func `a URI begins with a character`(_ hex: String) {
        #expect(data(hex).elements.isEmpty)
        #expect(data(hex).faults.count == 1)
    }

    @Test func `UUIDs that do not fit a width travel in the next that all fit`() throws {
        let wide = AdvertisingElement.services(
            [.init(0x180F), .init(short32: 0x1234_5678)], .bits16, isComplete: true)
        var builder = AdvertisingDataBuilder()
        try builder.append(wide)
        #expect(builder.octets.hexadecimal == "09050f18000078563412")
        #expect(AdvertisingElement.solicitedServices([long], .bits16).type == .solicitation128)
    }

    @Test(arguments: 0..<64) func `any octets of any type give an element that comes back, or a fault`(
        _ seed: Int
    ) {
        var random = SplitMix64(seed: UInt64(seed))
        for type in UInt8.min ... .max {
            let body = random.octets(random.number(0...(seed == 0 ? 0 : 60)))
            let data = AdvertisingData([UInt8(body.count + 1), type] + body)
            #expect(data.elements.count + data.faults.count == 1)
            for element in data.elements {
                var builder = AdvertisingDataBuilder(limit: 300)
                #expect(throws: Never.self) { try builder.append(element) }
                #expect(AdvertisingData(builder.octets).elements == [element])
            }
        }
    }
}

@Suite("How to receive a broadcast isochronous group") struct BIGInfoTests {
    /// Every field has a value of its own; packed by a script from Core v5.4, Vol 6, Part B, 4.4.6.11.
    private let hex = "0a40281847881340c409507800d6be898e1027000f341255555555559a78563492"

    @Test func `every field is found`() throws {
        let octets = try #require([UInt8](hexadecimal: hex))
        let info = try #require(BIGInfo(octets))
        #expect(!info.isEncrypted)
        #expect(info.offsetMicroseconds == 10 * 300)
        #expect(info.interval == 80 && info.streamCount == 3)
        #expect(info.subeventCount == 7 && info.burstNumber == 2)
        #expect(info.subeventIntervalMicroseconds == 5000 && info.pretransmissionOffset == 4)
        #expect(info.streamSpacingMicroseconds == 2500 && info.repetitionCount == 5)
        #expect(info.largestPDU == 120 && info.seedAccessAddress == 0x8E89_BED6)
        #expect(info.sduIntervalMicroseconds == 10000 && info.largestSDU == 240)
        #expect(info.channels == 0x15_5555_5555 && info.phy == 2)
        #expect(info.payloadCount == 0x12_3456_789A && info.isFramed)
    }

    @Test func `an encrypted one has a key's worth more`() throws {
        let octets = try #require([UInt8](hexadecimal: hex)) + [UInt8](repeating: 7, count: 24)
        let data = AdvertisingData([58, 0x2C] + octets)
        let whole = try #require(BIGInfo(octets))
        #expect(data.elements == [.bigInfo(whole)])
        #expect(BIGInfo(octets)?.isEncrypted == true)
        let plain = AdvertisingData([34, 0x2C] + octets[..<33])
        let half = try #require(BIGInfo(Array(octets[..<33])))
        #expect(plain.elements == [.bigInfo(half)])
    }

    @Test(arguments: [0, 32, 34, 56, 58]) func `other lengths are none`(_ count: Int) {
        #expect(BIGInfo([UInt8](repeating: 0, count: count)) == nil)
        let data = AdvertisingData([UInt8(count + 1), 0x2C] + [UInt8](repeating: 0, count: count))
        #expect(data.faults.map(\.offset) == [0])
    }
}
