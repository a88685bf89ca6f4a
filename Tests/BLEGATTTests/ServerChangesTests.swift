// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

/// The Generic Attribute service at 1 (Service Changed 3, its switch 4, features 6, hash 8), then one with a value
/// at 11 and its switch at 12, and one with delegated values at 15 and 17.
private let changing: [GATT.ServiceDefinition] = [
    .genericAttribute,
    .init(
        BluetoothUUID(0xFF00),  // 9
        characteristics: [
            .init(
                BluetoothUUID(0xFF01), [.read, .write, .writeWithoutResponse, .notify, .indicate],
                value: .stored([1]))
        ]),
    .init(
        BluetoothUUID(0xFF10),  // 13
        characteristics: [
            .init(BluetoothUUID(0xFF11), [.read, .write], value: .delegated),
            .init(BluetoothUUID(0xFF12), [.read, .write], value: .delegated),
        ]),
]

private let added = GATT.ServiceDefinition(
    BluetoothUUID(0xFF20),
    characteristics: [.init(BluetoothUUID(0xFF21), [.read, .notify], value: .stored([2]))])

extension ServerBench {
    mutating func add(_ service: GATT.ServiceDefinition, _ seconds: UInt64 = 0) -> [ServerSeen]? {
        guard let range = database.add(service) else { return nil }
        server.servicesChanged(range, isRemoved: false, database: database, at: moment(seconds))
        return drain()
    }

    mutating func remove(_ handle: AttributeHandle, _ seconds: UInt64 = 0) -> [ServerSeen]? {
        guard let range = database.removeService(at: handle) else { return nil }
        server.servicesChanged(range, isRemoved: true, database: database, at: moment(seconds))
        return drain()
    }
}

@Suite struct ClientFeaturesTests {
    @Test func `a client sets bits and cannot clear them`() {
        var bench = ServerBench(changing)
        #expect(bench.receive("0A 0600") == [.send("0b00")])
        #expect(bench.receive("12 0600 05") == [.send("13")])
        #expect(bench.receive("0A 0600") == [.send("0b05")])
        #expect(bench.server.clientFeatures == [.robustCaching, .multipleNotifications])
        for value in ["00", "01", "04", "02"] {
            #expect(bench.receive("12 0600 \(value)") == [.send("0112060013")])
        }
        #expect(bench.receive("12 0600 07") == [.send("13")])
        #expect(bench.receive("0A 0600") == [.send("0b07")])
    }

    /// Octets and bits of later versions are accepted and not kept.
    @Test(arguments: [("FF", "07"), ("F9", "01"), ("0500", "05"), ("01FFFF", "01"), ("08", "00")])
    func `bits without a meaning are not kept`(_ value: String, _ kept: String) {
        var bench = ServerBench(changing)
        #expect(bench.receive("12 0600 \(value)") == [.send("13")])
        #expect(bench.receive("0A 0600") == [.send("0b" + kept)])
        // The same again clears nothing.
        #expect(bench.receive("12 0600 \(value)") == [.send("13")])
    }

    @Test func `an empty value is none, and a command does not reach it`() {
        var bench = ServerBench(changing)
        #expect(bench.receive("12 0600") == [.send("011206000d")])
        #expect(bench.receive("52 0600 01") == [])
        #expect(bench.receive("0A 0600") == [.send("0b00")])
    }

    @Test func `it may be written in parts`() {
        var bench = ServerBench(changing)
        #expect(bench.receive("16 0600 0000 01") == [.send("170600000001")])
        #expect(bench.receive("18 01") == [.send("19")])
        #expect(bench.server.clientFeatures == .robustCaching)
        #expect(bench.receive("16 0600 0000 04") == [.send("170600000004")])
        #expect(bench.receive("18 01") == [.send("0118060013")])
    }

    @Test func `each client has its own`() {
        var first = ServerBench(changing)
        let second = ServerBench(changing)
        _ = first.receive("12 0600 01")
        #expect(second.server.clientFeatures == [])
    }
}

@Suite struct DynamicServiceTests {
    @Test func `a new service stands behind all handles that were ever used`() {
        var database = GATT.Database(changing)
        let before = database.hash
        #expect(database.add(added) == ATT.HandleRange(start: 18, end: 21))
        #expect(database.hash != before)
        #expect(database.removeService(at: 18) == ATT.HandleRange(start: 18, end: 21))
        #expect(database.hash == before)
        #expect(database.add(added) == ATT.HandleRange(start: 22, end: 25))
        #expect(database.valueHandle(of: BluetoothUUID(0xFF21)) == 24)
    }

    @Test(
        arguments: [
            (9, nil), (12, nil), (17, nil), (18, 18), (0xFFFD, nil), (0xFFFC, 0xFFFC), (0xFFFF, nil),
        ] as [(UInt16, UInt16?)])
    func `a handle that was asked for is had if nobody has it`(_ handle: UInt16, _ start: UInt16?) {
        var database = GATT.Database(changing)
        var service = added
        service.handle = AttributeHandle(rawValue: handle)
        #expect(database.add(service)?.start.rawValue == start)
    }

    @Test func `a gap is used when the handles are used up, and no room is no service`() {
        var database = GATT.Database([changing[1], changing[2]])
        var last = added
        last.handle = 0xFFFC
        #expect(database.add(last) != nil)
        #expect(database.add(added)?.start == 10)
        #expect(database.removeService(at: 5) == ATT.HandleRange(start: 5, end: 9))
        #expect(database.add(added)?.start == 5)
        let value = GATT.CharacteristicDefinition(BluetoothUUID(0xFF21), .read, value: .stored([]))
        let large = GATT.ServiceDefinition(
            BluetoothUUID(0xFF20), characteristics: .init(repeating: value, count: 9_999))
        #expect([database.add(large)?.start, database.add(large)?.start] == [14, 20_013])
        #expect(database.add(large)?.start == 40_012)
        #expect(database.add(large) == nil)
        #expect(database.add(added)?.start == 60_011)
        for index in database.attributes.indices.dropFirst() {
            guard database.attributes[index - 1].handle >= database.attributes[index].handle else { continue }
            Issue.record("handles must rise")
        }
    }

    @Test func `what another service includes cannot be removed, what it includes itself can`() {
        var database = GATT.Database(changing)
        var user = added
        user.includes = [BluetoothUUID(0xFF10), BluetoothUUID(0xFFFF)]
        #expect(database.add(user) == ATT.HandleRange(start: 18, end: 22))
        #expect(database.attribute(19)?.content == .constant(octets("0D00 1100 10FF")))
        #expect(database.removeService(at: 13) == nil)
        #expect(database.removeService(at: 18) != nil)
        #expect(database.removeService(at: 13) != nil)
        #expect(database.removeService(at: 13) == nil)
        #expect(database.removeService(at: 10) == nil)
        #expect(database.removeService(at: 0) == nil)
    }
}

@Suite struct ServiceChangedTests {
    @Test func `a client that has switched it on is told, and several changes make one range`() {
        var bench = ServerBench(changing)
        #expect(bench.add(added) == [])
        #expect(bench.receive("12 0400 0200") == [.send("13"), .subscribed(3, .indicate)])
        #expect(bench.add(added) == [.send("1d03001600" + "1900")])
        #expect(bench.add(added) == [])
        #expect(bench.remove(13) == [])
        #expect(bench.receive("1E") == [.send("1d03000d00" + "1d00")])
        #expect(bench.receive("1E") == [])
        #expect(bench.server.nextDeadline == nil)
    }

    @Test func `it goes before other indications that wait`() {
        var bench = ServerBench(changing)
        _ = bench.receive("12 0400 0200")
        _ = bench.receive("12 0C00 0200")
        #expect(bench.send([1], of: 11, as: .indicate) == [.send("1d0b0001")])
        #expect(bench.send([2], of: 11, as: .indicate) == [])
        #expect(bench.add(added) == [])
        #expect(bench.receive("1E") == [.confirmed(11), .send("1d030012001500")])
        #expect(bench.receive("1E") == [.send("1d0b0002")])
    }

    @Test func `30 s without a confirmation close the bearer`() {
        var bench = ServerBench(changing)
        _ = bench.receive("12 0400 0200")
        _ = bench.add(added, 5)
        bench.server.deadlineReached(at: moment(35))
        #expect(bench.drain() == [.close])
        #expect(bench.add(added) == [])
    }

    @Test func `what was switched on or waits in a removed range is forgotten`() {
        var bench = ServerBench(changing)
        _ = bench.receive("12 0C00 0300")
        #expect(bench.send([1], of: 11, as: .indicate) == [.send("1d0b0001")])
        #expect(bench.send([2], of: 11, as: .indicate) == [])
        #expect(bench.remove(9) == [])
        #expect(bench.receive("1E") == [.confirmed(11)])
        #expect(bench.send([3], of: 11, as: .notify) == nil)
        #expect(bench.receive("0A 0B00") == [.send("010a0b0001")])
        var again = changing[1]
        again.handle = 9
        #expect(bench.add(again) == [])
        #expect(bench.send([3], of: 11, as: .notify) == nil)
        #expect(bench.receive("0A 0C00") == [.send("0b0000")])
    }

    @Test func `what was prepared for a removed handle is never written`() {
        var bench = ServerBench(changing)
        _ = bench.receive("16 0B00 0000 AA")
        _ = bench.receive("16 0C00 0000 0100")
        _ = bench.remove(9)
        var again = changing[1]
        again.handle = 9
        _ = bench.add(again)
        #expect(bench.receive("18 01") == [.send("01180b0001")])
        #expect(bench.receive("0A 0B00") == [.send("0b01")])
        // The queue is empty now.
        #expect(bench.receive("18 01") == [.send("19")])
    }

    @Test(arguments: [
        ("0A 0F00", "010a0f0001"), ("0C 0F00 0000", "010c0f0001"), ("12 0F00 01", "01120f0001"),
        ("08 0E00 FFFF 11FF", "01080f0001"), ("0E 0F00 1100", "010e0f0001"), ("20 1100 0F00", "2000110001"),
    ]) func `a request that waits for the session is refused once that answers`(
        _ request: String, _ refusal: String
    ) {
        var bench = ServerBench(changing)
        #expect(bench.receive(request).count == 1)
        #expect(bench.receive("0A 0300").isEmpty)
        _ = bench.remove(13)
        #expect(bench.drain() == [])
        let answer = refusal.hasPrefix("20") ? "0120110001" : refusal
        #expect(bench.answer(.success([1])) == [.send(answer), .send("010a030002")])
    }

    @Test func `prepared values that wait behind one with the session are not written`() {
        var bench = ServerBench(changing)
        _ = bench.receive("16 0F00 0000 01")
        _ = bench.receive("16 0B00 0000 02")
        #expect(bench.receive("18 01") == [.write(15, [1], answered: true)])
        _ = bench.remove(9)
        var again = changing[1]
        again.handle = 9
        _ = bench.add(again)
        #expect(bench.answer(.success([])) == [.send("01180b0001")])
        #expect(bench.receive("0A 0B00") == [.send("0b01")])
    }
}

@Suite struct RobustCachingTests {
    /// A client with robust caching for which a service was just added.
    private static func unaware(_ features: String = "01") -> ServerBench {
        var bench = ServerBench(changing)
        _ = bench.receive("12 0600 \(features)")
        _ = bench.receive("12 0C00 0300")
        _ = bench.add(added)
        return bench
    }

    /// Requests by handle, or by kind in a part of the handles, with the handle that is to blame.
    @Test(arguments: [
        ("0A 0B00", "0A 0B00"), ("0C 0B00 0000", "0C 0B00"), ("0E 0B00 0300", "0E 0B00"),
        ("20 0B00 0300", "20 0B00"), ("12 0B00 01", "12 0B00"), ("16 0B00 0000 01", "16 0B00"),
        ("18 01", "18 0000"), ("08 0100 FEFF 2A2B", "08 0100"), ("08 0200 FFFF 01FF", "08 0200"),
        // Whether there is anything at the handle does not matter.
        ("0A FF00", "0A FF00"), ("12 0000 01", "12 0000"), ("0A 0800", "0A 0800"),
    ]) func `a request of a client that does not know is refused once`(_ request: String, _ refused: String) {
        var bench = Self.unaware()
        #expect(bench.receive(request) == [.send(hex("01 \(refused) 12"))])
        // The next request shows that the client has heard.
        #expect(bench.receive("0A 0B00") == [.send("0b01")])
        #expect(bench.receive("0A 0B00") == [.send("0b01")])
    }

    @Test(arguments: [
        "10 0100 FFFF 0028", "06 0100 FFFF 0028 00FF", "04 0100 FFFF", "08 0900 FFFF 0328",
        "08 0900 FFFF 0228", "02 1700", "18 00", "08 0100 FFFF 01FF",
    ]) func `discovery and the like are not refused, and change nothing`(_ request: String) {
        var bench = Self.unaware()
        for _ in 0..<2 {
            guard case .send(let response)? = bench.receive(request).first else {
                Issue.record("no answer")
                return
            }
            #expect(!(response.hasPrefix("01") && response.hasSuffix("12")))
        }
        #expect(bench.receive("0A 0B00") == [.send("010a0b0012")])
    }

    @Test func `who has read the hash knows with the next request`() {
        var bench = Self.unaware()
        #expect(bench.receive("08 0100 FFFF 2A2B").count == 1)
        #expect(bench.send([1], of: 11, as: .notify) == nil)
        #expect(bench.receive("0A 0B00") == [.send("0b01")])
        #expect(bench.send([1], of: 11, as: .notify) == [.send("1b0b0001")])
    }

    /// Spec: Core v5.4, Vol 3, Part G, 2.5.2.1.
    @Test(arguments: ["08 0900 FFFF 2A2B", "08 0100 0700 2A2B", "08 0800 0100 2A2B", "0A 0700"])
    func `a read that misses the hash tells nothing`(_ request: String) {
        // A client that asks for robust caching later: until then nothing is refused.
        var bench = Self.unaware("00")
        #expect(bench.receive(request).count == 1)
        _ = bench.receive("04 0100 FFFF")
        _ = bench.receive("12 0600 01")
        #expect(bench.server.withholdsValues == true)
        var reader = Self.unaware("00")
        _ = reader.receive("08 0800 0800 2A2B")
        _ = reader.receive("04 0100 FFFF")
        _ = reader.receive("12 0600 01")
        #expect(reader.server.withholdsValues == false)
    }

    @Test func `a change is not told to who has switched that off meanwhile`() {
        var bench = ServerBench(changing)
        _ = bench.receive("12 0400 0200")
        _ = bench.receive("12 0C00 0200")
        _ = bench.send([1], of: 11, as: .indicate)
        #expect(bench.add(added) == [])
        _ = bench.send([2], of: 11, as: .indicate)
        _ = bench.receive("12 0400 0000")
        #expect(bench.receive("1E") == [.confirmed(11), .send("1d0b0002")])
        #expect(bench.server.willAcceptValues == false)
    }

    @Test func `who has confirmed Service Changed knows`() {
        var bench = ServerBench(changing)
        _ = bench.receive("12 0600 01")
        _ = bench.receive("12 0400 0200")
        _ = bench.add(added)
        _ = bench.add(added)
        #expect(bench.receive("1E").count == 1)
        // That was the first change; there was another one.
        #expect(bench.server.withholdsValues == true)
        #expect(bench.receive("1E") == [])
        #expect(bench.server.withholdsValues == false)
        #expect(bench.receive("0A 0B00") == [.send("0b01")])
    }

    @Test func `another change is refused again`() {
        var bench = Self.unaware()
        #expect(bench.receive("0A 0B00") == [.send("010a0b0012")])
        _ = bench.remove(13)
        #expect(bench.receive("0A 0B00") == [.send("010a0b0012")])
        #expect(bench.receive("08 0100 FFFF 2A2B").count == 1)
        _ = bench.add(added)
        #expect(bench.receive("0A 0B00") == [.send("010a0b0012")])
        #expect(bench.receive("0A 0B00") == [.send("0b01")])
    }

    @Test func `commands are ignored and values withheld until the client knows`() {
        var bench = Self.unaware()
        #expect(bench.receive("52 0B00 AA") == [])
        #expect(bench.send([1], of: 11, as: .notify) == nil)
        #expect(bench.send([1], of: 11, as: .indicate) == nil)
        #expect(bench.receive("0A 0B00") == [.send("010a0b0012")])
        #expect(bench.receive("52 0B00 AA") == [])
        #expect(bench.receive("0A 0B00") == [.send("0b01")])
        #expect(bench.receive("52 0B00 AA") == [.stored(11, [0xAA])])
        #expect(bench.send([1], of: 11, as: .indicate) == [.send("1d0b0001")])
    }

    @Test func `indications that waited before the change go once the client knows`() {
        var bench = ServerBench(changing)
        _ = bench.receive("12 0600 01")
        _ = bench.receive("12 0C00 0200")
        _ = bench.send([1], of: 11, as: .indicate)
        _ = bench.send([2], of: 11, as: .indicate)
        _ = bench.add(added)
        #expect(bench.receive("1E") == [.confirmed(11)])
        #expect(bench.receive("0A 0B00") == [.send("010a0b0012")])
        #expect(bench.receive("0A 0B00") == [.send("0b01"), .send("1d0b0002")])
    }

    @Test(arguments: ["00", "04", "06"]) func `a client without robust caching is served as ever`(
        _ features: String
    ) {
        var bench = Self.unaware(features)
        #expect(bench.receive("0A 0B00") == [.send("0b01")])
        #expect(bench.receive("52 0B00 AA") == [.stored(11, [0xAA])])
        #expect(bench.send([1], of: 11, as: .notify) == [.send("1b0b0001")])
    }

    @Test func `what was prepared before the change is forgotten with the refusal`() {
        var bench = ServerBench(changing)
        _ = bench.receive("12 0600 01")
        _ = bench.receive("16 0B00 0000 AA")
        _ = bench.add(added)
        #expect(bench.receive("18 01") == [.send("0118000012")])
        #expect(bench.receive("18 01") == [.send("19")])
        #expect(bench.receive("0A 0B00") == [.send("0b01")])
    }

    @Test func `a client that comes again starts as one that knows`() {
        let bench = Self.unaware()
        var again = ServerBench(changing)
        again.database = bench.database
        #expect(again.receive("12 0600 01") == [.send("13")])
        #expect(again.receive("0A 0B00") == [.send("0b01")])
    }
}
