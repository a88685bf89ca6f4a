// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

@Suite struct ServerSubscriptionTests {
    @Test func `a switch keeps what was written and tells of changes only`() {
        var bench = ServerBench(everything)
        #expect(bench.receive("12 0A00 0100") == [.send("13"), .subscribed(9, .notify)])
        #expect(bench.receive("0A 0A00") == [.send("0b0100")])
        #expect(bench.receive("12 0A00 0100") == [.send("13")])
        #expect(bench.receive("12 0A00 0300") == [.send("13"), .subscribed(9, [.notify, .indicate])])
        #expect(bench.receive("12 0A00 0000") == [.send("13"), .subscribed(9, [])])
        #expect(bench.receive("12 0A00 0000") == [.send("13")])
        #expect(bench.receive("0C 0A00 0100") == [.send("0d00")])
    }

    /// Wrong lengths get Invalid Attribute Value Length, kinds that are not there Value Not Allowed.
    @Test(arguments: [
        ("12 0A00", "0D"), ("12 0A00 01", "0D"), ("12 0A00 010000", "0D"), ("12 0A00 0400", "13"),
        ("12 0A00 0080", "13"), ("12 0A00 FFFF", "13"), ("12 1400 0100", "13"), ("12 1700 0200", "13"),
        ("12 1700 0300", "13"),
    ]) func `what a switch cannot be is refused and changes nothing`(_ request: String, _ code: String) {
        var bench = ServerBench(everything)
        let handle = octets(request)[1]
        #expect(bench.receive(request) == [.send("0112" + [handle].hexadecimal + "00" + code.lowercased())])
        #expect(bench.receive([0x0A, handle, 0]) == [.send("0b0000")])
    }

    @Test func `switches belong to one bearer`() {
        var first = ServerBench(everything)
        var second = ServerBench(everything)
        _ = first.receive("12 0A00 0100")
        second.database = first.database
        #expect(second.receive("0A 0A00") == [.send("0b0000")])
        #expect(second.send([1], of: 9, as: .notify) == nil)
        #expect(first.send([1], of: 9, as: .notify) == [.send("1b090001")])
    }

    @Test func `values are sent only to who has switched that kind on`() {
        var bench = ServerBench(everything)
        #expect(bench.send([1], of: 9, as: .notify) == nil)
        #expect(bench.send([1], of: 9, as: .indicate) == nil)
        _ = bench.receive("12 0A00 0100")
        #expect(bench.send([1], of: 9, as: .notify) == [.send("1b090001")])
        #expect(bench.send([1], of: 9, as: .indicate) == nil)
        #expect(bench.send([1], of: 22, as: .notify) == nil)
        #expect(bench.send([1], of: 10, as: .notify) == nil)
        #expect(bench.send([1], of: 0, as: .notify) == nil)
        _ = bench.receive("12 0A00 0000")
        #expect(bench.send([1], of: 9, as: .notify) == nil)
    }

    @Test(arguments: [23, 24, 100, 517]) func `notifications are cut at MTU - 3`(_ mtu: Int) {
        var bench = ServerBench(everything, mtu: mtu)
        _ = bench.receive("12 0A00 0300")
        let value = [UInt8](repeating: 7, count: 512)
        for count in [0, 1, mtu - 4, mtu - 3, mtu - 2, 512] where count <= 512 {
            let part = value.prefix(min(count, mtu - 3)).hexadecimal
            #expect(bench.send(Array(value.prefix(count)), of: 9, as: .notify) == [.send("1b0900" + part)])
            #expect(bench.send(Array(value.prefix(count)), of: 9, as: .indicate) == [.send("1d0900" + part)])
            #expect(bench.receive("1E") == [.confirmed(9)])
        }
    }
}

@Suite struct ServerIndicationTests {
    private static func subscribed() -> ServerBench {
        var bench = ServerBench(everything)
        _ = bench.receive("12 0A00 0300")
        _ = bench.receive("12 1400 0200")
        return bench
    }

    @Test func `one at a time, in order`() {
        var bench = Self.subscribed()
        #expect(bench.send([1], of: 9, as: .indicate) == [.send("1d090001")])
        #expect(bench.send([2], of: 19, as: .indicate) == [])
        #expect(bench.send([3], of: 9, as: .indicate) == [])
        #expect(bench.send([4], of: 9, as: .notify) == [.send("1b090004")])
        #expect(bench.receive("1E") == [.confirmed(9), .send("1d130002")])
        #expect(bench.receive("1E") == [.confirmed(19), .send("1d090003")])
        #expect(bench.receive("1E") == [.confirmed(9)])
        #expect(bench.receive("1E") == [])
        let ignored = bench.server.ignored
        #expect(ignored == 1)
        #expect(bench.server.nextDeadline == nil)
    }

    @Test func `a confirmation with something behind it confirms nothing`() {
        var bench = Self.subscribed()
        _ = bench.send([1], of: 9, as: .indicate)
        #expect(bench.receive("1E 00") == [])
        #expect(bench.receive("1E") == [.confirmed(9)])
    }

    @Test func `30 s without a confirmation close the bearer`() {
        var bench = Self.subscribed()
        _ = bench.send([1], of: 9, as: .indicate, 5)
        _ = bench.send([2], of: 9, as: .indicate, 6)
        #expect(bench.server.nextDeadline == moment(35))
        bench.server.deadlineReached(at: moment(34))
        #expect(bench.drain() == [])
        bench.server.deadlineReached(at: moment(35))
        #expect(bench.drain() == [.close])
        #expect(bench.server.nextDeadline == nil)
        #expect(bench.receive("0A 0300") == [])
        #expect(bench.receive("1E") == [])
        #expect(bench.send([3], of: 9, as: .notify) == nil)
        bench.server.deadlineReached(at: moment(99))
        #expect(bench.drain() == [])
    }

    @Test func `each indication has its own 30 s`() {
        var bench = Self.subscribed()
        _ = bench.send([1], of: 9, as: .indicate, 0)
        _ = bench.send([2], of: 9, as: .indicate, 1)
        _ = bench.receive("1E", 29)
        #expect(bench.server.nextDeadline == moment(59))
    }

    @Test func `those that wait are bounded`() {
        var bench = Self.subscribed()
        for _ in 0...GATT.Limits().indications { #expect(bench.send([1], of: 9, as: .indicate) != nil) }
        #expect(bench.send([1], of: 9, as: .indicate) == nil)
        _ = bench.receive("1E")
        #expect(bench.send([1], of: 9, as: .indicate) == [])
    }

    @Test func `those that wait are dropped when the client switches them off`() {
        var bench = Self.subscribed()
        _ = bench.send([1], of: 9, as: .indicate)
        _ = bench.send([2], of: 9, as: .indicate)
        _ = bench.send([3], of: 19, as: .indicate)
        _ = bench.receive("12 0A00 0000")
        #expect(bench.receive("1E") == [.confirmed(9), .send("1d130003")])
    }
}

@Suite struct ServerMTUTests {
    /// What the client can receive, what the server can, what it answers and what is agreed.
    @Test(arguments: [
        ("02 0502", 517, "03 0502", 517), ("02 F700", 517, "03 0502", 247), ("02 0502", 23, "03 1700", 23),
        ("02 1700", 517, "03 0502", 23), ("02 1600", 517, "03 0502", 23), ("02 0000", 517, "03 0502", 23),
        ("02 FFFF", 185, "03 B900", 185),
    ]) func `the smaller of the two is agreed, never less than 23`(
        _ request: String, _ ours: Int, _ answer: String, _ mtu: Int
    ) {
        var bench = ServerBench(everything, receiveMTU: ours)
        #expect(bench.receive(request) == [.send(hex(answer)), .mtu(mtu)])
        let agreed = bench.server.mtu
        #expect(agreed == mtu)
    }
}

@Suite struct ServerDelegationTests {
    @Test func `reads are passed on and answered when the session has`() {
        var bench = ServerBench(everything)
        #expect(bench.receive("0A 0F00") == [.read(15)])
        let value: [UInt8] = (0..<30).map { $0 }
        #expect(bench.answer(.success(value)) == [.send("0b" + value.prefix(22).hexadecimal)])
        for (offset, answer) in [
            (0, "0d" + value.prefix(22).hexadecimal), (22, "0d161718191a1b1c1d"), (30, "0d"),
        ] {
            #expect(bench.receive([0x0C, 15, 0, UInt8(offset), 0]) == [.read(15)])
            #expect(bench.answer(.success(value)) == [.send(answer)])
        }
        #expect(bench.receive("0C 0F00 1F00") == [.read(15)])
        #expect(bench.answer(.success(value)) == [.send("010c0f0007")])
    }

    @Test(arguments: [
        ("0A 0F00", "01 0A 0F00 80"), ("0C 0F00 0000", "01 0C 0F00 80"), ("12 0F00 01", "01 12 0F00 80"),
        ("08 0100 FFFF 192A", "01 08 0F00 80"),
    ]) func `what the session refuses is refused`(_ request: String, _ refusal: String) {
        var bench = ServerBench(everything)
        #expect(bench.receive(request).count == 1)
        #expect(bench.answer(.failure(.init(rawValue: 0x80))) == [.send(hex(refusal))])
    }

    @Test func `writes are passed on, those with an answer answered`() {
        var bench = ServerBench(everything)
        #expect(bench.receive("12 0F00 0102") == [.write(15, [1, 2], answered: true)])
        #expect(bench.answer(.success([])) == [.send("13")])
        #expect(bench.receive("52 1100 0102") == [.write(17, [1, 2], answered: false)])
        #expect(bench.answer(.success([])) == [])
    }

    @Test func `a value that stands in a list is answered alone`() {
        var bench = ServerBench(everything)
        #expect(bench.receive("08 0100 FFFF 192A") == [.read(15)])
        #expect(bench.answer(.success([9])) == [.send("09030f0009")])
        #expect(bench.receive("08 1000 FFFF 192A") == [.read(17)])
        #expect(bench.answer(.success([])) == [.send("09021100")])
    }

    @Test func `requests that come meanwhile wait and are answered in order`() {
        var bench = ServerBench(everything)
        #expect(bench.receive("0A 0F00") == [.read(15)])
        #expect(bench.receive("0A 0300") == [])
        #expect(bench.receive("12 0F00 01") == [])
        #expect(bench.receive("0A") == [])
        #expect(bench.receive("52 1100 05") == [.write(17, [5], answered: false)])
        #expect(bench.receive("1E") == [])
        #expect(
            bench.answer(.success([7])) == [
                .send("0b07"), .send("0b4c616d70"), .write(15, [1], answered: true),
            ])
        #expect(bench.answer(.success([])) == [.send("13"), .send("010a000004")])
        #expect(bench.answer(.success([])) == [])
    }

    @Test func `a client that will not wait is cut off`() {
        var bench = ServerBench(everything)
        _ = bench.receive("0A 0F00")
        for _ in 0..<4 { #expect(bench.receive("0A 0300") == []) }
        #expect(bench.receive("0A 0300") == [.close])
        #expect(bench.receive("0A 0300") == [])
        #expect(bench.answer(.success([])) == [])
    }

    @Test func `values go out while the session thinks`() {
        var bench = ServerBench(everything)
        _ = bench.receive("12 0A00 0300")
        #expect(bench.receive("0A 0F00") == [.read(15)])
        #expect(bench.send([1], of: 9, as: .notify) == [.send("1b090001")])
        #expect(bench.send([1], of: 9, as: .indicate) == [.send("1d090001")])
        #expect(bench.receive("1E") == [.confirmed(9)])
        #expect(bench.answer(.success([2])) == [.send("0b02")])
    }

    @Test func `an answer after the link is gone leads nowhere`() {
        var bench = ServerBench(everything)
        _ = bench.receive("12 0A00 0300")
        _ = bench.receive("0A 0F00")
        bench.server.closed()
        #expect(bench.answer(.success([2])) == [])
        #expect(bench.send([1], of: 9, as: .notify) == nil)
        #expect(bench.drain() == [])
    }
}
