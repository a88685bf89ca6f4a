// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

@Suite struct ClientMTUTests {
    /// What we can receive, what the server answers, and what is agreed.
    @Test(arguments: [
        (517, "03 0502", 517), (517, "03 F700", 247), (185, "03 0502", 185), (23, "03 0502", 23),
        // Answers below the default and answers that are all there is.
        (517, "03 1700", 23), (517, "03 1600", 23), (517, "03 0100", 23), (517, "03 0000", 23),
        (517, "03 FFFF", 517), (70_000, "03 FFFF", 65_535),
        // A server that knows no exchange, or has another excuse.
        (517, "01 02 0000 06", 23), (517, "01 02 0000 0E", 23),
    ]) func `the smaller of the two is agreed, never less than 23`(_ ours: Int, _ answer: String, _ mtu: Int)
    {
        var client = GATT.Client()
        _ = client.start(.exchangeMTU(ours))
        let seen = client.receive(answer)
        #expect(seen == [.mtu(mtu), .completed(1, .success(.mtu(mtu)))])
        let agreed = client.mtu
        #expect(agreed == mtu)
    }

    @Test(arguments: [
        (517, "02 0502"), (23, "02 1700"), (22, "02 1700"), (0, "02 1700"), (-1, "02 1700"),
        (65_535, "02 FFFF"),
        (65_536, "02 FFFF"), (Int.max, "02 FFFF"),
    ]) func `no number that ATT forbids is sent`(_ ours: Int, _ request: String) {
        var client = GATT.Client()
        #expect(client.start(.exchangeMTU(ours)) == [.send(hex(request))])
    }

    @Test func `a server is asked once`() {
        var client = GATT.Client()
        _ = client.start(.exchangeMTU(517))
        #expect(client.start(.exchangeMTU(23)) == [])
        #expect(
            client.receive("03 6400") == [
                .mtu(100), .completed(1, .success(.mtu(100))), .completed(2, .success(.mtu(100))),
            ])
        #expect(client.start(.exchangeMTU(517)) == [.completed(3, .success(.mtu(100)))])
        #expect(client.start(.read(3)) == [.send("0a0300")])
    }

    @Test func `a refusal keeps what the other side has asked for`() {
        var client = GATT.Client()
        _ = client.start(.exchangeMTU(517))
        client.mtuAgreed(100)
        #expect(client.receive("01 02 0000 06") == [.mtu(100), .completed(1, .success(.mtu(100)))])
    }
}

@Suite struct ClientReadTests {
    private static func value(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 & 0xFF) } }

    /// Reads a value of some length from a server that does what the specification says.
    private static func read(_ count: Int, mtu: Int, endsWith error: UInt8?) -> (
        requests: [String], result: Result<GATT.Answer, GATTRequestError>?
    ) {
        let value = value(count)
        var client = GATT.Client()
        client.mtuAgreed(mtu)
        var requests: [String] = []
        var next = client.start(.read(0x1234))
        while case .send(let request)? = next.first, requests.count < 100 {
            requests.append(request)
            let offset = min((requests.count - 1) * (mtu - 1), count)
            let part = Array(value[offset...].prefix(mtu - 1))
            if let error, requests.count > 1, part.isEmpty {
                next = client.receive([0x01, 0x0C, 0x34, 0x12, error])
            } else {
                next = client.receive([requests.count == 1 ? 0x0B : 0x0D] + part)
            }
        }
        guard case .completed(1, let result)? = next.first, next.count == 1 else { return (requests, nil) }
        return (requests, result)
    }

    @Test(arguments: [
        (0, 1), (1, 1), (21, 1), (22, 2), (23, 2), (43, 2), (44, 3), (45, 3), (511, 24), (512, 24),
    ]) func `values of every length are read whole`(_ count: Int, _ requests: Int) {
        let read = Self.read(count, mtu: 23, endsWith: nil)
        #expect(read.result == .success(.value(Self.value(count))))
        #expect(read.requests.count == requests)
        #expect(read.requests.first == "0a3412")
        for (index, request) in read.requests.enumerated().dropFirst() {
            #expect(
                request == ATT.ReadBlobRequest(handle: 0x1234, offset: UInt16(index * 22)).octets.hexadecimal)
        }
    }

    @Test(arguments: [513, 517, 600, 65_535]) func `of a value longer than 512 octets the first 512 are kept`(
        _ count: Int
    ) {
        let kept = GATT.Answer.firstPart(Self.value(512), .badResponse)
        #expect(Self.read(count, mtu: 23, endsWith: nil).result == .success(kept))
        #expect(Self.read(count, mtu: 517, endsWith: nil).result == .success(kept))
    }

    @Test(arguments: [247, 512, 513, 514, 517], [0, 246, 511, 512])
    func `values are read whole under any MTU`(_ mtu: Int, _ count: Int) {
        #expect(Self.read(count, mtu: mtu, endsWith: nil).result == .success(.value(Self.value(count))))
    }

    /// Attribute Not Long, Invalid Offset, Request Not Supported: the value had ended.
    @Test(arguments: [0x0B, 0x07, 0x06] as [UInt8]) func `a refusal at the end is the end`(_ code: UInt8) {
        #expect(Self.read(44, mtu: 23, endsWith: code).result == .success(.value(Self.value(44))))
    }

    @Test func `a refusal at once is a failure`() {
        var client = GATT.Client()
        _ = client.start(.read(0x1234))
        #expect(client.receive("01 0A 3412 02") == [.completed(1, .failure(.refused(.readNotPermitted)))])
    }

    @Test func `a response longer than the MTU is no response`() {
        var client = GATT.Client()
        _ = client.start(.read(1))
        #expect(client.receive([0x0B] + Self.value(23)) == [.completed(1, .failure(.badResponse))])
    }

    @Test(arguments: [(23, 100), (100, 23)]) func `a value is whole though the MTU changes meanwhile`(
        _ before: Int, _ after: Int
    ) {
        // The server may have answered before it knew of the change.
        for used in [before, after] {
            var client = GATT.Client()
            client.mtuAgreed(before)
            _ = client.start(.read(1))
            client.mtuAgreed(after)
            let value = Self.value(150)
            var offset = used - 1
            var seen = client.receive([0x0B] + value.prefix(offset))
            while case .send? = seen.first {
                let part = value[offset...].prefix(after - 1)
                offset += part.count
                seen = client.receive([0x0D] + part)
            }
            #expect(seen == [.completed(1, .success(.value(value)))])
        }
    }
}

@Suite struct ClientWriteTests {
    @Test func `writes and waits`() {
        var client = GATT.Client()
        #expect(client.start(.write(3, [1, 2])) == [.send("1203000102")])
        #expect(client.receive("13") == [.completed(1, .success(.done))])
        #expect(client.start(.write(3, [])) == [.send("120300")])
        #expect(
            client.receive("01 12 0300 80") == [.completed(2, .failure(.refused(.init(rawValue: 0x80))))])
    }

    @Test func `writes without waiting, even while something runs`() {
        var client = GATT.Client()
        _ = client.start(.read(3))
        #expect(
            client.start(.writeWithoutResponse(3, [7])) == [
                .send("52030007"), .completed(2, .success(.done)),
            ])
        #expect(client.receive("0B") == [.completed(1, .success(.value([])))])
    }

    @Test(arguments: [23, 24, 247, 517]) func `a command that one PDU cannot hold is not sent in part`(
        _ mtu: Int
    ) {
        var client = GATT.Client()
        client.mtuAgreed(mtu)
        let fits = [UInt8](repeating: 7, count: min(mtu - 3, 512))
        #expect(client.start(.writeWithoutResponse(3, fits)).count == 2)
        #expect(client.start(.writeWithoutResponse(3, fits + [7])) == [.completed(2, .failure(.tooLong))])
        #expect(client.start(.write(3, fits)) == [.send("120300" + fits.hexadecimal)])
    }

    @Test func `how a value goes is decided when its turn comes`() {
        var client = GATT.Client()
        let value = [UInt8](repeating: 7, count: 100)
        _ = client.start(.exchangeMTU(517))
        #expect(client.start(.write(3, value)) == [])
        #expect(client.start(.write(3, [UInt8](repeating: 7, count: 513))) == [])
        #expect(client.start(.write(3, [UInt8](repeating: 7, count: 300))) == [])
        #expect(client.receive("03 F700").last == .send("120300" + value.hexadecimal))
        let part = [UInt8](repeating: 7, count: 242).hexadecimal
        #expect(
            client.receive("13") == [
                .completed(2, .success(.done)), .completed(3, .failure(.unsupported)),
                .send("1603000000" + part),
            ])
    }
}

@Suite struct ClientBearerTests {
    /// Operations with their request, and a right answer.
    static let operations: [(GATT.Operation, String, String)] = [
        (.exchangeMTU(517), "02 0502", "03 1700"), (.discover, "10 0100 FFFF 0028", "01 10 0100 0E"),
        (.read(3), "0A 0300", "0B 01"), (.write(3, [1]), "12 0300 01", "13"),
        (.writeReliably([.init([1], to: 3)]), "16 0300 0000 01", "17 0300 0000 01"),
        (.readMultiple([3, 5]), "0E 0300 0500", "0F 01"),
        (.readMultipleVariable([3, 5]), "20 0300 0500", "21 0100 01 0000"),
        (.readAll(BluetoothUUID(0x2A00)), "08 0100 FFFF 002A", "01 08 0100 0A"),
        (.discoverServices(BluetoothUUID(0x1800)), "06 0100 FFFF 0028 0018", "01 06 0100 0A"),
    ]
    /// Right answers of all operations, errors among them.
    static let answers = [
        "03 1700", "11 06 0100 0500 0018", "09 07 0200 02 0300 002A", "05 01 0300 0229", "07 0100 0500",
        "0B 01", "0D 01", "0F 01", "13", "17 0300 0000 01", "19", "21 0100 01 0000", "01 02 0000 06",
        "01 08 0100 0A", "01 0A 0300 02", "01 0C 0300 02", "01 12 0300 03", "01 00 0000 00", "01 FF 0000 01",
    ]

    /// Phones ignore it, too; an answer may still come, and if not, 30 s end the link.
    @Test(arguments: operations.indices) func `a response to something else is ignored`(_ index: Int) {
        let (operation, request, right) = Self.operations[index]
        let opcode = octets(request)[0]
        for answer in Self.answers {
            let first = octets(answer)[0]
            guard first == 1 ? octets(answer)[1] != opcode : first != opcode + 1 else { continue }
            var client = GATT.Client()
            #expect(client.start(operation) == [.send(hex(request))])
            #expect(client.receive(answer, 7) == [.malformed(hex(answer))], "\(answer)")
            #expect(client.ignored == 1 && client.nextDeadline == moment(30))
            let seen = client.receive(right)
            #expect(!seen.isEmpty && !seen.contains(.malformed(hex(right))))
        }
    }

    @Test(arguments: operations.indices) func `30 s without an answer close the bearer`(_ index: Int) {
        let (operation, request, _) = Self.operations[index]
        var client = GATT.Client()
        #expect(client.nextDeadline == nil)
        #expect(client.start(operation, 5) == [.send(hex(request))])
        _ = client.start(.read(9), 10)
        #expect(client.nextDeadline == moment(35))
        client.deadlineReached(at: moment(34))
        #expect(client.drain() == [])
        client.deadlineReached(at: moment(35))
        #expect(
            client.drain() == [
                .completed(1, .failure(.timeout)), .close, .completed(2, .failure(.disconnected)),
            ])
        #expect(client.nextDeadline == nil)
        client.deadlineReached(at: moment(70))
        #expect(client.drain() == [])
    }

    @Test func `each request of an operation has its own 30 s`() {
        var client = GATT.Client()
        _ = client.start(.read(3))
        _ = client.receive([0x0B] + [UInt8](repeating: 1, count: 22), 29)
        #expect(client.nextDeadline == moment(59))
        _ = client.start(.write(3, [1]), 40)
        _ = client.receive("0D", 58)
        #expect(client.nextDeadline == moment(88))
    }

    @Test(arguments: operations.indices) func `a link that is lost completes everything once`(_ index: Int) {
        var client = GATT.Client()
        _ = client.start(Self.operations[index].0)
        for handle in 1...3 { _ = client.start(.read(AttributeHandle(rawValue: UInt16(handle)))) }
        client.closed()
        #expect(client.drain() == (1...4).map { .completed($0, .failure(.disconnected)) })
        client.closed()
        client.deadlineReached(at: moment(100))
        #expect(client.drain() == [])
        #expect(client.receive(Self.operations[index].2) == [])
        #expect(client.receive("1B 0300 01") == [])
        #expect(client.receive("1D 0300 01") == [])
    }

    @Test func `what was not asked for is ignored`() {
        var client = GATT.Client()
        for answer in Self.answers { #expect(client.receive(answer) == [.malformed(hex(answer))]) }
        let ignored = client.ignored
        #expect(ignored == Self.answers.count)
        #expect(client.start(.read(3)) == [.send("0a0300")])
        #expect(client.receive("0B 01") == [.completed(1, .success(.value([1])))])
    }

    @Test(arguments: [
        "", "1B", "1B 03", "1D 03", "23 0300", "40", "7F 00", "0A 0300", "52 0300 01", "1E", "02 1700", "FE",
        "00",
    ]) func `nonsense that is no response does a running request no harm`(_ pdu: String) {
        var client = GATT.Client()
        _ = client.start(.read(3))
        #expect(client.receive(pdu) == [.malformed(hex(pdu))])
        let ignored = client.ignored
        #expect(ignored == 1)
        #expect(client.receive("0B 01") == [.completed(1, .success(.value([1])))])
    }

    @Test(arguments: ["03", "09 07", "05 03 0300", "13 00", "01 0A", "01 0A 0300 01 00"])
    func `a malformed response to something else is ignored, and so is half an error`(_ pdu: String) {
        var client = GATT.Client()
        _ = client.start(.read(3))
        #expect(client.receive(pdu, 7) == [.malformed(hex(pdu))])
        #expect(client.nextDeadline == moment(30))
        #expect(client.receive("0B 01") == [.completed(1, .success(.value([1])))])
    }

    @Test func `a malformed response fails its request only`() {
        var client = GATT.Client()
        _ = client.start(.write(3, [1]))
        _ = client.start(.read(4))
        #expect(
            client.receive("13 00") == [
                .malformed("1300"), .completed(1, .failure(.badResponse)), .send("0a0400"),
            ])
        #expect(client.receive("0B 01") == [.completed(2, .success(.value([1])))])
    }

    @Test func `what type an attribute has can be asked`() {
        var client = GATT.Client()
        #expect(client.start(.attributeType(0x1234)) == [.send("0434123412")])
        #expect(
            client.receive("05 01 3412 192A") == [.completed(1, .success(.type(BluetoothUUID(0x2A19))))])
        _ = client.start(.attributeType(3))
        #expect(client.receive("05 01 0400 192A") == [.completed(2, .failure(.badResponse))])
        _ = client.start(.attributeType(3))
        #expect(client.receive("01 04 0300 0A") == [.completed(3, .failure(.refused(.attributeNotFound)))])
    }

    @Test func `of a long PDU that makes no sense the start is shown`() {
        var client = GATT.Client()
        let pdu = octets("23 0300 FFFF") + [UInt8](repeating: 7, count: 500)
        #expect(client.receive(pdu) == [.malformed(pdu.prefix(32).hexadecimal)])
    }

    @Test func `operations beyond the limit are turned away, the others run in order`() {
        var client = GATT.Client()
        #expect(client.start(.read(1)) == [.send("0a0100")])
        for _ in 0..<GATT.Limits().operations { #expect(client.start(.write(2, [])) == []) }
        let over = UInt32(GATT.Limits().operations + 2)
        #expect(client.start(.read(3)) == [.completed(over, .failure(.queueFull))])
        #expect(client.receive("0B") == [.completed(1, .success(.value([]))), .send("120200")])
        #expect(client.start(.read(4)) == [])
        for id in 2..<over - 1 {
            #expect(client.receive("13") == [.completed(id, .success(.done)), .send("120200")])
        }
        #expect(client.receive("13") == [.completed(over - 1, .success(.done)), .send("0a0400")])
        #expect(client.receive("0B") == [.completed(over + 1, .success(.value([])))])
        let isBusy = client.isBusy
        #expect(!isBusy)
    }

    @Test func `an operation that is turned away has a name, too`() {
        var client = GATT.Client()
        let id = client.turnAway()
        #expect(client.drain() == [.completed(id.rawValue, .failure(.queueFull))])
        #expect(client.start(.read(1)) == [.send("0a0100")])
    }
}
