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
        #expect(bench.take("0A 0F00") == [.read(15)])
        #expect(bench.answer(.success(Self.long)) == [.send("0b" + Self.whole)])
        _ = bench.take("0C 0F00 FE01")
        #expect(bench.answer(.success(Self.long)) == [.send("0d0707")])
        _ = bench.take("0C 0F00 0002")
        #expect(bench.answer(.success(Self.long)) == [.send("0d")])
        _ = bench.take("0C 0F00 0102")
        #expect(bench.answer(.success(Self.long)) == [.send("010c0f0007")])
        _ = bench.take("0E 0F00 0300")
        #expect(bench.answer(.success(Self.long)) == [.send("0f" + Self.whole + "4c616d70")])
    }

    @Test func `values sent by themselves are cut at 512 octets`() {
        var bench = ServerBench(everything, receiveMTU: 1000, mtu: 517)
        _ = bench.take("12 0A00 0300")
        #expect(bench.send(Self.long, of: 9, as: .notify) == [.send("1b0900" + Self.whole)])
        #expect(bench.send(Self.long, of: 9, as: .indicate) == [.send("1d0900" + Self.whole)])
        _ = bench.send(Self.long, of: 9, as: .indicate)
        #expect(bench.take("1E") == [.confirmed(9), .send("1d0900" + Self.whole)])
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
        #expect(bench.take([0x12, 9, 0] + full) == [.send("13"), .stored(9, full)])
        #expect(bench.take([0x12, 9, 0] + full + [7]) == [.send("011209000d")])
        #expect(bench.take([0x52, 13, 0] + full + [7]) == [])
        #expect(bench.take([0x12, 15, 0] + full + [7]) == [.send("01120f000d")])
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
