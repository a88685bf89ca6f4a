// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

/// A client and a good server, of which anything may fail at any step.
private struct Pair: ~Copyable {
    var client = GATT.Client()
    var server = ServerBench(everything)
    var now: UInt64 = 0
    /// The request that has no answer yet.
    var request: String?
    var completed: [Result<GATT.Answer, GATTRequestError>] = []
    var isClosed = false

    mutating func observe(_ seen: [ClientSeen]) {
        for output in seen {
            switch output {
            case .send(let pdu): request = pdu
            case .completed(_, let result): completed.append(result)
            case .close: isClosed = true
            case .value, .servicesChanged, .mtu, .malformed: break
            }
        }
    }

    /// What the server answers to the request that waits.
    mutating func answer() -> String? {
        guard let request else { return nil }
        self.request = nil
        for output in server.receive(request) {
            switch output {
            case .send(let pdu): return pdu
            case .read, .write(_, _, answered: true):
                if case .send(let pdu)? = server.answer(.success([1, 2, 3])).first { return pdu }
            default: break
            }
        }
        return nil
    }

    /// Lets the server answer so many requests.
    ///
    /// - Returns: Whether there were as many.
    mutating func run(_ steps: Int) -> Bool {
        for _ in 0..<steps {
            guard let answer = answer() else { return false }
            observe(client.receive(answer, now))
        }
        return request != nil
    }
}

/// A peer that fails at each step of every procedure.
@Suite struct RobustProcedureTests {
    static let procedures: [(String, GATT.Operation)] = [
        ("exchange of the MTU", .exchangeMTU(517)), ("discovery", .discover),
        ("services of a kind", .discoverServices(BluetoothUUID(0x1800))), ("read", .read(3)),
        ("delegated read", .read(15)), ("read of a kind", .readAll(BluetoothUUID(0x2A19))),
        ("read of several", .readMultiple([3, 5, 15])),
        ("read of several with lengths", .readMultipleVariable([3, 5])),
        ("write", .write(9, [1])), ("delegated write", .write(15, [1])),
        ("long write", .write(9, [UInt8](repeating: 7, count: 100))),
        ("reliable write", .writeReliably([.init([1], to: 9), .init([2, 3], to: 15)])),
        ("subscription", .write(10, [1, 0])), ("a refusal", .read(99)),
    ]

    /// Tries something at every step of a procedure; at least at one.
    private func atEachStep(_ index: Int, _ body: (inout Pair, Int) -> Void) {
        var step = 0
        while step < 100 {
            var pair = Pair()
            pair.observe(pair.client.start(Self.procedures[index].1))
            guard pair.run(step) else { break }
            body(&pair, step)
            step += 1
        }
        #expect((1..<100).contains(step))
    }

    @Test(arguments: procedures.indices) func `a good peer brings it to its end`(_ index: Int) {
        var pair = Pair()
        pair.observe(pair.client.start(Self.procedures[index].1))
        while pair.run(1) {}
        #expect(pair.completed.count == 1 && !pair.isClosed)
        let isBusy = pair.client.isBusy
        #expect(!isBusy && pair.client.nextDeadline == nil)
    }

    @Test(arguments: procedures.indices) func `a peer that disconnects at a step ends it once`(_ index: Int) {
        atEachStep(index) { pair, step in
            pair.observe(pair.client.start(.read(3)))
            pair.client.closed()
            pair.observe(pair.client.drain())
            #expect(pair.completed == [.failure(.disconnected), .failure(.disconnected)], "at step \(step)")
            #expect(pair.client.nextDeadline == nil)
            // What the peer sent before is of no use any more.
            guard let late = pair.answer() else { return }
            #expect(pair.client.receive(late) == [])
        }
    }

    @Test(arguments: procedures.indices) func `a peer that answers after the timeout is too late`(
        _ index: Int
    ) {
        atEachStep(index) { pair, step in
            #expect(pair.client.nextDeadline == moment(30))
            pair.client.deadlineReached(at: moment(30))
            pair.observe(pair.client.drain())
            #expect(pair.completed == [.failure(.timeout)] && pair.isClosed, "at step \(step)")
            guard let late = pair.answer() else { return }
            #expect(pair.client.receive(late, 31) == [])
            #expect(pair.client.nextDeadline == nil)
        }
    }

    @Test(arguments: procedures.indices) func `nonsense at a step ends it once`(_ index: Int) {
        atEachStep(index) { pair, step in
            guard let answer = pair.answer(), let opcode = octets(answer).first else { return }
            // The response that is due, with nothing in it but what no response may have.
            // Half an error answers nothing.
            guard opcode != 0x01 else { return }
            pair.observe(pair.client.receive([opcode] + [UInt8](repeating: 0xFF, count: 600)))
            // What was prepared is taken back; a search goes on.
            while pair.run(1) {}
            #expect(pair.completed.count == 1, "at step \(step)")
            #expect(pair.client.nextDeadline == nil)
        }
    }

    @Test(arguments: procedures.indices) func `a refusal at a step ends it, or leads on`(_ index: Int) {
        for code in [0x01, 0x05, 0x06, 0x0A, 0x0E, 0x0F, 0x80, 0xFF] as [UInt8] {
            atEachStep(index) { pair, step in
                guard let request = pair.request, let opcode = octets(request).first else { return }
                pair.request = nil
                pair.observe(pair.client.receive([0x01, opcode, 0, 0, code]))
                while pair.run(1) {}
                #expect(pair.completed.count == 1, "at step \(step)")
                #expect(!pair.isClosed && pair.client.nextDeadline == nil)
            }
        }
    }

    /// A response of the kind that is due whose list lies about its lengths.
    static let lies: [(GATT.Operation, String)] = [
        (.readAll(BluetoothUUID(0x2A19)), "09 00 01 00"), (.readAll(BluetoothUUID(0x2A19)), "09 01 01 00"),
        (.readAll(BluetoothUUID(0x2A19)), "09 00"), (.readAll(BluetoothUUID(0x2A19)), "09 02"),
        (.readAll(BluetoothUUID(0x2A19)), "09 03 0100"), (.readAll(BluetoothUUID(0x2A19)), "09 FF 0100 01"),
        (.discover, "11 00 0100 0100"),
        (.discover, "11 01 01"), (.discover, "11 03 010001"), (.discover, "11 04"), (.discover, "11 06"),
        (.discover, "11 06 0100 0500 00"), (.discover, "11 FF 0100 0500 0018"), (.discover, "11"),
        (.discoverServices(BluetoothUUID(0x1800)), "07"),
        (.discoverServices(BluetoothUUID(0x1800)), "07 0100"),
        (.discoverServices(BluetoothUUID(0x1800)), "07 0100 0500 06"), (.readMultipleVariable([3, 5]), "21"),
        (.readMultipleVariable([3, 5]), "21 0100"), (.exchangeMTU(517), "03"),
        (.exchangeMTU(517), "03 170000"),
        (.writeReliably([.init([1], to: 9)]), "17 0900"), (.write(9, [1]), "13 00"),
    ]

    @Test func `a list whose last entry is cut short goes on behind the whole ones`() {
        var client = GATT.Client()
        _ = client.start(.readAll(BluetoothUUID(0x2A19)))
        let cut = "09 04 0100 0102 0200 03"
        #expect(client.receive(cut) == [.malformed(hex(cut)), .send(hex("08 0200 FFFF 192A"))])
        #expect(client.receive("09 04 0200 0304") == [.send(hex("08 0300 FFFF 192A"))])
        let values = [
            GATT.AttributeValue(handle: 1, value: [1, 2]), GATT.AttributeValue(handle: 2, value: [3, 4]),
        ]
        #expect(client.receive("01 08 0300 0A") == [.completed(1, .success(.values(values)))])
    }

    @Test(arguments: lies.indices) func `a list whose lengths lie fails its request only`(_ index: Int) {
        var client = GATT.Client()
        _ = client.start(Self.lies[index].0)
        var seen = client.receive(Self.lies[index].1)
        #expect(seen.removeFirst() == .malformed(hex(Self.lies[index].1)))
        // A prepared write is taken back first.
        if seen == [.send("1800")] {
            #expect(client.receive("19") == [.completed(1, .failure(.badResponse))])
        } else {
            #expect(seen == [.completed(1, .failure(.badResponse))])
        }
        #expect(client.start(.read(3)) == [.send("0a0300")])
        #expect(client.receive("0B 01") == [.completed(2, .success(.value([1])))])
    }

    @Test(arguments: [(0, 23), (1, 23), (22, 23), (23, 23), (24, 24), (517, 517), (518, 517), (65_535, 517)])
    func `an MTU is what both can take, and never below 23`(_ theirs: Int, _ agreed: Int) {
        let field = [UInt8(theirs & 0xFF), UInt8(theirs >> 8)]
        var client = GATT.Client()
        _ = client.start(.exchangeMTU(517))
        #expect(
            client.receive([0x03] + field) == [.mtu(agreed), .completed(1, .success(.mtu(agreed)))])
        var bench = ServerBench(everything)
        #expect(bench.receive([0x02] + field) == [.send("030502"), .mtu(agreed)])
        #expect(bench.server.mtu == agreed)
        #expect(bench.receive("0A 0300") == [.send(hex("0B 4C616D70"))])
    }

    @Test(arguments: [0, 1, 22, 23, 65_535, 100_000]) func `any MTU may be asked for`(_ ours: Int) {
        var client = GATT.Client()
        let field = min(max(ours, 23), 65_535)
        #expect(
            client.start(.exchangeMTU(ours)) == [
                .send([0x02, UInt8(field & 0xFF), UInt8(field >> 8)].hexadecimal)
            ])
        #expect(client.receive("03 FFFF") == [.mtu(field), .completed(1, .success(.mtu(field)))])
        #expect(client.start(.write(3, [1])) == [.send("12030001")])
    }
}
