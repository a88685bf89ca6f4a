// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

/// A search through a server with a service from 1 to 5 that has two characteristics.
private let exchanges: [Exchange] = [
    ("02 0502", "03 F700"), ("08 0100 FFFF 2A2B", "01 08 0100 0A"),
    ("10 0100 FFFF 0028", "11 06 0100 0500 0018"), ("10 0600 FFFF 0028", "01 10 0600 0A"),
    ("10 0100 FFFF 0128", "01 10 0100 0A"), ("08 0100 FFFF 0228", "01 08 0100 0A"),
    ("08 0100 FFFF 0328", "09 07 0200 12 0300 002A"), ("08 0300 FFFF 0328", "09 07 0400 02 0500 012A"),
    ("08 0500 FFFF 0328", "01 08 0500 0A"),
]

private let services = [
    GATT.Service(
        uuid: BluetoothUUID(0x1800), handle: 1, endHandle: 5,
        characteristics: [
            .init(
                uuid: BluetoothUUID(0x2A00), handle: 2, valueHandle: 3, endHandle: 3,
                properties: [.read, .notify]),
            .init(uuid: BluetoothUUID(0x2A01), handle: 4, valueHandle: 5, endHandle: 5, properties: .read),
        ])
]

/// A server that sends a response once more, when the next request is outstanding already.
@Suite struct RepeatedAnswerTests {
    /// Every response so many times.
    @Test(arguments: [1, 2]) func `a server that answers twice is found whole`(_ times: Int) {
        var client = GATT.Client()
        var seen = client.start(.exchangeMTU(517))
        _ = client.perform(.findServices(known: nil), at: moment(0))
        var told: [ClientSeen] = []
        for exchange in exchanges {
            guard let request = seen.last(where: { if case .send = $0 { true } else { false } }) else {
                Issue.record("wanted \(exchange.request), saw \(seen)")
                return
            }
            #expect(request == .send(hex(exchange.request)))
            seen = client.receive(exchange.answer)
            for _ in 1..<times { seen += client.receive(exchange.answer) }
            told += seen.filter { if case .malformed = $0 { true } else { false } }
        }
        #expect(seen.contains(.completed(2, .success(.found(GATT.FoundServices(services: services))))))
        // Each of them is told of as what nobody had asked for.
        #expect(told.count == (times - 1) * exchanges.count)
        let ignored = client.ignored
        #expect(ignored == told.count)
    }

    @Test func `a repetition does not end a list`() {
        var client = GATT.Client()
        _ = client.start(.discover)
        #expect(client.receive("11 06 0100 0500 0018") == [.send(hex("10 0600 FFFF 0028"))])
        #expect(client.receive("11 06 0100 0500 0018", 1) == [])
        #expect(client.receive("11 06 0100 0500 0018", 1) == [])
        #expect(
            client.receive("11 06 0600 0900 0118", 1)
                == [.malformed(hex("11 06 0100 0500 0018")), .send(hex("10 0A00 FFFF 0028"))])
        let deadline = client.nextDeadline
        #expect(deadline == moment(31))
    }

    @Test func `when nothing else comes it was the answer`() {
        var client = GATT.Client()
        _ = client.start(.discoverServices(BluetoothUUID(0x1800)))
        _ = client.receive("07 0300 0500")
        #expect(client.receive("07 0300 0500", 10) == [])
        var deadline = client.nextDeadline
        #expect(deadline == moment(13))
        client.deadlineReached(at: moment(13))
        let found = GATT.Service(uuid: BluetoothUUID(0x1800), handle: 3, endHandle: 5)
        #expect(client.drain() == [.completed(1, .success(.services([found])))])
        deadline = client.nextDeadline
        #expect(deadline == nil)
        // From then on this server is not waited for.
        _ = client.start(.discoverServices(BluetoothUUID(0x1800)), 20)
        _ = client.receive("07 0300 0500", 20)
        #expect(client.receive("07 0300 0500", 20) == [.completed(2, .success(.services([found])))])
    }

    @Test func `one that comes again and again is waited for no longer`() {
        var client = GATT.Client()
        _ = client.start(.discoverServices(BluetoothUUID(0x1800)))
        _ = client.receive("07 0300 0500")
        for second in 10...12 as ClosedRange<UInt64> {
            #expect(client.receive("07 0300 0500", second) == [])
            let deadline = client.nextDeadline
            #expect(deadline == moment(13))
        }
    }

    @Test func `a repetition holds up no link that ends`() {
        for isLost in [true, false] {
            var client = GATT.Client()
            _ = client.start(.discoverServices(BluetoothUUID(0x1800)))
            _ = client.receive("07 0300 0500")
            #expect(client.receive("07 0300 0500", 28) == [])
            var deadline = client.nextDeadline
            #expect(deadline == moment(30))
            if isLost { client.closed() } else { client.deadlineReached(at: moment(30)) }
            #expect(client.drain().first == .completed(1, .failure(isLost ? .disconnected : .timeout)))
            deadline = client.nextDeadline
            #expect(deadline == nil)
        }
    }

    /// Of values nothing tells but that each response before has come twice.
    @Test func `values of a server that answers twice belong to their handles`() {
        var client = GATT.Client()
        _ = client.start(.discoverServices(BluetoothUUID(0x1800)))
        for handle in 3...7 as ClosedRange<UInt16> {
            _ = client.start(.read(AttributeHandle(rawValue: handle)))
        }
        var values: [[UInt8]] = []
        for answer in [
            "07 0300 0500", "07 0600 0700", "01 06 0800 0A", "0B 01", "0B 02", "0B 03", "0B 03", "0B 05",
        ] {
            for seen in client.receive(answer) + client.receive(answer) {
                if case .completed(_, .success(.value(let value))) = seen { values.append(value) }
            }
        }
        #expect(values == [[1], [2], [3], [3], [5]])
    }

    @Test func `two values that are the same are two values`() {
        var client = GATT.Client()
        for handle in 3...7 as ClosedRange<UInt16> {
            _ = client.start(.read(AttributeHandle(rawValue: handle)))
        }
        for number in 1...5 as ClosedRange<UInt32> {
            #expect(client.receive("0B 01").contains(.completed(number, .success(.value([1])))))
        }
    }

    /// Some name handle 0 in every error.
    @Test func `errors that name another handle are answers`() {
        var client = GATT.Client()
        _ = client.start(.findServices(known: nil))
        for answer in [
            "01 08 0000 0A", "11 06 0100 0500 0018", "01 10 0000 0A", "01 10 0000 0A", "01 08 0000 0A",
            "01 08 0000 0A",
        ] {
            #expect(client.receive(answer).count == 1)
        }
        let isBusy = client.isBusy
        #expect(!isBusy)
    }
}
