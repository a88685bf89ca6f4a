// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Fuzzing

/// A client with an application that asks anything, and a server that is honest, or is not.
func fuzzClient(_ input: [UInt8], _ trace: FuzzTrace) throws(Broken) {
    var script = Script(input)
    var run = ClientFuzzCase(trace: trace)
    while !script.isAtEnd { try run.step(&script) }
    try run.end()
}

private struct ClientFuzzCase: ~Copyable {
    private let trace: FuzzTrace
    private var client = GATT.Client()
    private var honest = GATT.Server(receiveMTU: 247)
    private var database = GATT.Database(RichDatabase.services)
    private var now = HostInstant.zero
    /// Operations that have not ended.
    private var open: Set<GATT.OperationID> = []
    /// Requests that have no response, the last one at the end.
    private var unanswered: [[UInt8]] = []
    private var isClosed = false

    init(trace: FuzzTrace) { self.trace = trace }

    mutating func step(_ script: inout Script) throws(Broken) {
        let choice = script.byte()
        switch choice & 15 {
        case 0...4:
            open.insert(client.perform(GATT.Operation(&script), at: now))
        case 5: open.insert(client.turnAway())
        case 6...8: try receive(script.counted())
        case 9...11: try answerHonestly(twist: choice >> 4 == 15 ? script.word() : nil)
        case 12:
            // The response that is due, with any contents.
            let due = unanswered.first?.first.map { [$0 &+ 1] } ?? []
            try receive(due + (choice & 0x80 == 0 ? script.counted() : script.long()))
        case 13:
            let due = unanswered.first?.first ?? 0
            try receive([0x01, due] + script.next(3))
        case 14:
            now = now.advanced(byMilliseconds: UInt64(script.byte()) * 250)
            if choice & 0x80 != 0, let deadline = client.nextDeadline { now = max(now, deadline) }
            client.deadlineReached(at: now)
        default:
            if choice == 0xFF {
                client.closed()
                isClosed = true
            } else {
                client.mtuAgreed(23 + Int(script.byte()) * 2)
            }
        }
        try drain()
        if let deadline = client.nextDeadline, deadline <= now { client.deadlineReached(at: now) }
        try drain()
        try check(client.nextDeadline.map { $0 > now } ?? true, "no deadline lies in the past")
        try check(isClosed || (client.nextDeadline == nil) == unanswered.isEmpty, "who waits has a deadline")
        try check(open.count <= GATT.Limits().operations + 1, "the queue is bounded")
        try check(client.isBusy == !open.isEmpty, "busy as long as something is open")
    }

    private mutating func receive(_ pdu: [UInt8]) throws(Broken) {
        try roundTrip(pdu)
        if let request = unanswered.first?.first, let first = pdu.first {
            // An Error Response answers the request that it names, another response the one before it in number.
            let isError = first == 0x01 && pdu.count == 5 && pdu[1] == request
            if isError || first == request &+ 1 { unanswered.removeFirst() }
        }
        client.receive(pdu.octetSpan.bytes, at: now)
    }

    /// Lets a good server answer, perhaps with one octet changed.
    private mutating func answerHonestly(twist: UInt16?) throws(Broken) {
        guard let request = unanswered.first else { return }
        honest.receive(request.octetSpan.bytes, database: &database, at: now)
        var answer: [UInt8]?
        while let output = honest.nextOutput() {
            switch output {
            case .send(let pdu): answer = pdu
            case .read, .write(_, _, answered: true):
                honest.answer(.success([UInt8](repeating: 5, count: 40)), database: &database, at: now)
            case .mtu: break
            case .close: try check(false, "a client gives a server no reason to close")
            default: break
            }
        }
        guard var answer else {
            try check(false, "a client's request has an answer")
            return
        }
        if let twist { answer[Int(twist & 0xFF) % answer.count] ^= UInt8(twist >> 8) }
        try receive(answer)
    }

    private mutating func drain() throws(Broken) {
        var outputs = 0
        while let output = client.nextOutput() {
            outputs += 1
            try check(outputs < 5000, "the outputs come to an end")
            switch output {
            case .send(let pdu): try sent(pdu)
            case .completed(let id, let result):
                try check(open.remove(id) != nil, "an operation ends once")
                trace.add(id.rawValue)
                if case .success(.value(let value)) = result {
                    trace.add(value)
                    try check(value.count <= 1024, "no value beyond what can be")
                }
                if case .success(.firstPart(let part, _)) = result {
                    try check((1...512).contains(part.count), "a first part is some of what can be")
                }
            case .mtu(let mtu): try check((23...65535).contains(mtu), "an MTU that may be")
            case .close: isClosed = true
            default: break
            }
        }
        if isClosed { try check(open.isEmpty, "nothing is open after the end") }
    }

    private mutating func sent(_ pdu: [UInt8]) throws(Broken) {
        trace.add(pdu)
        try check(!isClosed, "nothing is sent after the end")
        try check(pdu.count <= max(client.mtu, 23), "a PDU keeps to the MTU")
        try check((try? ATT.PDU(decoding: pdu.octetSpan.bytes)) != nil, "what is sent can be read")
        guard let first = pdu.first, ATT.Opcode(rawValue: first).role == .request else { return }
        try check(unanswered.isEmpty, "one request at a time")
        unanswered.append(pdu)
    }

    mutating func end() throws(Broken) {
        client.closed()
        try drain()
        try check(open.isEmpty, "every operation ends when the bearer is gone")
        try check(client.nextDeadline == nil && !client.isBusy, "nothing is waited for after the end")
        let late = client.perform(.read(3), at: now)
        open.insert(late)
        isClosed = true
        try drain()
    }
}

extension GATT.Operation {
    /// Any operation.
    init(_ script: inout Script) {
        let choice = script.byte()
        func handle() -> AttributeHandle {
            let octet = script.byte()
            return AttributeHandle(rawValue: octet == 0xFF ? 0xFFFF : UInt16(octet))
        }
        func value() -> [UInt8] { choice & 0x80 == 0 ? script.counted() : script.long() }
        func uuid() -> BluetoothUUID {
            choice & 0x80 == 0 ? BluetoothUUID(0x2A00 | UInt16(script.byte())) : RichDatabase.long
        }
        switch choice & 15 {
        case 0: self = .exchangeMTU(Int(script.word()))
        case 1, 2: self = .discover
        case 3: self = .discoverServices(choice & 0x80 == 0 ? BluetoothUUID(0x1800) : uuid())
        case 14: self = .findServices(known: nil)
        case 15: self = .attributeType(handle())
        case 4, 5: self = .read(handle())
        case 6: self = .readAll(uuid())
        case 7: self = .readMultiple((0..<(script.byte() % 16)).map { _ in handle() })
        case 8: self = .readMultipleVariable((0..<(script.byte() % 16)).map { _ in handle() })
        case 9, 10: self = .write(handle(), value())
        case 11, 12: self = .writeWithoutResponse(handle(), value())
        default:
            self = .writeReliably(
                (0..<(script.byte() % 5)).map { _ in GATT.ValueWrite(value(), to: handle()) })
        }
    }
}
