// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

/// No value has more than 512 octets, whatever the MTU and the session say.
///
/// Spec: Core v5.4, Vol 3, Part F, 3.2.9.
@Suite struct ValueLimitTests {
    private static let long = [UInt8](repeating: 7, count: 600)
    private static let whole = [UInt8](repeating: 7, count: 512).hexadecimal

    @Test func `a value that the session makes too long is read as far as an attribute holds it`() {
        var bench = ServerBench(everything, receiveMTU: 1000, mtu: 1000)
        #expect(bench.receive("0A 0F00") == [.read(15)])
        #expect(bench.answer(.success(Self.long)) == [.send("0b" + Self.whole)])
        _ = bench.receive("0C 0F00 FE01")
        #expect(bench.answer(.success(Self.long)) == [.send("0d0707")])
        _ = bench.receive("0C 0F00 0002")
        #expect(bench.answer(.success(Self.long)) == [.send("0d")])
        _ = bench.receive("0C 0F00 0102")
        #expect(bench.answer(.success(Self.long)) == [.send("010c0f0007")])
        _ = bench.receive("0E 0F00 0300")
        #expect(bench.answer(.success(Self.long)) == [.send("0f" + Self.whole + "4c616d70")])
    }

    @Test func `values sent by themselves are cut at 512 octets`() {
        var bench = ServerBench(everything, receiveMTU: 1000, mtu: 517)
        _ = bench.receive("12 0A00 0300")
        #expect(bench.send(Self.long, of: 9, as: .notify) == [.send("1b0900" + Self.whole)])
        #expect(bench.send(Self.long, of: 9, as: .indicate) == [.send("1d0900" + Self.whole)])
        _ = bench.send(Self.long, of: 9, as: .indicate)
        #expect(bench.receive("1E") == [.confirmed(9), .send("1d0900" + Self.whole)])
    }

    @Test func `a client writes no longer value`() {
        var client = GATT.Client()
        client.mtuAgreed(1000)
        let full = Array(Self.long.prefix(512))
        #expect(
            client.start(.writeWithoutResponse(3, full)) == [
                .send("520300" + Self.whole), .completed(1, .success(.done)),
            ])
        #expect(
            client.start(.writeWithoutResponse(3, full + [7])) == [.completed(2, .failure(.tooLong))])
        #expect(client.start(.write(3, full + [7])) == [.completed(3, .failure(.unsupported))])
    }

    @Test func `a server keeps no longer value`() {
        var bench = ServerBench(everything, receiveMTU: 1000, mtu: 1000)
        let full = Array(Self.long.prefix(512))
        #expect(bench.receive([0x12, 9, 0] + full) == [.send("13"), .stored(9, full)])
        #expect(bench.receive([0x12, 9, 0] + full + [7]) == [.send("011209000d")])
        #expect(bench.receive([0x52, 13, 0] + full + [7]) == [])
        #expect(bench.receive([0x12, 15, 0] + full + [7]) == [.send("01120f000d")])
    }

    /// A declaration of 300 octets can only come from attributes that were laid out elsewhere.
    @Test(arguments: [23, 100, 257, 258, 517]) func `a list says how long its items are`(_ mtu: Int) {
        let value = Array(Self.long.prefix(300))
        var bench = ServerBench([], receiveMTU: 517, mtu: mtu)
        bench.database = GATT.Database(attributes: [
            .init(
                handle: 1, type: GATT.AttributeType.primaryService, content: .constant(value), groupEnd: 2),
            .init(handle: 2, type: GATT.AttributeType.characteristic, content: .constant(value)),
        ])
        let group = min(mtu - 6, 251)
        #expect(
            bench.receive("10 0100 FFFF 0028") == [
                .send([0x11, UInt8(group + 4), 1, 0, 2, 0].hexadecimal + value.prefix(group).hexadecimal)
            ])
        let item = min(mtu - 4, 253)
        #expect(
            bench.receive("08 0100 FFFF 0328") == [
                .send([0x09, UInt8(item + 2), 2, 0].hexadecimal + value.prefix(item).hexadecimal)
            ])
    }

    @Test func `requests may hold values as long as the MTU lets them`() {
        let value = Array(Self.long.prefix(510))
        let service = GATT.ServiceDefinition(
            BluetoothUUID(0xFF00),
            characteristics: [.init(BluetoothUUID(0xFF01), [.read, .write], value: .stored(value))])
        var bench = ServerBench([service], mtu: 517)
        let find: [UInt8] = [0x06, 1, 0, 0xFF, 0xFF, 0x01, 0xFF]
        #expect(bench.receive(find + value) == [.send("0703000300")])
        #expect(bench.receive(find + value + [7]) == [.send("010601000a")])
        #expect(bench.receive(find + value.dropLast()) == [.send("010601000a")])
        // Handles beyond all that there are, and types of 128 bits.
        #expect(bench.receive("04 FFFF FFFF") == [.send("0104ffff0a")])
        let reads = [UInt8](repeating: 3, count: 1) + [0]
        let many = (0..<258).flatMap { _ in reads }
        #expect(bench.receive([0x0E] + many) == [.send("0f" + Self.long.prefix(516).hexadecimal)])
        #expect(bench.receive([0x20] + many + [0]) == [.send("0120000004")])
        // A part that can be echoed whole, at the end of what a value can hold.
        let part = [UInt8](repeating: 7, count: 512)
        #expect(
            bench.receive([0x16, 3, 0, 0, 0] + part) == [.send(([0x17, 3, 0, 0, 0] + part).hexadecimal)])
        #expect(bench.receive([0x16, 3, 0, 0xFF, 0xFF, 1]) == [.send("170300ffff01")])
        #expect(bench.receive("18 01") == [.send("0118030007")])
    }

    @Test func `what may wait is said when a bearer starts`() {
        let limits = GATT.Limits(
            operations: 1, requests: 1, indications: 1, preparedParts: 2, preparedOctets: 3)
        var client = GATT.Client(limits: limits)
        _ = client.start(.read(3))
        #expect(client.start(.read(4)) == [])
        #expect(client.start(.read(5)) == [.completed(3, .failure(.queueFull))])
        var server = GATT.Server(receiveMTU: 517, limits: limits)
        var database = GATT.Database(everything)
        for request in ["16 0900 0000 01", "16 0900 0100 020304", "16 0900 0100 02", "16 0900 0200 03"] {
            server.receive(octets(request).span.bytes, database: &database, at: .zero)
        }
        var answers: [String] = []
        while case .send(let pdu)? = server.nextOutput() { answers.append(pdu.hexadecimal) }
        #expect(answers == ["170900000001", "0116090009", "170900010002", "0116090009"])
        for _ in 0..<3 { server.receive(octets("0A 0F00").span.bytes, database: &database, at: .zero) }
        var last: GATT.Server.Output?
        while let output = server.nextOutput() { last = output }
        guard case .close? = last else {
            Issue.record("not closed")
            return
        }
    }
}
