// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

private let longUUID = BluetoothUUID(high: 0x4FAF_C201_1FB5_459E, low: 0x8FCC_C5C9_C331_914B)

/// Services with gaps between their handles, and with includes of one that comes later.
private let scattered: [GATT.ServiceDefinition] = [
    .init(
        BluetoothUUID(0xFF00), handle: 0x0010,
        // 0x11, 0x12; the third is nowhere.
        includes: [BluetoothUUID(0xFF01), longUUID, BluetoothUUID(0xFFFF)],
        characteristics: [
            .init(BluetoothUUID(0xFF02), .read, handle: 0x0020, value: .stored([1])),  // 0x20, 0x21
            .init(BluetoothUUID(0xFF02), [.read, .notify], value: .stored([2])),  // 0x22, 0x23, 0x24
        ]),
    .init(BluetoothUUID(0xFF01), isPrimary: false, handle: 0x0100, characteristics: []),
    .init(
        longUUID, isPrimary: false, handle: 0xFFFD,
        characteristics: [.init(BluetoothUUID(0xFF02), .read, value: .stored([3]))]),  // 0xFFFE, 0xFFFF
]

@Suite struct DatabaseTests {
    @Test(arguments: [
        ("10 0100 FFFF 0028", "11 06 1000 2400 00FF"), ("10 1100 FFFF 0028", "01 10 1100 0A"),
        ("10 0100 FFFF 0128", "11 06 0001 0001 01FF"),
        ("08 0100 FFFF 0228", "09 08 1100 0001 0001 01FF"), ("08 1200 FFFF 0228", "09 06 1200 FDFF FFFF"),
        ("08 0100 FFFF 02FF", "09 03 2100 01 2300 02 FFFF 03"), ("08 2200 FEFF 02FF", "09 03 2300 02"),
        ("08 FFFF FFFF 02FF", "09 03 FFFF 03"),
        ("04 1300 2100", "05 01 2000 0328 2100 02FF"), ("04 1300 1F00", "01 04 1300 0A"),
        ("04 0100 0F00", "01 04 0100 0A"), ("04 2500 FFFF", "05 01 0001 0128 FDFF 0128 FEFF 0328 FFFF 02FF"),
        ("0A 2100", "0B 01"), ("0A FFFF", "0B 03"), ("0A 0000", "01 0A 0000 01"),
        ("0A 0100", "01 0A 0100 01"),
        ("0A 0F00", "01 0A 0F00 01"), ("0A 1300", "01 0A 1300 01"), ("0A 2500", "01 0A 2500 01"),
        ("0A FCFF", "01 0A FCFF 01"), ("0A 2200", "0B 12 2300 02FF"),
    ]) func `services stand where they were put`(_ request: String, _ answer: String) {
        var bench = ServerBench(scattered)
        #expect(bench.receive(request) == [.send(hex(answer))])
    }

    @Test func `our client finds what is scattered`() {
        var bench = ServerBench(scattered)
        var client = GATT.Client()
        var seen = client.start(.discover)
        while case .send(let request)? = seen.first {
            for case .send(let response) in bench.receive(request) { seen = client.receive(response) }
        }
        guard case .completed(1, .success(.services(let found)))? = seen.first else {
            Issue.record("not found")
            return
        }
        #expect(found.map(\.handle) == [0x10, 0x100, 0xFFFD])
        #expect(found.map(\.endHandle) == [0x24, 0x100, 0xFFFF])
        #expect(found.first?.includes.map(\.uuid) == [BluetoothUUID(0xFF01), longUUID])
        #expect(found.first?.includes.map(\.startHandle) == [0x100, 0xFFFD])
        #expect(found.last?.characteristics.map(\.valueHandle) == [0xFFFF])
        #expect(bench.database.valueHandle(of: BluetoothUUID(0xFF02)) == 0x21)
    }

    @Test func `a new service takes no handle that an attribute has`() {
        var database = GATT.Database(attributes: [
            .init(handle: 3, type: BluetoothUUID(0x2A00), content: .constant([1]))
        ])
        var service = GATT.ServiceDefinition(
            BluetoothUUID(0xFF20), handle: 1,
            characteristics: [
                .init(BluetoothUUID(0xFF21), .read, value: .stored([2]))
            ])
        #expect(database.add(service) == nil)
        service.handle = 4
        #expect(database.add(service) == ATT.HandleRange(start: 4, end: 6))
    }

    @Test func `stored values are kept where they were put`() throws {
        var database = GATT.Database(scattered)
        try database.store([9], at: 0xFFFF)
        #expect(database.attribute(0xFFFF)?.content == .value(.read, .stored([9])))
        #expect(throws: ATT.ErrorCode.invalidHandle) { try database.store([9], at: 0x25) }
        #expect(throws: ATT.ErrorCode.invalidHandle) { try database.store([9], at: 0x22) }
        #expect(GATT.Database([]).attribute(1) == nil)
    }
}

@Suite struct ServerAccessTests {
    /// One value for each condition, at handles 3, 6, 9 and 12; its switch follows.
    private static func bench(_ security: GATT.LinkSecurity) -> ServerBench {
        let levels: [SecurityLevel] = [.none, .encrypted, .authenticated, .secureConnections]
        let all: GATT.Properties = [.read, .write, .writeWithoutResponse, .notify]
        var bench = ServerBench([
            .init(
                BluetoothUUID(0xFF00),
                characteristics: levels.map {
                    .init(
                        BluetoothUUID(0xFF01), all, access: .init(read: $0, write: $0, subscribe: $0),
                        value: .stored([7]))
                })
        ])
        bench.server.securityChanged(security)
        return bench
    }

    /// How well the link is protected, a handle, and why it is refused.
    ///
    /// Without a key pairing is due, with one only encryption. Spec: Core v5.4, Vol 3, Part C, 10.3.1.
    @Test(
        arguments: [
            (GATT.LinkSecurity.plain(hasKey: false), 3, nil), (.plain(hasKey: false), 6, "05"),
            (.plain(hasKey: false), 9, "05"), (.plain(hasKey: true), 3, nil), (.plain(hasKey: true), 6, "0f"),
            (.plain(hasKey: true), 9, "0f"), (.encrypted, 3, nil), (.encrypted, 6, nil),
            (.encrypted, 9, "05"), (.authenticated, 3, nil), (.authenticated, 6, nil),
            (.authenticated, 9, nil), (.authenticated, 12, "05"), (.secureConnections, 9, nil),
            (.secureConnections, 12, nil),
        ] as [(GATT.LinkSecurity, UInt8, String?)])
    func `a link must be what a value asks for`(
        _ security: GATT.LinkSecurity, _ handle: UInt8, _ code: String?
    ) {
        for request in [
            "0A 0H00", "0C 0H00 0000", "12 0H00 01", "16 0H00 0000 01", "0E 0300 0H00", "20 0300 0H00",
        ] {
            var bench = Self.bench(security)
            let octets = octets(request.replacing("H", with: String(handle, radix: 16)))
            let seen = bench.receive(octets)
            if let code {
                #expect(seen == [.send("01" + [octets[0], handle, 0].hexadecimal + code)])
            } else {
                #expect(
                    seen.first != nil
                        && seen.first != .send("01" + [octets[0], handle, 0].hexadecimal + "05"))
                if case .send(let pdu)? = seen.first { #expect(!pdu.hasPrefix("01")) }
            }
        }
        var bench = Self.bench(security)
        #expect(bench.receive([0x52, handle, 0, 5]) == (code == nil ? [.stored(UInt16(handle), [5])] : []))
        let switched = bench.receive([0x12, handle + 1, 0, 1, 0])
        #expect(
            switched
                == (code.map { [.send("0112" + [handle + 1, 0].hexadecimal + $0)] }
                    ?? [.send("13"), .subscribed(UInt16(handle), .notify)]))
        #expect(bench.receive([0x0A, handle + 1, 0]) == [.send(code == nil ? "0b0100" : "0b0000")])
    }

    @Test func `lists end where a value may not be read`() {
        var bench = Self.bench(.plain(hasKey: false))
        #expect(bench.receive("08 0100 FFFF 01FF") == [.send("0903030007")])
        #expect(bench.receive("08 0400 FFFF 01FF") == [.send("0108060005")])
        #expect(bench.receive("06 0100 FFFF 01FF 07") == [.send("0703000300")])
    }

    @Test func `a bearer starts with a plain link and no key`() {
        let server = GATT.Server(receiveMTU: 517)
        #expect(server.security == .plain(hasKey: false))
    }
}
