// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

private let long = BluetoothUUID(high: 0x4FAF_C201_1FB5_459E, low: 0x8FCC_C5C9_C331_914B)
private let longHex = "4b9131c3c9c5cc8f9e45b51f01c2af4f"

/// A database with everything in it; the comments are the handles.
let everything: [GATT.ServiceDefinition] = [
    .init(
        BluetoothUUID(0x1800),  // 1
        characteristics: [
            .init(BluetoothUUID(0x2A00), .read, value: .stored(Array("Lamp".utf8))),  // 2, 3
            .init(BluetoothUUID(0x2A01), .read, value: .stored([0xC0, 0x03])),  // 4, 5
        ]),
    .init(BluetoothUUID(0x1801), characteristics: []),  // 6
    .init(
        long,  // 7
        characteristics: [
            .init(
                long, [.read, .write, .notify, .indicate], value: .stored([1, 2]),  // 8, 9, 10
                descriptors: [.init(BluetoothUUID(0x2901), value: [0x41, 0x42])]),  // 11
            .init(BluetoothUUID(0x2A06), .writeWithoutResponse, value: .stored([])),  // 12, 13
            .init(BluetoothUUID(0x2A19), [.read, .write], value: .delegated),  // 14, 15
            .init(BluetoothUUID(0x2A19), [.read, .writeWithoutResponse], value: .delegated),  // 16, 17
            .init(BluetoothUUID(0x2A05), .indicate, value: .delegated),  // 18, 19, 20
            .init(BluetoothUUID(0x2A37), .notify, value: .delegated, descriptors: [.init(long, value: [])]),
            // 21, 22, 23, 24
        ]),
    .init(BluetoothUUID(0x180A), isPrimary: false, characteristics: []),  // 25
]

@Suite struct ServerRequestTests {
    /// A request and the one response to it, at an MTU of 23.
    static let answers: [(String, String)] = [
        // Primary services: the 16-bit ones, then the 128-bit one, then no more.
        ("10 0100 FFFF 0028", "11 06 0100 0500 0018 0600 0600 0118"),
        ("10 0200 FFFF 0028", "11 06 0600 0600 0118"), ("10 0700 FFFF 0028", "11 14 0700 1800 \(longHex)"),
        ("10 0800 FFFF 0028", "01 10 0800 0A"), ("10 0100 0100 0028", "11 06 0100 0500 0018"),
        ("10 0100 FFFF FB349B5F800000800010000000280000", "11 06 0100 0500 0018 0600 0600 0118"),
        ("10 0100 FFFF 0128", "11 06 1900 1900 0A18"), ("10 1A00 FFFF 0128", "01 10 1A00 0A"),
        // Types that group nothing, and ranges that cannot be: those go first.
        ("10 0100 FFFF 0328", "01 10 0100 10"), ("10 0100 FFFF \(longHex)", "01 10 0100 10"),
        ("10 1A00 FFFF 0228", "01 10 1A00 10"), ("10 0000 FFFF 0328", "01 10 0000 01"),
        ("10 0000 FFFF 0028", "01 10 0000 01"), ("10 0200 0100 0028", "01 10 0200 01"),
        ("10 FFFF FFFF 0028", "01 10 FFFF 0A"),
        // One service by its UUID.
        ("06 0100 FFFF 0028 0018", "07 0100 0500"), ("06 0100 FFFF 0028 \(longHex)", "07 0700 1800"),
        ("06 0200 FFFF 0028 0018", "01 06 0200 0A"), ("06 0100 FFFF 0028", "01 06 0100 0A"),
        ("06 0100 FFFF 0128 0A18", "07 1900 1900"), ("06 0000 FFFF 0028 0018", "01 06 0000 01"),
        ("06 0300 0200 0028 0018", "01 06 0300 01"), ("06 FFFF FFFF 0028 0018", "01 06 FFFF 0A"),
        // Any attribute by its value; a group of its own.
        ("06 0100 FFFF 0129 4142", "07 0B00 0B00"), ("06 0100 FFFF 002A 4C616D70", "07 0300 0300"),
        // A value that the session has, and one that may not be read, are not found.
        ("06 0100 FFFF 192A 00", "01 06 0100 0A"), ("06 0100 FFFF 062A", "01 06 0100 0A"),
        // Attributes and their types, in one width.
        ("04 0100 FFFF", "05 01 0100 0028 0200 0328 0300 002A 0400 0328 0500 012A"),
        ("04 0700 0900", "05 01 0700 0028 0800 0328"), ("04 0900 0900", "05 02 0900 \(longHex)"),
        ("04 1800 FFFF", "05 02 1800 \(longHex)"), ("04 1900 FFFF", "05 01 1900 0128"),
        ("04 1A00 FFFF", "01 04 1A00 0A"), ("04 0000 FFFF", "01 04 0000 01"),
        ("04 0500 0400", "01 04 0500 01"),
        ("04 0000 0000", "01 04 0000 01"), ("04 FFFF FFFF", "01 04 FFFF 0A"),
        ("04 FFFF 0000", "01 04 FFFF 01"),
        // Values of a type: characteristics of one length, then of another.
        ("08 0100 FFFF 0328", "09 07 0200 02 0300 002A 0400 02 0500 012A"),
        ("08 0500 FFFF 0328", "09 15 0800 3A 0900 \(longHex)"), ("08 0100 0100 0328", "01 08 0100 0A"),
        ("08 0100 FFFF 002A", "09 06 0300 4C616D70"), ("08 0100 FFFF \(longHex)", "09 04 0900 0102"),
        // Switches are values, too.
        ("08 0100 FFFF 0229", "09 04 0A00 0000 1400 0000 1700 0000"),
        // The handle of the value that may not be read is to blame.
        ("08 0100 FFFF 062A", "01 08 0D00 02"), ("08 0100 FFFF FFFE", "01 08 0100 0A"),
        ("08 0000 FFFF 0328", "01 08 0000 01"), ("08 0300 0200 0328", "01 08 0300 01"),
        // Reads: a value, a declaration, a switch, a descriptor; and what cannot be read.
        ("0A 0300", "0B 4C616D70"), ("0A 0100", "0B 0018"), ("0A 0200", "0B 02 0300 002A"),
        ("0A 0A00", "0B 0000"),
        ("0A 0B00", "0B 4142"), ("0A 1800", "0B"), ("0A 0D00", "01 0A 0D00 02"), ("0A 1300", "01 0A 1300 02"),
        ("0A 0000", "01 0A 0000 01"), ("0A 1A00", "01 0A 1A00 01"), ("0A FFFF", "01 0A FFFF 01"),
        // Reads from an offset: within, at the end, past it.
        ("0C 0300 0000", "0D 4C616D70"), ("0C 0300 0300", "0D 70"), ("0C 0300 0400", "0D"),
        ("0C 0300 0500", "01 0C 0300 07"), ("0C 0300 FFFF", "01 0C 0300 07"), ("0C 1800 0000", "0D"),
        ("0C 0700 0F00", "0D 4F"), ("0C 0D00 0000", "01 0C 0D00 02"), ("0C 0000 0000", "01 0C 0000 01"),
        ("0C 1A00 0000", "01 0C 1A00 01"),
        // Writes to what cannot be written.
        ("12 0300 01", "01 12 0300 03"), ("12 0100 01", "01 12 0100 03"), ("12 0B00 01", "01 12 0B00 03"),
        ("12 0D00 01", "01 12 0D00 03"), ("12 0000 01", "01 12 0000 01"), ("12 1A00 01", "01 12 1A00 01"),
        ("12 1300 01", "01 12 1300 03"),
        // Requests that are malformed, and those that we do not serve.
        ("0A", "01 0A 0000 04"), ("0A 0300 00", "01 0A 0000 04"), ("0C 0300", "01 0C 0000 04"),
        ("02 17", "01 02 0000 04"), ("10 0100 FFFF 002800", "01 10 0000 04"), ("12 03", "01 12 0000 04"),
        ("08 0100 FFFF", "01 08 0000 04"), ("0E 0300", "01 0E 0000 04"),
        ("16 0900 00", "01 16 0000 04"), ("18", "01 18 0000 04"), ("18 02", "01 18 0000 04"),
        ("20 0300 05", "01 20 0000 04"), ("0E", "01 0E 0000 04"),
        ("3F", "01 3F 0000 06"),
        ("00", "01 00 0000 06"), ("BF 0102", "01 BF 0000 06"),
    ]

    @Test(arguments: answers) func `each request has its one answer`(_ request: String, _ answer: String) {
        var bench = ServerBench(everything)
        #expect(bench.receive(request) == [.send(hex(answer))])
    }

    @Test(arguments: [
        // Write commands to nothing, to what cannot be written so, to a switch, cut off; unknown commands.
        "52", "52 0D", "52 0000 01", "52 1A00 01", "52 FFFF 01", "52 0900 01", "52 0300 01", "52 0A00 0100",
        "52 0F00 01", "40", "7F 0102", "D2 0D00 01 000000000000000000000000", "C0",
        // Responses, notifications and indications are for a client; a confirmation of nothing; no octets.
        "", "0B 01", "01 0A 0000 01", "1B 0300 01", "1D 0300 01", "13", "1E", "1E 00",
    ]) func `what makes no sense and wants no answer is ignored`(_ pdu: String) {
        var bench = ServerBench(everything)
        #expect(bench.receive(pdu) == [])
        let ignored = bench.server.ignored
        #expect(ignored == 1)
        #expect(bench.receive("0A 0900") == [.send("0b0102")])
    }

    @Test func `a larger MTU lets more into one response`() {
        var bench = ServerBench(everything, mtu: 517)
        #expect(
            bench.receive("10 0100 FFFF 0028") == [.send(hex("11 06 0100 0500 0018 0600 0600 0118"))])
        guard case .send(let types)? = bench.receive("04 0100 0800").first else { return }
        #expect(types.count / 2 == 2 + 8 * 4)
        guard case .send(let declarations)? = bench.receive("08 0900 FFFF 0328").first else { return }
        #expect(declarations.count / 2 == 2 + 5 * 7)
    }

    @Test(arguments: [23, 24, 25, 100, 255, 256, 257, 258, 300, 517])
    func `long values are cut at the MTU, and at what a length octet can say`(_ mtu: Int) {
        let value = [UInt8](repeating: 7, count: 512)
        let service = GATT.ServiceDefinition(
            BluetoothUUID(0xFF00),
            characteristics: [
                .init(BluetoothUUID(0xFF01), .read, value: .stored(value)),
                .init(BluetoothUUID(0xFF01), .read, value: .stored(value)),
                .init(BluetoothUUID(0xFF02), .read, value: .delegated),
            ])
        var bench = ServerBench([service], mtu: mtu)
        let part = min(512, mtu - 1)
        #expect(bench.receive("0A 0300") == [.send("0b" + value.prefix(part).hexadecimal)])
        #expect(bench.receive("0C 0300 0100") == [.send("0d" + value.prefix(min(511, mtu - 1)).hexadecimal)])
        let item = min(mtu - 4, 253)
        let count = (mtu - 2) / (item + 2)
        guard case .send(let list)? = bench.receive("08 0100 FFFF 01FF").first else { return }
        #expect(octets(list).count == 2 + min(count, 2) * (item + 2))
        #expect(octets(list).prefix(4) == [0x09, UInt8(item + 2), 3, 0])
        #expect(bench.receive("08 0100 FFFF 02FF") == [.read(7)])
        #expect(
            bench.answer(.success(value)) == [
                .send(([0x09, UInt8(item + 2), 7, 0] + value.prefix(item)).hexadecimal)
            ])
    }

    @Test func `stored values are kept and told`() {
        var bench = ServerBench(everything)
        #expect(bench.receive("12 0900 0506") == [.send("13"), .stored(9, [5, 6])])
        #expect(bench.receive("0A 0900") == [.send("0b0506")])
        #expect(bench.receive("12 0900") == [.send("13"), .stored(9, [])])
        #expect(bench.receive("52 0D00 07") == [.stored(13, [7])])
        guard case .value(_, .stored(let value))? = bench.database.attribute(13)?.content else { return }
        #expect(value == [7])
    }

    @Test func `a value longer than 512 octets is refused`() {
        var bench = ServerBench(everything, mtu: 517)
        let value = [UInt8](repeating: 7, count: 512)
        #expect(bench.receive([0x12, 9, 0] + value) == [.send("13"), .stored(9, value)])
        #expect(bench.receive([0x12, 9, 0] + value + [7]) == [.send("011209000d")])
        #expect(bench.receive([0x12, 15, 0] + value + [7]) == [.send("01120f000d")])
        #expect(bench.receive([0x52, 13, 0] + value + [7]) == [])
        #expect(bench.receive([0x52, 17, 0] + value + [7]) == [])
        #expect(throws: ATT.ErrorCode.invalidAttributeValueLength) {
            try bench.database.store(value + [7], at: 9)
        }
        #expect(throws: ATT.ErrorCode.invalidHandle) { try bench.database.store([], at: 15) }
        #expect(throws: ATT.ErrorCode.invalidHandle) { try bench.database.store([], at: 0) }
        #expect(throws: ATT.ErrorCode.invalidHandle) { try bench.database.store([], at: 8) }
    }

    @Test func `an empty database answers, too`() {
        var bench = ServerBench([])
        for (request, answer) in [
            ("10 0100 FFFF 0028", "01 10 0100 0A"), ("04 0100 FFFF", "01 04 0100 0A"),
            ("0A 0100", "01 0A 0100 01"),
            ("08 0100 FFFF 0328", "01 08 0100 0A"), ("06 0100 FFFF 0028 0018", "01 06 0100 0A"),
        ] {
            #expect(bench.receive(request) == [.send(hex(answer))])
        }
    }
}
