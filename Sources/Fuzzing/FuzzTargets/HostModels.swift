// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEHost
import BLEWire
import Companion
import Fuzzing

/// What a controller knows of its host, and how a good one answers.
struct ControllerModel {
    /// Commands that wait for an answer.
    private var commands: [HCI.Opcode] = []
    private var credits = 1
    /// Data packets that are here, by link.
    private var data: [UInt16: Int] = [:]
    /// The handle of the last link that was reported.
    private(set) var lastHandle: UInt16 = 0
    /// The first octet of the LE features.
    var features: UInt8 = 0xFF

    mutating func reset() {
        commands = []
        credits = 1
        data = [:]
    }

    mutating func freed(_ handle: UInt16?) {
        if let handle { data[handle] = nil }
    }

    /// Takes in what is on its way to the host.
    mutating func sends(_ packet: HCI.Packet) {
        guard case .event(let code, let parameters) = packet,
            let event = try? HCI.Event(code: code, parameters: parameters)
        else { return }
        switch event {
        case .commandComplete(let event): answered(event.opcode, event.commandPackets)
        case .commandStatus(let event): answered(event.opcode, event.commandPackets)
        case .numberOfCompletedPackets(let event):
            for entry in event.entries {
                data[entry.handle.rawValue] = max(0, (data[entry.handle.rawValue] ?? 0) - Int(entry.packets))
            }
        case .connectionComplete(let event): opens(event.status, event.handle)
        case .enhancedConnectionComplete(let event): opens(event.status, event.handle)
        default: break
        }
    }

    /// A link with a handle that none can have is no link: the host refuses it.
    private mutating func opens(_ status: HCI.Status, _ handle: ConnectionHandle) {
        if status == .success, handle.rawValue <= 0x0EFF { lastHandle = handle.rawValue }
    }

    private mutating func answered(_ opcode: HCI.Opcode, _ packets: UInt8) {
        if let index = commands.firstIndex(of: opcode) { commands.remove(at: index) }
        credits = max(0, Int(packets) - commands.count)
    }

    /// Takes what the host sends.
    mutating func receives(_ octets: [UInt8], packets: Int, length: Int) throws(Broken) {
        var reader = ByteReader(octets.octetSpan.bytes)
        switch try? HCI.Packet(decoding: &reader) {
        // Nothing answers it, and it needs no credit.
        case .command(.hostNumberOfCompletedPackets, _): break
        case .command(let opcode, _):
            if opcode == .reset { reset() }
            commands.append(opcode)
            try check(credits > 0, "no more commands than the controller takes")
            credits -= 1
        case .acl(let packet):
            data[packet.handle.rawValue, default: 0] += 1
            try check(data.values.reduce(0, +) <= packets, "no more data than the controller holds")
            try check(packet.payload.count <= length, "no longer data than the controller holds")
        default: try check(false, "a host sends whole commands and data")
        }
    }

    /// What a good controller answers to the command that waits longest.
    func goodAnswer() -> HCI.Packet? {
        guard let opcode = commands.first else { return nil }
        let code = [UInt8(opcode.rawValue & 0xFF), UInt8(opcode.rawValue >> 8)]
        let parameters: [UInt8]
        switch opcode.rawValue {
        case 0x0405, 0x0406, 0x041D, 0x200D, 0x2013, 0x2016, 0x2032, 0x2043:
            return .event(.commandStatus, [0, 1] + code)
        case 0x1001: parameters = [0x0D, 0x34, 0x12, 0x0C, 0xF1, 0x05, 0x78, 0x56]
        case 0x1002: parameters = [UInt8](repeating: 0xFF, count: 64)
        case 0x1003: parameters = [0, 0, 0, 0, 0x60, 0, 0, 0]
        case 0x1009: parameters = [0x66, 0x55, 0x44, 0x33, 0x22, 0x11]
        case 0x2002: parameters = [27, 0, 3]
        case 0x2003: parameters = [features, features == 0xFF ? 0x19 : 0, 0, 0, 0, 0, 0, 0]
        case 0x2018: parameters = [8, 7, 6, 5, 4, 3, 2, 1]
        case 0x203A: parameters = [0x72, 0x06]
        case 0x200F, 0x203B: parameters = [4]
        default: parameters = []
        }
        return .event(.commandComplete, [1] + code + [0] + parameters)
    }

    /// A refusal, or an answer that is too short.
    func badAnswer(status: UInt8, complete: Bool) -> HCI.Packet? {
        guard let opcode = commands.first else { return nil }
        let code = [UInt8(opcode.rawValue & 0xFF), UInt8(opcode.rawValue >> 8)]
        return complete
            ? .event(.commandComplete, [1] + code + [status]) : .event(.commandStatus, [status, 1] + code)
    }

    /// What a good controller says of the data it has.
    func completion() -> HCI.Packet? {
        guard let (handle, count) = data.filter({ $0.value > 0 }).min(by: { $0.key < $1.key }) else {
            return nil
        }
        return Self.completed(handle, UInt8(clamping: count))
    }

    static func completed(_ handle: UInt16, _ count: UInt8) -> HCI.Packet {
        .event(.numberOfCompletedPackets, [1, UInt8(handle & 0xFF), UInt8(handle >> 8), count, 0])
    }

    static func disconnectionComplete(_ handle: UInt8, reason: UInt8) -> HCI.Packet {
        .event(.disconnectionComplete, [0, handle & 7, 0, reason])
    }
}

/// What the host has promised to its application and not kept yet.
struct HostPromises {
    private struct Operation: Hashable {
        let link: LinkID
        let id: GATT.OperationID
    }

    private var operations: Set<Operation> = []
    private var links: [(id: LinkID, handle: UInt16)] = []
    /// Attempts to open a link to a peer, and how many of them may have been taken for ended.
    private var attempts: [BluetoothAddress: (asked: Int, failed: Int, connected: Int)] = [:]
    private(set) var lastPeer: BluetoothAddress?

    /// One of the links that are open, or one that is not.
    func link(_ choice: UInt8) -> LinkID {
        links.isEmpty ? LinkID(rawValue: UInt32(choice)) : links[Int(choice) % links.count].id
    }

    func handle(of link: LinkID) -> UInt16? { links.first { $0.id == link }?.handle }

    mutating func asked(_ peer: BluetoothAddress) {
        attempts[peer, default: (0, 0, 0)].asked += 1
        lastPeer = peer
    }

    mutating func began(_ id: GATT.OperationID, on link: LinkID) {
        operations.insert(Operation(link: link, id: id))
    }

    mutating func observe(_ event: HostStack.Event, handle: UInt16) throws(Broken) {
        switch event {
        case .connected(let link, let role, let peer):
            try check(self.handle(of: link) == nil, "a link opens once")
            try check(!links.contains { $0.handle == handle }, "a handle is one link's")
            links.append((link, handle))
            // It may be one that nobody asked for.
            if role == .central { attempts[peer, default: (0, 0, 0)].connected += 1 }
        case .connectFailed(let peer, _):
            attempts[peer, default: (0, 0, 0)].failed += 1
            let attempt = attempts[peer, default: (0, 0, 0)]
            try check(attempt.failed <= attempt.asked, "an attempt fails once")
        case .disconnected(let link, _):
            try check(self.handle(of: link) != nil, "a link ends once")
            try check(!operations.contains { $0.link == link }, "operations end before their link")
            links.removeAll { $0.id == link }
        case .completed(let link, let id, _):
            // The exchange of the MTU is the host's own.
            if operations.remove(Operation(link: link, id: id)) == nil {
                try check(self.handle(of: link) != nil, "an operation ends on its link")
            }
        case .value(let link, _, _, _), .readRequested(let link, _), .writeRequested(let link, _, _, _),
            .subscribed(let link, _, _), .writable(let link), .mtuChanged(let link, _),
            .channel(let link, _, _):
            try check(self.handle(of: link) != nil, "what a link tells, it tells before it ends")
        case .failed, .stopped:
            try end()
            attempts = [:]
        default: break
        }
    }

    func end() throws(Broken) {
        try check(operations.isEmpty, "every operation ends")
        try check(links.isEmpty, "every link ends")
        for attempt in attempts.values {
            try check(attempt.failed + attempt.connected >= attempt.asked, "every attempt ends")
        }
    }
}
