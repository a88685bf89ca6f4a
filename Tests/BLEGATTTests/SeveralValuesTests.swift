// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

private let longHex = "4B9131C3C9C5CC8F9E45B51F01C2AF4F"

@Suite struct ClientSeveralValuesTests {
    @Test func `several values come as one, or each with its length`() {
        var client = GATT.Client()
        #expect(client.start(.readMultiple([3, 5])) == [.send("0e03000500")])
        #expect(client.receive("0F 0102") == [.completed(1, .success(.value([1, 2])))])
        #expect(client.start(.readMultipleVariable([3, 5])) == [.send("2003000500")])
        #expect(
            client.receive("21 0100 07 0000") == [
                .completed(2, .success(.values([.init(handle: 3, value: [7]), .init(handle: 5, value: [])])))
            ])
    }

    @Test func `a response that was cut has what it has, one with too much is none`() {
        var client = GATT.Client()
        _ = client.start(.readMultipleVariable([3, 5]))
        #expect(
            client.receive("21 0900 0708") == [
                .completed(1, .success(.values([.init(handle: 3, value: [7, 8])])))
            ])
        _ = client.start(.readMultipleVariable([3, 5]))
        #expect(client.receive("21 0000 0000 0000") == [.completed(2, .failure(.badResponse))])
    }

    @Test(arguments: [(0, false), (1, false), (2, true), (11, true), (12, false), (40_000, false)])
    func `as many handles are asked for as one request holds`(_ count: Int, _ isSent: Bool) {
        let handles = [AttributeHandle](repeating: 3, count: count)
        for operation in [GATT.Operation.readMultiple(handles), .readMultipleVariable(handles)] {
            var client = GATT.Client()
            let seen = client.start(operation)
            #expect(isSent == (seen != [.completed(1, .failure(.unsupported))]))
        }
    }

    @Test func `refusals are told`() {
        var client = GATT.Client()
        _ = client.start(.readMultiple([3, 5]))
        #expect(client.receive("01 0E 0500 02") == [.completed(1, .failure(.refused(.readNotPermitted)))])
        _ = client.start(.readMultipleVariable([3, 5]))
        #expect(client.receive("01 20 0500 0E") == [.completed(2, .failure(.refused(.unlikelyError)))])
        _ = client.start(.readAll(BluetoothUUID(0x2A00)))
        #expect(client.receive("01 08 0300 02") == [.completed(3, .failure(.refused(.readNotPermitted)))])
        _ = client.start(.discoverServices(BluetoothUUID(0x1800)))
        #expect(client.receive("01 06 0100 06") == [.completed(4, .failure(.refused(.requestNotSupported)))])
    }

    /// Read Multiple would not tell where a value ends.
    @Test func `a server that knows no request for several values is asked for each`() {
        var client = GATT.Client()
        _ = client.start(.readMultipleVariable([3, 5, 3]))
        #expect(client.receive("01 20 0300 06") == [.send("0a0300")])
        #expect(client.receive("0B") == [.send("0a0500")])
        let full = [UInt8](repeating: 7, count: 22)
        #expect(client.receive([0x0B] + full) == [.send("0c05001600")])
        #expect(client.receive("0D 0102") == [.send("0a0300")])
        #expect(
            client.receive("0B 09") == [
                .completed(
                    1,
                    .success(
                        .values([
                            .init(handle: 3, value: []), .init(handle: 5, value: full + [1, 2]),
                            .init(handle: 3, value: [9]),
                        ])))
            ])
        // As one value, cut where the response would have been.
        _ = client.start(.readMultiple([3, 5]))
        #expect(client.receive("01 0E 0300 06") == [.send("0a0300")])
        #expect(client.receive("0B 0102") == [.send("0a0500")])
        _ = client.receive([0x0B] + full)
        #expect(client.receive("0D") == [.completed(2, .success(.value(([1, 2] + full).dropLast(2))))])
    }

    @Test func `values that are read one by one fail as one`() {
        for answer in ["01 0A 0500 02", "01 0A 0500 06"] {
            var client = GATT.Client()
            _ = client.start(.readMultipleVariable([3, 5]))
            _ = client.receive("01 20 0300 06")
            _ = client.receive("0B 01")
            let code = ATT.ErrorCode(rawValue: octets(answer)[4])
            #expect(client.receive(answer) == [.completed(1, .failure(.refused(code)))])
            #expect(client.start(.read(9)) == [.send("0a0900")])
        }
        var client = GATT.Client()
        _ = client.start(.readMultipleVariable([3, 5]))
        _ = client.receive("01 20 0300 06")
        #expect(client.receive("13") == [.malformed("13")])
    }

    @Test(arguments: [0x0E, 0x80, 0x05, 0x0F] as [UInt8])
    func `a value that is refused on its way is as far as it came, unless the rest may be granted`(
        _ code: UInt8
    ) {
        let full = [UInt8](repeating: 7, count: 22)
        var client = GATT.Client()
        _ = client.start(.readMultipleVariable([3, 5]))
        _ = client.receive("01 20 0300 06")
        _ = client.receive([0x0B] + full)
        let seen = client.receive([0x01, 0x0C, 0x03, 0x00, code])
        guard code >= 0x10 || code == 0x0E else {
            #expect(seen == [.completed(1, .failure(.refused(ATT.ErrorCode(rawValue: code))))])
            return
        }
        #expect(seen == [.send("0a0500")])
        #expect(
            client.receive("0B 01") == [
                .completed(
                    1, .success(.values([.init(handle: 3, value: full), .init(handle: 5, value: [1])])))
            ])
    }

    @Test func `a change of services ends values that are read one by one`() {
        var client = GATT.Client()
        _ = client.start(.findServices(known: nil))
        _ = client.receive("01 08 0100 0A")
        for answer in [
            "11 06 0100 0900 0118", "01 10 0A00 0A", "01 10 0100 0A", "01 08 0100 0A",
            "09 07 0200 20 0300 052A", "01 08 0300 0A", "05 01 0400 0229", "01 04 0500 0A",
        ] { _ = client.receive(answer) }
        #expect(client.receive("13").count == 1)
        _ = client.start(.readMultipleVariable([0x15, 0x17]))
        _ = client.receive("01 20 1500 06")
        #expect(client.receive("1D 0300 1700 1700").last == .servicesChanged(0x17, 0x17))
        #expect(client.receive("0B 01") == [.completed(2, .failure(.refused(.databaseOutOfSync)))])
    }

    @Test func `all values of a kind are asked for until there are no more`() {
        var client = GATT.Client()
        #expect(client.start(.readAll(BluetoothUUID(0x2A00))) == [.send("080100ffff002a")])
        #expect(client.receive("09 03 0300 07 0500 08") == [.send("080600ffff002a")])
        #expect(
            client.receive("09 04 FFFF 090A").last
                == .completed(
                    1,
                    .success(
                        .values([
                            .init(handle: 3, value: [7]), .init(handle: 5, value: [8]),
                            .init(handle: 0xFFFF, value: [9, 10]),
                        ]))))
        _ = client.start(.readAll(BluetoothUUID(0x2A00)))
        #expect(client.receive("01 08 0100 0A") == [.completed(2, .success(.values([])))])
    }

    @Test func `services of a kind are asked for until there are no more`() {
        var client = GATT.Client()
        #expect(client.start(.discoverServices(BluetoothUUID(0x1800))) == [.send("060100ffff00280018")])
        #expect(client.receive("07 0300 0500 0700 0700") == [.send("060800ffff00280018")])
        let found = [(3, 5), (7, 7)].map { (start: UInt16, end: UInt16) in
            GATT.Service(
                uuid: BluetoothUUID(0x1800), handle: AttributeHandle(rawValue: start),
                endHandle: AttributeHandle(rawValue: end), isPrimary: true)
        }
        #expect(client.receive("01 06 0800 0A") == [.completed(1, .success(.services(found)))])
        #expect(
            client.start(.discoverServices(BluetoothUUID(high: 1, low: 2)))
                == [.send(hex("06 0100 FFFF 0028 0200000000000000 0100000000000000"))])
        #expect(client.receive("07 0300 FFFF").count == 1)
    }

    /// Back, again, end before start, handle 0, and more after the last handle.
    @Test(arguments: [
        "07 0500 0400", "07 0000 0100", "09 02 0000",
    ]) func `a list that does not advance is no list`(_ pdu: String) {
        var client = GATT.Client()
        _ = client.start(
            octets(pdu)[0] == 7 ? .discoverServices(BluetoothUUID(0x1800)) : .readAll(BluetoothUUID(0x2A00)))
        #expect(client.receive(pdu) == [.completed(1, .failure(.badResponse))])
    }

    @Test(arguments: [
        "07 0300 0500 0400 0600", "07 0300 0300 0300 0300", "07 0300 FFFF 0400 FFFF", "09 03 0500 01 0400 01",
        "09 03 0500 01 0500 01", "09 02 FFFF FFFF",
    ]) func `a list that stops to advance is kept until there`(_ pdu: String) {
        var client = GATT.Client()
        _ = client.start(
            octets(pdu)[0] == 7 ? .discoverServices(BluetoothUUID(0x1800)) : .readAll(BluetoothUUID(0x2A00)))
        let seen = client.receive(pdu)
        guard seen.count == 1, case .completed(1, .success(let answer)) = seen[0] else {
            Issue.record("\(seen)")
            return
        }
        switch answer {
        case .services(let services): #expect(services.map(\.handle) == [3])
        case .values(let values): #expect(values.count == 1)
        default: Issue.record("\(answer)")
        }
    }
}

@Suite struct ServerReadMultipleTests {
    @Test(arguments: [
        ("0E 0300 0500", "0F 4C616D70 C003"), ("20 0300 0500", "21 0400 4C616D70 0200 C003"),
        ("0E 1800 1800", "0F"), ("20 1800 0300", "21 0000 0400 4C616D70"),
        ("0E 0100 0A00 0900", "0F 0018 0000 0102"), ("0E 0300 0300", "0F 4C616D70 4C616D70"),
        // The first that cannot be read is to blame, be it beyond what fits.
        ("0E 0300 0D00", "01 0E 0D00 02"), ("20 0D00 0000", "01 20 0D00 02"),
        ("20 0300 0000", "01 20 0000 01"),
        ("0E 0800 0800 0D00", "01 0E 0D00 02"), ("0E 1A00 0300", "01 0E 1A00 01"),
        ("20 0300 FFFF", "01 20 FFFF 01"),
        // Cut at the MTU: in a value, and in a length.
        ("0E 0800 0800", "0F \(declaration) \(declaration.prefix(6))"),
        ("20 0800 0300", "21 1300 \(declaration) 04"),
    ]) func `several values in one response`(_ request: String, _ answer: String) {
        var bench = ServerBench(everything)
        #expect(bench.receive(request) == [.send(hex(answer))])
    }

    /// The declaration at handle 8, of 19 octets.
    private static let declaration = "3A0900" + longHex

    @Test func `delegated values are asked for one after the other`() {
        var bench = ServerBench(everything)
        #expect(bench.receive("20 0F00 0300 1100") == [.read(15)])
        #expect(bench.answer(.success([1])) == [.read(17)])
        #expect(bench.answer(.success([2, 3])) == [.send(hex("21 0100 01 0400 4C616D70 0200 0203"))])
        #expect(bench.receive("0E 0F00 0F00") == [.read(15)])
        #expect(bench.answer(.success([1])) == [.read(15)])
        #expect(bench.answer(.failure(.unlikelyError)) == [.send("010e0f000e")])
        #expect(bench.receive("0A 0300") == [.send("0b4c616d70")])
    }

    @Test func `a value that the session makes too long is cut`() {
        var bench = ServerBench(everything, mtu: 517)
        _ = bench.receive("20 0F00 0300")
        let seen = bench.answer(.success([UInt8](repeating: 7, count: 70_000)))
        #expect(seen == [.send("210002" + [UInt8](repeating: 7, count: 512).hexadecimal + "0400")])
    }
}
