// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Fuzzing

/// A server with every kind of attribute, a session behind it that may take its time, and any client.
func fuzzServer(_ input: [UInt8], _ trace: FuzzTrace) throws(Broken) {
    var script = Script(input)
    var run = ServerFuzzCase(receiveMTU: 23 + Int(script.byte()) * 2, trace)
    while !script.isAtEnd { try run.step(&script) }
    try run.end()
}

private struct ServerFuzzCase: ~Copyable {
    private var server: GATT.Server
    private var database = GATT.Database(RichDatabase.services)
    private let receiveMTU: Int
    private let trace: FuzzTrace
    private var now = HostInstant.zero
    /// Requests that have no response yet.
    private var owed = 0
    /// Whether the session owes an answer.
    private var isAsked = false
    /// Indications that the client has not confirmed.
    private var unconfirmed = 0
    private var isClosed = false

    init(receiveMTU: Int, _ trace: FuzzTrace) {
        self.trace = trace
        self.receiveMTU = receiveMTU
        server = GATT.Server(receiveMTU: receiveMTU)
    }

    mutating func step(_ script: inout Script) throws(Broken) {
        let choice = script.byte()
        switch choice & 15 {
        case 0...8: try receive(script.counted())
        case 9:
            // A long value in the write that the script names.
            try receive([choice & 0x80 == 0 ? 0x12 : 0x52] + script.next(2) + script.long())
        case 10:
            isAsked = false
            server.answer(.success(script.long()), database: &database, at: now)
        case 11:
            isAsked = false
            server.answer(.failure(ATT.ErrorCode(rawValue: script.byte())), database: &database, at: now)
        case 12:
            let handle = AttributeHandle(rawValue: UInt16(script.byte()))
            _ = server.send(
                script.counted(), of: handle, as: choice & 0x80 == 0 ? .notify : .indicate, at: now)
        case 13: server.mtuAgreed(23 + Int(script.byte()) * 2)
        case 14:
            switch script.byte() % 4 {
            case 0: server.securityChanged(.plain(hasKey: false))
            case 1: server.securityChanged(.encrypted)
            case 2: server.securityChanged(.authenticated)
            default: server.securityChanged(.plain(hasKey: true))
            }
        default:
            now = now.advanced(byMilliseconds: UInt64(script.byte()) * 250)
            if choice & 0x80 != 0, let deadline = server.nextDeadline { now = max(now, deadline) }
            server.deadlineReached(at: now)
        }
        try drain()
        if let deadline = server.nextDeadline, deadline <= now { server.deadlineReached(at: now) }
        try drain()
        try check(server.nextDeadline.map { $0 > now } ?? true, "no deadline lies in the past")
    }

    private mutating func receive(_ pdu: [UInt8]) throws(Broken) {
        if let first = pdu.first, ATT.Opcode(rawValue: first).role == .request { owed += 1 }
        if pdu == [ATT.Opcode.handleValueConfirmation.rawValue] { unconfirmed = 0 }
        try roundTrip(pdu)
        server.receive(pdu.octetSpan.bytes, database: &database, at: now)
    }

    private mutating func drain() throws(Broken) {
        var outputs = 0
        while let output = server.nextOutput() {
            outputs += 1
            try check(outputs < 1000, "the outputs come to an end")
            switch output {
            case .send(let pdu): try sent(pdu)
            case .read, .write(_, _, answered: true):
                try check(!isAsked, "the session is asked one thing at a time")
                isAsked = true
            case .stored(_, let value):
                trace.add(value)
                try check(value.count <= 512, "no value beyond 512 octets")
            case .mtu(let mtu):
                try check((23...max(23, receiveMTU)).contains(mtu), "an MTU that both can take")
            case .close: isClosed = true
            default: break
            }
        }
        if !isClosed {
            try check(isAsked || owed == 0, "a request that the session has no part in is answered at once")
            try check(owed <= 6, "few requests wait")
        }
    }

    private mutating func sent(_ pdu: [UInt8]) throws(Broken) {
        trace.add(pdu)
        try check(!isClosed, "nothing is sent after the end")
        try check((try? ATT.PDU(decoding: pdu.octetSpan.bytes)) != nil, "what is sent can be read")
        guard let first = pdu.first else { return }
        switch ATT.Opcode(rawValue: first).role {
        case .response:
            owed -= 1
            try check(owed >= 0, "one response to a request")
        case .indication:
            try check(unconfirmed == 0, "one indication at a time")
            unconfirmed = 1
        default: break
        }
    }

    mutating func end() throws(Broken) {
        server.closed()
        try drain()
        server.receive([0x0A, 3, 0].octetSpan.bytes, database: &database, at: now)
        server.answer(.success([1]), database: &database, at: now)
        isClosed = true
        try drain()
        try check(server.nextDeadline == nil, "nothing is waited for after the end")
        for attribute in database.attributes {
            if case .value(_, .stored(let value)) = attribute.content {
                try check(value.count <= 512, "no value beyond 512 octets")
            }
        }
    }
}

/// A PDU is what its octets say, unless some of them were cut off.
func roundTrip(_ octets: [UInt8]) throws(Broken) {
    guard let pdu = try? ATT.PDU(decoding: octets.octetSpan.bytes), let encoded = encoded(pdu),
        encoded.count == octets.count
    else { return }
    try check((try? ATT.PDU(decoding: encoded.octetSpan.bytes)) == pdu, "a PDU is what its octets say")
}

private func encoded(_ pdu: ATT.PDU) -> [UInt8]? {
    switch pdu {
    case .errorResponse(let pdu): pdu.octets
    case .exchangeMTURequest(let pdu): pdu.octets
    case .exchangeMTUResponse(let pdu): pdu.octets
    case .findInformationRequest(let pdu): pdu.octets
    case .findInformationResponse(let pdu): pdu.octets
    case .findByTypeValueRequest(let pdu): pdu.octets
    case .findByTypeValueResponse(let pdu): pdu.octets
    case .readByTypeRequest(let pdu): pdu.octets
    case .readByTypeResponse(let pdu): pdu.octets
    case .readRequest(let pdu): pdu.octets
    case .readResponse(let pdu): pdu.octets
    case .readBlobRequest(let pdu): pdu.octets
    case .readBlobResponse(let pdu): pdu.octets
    case .readMultipleRequest(let pdu): pdu.octets
    case .readMultipleResponse(let pdu): pdu.octets
    case .readMultipleVariableRequest(let pdu): pdu.octets
    case .readMultipleVariableResponse(let pdu): pdu.octets
    case .readByGroupTypeRequest(let pdu): pdu.octets
    case .readByGroupTypeResponse(let pdu): pdu.octets
    case .writeRequest(let pdu): pdu.octets
    case .writeCommand(let pdu): pdu.octets
    case .prepareWriteRequest(let pdu): pdu.octets
    case .prepareWriteResponse(let pdu): pdu.octets
    case .executeWriteRequest(let pdu): pdu.octets
    case .handleValueNotification(let pdu): pdu.octets
    case .handleValueIndication(let pdu): pdu.octets
    case .multipleHandleValueNotification(let pdu): pdu.octets
    default: nil
    }
}

/// Services with everything that a server can offer.
enum RichDatabase {
    static let long = BluetoothUUID(high: 0xBEB5_483E_36E1_4688, low: 0xB7F5_EA07_361B_26A8)

    static let services: [GATT.ServiceDefinition] = [
        GATT.ServiceDefinition(
            BluetoothUUID(0x1800),
            characteristics: [
                .init(BluetoothUUID(0x2A00), [.read, .write], value: .stored(Array("Lantern".utf8))),
                .init(BluetoothUUID(0x2A01), .read, value: .stored([0, 2])),
            ]),
        GATT.ServiceDefinition(BluetoothUUID(0x1801), characteristics: []),
        GATT.ServiceDefinition(
            long, includes: [BluetoothUUID(0x180F)],
            characteristics: [
                .init(
                    long, [.read, .write, .writeWithoutResponse, .notify, .indicate],
                    value: .stored([UInt8](repeating: 7, count: 512)),
                    descriptors: [
                        .init(GATT.AttributeType.userDescription, value: Array("long".utf8)),
                        .init(long, value: [UInt8](repeating: 9, count: 60), security: .encrypted),
                    ]),
                .init(BluetoothUUID(0x2A19), [.read, .write, .indicate], value: .delegated),
                .init(BluetoothUUID(0x2A19), [.write, .writeWithoutResponse], value: .delegated),
            ]),
        GATT.ServiceDefinition(
            BluetoothUUID(0x180F), isPrimary: false, handle: 0x0020,
            characteristics: [
                .init(
                    BluetoothUUID(0x2A19), [.read, .write, .notify], handle: 0x0024,
                    access: .init(read: .encrypted, write: .authenticated, subscribe: .encrypted),
                    value: .stored([100])),
                .init(BluetoothUUID(0x2A1A), .read, value: .stored([])),
            ]),
        GATT.ServiceDefinition(
            BluetoothUUID(0x180A), handle: 0x00F0,
            characteristics: [
                .init(BluetoothUUID(0x2A29), .read, value: .stored(Array("Maker".utf8))),
                .init(BluetoothUUID(0x2A24), .read, value: .stored([UInt8](repeating: 1, count: 22))),
            ]),
    ]
}
