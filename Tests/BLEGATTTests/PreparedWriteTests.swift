// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

private let value: [UInt8] = (0..<512).map { UInt8($0 & 0xFF) }

/// A prepare request for a part of `value`, and its echo.
private func part(_ handle: UInt16, _ offset: Int, _ count: Int) -> (request: String, echo: [UInt8]) {
    let octets = Array(value[offset..<(offset + count)])
    let handle = AttributeHandle(rawValue: handle)
    let request = ATT.PrepareWriteRequest(handle: handle, offset: UInt16(offset), value: octets)
    let echo = ATT.PrepareWriteResponse(handle: handle, offset: UInt16(offset), value: octets)
    return (request.octets.hexadecimal, echo.octets)
}

@Suite struct ClientLongWriteTests {
    @Test(arguments: [(23, 21, 2), (23, 36, 2), (23, 37, 3), (23, 512, 29), (247, 245, 2), (514, 512, 2)])
    func `a long value goes in parts and is then written`(_ mtu: Int, _ count: Int, _ parts: Int) {
        var client = GATT.Client()
        client.mtuAgreed(mtu)
        var seen = client.start(.write(3, Array(value.prefix(count))))
        var offset = 0
        for _ in 0..<parts {
            let sent = part(3, offset, min(mtu - 5, count - offset))
            #expect(seen == [.send(sent.request)])
            offset += mtu - 5
            seen = client.receive(sent.echo)
        }
        #expect(seen == [.send("1801")])
        #expect(client.receive("19") == [.completed(1, .success(.done))])
        #expect(client.nextDeadline == nil)
    }

    @Test func `several values are written together, empty ones among them`() {
        var client = GATT.Client()
        let long = Array(value.prefix(20))
        let writes: [GATT.ValueWrite] = [.init([7], to: 3), .init([], to: 4), .init(long, to: 3)]
        #expect(client.start(.writeReliably(writes)) == [.send("160300000007")])
        #expect(client.receive("17 0300 0000 07") == [.send("1604000000")])
        #expect(client.receive("17 0400 0000") == [.send(part(3, 0, 18).request)])
        #expect(client.receive(part(3, 0, 18).echo) == [.send(part(3, 18, 2).request)])
        #expect(client.receive(part(3, 18, 2).echo) == [.send("1801")])
        #expect(client.receive("19") == [.completed(1, .success(.done))])
    }

    @Test func `no values, and a value that no attribute holds, are not sent`() {
        var client = GATT.Client()
        #expect(client.start(.writeReliably([])) == [.completed(1, .failure(.unsupported))])
        let writes: [GATT.ValueWrite] = [.init([1], to: 3), .init(value + [0], to: 4)]
        #expect(client.start(.writeReliably(writes)) == [.completed(2, .failure(.unsupported))])
        #expect(client.start(.write(3, value + [0])) == [.completed(3, .failure(.unsupported))])
    }

    /// Another handle, offset or octet, one short, one long, none.
    @Test(arguments: [
        "17 0400 0000 0708", "17 0300 0100 0708", "17 0300 0000 0709", "17 0300 0000 07",
        "17 0300 0000 070809", "17 0300 0000", "17 0300 00", "17",
    ]) func `what was echoed wrong is taken back`(_ echo: String) {
        var client = GATT.Client()
        _ = client.start(.writeReliably([.init([7, 8], to: 3)]))
        _ = client.start(.read(9))
        #expect(client.receive(echo).last == .send("1800"))
        #expect(client.nextDeadline == moment(30))
        #expect(client.receive("19") == [.completed(1, .failure(.badResponse)), .send("0a0900")])
    }

    @Test func `a refusal of the first part ends it, one of a later part takes back what was prepared`() {
        var client = GATT.Client()
        let writes: [GATT.ValueWrite] = [.init([1], to: 3), .init([2], to: 4)]
        _ = client.start(.writeReliably(writes))
        #expect(client.receive("01 16 0300 03") == [.completed(1, .failure(.refused(.writeNotPermitted)))])
        _ = client.start(.writeReliably(writes))
        _ = client.receive("17 0300 0000 01")
        #expect(client.receive("01 16 0400 09") == [.send("1800")])
        // Also when the server refuses to forget.
        #expect(
            client.receive("01 18 0000 06") == [.completed(2, .failure(.refused(.prepareQueueFull)))])
    }

    @Test func `a refusal at the end is told`() {
        var client = GATT.Client()
        _ = client.start(.writeReliably([.init([1], to: 3)]))
        #expect(client.receive("17 0300 0000 01") == [.send("1801")])
        #expect(client.receive("01 18 0300 83") == [.completed(1, .failure(.refused(.init(rawValue: 0x83))))])
    }

    /// With the commit on its way there is nothing to take back any more.
    @Test func `a malformed answer to the last request fails the operation`() {
        var client = GATT.Client()
        _ = client.start(.writeReliably([.init([1], to: 3)]))
        _ = client.receive("17 0300 0000 01")
        #expect(client.receive("19 00") == [.malformed("1900"), .completed(1, .failure(.badResponse))])
    }

    @Test(arguments: ["13", "19", "01 12 0300 03", "01 18 0300 03"])
    func `an answer to something else is ignored`(_ pdu: String) {
        var client = GATT.Client()
        _ = client.start(.writeReliably([.init([1], to: 3)]))
        #expect(client.receive(pdu) == [.malformed(hex(pdu))])
        #expect(client.receive("17 0300 0000 01") == [.send("1801")])
    }

    @Test func `each part has its own 30 s`() {
        var client = GATT.Client()
        _ = client.start(.writeReliably([.init([1], to: 3)]))
        _ = client.receive("17 0300 0000 01", 20)
        #expect(client.nextDeadline == moment(50))
        client.deadlineReached(at: moment(50))
        #expect(client.drain() == [.completed(1, .failure(.timeout)), .close])
    }
}

@Suite struct ServerPreparedWriteTests {
    @Test func `a stored value is written when all parts are there`() {
        var bench = ServerBench(everything)
        #expect(bench.receive("16 0900 0000 0A0B0C") == [.send("17090000000a0b0c")])
        #expect(bench.receive("16 0900 0300 0D") == [.send("17090003000d")])
        #expect(bench.receive("0A 0900") == [.send("0b0102")])
        #expect(bench.receive("18 01") == [.stored(9, [10, 11, 12, 13]), .send("19")])
        #expect(bench.receive("0A 0900") == [.send("0b0a0b0c0d")])
        #expect(bench.receive("18 01") == [.send("19")])
    }

    @Test func `a delegated value is given whole and once, and its refusal names it`() {
        var bench = ServerBench(everything)
        _ = bench.receive("16 0F00 0000 0102")
        _ = bench.receive("16 0F00 0200 03")
        #expect(bench.receive("18 01") == [.write(15, [1, 2, 3], answered: true)])
        #expect(bench.receive("0A 0300") == [])
        #expect(bench.answer(.success([])) == [.send("19"), .send("0b4c616d70")])
        _ = bench.receive("16 0F00 0000 01")
        #expect(bench.receive("18 01") == [.write(15, [1], answered: true)])
        #expect(bench.answer(.failure(.init(rawValue: 0x82))) == [.send("01180f0082")])
        #expect(bench.receive("18 01") == [.send("19")])
    }

    @Test func `values are written in order, and none after a refusal`() {
        for isAccepted in [true, false] {
            var bench = ServerBench(everything)
            for pdu in ["16 0A00 0000 0100", "16 0F00 0000 05", "16 0900 0000 06", "16 0F00 0100 07"] {
                #expect(bench.receive(pdu).count == 1)
            }
            #expect(bench.receive("18 01") == [.subscribed(9, .notify), .write(15, [5, 7], answered: true)])
            if isAccepted {
                #expect(bench.answer(.success([])) == [.stored(9, [6]), .send("19")])
            } else {
                #expect(bench.answer(.failure(.outOfRange)) == [.send("01180f00ff")])
                #expect(bench.receive("0A 0900") == [.send("0b0102")])
            }
        }
    }

    /// Parts of the value 0102 at handle 9, and what it is then.
    @Test(arguments: [
        (["0000 AA"], "aa"), (["0000"], ""), (["0100 AA"], "01aa"), (["0200 AABB"], "0102aabb"),
        (["0100 AABBCC", "0000 DD"], "ddaabbcc"), (["0000 AABBCC", "0100 DD"], "aaddcc"),
        (["0000 AA", "0000 BB"], "bb"), (["0200", "0000 CC"], "cc02"),
    ]) func `parts change the value that is there or begin a new one`(_ parts: [String], _ after: String) {
        var bench = ServerBench(everything)
        for part in parts { #expect(bench.receive("16 0900" + part).count == 1) }
        #expect(bench.receive("18 01").last == .send("19"))
        #expect(bench.receive("0A 0900") == [.send("0b" + after)])
    }

    /// What is prepared, and the answer to Execute Write: gaps, too much, switches that cannot be.
    @Test(arguments: [
        (["16 0900 0300 AA"], "01 18 0900 07"), (["16 0900 FFFF"], "01 18 0900 07"),
        (["16 0900 0000 AA", "16 0900 0200 BB"], "01 18 0900 07"),
        (["16 0F00 0100 AA"], "01 18 0F00 07"), (["16 0A00 0000 01"], "01 18 0A00 0D"),
        (["16 0A00 0000 010000"], "01 18 0A00 0D"), (["16 0A00 0000 0400"], "01 18 0A00 13"),
        (["16 0A00 0100 00"], "01 18 0A00 07"),
    ]) func `what makes no value is refused, and nothing is written`(_ pdus: [String], _ answer: String) {
        var bench = ServerBench(everything)
        for pdu in pdus { #expect(bench.receive(pdu).count == 1) }
        #expect(bench.receive("18 01") == [.send(hex(answer))])
        #expect(bench.receive("0A 0900") == [.send("0b0102")])
        #expect(bench.receive("18 01") == [.send("19")])
    }

    @Test func `a fault in one value keeps the others from being written`() {
        var bench = ServerBench(everything)
        _ = bench.receive("16 0900 0000 AA")
        _ = bench.receive("16 0F00 0500 BB")
        #expect(bench.receive("18 01") == [.send("01180f0007")])
        #expect(bench.receive("0A 0900") == [.send("0b0102")])
    }

    @Test func `more than 512 octets are no value`() {
        var bench = ServerBench(everything, mtu: 517)
        _ = bench.receive([0x16, 9, 0, 0, 0] + value)
        #expect(bench.receive("18 01") == [.stored(9, value), .send("19")])
        _ = bench.receive("16 0900 0002 AA")
        #expect(bench.receive("18 01") == [.send("011809000d")])
    }

    @Test(arguments: [
        ("16 0000 0000 01", "01"), ("16 1A00 0000 01", "01"), ("16 FFFF 0000 01", "01"),
        ("16 0300 0000 01", "03"), ("16 0B00 0000 01", "03"), ("16 0D00 0000 01", "03"),
        ("16 0100 0000 01", "03"),
    ]) func `what cannot be written cannot be prepared`(_ request: String, _ code: String) {
        var bench = ServerBench(everything)
        let handle = octets(request)[1...2].hexadecimal
        #expect(bench.receive(request) == [.send("0116" + handle + code)])
        #expect(bench.receive("18 01") == [.send("19")])
    }

    @Test func `a part that could not be echoed whole is refused`() {
        var bench = ServerBench(everything)
        #expect(bench.receive([0x16, 9, 0, 0, 0] + value.prefix(19)) == [.send("0116090004")])
        #expect(bench.receive([0x16, 9, 0, 0, 0] + value.prefix(18)).count == 1)
        #expect(bench.receive("18 01").first == .stored(9, Array(value.prefix(18))))
    }

    @Test func `parts beyond the limits are refused, what is there stays`() {
        var bench = ServerBench(everything)
        for _ in 0..<64 { #expect(bench.receive("16 0900 0000 AA") == [.send("1709000000aa")]) }
        #expect(bench.receive("16 0900 0000 BB") == [.send("0116090009")])
        #expect(bench.receive("18 01") == [.stored(9, [0xAA]), .send("19")])

        bench = ServerBench(everything, mtu: 517)
        for _ in 0..<2 { #expect(bench.receive([0x16, 9, 0, 0, 0] + value).count == 1) }
        #expect(bench.receive("16 0900 0000 AA") == [.send("0116090009")])
        #expect(bench.receive("16 0900 0000") == [.send("1709000000")])
        #expect(bench.receive("18 00") == [.send("19")])
        #expect(bench.receive([0x16, 9, 0, 0, 0] + value).first != .send("0116090009"))
    }

    @Test func `what is taken back is not written`() {
        var bench = ServerBench(everything)
        _ = bench.receive("16 0900 0000 AA")
        #expect(bench.receive("18 00") == [.send("19")])
        #expect(bench.receive("18 01") == [.send("19")])
        #expect(bench.receive("0A 0900") == [.send("0b0102")])
    }

    @Test func `a write in between does not touch what is prepared`() {
        var bench = ServerBench(everything)
        _ = bench.receive("16 0900 0300 AA")
        #expect(bench.receive("12 0900 010203") == [.send("13"), .stored(9, [1, 2, 3])])
        #expect(bench.receive("18 01") == [.stored(9, [1, 2, 3, 0xAA]), .send("19")])
    }

    @Test func `the link's end while the session judges leads nowhere`() {
        var bench = ServerBench(everything)
        _ = bench.receive("16 0F00 0000 05")
        _ = bench.receive("16 0900 0000 06")
        #expect(bench.receive("18 01") == [.write(15, [5], answered: true)])
        bench.server.closed()
        #expect(bench.answer(.success([])) == [])
        #expect(
            bench.database.attribute(9)?.content
                == .value([.read, .write, .notify, .indicate], .stored([1, 2])))
    }

    @Test(arguments: [23, 24, 100, 247, 513], [0, 1, 20, 21, 36, 37, 511, 512])
    func `our client writes what our server keeps`(_ mtu: Int, _ count: Int) {
        var bench = ServerBench(everything, mtu: mtu)
        var client = GATT.Client()
        client.mtuAgreed(mtu)
        var seen = client.start(.write(9, Array(value.prefix(count))))
        while case .send(let request)? = seen.first {
            for case .send(let response) in bench.receive(request) { seen = client.receive(response) }
        }
        #expect(seen == [.completed(1, .success(.done))])
        guard case .value(_, .stored(let kept))? = bench.database.attribute(9)?.content else { return }
        #expect(kept == Array(value.prefix(count)))
    }
}
