// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

/// Service Changed at 3 with its switch at 4, features at 6, hash at 8; a service at 9 with a value at 11.
private let offered: [GATT.ServiceDefinition] = [
    .genericAttribute,
    .init(
        BluetoothUUID(0xFF00),
        characteristics: [.init(BluetoothUUID(0xFF01), [.read, .write, .notify], value: .stored([1]))]),
]

/// A client on a server, request by request.
private final class Pair {
    var client = GATT.Client()
    var bench: ServerBench
    /// Requests in the order in which they were sent.
    var requests: [String] = []
    /// What the client reported, other than what it sent.
    var results: [ClientSeen] = []
    var waiting: [ClientSeen] = []

    init(_ services: [GATT.ServiceDefinition] = offered) { bench = ServerBench(services) }

    func start(_ operation: GATT.Operation) { waiting += client.start(operation) }

    /// Carries PDUs between the two until nothing is left, or a request of this kind waits to be answered.
    func run(until stop: String? = nil) {
        while !waiting.isEmpty {
            guard case .send(let pdu) = waiting[0] else {
                results.append(waiting.removeFirst())
                continue
            }
            if let stop, pdu.hasPrefix(stop) { return }
            waiting.removeFirst()
            requests.append(pdu)
            carry(bench.receive(pdu))
        }
    }

    func carry(_ seen: [ServerSeen]) {
        for case .send(let pdu) in seen { waiting += client.receive(pdu) }
    }

    func find(_ known: GATT.KnownServices? = nil) -> GATT.FoundServices? {
        start(.findServices(known: known))
        run()
        guard case .completed(_, .success(.found(let found)))? = results.last else { return nil }
        return found
    }
}

private let hashRequest = hex("08 0100 FFFF 2A2B")

@Suite struct ServiceSearchTests {
    @Test func `the first time all is discovered, then changes are asked for`() throws {
        let pair = Pair()
        let found = try #require(pair.find())
        #expect(!found.wereKnown && found.hash == pair.bench.database.hash)
        #expect(found.services.map(\.uuid.short) == [0x1801, 0xFF00])
        #expect(pair.requests.first == hashRequest)
        #expect(pair.requests.suffix(2) == [hex("12 0600 05"), hex("12 0400 0200")])
        #expect(pair.bench.server.clientFeatures == [.robustCaching, .multipleNotifications])
        #expect(pair.bench.server.subscription(3) == .indicate)
    }

    @Test func `services that are known take three requests`() throws {
        let first = Pair()
        let memory = try #require(first.find()?.memory)
        let second = Pair()
        let found = try #require(second.find(memory))
        #expect(found.wereKnown && found.services == memory.services && found.memory == memory)
        #expect(second.requests == [hashRequest, hex("12 0600 05"), hex("12 0400 0200")])
    }

    @Test func `with another hash all is discovered again`() throws {
        let first = Pair()
        var memory = try #require(first.find()?.memory)
        memory.hash[0] ^= 1
        let second = Pair()
        let found = try #require(second.find(memory))
        #expect(!found.wereKnown && second.requests.count > 3)
        #expect(found.memory?.hash == second.bench.database.hash)
    }

    /// What a server has of the service, and how many requests come after discovery.
    @Test(arguments: [
        (GATT.ServiceDefinition(BluetoothUUID(0x1801), characteristics: []), 0),
        (
            GATT.ServiceDefinition(
                BluetoothUUID(0x1801),
                characteristics: [
                    .init(GATT.CharacteristicType.serviceChanged, .indicate, value: .stored([]))
                ]), 1
        ),
        (
            GATT.ServiceDefinition(
                BluetoothUUID(0x1801),
                characteristics: [
                    .init(GATT.CharacteristicType.serviceChanged, .read, value: .stored([])),
                    .init(GATT.CharacteristicType.databaseHash, .read, value: .stored([])),
                ]), 0
        ),
    ]) func `a server that lacks something is asked for what it has`(
        _ service: GATT.ServiceDefinition, _ writes: Int
    ) throws {
        let pair = Pair([service, offered[1]])
        let found = try #require(pair.find())
        #expect(found.services.count == 2)
        #expect(pair.requests.filter { $0.hasPrefix("12") }.count == writes)
        #expect((found.memory == nil) == (service.characteristics.count < 2))
    }

    @Test(arguments: [
        "01 08 0100 02", "01 08 0100 06", "01 08 0100 0F", "09 04 0800 0102",
        "09 14 0800 " + String(repeating: "00", count: 18),
    ]) func `a hash that cannot be had is none`(_ response: String) throws {
        let pair = Pair()
        pair.start(.findServices(known: nil))
        pair.waiting = pair.client.receive(response)
        pair.run()
        guard case .completed(1, .success(.found(let found)))? = pair.results.last else {
            Issue.record("not found")
            return
        }
        #expect(found.hash == nil && found.services.count == 2)
    }

    @Test(arguments: [1...255]) func `refused writes are let go`(_ codes: ClosedRange<Int>) throws {
        for code in codes where code != 0x12 {
            let pair = Pair()
            pair.start(.findServices(known: nil))
            pair.run(until: "12")
            pair.waiting = pair.client.receive([0x01, 0x12, 6, 0, UInt8(code)])
            #expect(pair.waiting == [.send(hex("12 0400 0200"))])
            pair.waiting = pair.client.receive([0x01, 0x12, 4, 0, UInt8(code)])
            guard case .completed(1, .success(.found))? = pair.waiting.first else {
                Issue.record("code \(code): \(pair.waiting)")
                return
            }
        }
    }

    @Test func `a server that has changed meanwhile says so, and the search begins again`() throws {
        let pair = Pair()
        pair.start(.findServices(known: nil))
        pair.run(until: hex("12 0400"))
        pair.carry(
            pair.bench.add(.init(BluetoothUUID(0xFF20), characteristics: [])) ?? [])
        pair.run()
        guard case .completed(1, .success(.found(let found)))? = pair.results.last else {
            Issue.record("not found: \(pair.results)")
            return
        }
        #expect(found.services.map(\.uuid.short) == [0x1801, 0xFF00, 0xFF20])
        #expect(found.hash == pair.bench.database.hash)
        #expect(pair.requests.filter { $0 == hashRequest }.count == 2)
    }

    @Test func `a server that changes on and on is given up`() {
        var client = GATT.Client()
        var seen = client.start(
            .findServices(
                known: .init(
                    hash: [UInt8](repeating: 7, count: 16),
                    services: [
                        GATT.Service(
                            uuid: BluetoothUUID(0x1801), handle: 1, endHandle: 9,
                            characteristics: [
                                GATT.Characteristic(
                                    uuid: GATT.CharacteristicType.clientSupportedFeatures, handle: 2,
                                    valueHandle: 3,
                                    endHandle: 3, properties: .write)
                            ])
                    ])))
        for round in 1...3 {
            #expect(seen == [.send(hashRequest)])
            #expect(
                client.receive([0x09, 18, 8, 0] + [UInt8](repeating: 7, count: 16)) == [
                    .send(hex("12 0300 05"))
                ])
            seen = client.receive("01 12 0300 12")
            if round == 3 {
                #expect(
                    seen == [
                        .completed(1, .failure(.refused(.databaseOutOfSync))),
                        .servicesChanged(1, 0xFFFF),
                    ])
            }
        }
    }

    @Test func `a failure of discovery is that of the search`() {
        var client = GATT.Client()
        _ = client.start(.findServices(known: nil))
        #expect(client.receive("01 08 0100 0A") == [.send(hex("10 0100 FFFF 0028"))])
        #expect(
            client.receive("01 10 0100 08") == [.completed(1, .failure(.refused(.insufficientAuthorization)))]
        )
    }
}

@Suite struct ClientChangesTests {
    /// A client that knows the services of its server.
    private static func informed() throws -> Pair {
        let pair = Pair()
        _ = try #require(pair.find())
        pair.results = []
        return pair
    }

    @Test func `Service Changed is confirmed and told`() throws {
        let pair = try Self.informed()
        #expect(
            pair.client.receive("1D 0300 0C00 0D00") == [
                .send("1e"), .value(3, [0x0C, 0, 0x0D, 0], .indicate), .servicesChanged(0x0C, 0x0D),
            ])
        // Not four octets, or a range that ends before it starts, or notified.
        for pdu in ["1D 0300 0C00 0D", "1D 0300", "1D 0300 0D00 0C00", "1D 0B00 0C00 0D00"] {
            #expect(
                !pair.client.receive(pdu).contains { if case .servicesChanged = $0 { true } else { false } })
        }
        #expect(pair.client.receive("1B 0300 0C00 0D00") == [.value(3, [0x0C, 0, 0x0D, 0], .notify)])
    }

    @Test func `Database Out Of Sync fails the request, tells, and fails what waits by handle`() throws {
        let pair = try Self.informed()
        _ = pair.client.start(.read(11))
        for operation in [
            GATT.Operation.write(11, [1]), .readMultiple([11, 8]), .writeReliably([.init([1], to: 11)]),
            .findServices(known: nil),
        ] { #expect(pair.client.start(operation) == []) }
        #expect(
            pair.client.receive("01 0A 0B00 12") == [
                .completed(2, .failure(.refused(.databaseOutOfSync))), .servicesChanged(1, 0xFFFF),
                .completed(3, .failure(.refused(.databaseOutOfSync))),
                .completed(4, .failure(.refused(.databaseOutOfSync))),
                .completed(5, .failure(.refused(.databaseOutOfSync))), .send(hashRequest),
            ])
    }

    @Test func `only what waits for changed handles fails`() throws {
        let pair = try Self.informed()
        _ = pair.client.start(.read(8))
        _ = pair.client.start(.read(11))
        _ = pair.client.start(.read(3))
        #expect(
            pair.client.receive("1D 0300 0900 0C00") == [
                .send("1e"), .value(3, [9, 0, 12, 0], .indicate), .servicesChanged(9, 12),
                .completed(3, .failure(.refused(.databaseOutOfSync))),
            ])
        #expect(pair.client.receive("0B 01") == [.completed(2, .success(.value([1]))), .send("0a0300")])
    }

    @Test func `a long read does not go on over a change`() throws {
        let pair = try Self.informed()
        _ = pair.client.start(.read(11))
        _ = pair.client.receive("1D 0300 0900 0C00")
        // The change has been told; that it ends this read tells of no other.
        #expect(
            pair.client.receive([0x0B] + [UInt8](repeating: 1, count: 22)) == [
                .completed(2, .failure(.refused(.databaseOutOfSync)))
            ])
        // One of other handles does.
        _ = pair.client.start(.read(8))
        _ = pair.client.receive("1D 0300 0900 0C00")
        #expect(pair.client.receive([0x0B] + [UInt8](repeating: 1, count: 22)) == [.send("0c08001600")])
    }

    @Test func `what was prepared before a change is taken back`() throws {
        let pair = try Self.informed()
        let value = [UInt8](repeating: 7, count: 30)
        let part = hex("0B00 0000") + value.prefix(18).hexadecimal
        #expect(pair.client.start(.write(11, value)) == [.send("16" + part)])
        _ = pair.client.receive("1D 0300 0900 0C00")
        #expect(pair.client.receive("17" + part) == [.send("1800")])
        #expect(pair.client.receive("19") == [.completed(2, .failure(.refused(.databaseOutOfSync)))])
    }

    @Test func `a discovery does not go on over a change, a search begins again`() throws {
        let pair = try Self.informed()
        _ = pair.client.start(.discover)
        _ = pair.client.receive("1D 0300 0900 0C00")
        #expect(
            pair.client.receive("11 06 0100 0800 0118").first
                == .completed(2, .failure(.refused(.databaseOutOfSync))))
        _ = pair.client.start(.findServices(known: nil))
        _ = pair.client.receive("01 08 0100 0A")
        _ = pair.client.receive("1D 0300 0900 0C00")
        #expect(pair.client.receive("11 06 0100 0800 0118") == [.send(hashRequest)])
    }
}

@Suite struct KnownServicesTests {
    private static let known = GATT.KnownServices(
        hash: [UInt8](0..<16),
        services: [
            GATT.Service(uuid: BluetoothUUID(0x1800), handle: 1, endHandle: 5),
            GATT.Service(
                uuid: BluetoothUUID(high: 1, low: 2), handle: 6, endHandle: 0xFFFF, isPrimary: false,
                includes: [
                    GATT.Include(handle: 7, uuid: BluetoothUUID(0x1800), startHandle: 1, endHandle: 5)
                ],
                characteristics: [
                    GATT.Characteristic(
                        uuid: BluetoothUUID(0x2A00), handle: 8, valueHandle: 9, endHandle: 11,
                        properties: [.read, .notify],
                        descriptors: [
                            GATT.Descriptor(uuid: GATT.AttributeType.clientConfiguration, handle: 10),
                            GATT.Descriptor(uuid: BluetoothUUID(high: 3, low: 4), handle: 11),
                        ])
                ]),
        ])

    @Test func `services come back from their octets`() throws {
        let octets = Self.known.octets
        #expect(octets.count == 1 + 16 + 2 + 2 * 25 + 22 + 25 + 2 * 18)
        #expect(try GATT.KnownServices(octets: octets) == Self.known)
        #expect(Self.known.attributeCount == 1 + 1 + 1 + 2 + 2)
        let none = GATT.KnownServices(hash: [UInt8](0..<16), services: [])
        #expect(try GATT.KnownServices(octets: none.octets) == none)
    }

    @Test func `octets that are cut, too long or of another version are refused`() {
        let octets = Self.known.octets
        for count in 0..<octets.count {
            #expect(throws: DecodeError.self) { try GATT.KnownServices(octets: Array(octets.prefix(count))) }
        }
        #expect(throws: DecodeError.self) { try GATT.KnownServices(octets: octets + [0]) }
        #expect(throws: DecodeError.self) { try GATT.KnownServices(octets: [2] + octets.dropFirst()) }
        #expect(throws: DecodeError.self) {
            try GATT.KnownServices(octets: Array(octets.prefix(17)) + [0xFF, 0xFF])
        }
    }
}
