// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

/// Requests of discovery with what a server answers, both by hand from Core v5.4, Vol 3, Part G, 4.4 to 4.7.
typealias Exchange = (request: String, answer: String)

private let long = BluetoothUUID(high: 0x4FAF_C201_1FB5_459E, low: 0x8FCC_C5C9_C331_914B)
private let longHex = "4B9131C3C9C5CC8F9E45B51F01C2AF4F"
private let nothing = "0A"

/// Runs discovery through exchanges and gives what came of it; `nil` and a failed test when it asked
/// something else.
private func discover(_ exchanges: [Exchange], mtu: Int = 23) -> Result<GATT.Answer, GATTRequestError>? {
    var client = GATT.Client()
    client.mtuAgreed(mtu)
    var seen = client.start(.discover)
    for exchange in exchanges {
        guard seen == [.send(hex(exchange.request))] else {
            Issue.record("wanted \(exchange.request), saw \(seen)")
            return nil
        }
        seen = client.receive(exchange.answer)
    }
    guard case .completed(1, let result)? = seen.first, seen.count == 1, !client.isBusy else {
        Issue.record("saw \(seen)")
        return nil
    }
    return result
}

private func end(_ request: String) -> String { "01 \(request) 0000 0A" }

private let noSecondary: Exchange = ("10 0100 FFFF 0128", end("10"))
private let noIncludes: Exchange = ("08 0100 FFFF 0228", end("08"))
private let noCharacteristics: Exchange = ("08 0100 FFFF 0328", end("08"))

@Suite struct DiscoveryTests {
    @Test func `an awkward server is found whole`() throws {
        // A: 16-bit, 1-9, with two characteristics of one kind. B: 128-bit, 10-12, includes C and D.
        // C: secondary, 16-bit, 20-22. D: secondary, 128-bit, 30-0xFFFF. E: the same kind as A, 40-40.
        let services = try #require(
            discover([
                ("10 0100 FFFF 0028", "11 06 0100 0900 0018"),
                ("10 0A00 FFFF 0028", "11 14 0A00 0C00 \(longHex)"),
                ("10 0D00 FFFF 0028", "11 06 1900 1900 0018"), ("10 1A00 FFFF 0028", end("10")),
                ("10 0100 FFFF 0128", "11 06 1400 1600 0A18"),
                ("10 1700 FFFF 0128", "11 14 1E00 FFFF \(longHex)"),
                // An include of a 16-bit service names it, one of a 128-bit service does not.
                ("08 0100 FFFF 0228", "09 08 0B00 1400 1600 0A18"),
                ("08 0C00 FFFF 0228", "09 06 0C00 1E00 FFFF"), ("08 0D00 FFFF 0228", end("08")),
                (
                    "08 0100 FFFF 0328", "09 07 0200 12 0300 002A 0600 02 0700 002A"
                ),
                ("08 0700 FFFF 0328", "09 15 1500 08 1600 \(longHex)"),
                ("08 1600 FFFF 0328", "09 07 1F00 20 2000 052A"), ("08 2000 FFFF 0328", end("08")),
                // Descriptors of the first: 4, 5; of the second: 8, 9; of the last: 33 and on to the end.
                ("04 0400 0500", "05 01 0400 0229 0500 0129"), ("04 0800 0900", "05 01 0800 0429"),
                ("04 0900 0900", "05 02 0900 \(longHex)"), ("04 2100 FFFF", "05 01 2100 0229"),
                ("04 2200 FFFF", end("04")),
            ]))
        let a = BluetoothUUID(0x1800)
        let c = BluetoothUUID(0x180A)
        let first = GATT.Characteristic(
            uuid: BluetoothUUID(0x2A00), handle: 2, valueHandle: 3, endHandle: 5,
            properties: [.read, .notify],
            descriptors: [
                .init(uuid: BluetoothUUID(0x2902), handle: 4), .init(uuid: BluetoothUUID(0x2901), handle: 5),
            ])
        let second = GATT.Characteristic(
            uuid: BluetoothUUID(0x2A00), handle: 6, valueHandle: 7, endHandle: 9, properties: .read,
            descriptors: [.init(uuid: BluetoothUUID(0x2904), handle: 8), .init(uuid: long, handle: 9)])
        let third = GATT.Characteristic(
            uuid: long, handle: 0x15, valueHandle: 0x16, endHandle: 0x16, properties: .write)
        let last = GATT.Characteristic(
            uuid: BluetoothUUID(0x2A05), handle: 0x1F, valueHandle: 0x20, endHandle: 0xFFFF,
            properties: .indicate,
            descriptors: [.init(uuid: BluetoothUUID(0x2902), handle: 0x21)])
        let expected: [GATT.Service] = [
            .init(uuid: a, handle: 1, endHandle: 9, characteristics: [first, second]),
            .init(
                uuid: long, handle: 10, endHandle: 12,
                includes: [
                    .init(handle: 11, uuid: c, startHandle: 0x14, endHandle: 0x16),
                    .init(handle: 12, uuid: long, startHandle: 0x1E, endHandle: 0xFFFF),
                ]),
            .init(uuid: c, handle: 0x14, endHandle: 0x16, isPrimary: false, characteristics: [third]),
            .init(uuid: a, handle: 0x19, endHandle: 0x19),
            .init(uuid: long, handle: 0x1E, endHandle: 0xFFFF, isPrimary: false, characteristics: [last]),
        ]
        #expect(services == .success(.services(expected)))
        #expect(last.clientConfigurationHandle == 0x21 && second.clientConfigurationHandle == nil)
        #expect(expected.characteristic(long) == third && expected.characteristic(a) == nil)
    }

    /// Primary service 1-9 with includes at 2 (16-bit), 3, 4 and 5; those at 3 and 5 are one long service that no
    /// search has found, that at 4 one that cannot be read.
    private static let hidden: [Exchange] = [
        ("10 0100 FFFF 0028", "11 06 0100 0900 0018"), ("10 0A00 FFFF 0028", end("10")),
        ("10 0100 FFFF 0128", "01 10 0100 10"),
        ("08 0100 FFFF 0228", "09 08 0200 1400 1600 0A18"),
        ("08 0300 FFFF 0228", "09 06 0300 1E00 2000 0400 2800 2900 0500 1E00 2000"),
        ("08 0600 FFFF 0228", end("08")),
    ]

    /// Spec: Core v5.4, Vol 3, Part G, 4.5.1.
    @Test func `an included service that was not found is read for its long UUID`() {
        let includes: [GATT.Include] = [
            .init(handle: 2, uuid: BluetoothUUID(0x180A), startHandle: 0x14, endHandle: 0x16),
            .init(handle: 3, uuid: long, startHandle: 0x1E, endHandle: 0x20),
            .init(handle: 5, uuid: long, startHandle: 0x1E, endHandle: 0x20),
        ]
        for code in ["02", "05", "01", "0A"] {
            #expect(
                discover(
                    Self.hidden + [
                        ("0A 1E00", "0B \(longHex)"), ("0A 2800", "01 0A 2800 \(code)"), noCharacteristics,
                    ])
                    == .success(
                        .services([
                            .init(
                                uuid: BluetoothUUID(0x1800), handle: 1, endHandle: 9, includes: includes)
                        ])))
        }
    }

    @Test func `services may change meanwhile`() {
        var client = GATT.Client()
        _ = client.start(.discover)
        for exchange in Self.hidden { _ = client.receive(exchange.answer) }
        #expect(
            client.receive("01 0A 1E00 12") == [
                .completed(1, .failure(.refused(.databaseOutOfSync))), .servicesChanged(1, 0xFFFF),
            ])
    }

    /// A server that knows no search for secondary services may have some all the same.
    @Test func `characteristics of services that are hidden are passed over`() {
        let seen = GATT.Characteristic(
            uuid: BluetoothUUID(0x2A00), handle: 2, valueHandle: 3, endHandle: 3, properties: .read)
        #expect(
            discover([
                ("10 0100 FFFF 0028", "11 06 0100 0300 0018"), ("10 0400 FFFF 0028", end("10")),
                ("10 0100 FFFF 0128", "01 10 0100 10"), noIncludes,
                ("08 0100 FFFF 0328", "09 07 0200 02 0300 002A 0B00 02 0C00 012A"),
                ("08 0C00 FFFF 0328", end("08")),
            ])
                == .success(
                    .services([
                        .init(
                            uuid: BluetoothUUID(0x1800), handle: 1, endHandle: 3, characteristics: [seen])
                    ])))
    }

    @Test func `an empty server has nothing and is asked no more`() {
        #expect(discover([("10 0100 FFFF 0028", end("10")), noSecondary]) == .success(.services([])))
    }

    @Test func `a service up to the last handle ends the search for services`() {
        #expect(
            discover([
                ("10 0100 FFFF 0028", "11 06 0100 FFFF 0018"), noSecondary, noIncludes, noCharacteristics,
            ]) == .success(.services([.init(uuid: BluetoothUUID(0x1800), handle: 1, endHandle: 0xFFFF)])))
    }

    @Test func `a characteristic at the very end has no descriptors to look for`() {
        let found = GATT.Characteristic(
            uuid: BluetoothUUID(0x2A00), handle: 0xFFFE, valueHandle: 0xFFFF, endHandle: 0xFFFF,
            properties: .read)
        #expect(
            discover([
                ("10 0100 FFFF 0028", "11 06 FDFF FFFF 0018"), noSecondary, noIncludes,
                ("08 0100 FFFF 0328", "09 07 FEFF 02 FFFF 002A"), ("08 FFFF FFFF 0328", end("08")),
            ])
                == .success(
                    .services([
                        .init(
                            uuid: BluetoothUUID(0x1800), handle: 0xFFFD, endHandle: 0xFFFF,
                            characteristics: [found])
                    ])))
    }

    /// Servers that do not know secondary services or includes say so in various ways.
    @Test(arguments: ["0A", "10", "06", "0E", "05", "80"], ["0A", "06", "02", "01", "0E"])
    func `simple servers are found, too`(
        _ secondary: String, _ includes: String
    ) {
        #expect(
            discover([
                ("10 0100 FFFF 0028", "11 06 0100 0100 0018"), ("10 0200 FFFF 0028", end("10")),
                ("10 0100 FFFF 0128", "01 10 0100 \(secondary)"),
                ("08 0100 FFFF 0228", "01 08 0100 \(includes)"), noCharacteristics,
            ]) == .success(.services([.init(uuid: BluetoothUUID(0x1800), handle: 1, endHandle: 1)])))
    }

    @Test func `descriptors that cannot be listed are none`() throws {
        let found = GATT.Characteristic(
            uuid: BluetoothUUID(0x2A00), handle: 2, valueHandle: 3, endHandle: 0xFFFF, properties: .read)
        for code in ["0A", "01", "06"] {
            #expect(
                discover([
                    ("10 0100 FFFF 0028", "11 06 0100 FFFF 0018"), noSecondary, noIncludes,
                    ("08 0100 FFFF 0328", "09 07 0200 02 0300 002A"), ("08 0300 FFFF 0328", end("08")),
                    ("04 0400 FFFF", "01 04 0400 \(code)"),
                ])
                    == .success(
                        .services([
                            .init(
                                uuid: BluetoothUUID(0x1800), handle: 1, endHandle: 0xFFFF,
                                characteristics: [found])
                        ])))
        }
    }

    @Test(arguments: ["01", "06", "10", "0E", "05", "0F", "80", "00"])
    func `a server that refuses at once is no empty server`(_ code: String) throws {
        let failure = GATTRequestError.refused(.init(rawValue: octets(code)[0]))
        #expect(discover([("10 0100 FFFF 0028", "01 10 0100 \(code)")]) == .failure(failure))
    }
}

@Suite struct HostileDiscoveryTests {
    @Test func `the slowest server that there can be comes to an end`() {
        // One handle an answer, in every pass: each service has an include, a characteristic, a descriptor.
        var client = GATT.Client()
        var seen = client.start(.discover)
        var requests = 0
        while case .send(let request)? = seen.first, requests < 100_000 {
            requests += 1
            let octets = octets(request)
            let start = UInt16(octets[1]) | UInt16(octets[2]) << 8
            let type = octets.count > 6 ? octets[5] : 0
            let handle = start + (start % 4 == 1 ? 0 : 4 - (start &+ 3) % 4)
            guard handle < 400 || octets[0] == 0x04 else {
                seen = client.receive([0x01, octets[0], 0, 0, 0x0A])
                continue
            }
            func two(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
            seen =
                switch (octets[0], type) {
                case (0x10, 0x00): client.receive([0x11, 6] + two(handle) + two(handle + 3) + [0x00, 0x18])
                case (0x08, 0x03):
                    client.receive([0x09, 7] + two(handle + 1) + [0x02] + two(handle + 2) + [0x00, 0x2A])
                case (0x04, _): client.receive([0x05, 1] + two(start) + [0x02, 0x29])
                default: client.receive([0x01, octets[0], 0, 0, 0x0A])
                }
        }
        guard case .completed(1, .success(.services(let services)))? = seen.first else {
            Issue.record("\(seen)")
            return
        }
        #expect(services.count == 100)
        #expect(services.allSatisfy { $0.characteristics.first?.descriptors.count == 1 })
        #expect(requests < 500)
    }
}
