// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire

/// What a client wants, in a form that tests can compare; PDUs are hex.
enum ClientSeen: Equatable {
    case send(String)
    case completed(UInt32, Result<GATT.Answer, GATTRequestError>)
    case value(UInt16, [UInt8], GATT.ValueKind)
    case servicesChanged(UInt16, UInt16)
    case mtu(Int)
    case malformed(String)
    case close
}

/// What a server wants, in a form that tests can compare; PDUs are hex.
enum ServerSeen: Equatable {
    case send(String)
    case read(UInt16)
    case write(UInt16, [UInt8], answered: Bool)
    case stored(UInt16, [UInt8])
    case subscribed(UInt16, GATT.Subscription)
    case mtu(Int)
    case confirmed(UInt16)
    case close
}

func moment(_ seconds: UInt64) -> HostInstant { HostInstant.zero.advanced(bySeconds: seconds) }

/// Octets of hex digits; none when they are no hex digits, so that the test fails.
func octets(_ hex: String) -> [UInt8] { [UInt8](hexadecimal: hex) ?? [] }

/// Hex digits as `octets.hexadecimal` writes them.
func hex(_ text: String) -> String { octets(text).hexadecimal }

extension GATT.Client {
    mutating func drain() -> [ClientSeen] {
        var seen: [ClientSeen] = []
        while let output = nextOutput() {
            switch output {
            case .send(let pdu): seen.append(.send(pdu.hexadecimal))
            case .completed(let id, let result): seen.append(.completed(id.rawValue, result))
            case .value(let handle, let value, let kind): seen.append(.value(handle.rawValue, value, kind))
            case .servicesChanged(let range):
                seen.append(.servicesChanged(range.start.rawValue, range.end.rawValue))
            case .mtu(let mtu): seen.append(.mtu(mtu))
            case .malformed(let octets): seen.append(.malformed(octets.hexadecimal))
            case .close: seen.append(.close)
            }
        }
        return seen
    }

    /// Takes a PDU as a notification.
    mutating func notification(_ hex: String) -> ATT.HandleValueNotification? {
        receiveNotification(octets(hex).span.bytes)
    }

    /// Starts an operation and returns what the client wants.
    mutating func start(_ operation: GATT.Operation, _ seconds: UInt64 = 0) -> [ClientSeen] {
        _ = perform(operation, at: moment(seconds))
        return drain()
    }

    /// Gives the client a PDU and returns what it wants.
    mutating func receive(_ pdu: String, _ seconds: UInt64 = 0) -> [ClientSeen] {
        receive(octets(pdu), seconds)
    }

    mutating func receive(_ pdu: [UInt8], _ seconds: UInt64 = 0) -> [ClientSeen] {
        receive(pdu.span.bytes, at: moment(seconds))
        return drain()
    }
}

/// A server with its database and what tests ask of both.
struct ServerBench: ~Copyable {
    var server: GATT.Server
    var database: GATT.Database

    init(_ services: [GATT.ServiceDefinition], receiveMTU: Int = 517, mtu: Int = 23) {
        server = GATT.Server(receiveMTU: receiveMTU)
        database = GATT.Database(services)
        server.mtuAgreed(mtu)
    }

    mutating func drain() -> [ServerSeen] {
        var seen: [ServerSeen] = []
        while let output = server.nextOutput() {
            switch output {
            case .send(let pdu): seen.append(.send(pdu.hexadecimal))
            case .read(let handle): seen.append(.read(handle.rawValue))
            case .write(let handle, let value, let answered):
                seen.append(.write(handle.rawValue, value, answered: answered))
            case .stored(let handle, let value): seen.append(.stored(handle.rawValue, value))
            case .subscribed(let handle, let subscription):
                seen.append(.subscribed(handle.rawValue, subscription))
            case .mtu(let mtu): seen.append(.mtu(mtu))
            case .confirmed(let handle): seen.append(.confirmed(handle.rawValue))
            case .close: seen.append(.close)
            }
        }
        return seen
    }

    mutating func receive(_ pdu: String, _ seconds: UInt64 = 0) -> [ServerSeen] {
        receive(octets(pdu), seconds)
    }

    mutating func receive(_ pdu: [UInt8], _ seconds: UInt64 = 0) -> [ServerSeen] {
        server.receive(pdu.span.bytes, database: &database, at: moment(seconds))
        return drain()
    }

    mutating func answer(_ result: Result<[UInt8], ATT.ErrorCode>) -> [ServerSeen] {
        server.answer(result, database: &database, at: .zero)
        return drain()
    }

    mutating func send(
        _ value: [UInt8], of handle: AttributeHandle, as kind: GATT.ValueKind, _ seconds: UInt64 = 0
    ) -> [ServerSeen]? {
        server.send(value, of: handle, as: kind, at: moment(seconds)) ? drain() : nil
    }
}
