// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import SimulatedDevices
import WiFiSet

extension WiFiSetProduct: FuzzedProduct {
    var fuzzTarget: FuzzTarget { FuzzTarget("wifiset", fuzzWiFiSet) }
}

/// The first octet says what: a message cut to pieces, a client with any device, or a device with any client.
private func fuzzWiFiSet(_ input: [UInt8]) throws(Broken) {
    var script = Script(input)
    switch script.byte() % 3 {
    case 0: try fuzzMessages(&script)
    case 1:
        var run = WiFiClientRun()
        while !script.isAtEnd { try run.step(&script) }
        try run.end()
    default:
        var run = WiFiDeviceRun()
        while !script.isAtEnd { try run.step(&script) }
        try run.end()
    }
}

private func fuzzMessages(_ script: inout Script) throws(Broken) {
    let step = Int(script.byte()) + 1
    let octets = script.rest()
    if let message = try? WiFiMessage(decoding: octets) {
        try check(message.encoded() == octets, "what was read is written as it was")
    }
    let whole = try wifiMessages(octets, by: max(octets.count, 1))
    try check(try wifiMessages(octets, by: step) == whole, "messages are the same however they are cut")
}

private func wifiMessages(_ octets: [UInt8], by step: Int) throws(Broken) -> [[UInt8]] {
    var stream = WiFiMessageStream()
    var found: [[UInt8]] = []
    var start = 0
    while start < octets.count {
        stream.receive(Array(octets[start..<min(start + step, octets.count)]), at: .zero)
        start += step
        do throws(WiFiMessageError) {
            while let message = try stream.next() { found.append(message) }
        } catch {
            try check(stream.nextDeadline == nil, "nothing is kept after a fault")
            return found
        }
    }
    try check(found.reduce(0) { $0 + $1.count } <= octets.count, "no octets out of nothing")
    for message in found { try check(message.count <= 261, "no message is longer than any can be") }
    return found
}

extension Script {
    /// A message that makes sense, with any numbers; a length may be wrong.
    fileprivate mutating func message() -> [UInt8] {
        let kinds: [UInt8] = [0x01, 0x02, 0x03, 0x10, 0x11, 0x20, 0x21, 0xFF]
        let choice = byte()
        let kind = kinds[Int(choice & 7)]
        let payload: [UInt8] =
            switch kind {
            case 0x02: text() + next(3)
            case 0x03, 0x11: next(1)
            case 0x10: text() + text()
            case 0x21: next(6) + text()
            case 0xFF: next(1) + text()
            default: []
            }
        let count = payload.count + (choice & 0x80 == 0 ? 0 : Int(byte()))
        return [kind, byte(), UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8)]
            + payload
    }

    private mutating func text() -> [UInt8] {
        let octets = counted()
        return [UInt8(octets.count)] + octets
    }
}

private struct WiFiClientRun: ~Copyable {
    private var client = WiFiSetClient(options: .init())
    private var now = HostInstant.zero
    private var open: [UInt32] = []
    private var tries = 0
    private var outcomes = 0
    private var isFinished = false
    private static let peer = Peer(BluetoothAddress(1, kind: .random))

    init() {
        client.receive(.radio(.ready), at: now)
        client.receive(
            .advertisement(ClientAdvertisement(peer: Self.peer, services: [WiFiSetUUID.service])),
            at: now)
        connect()
    }

    private mutating func connect() {
        client.receive(.connected(Self.peer, mtu: 23), at: now)
        let uuids = [WiFiSetUUID.wifiList, WiFiSetUUID.credentialWrite, WiFiSetUUID.status]
        let characteristics = uuids.indices.map { index in
            let handle = AttributeHandle(rawValue: UInt16(index * 3 + 3))
            return GATT.Characteristic(
                uuid: uuids[index], handle: handle, valueHandle: handle, endHandle: handle,
                properties: [.read, .write, .notify])
        }
        let service = GATT.Service(
            uuid: WiFiSetUUID.service, handle: 1, endHandle: 20, characteristics: characteristics)
        client.receive(.discovered([service]), at: now)
    }

    mutating func step(_ script: inout Script) throws(Broken) {
        let choice = script.byte()
        switch choice & 15 {
        case 0...3: hear(script.message(), choice)
        case 4, 5: hear(script.counted(), choice)
        case 6, 7: complete(.success(choice & 0x80 == 0 ? [] : script.message()))
        case 8: complete(.failure(choice & 0x80 == 0 ? .timeout : .refused(.unlikelyError)))
        case 9: client.listNetworks(at: now)
        case 10: client.requestStatus(at: now)
        case 11:
            let ssid = WireText(script.counted())
            if let credentials = try? WiFiCredentials(ssid: ssid, password: script.counted()) {
                client.provision(credentials, at: now)
                tries += 1
            }
        case 12: client.receive(.mtuChanged(23 + Int(script.byte()) * 2), at: now)
        case 13:
            client.receive(.disconnected(.supervisionTimeout), at: now)
            open = []
            try wait(31)
            client.receive(
                .advertisement(ClientAdvertisement(peer: Self.peer, services: [WiFiSetUUID.service])),
                at: now)
            connect()
        default: try wait(UInt64(script.byte()))
        }
        try drain()
    }

    private mutating func hear(_ octets: [UInt8], _ choice: UInt8) {
        let handle = AttributeHandle(rawValue: [3, 6, 9, 4][Int(choice >> 4 & 3)])
        let room = choice & 0x40 == 0 ? 512 : 7
        var start = 0
        while start < octets.count {
            let piece = Array(octets[start..<min(start + room, octets.count)])
            client.receive(.value(handle, piece, .notify), at: now)
            start += room
        }
    }

    private mutating func complete(_ result: Result<[UInt8], RequestFailure>) {
        guard let id = open.first else { return }
        open.removeFirst()
        client.receive(.completed(id: id, result), at: now)
    }

    /// Lets seconds go by, with every deadline on the way.
    private mutating func wait(_ seconds: UInt64) throws(Broken) {
        let end = now.advanced(bySeconds: seconds)
        var deadlines = 0
        while let deadline = client.nextDeadline, deadline <= end {
            deadlines += 1
            try check(deadlines < 1000, "deadlines do not follow each other without end")
            now = max(now, deadline)
            client.deadlineReached(at: now)
            try drain()
        }
        now = end
    }

    private mutating func drain() throws(Broken) {
        var outputs = 0
        while let output = client.nextOutput() {
            outputs += 1
            try check(outputs < 5000, "the outputs come to an end")
            try check(!isFinished, "nothing comes after the end")
            switch output {
            case .action(.request(let id, .write(_, let piece))):
                try check(piece.count <= 530, "no write beyond the MTU")
                open.append(id)
            case .action(.request(let id, _)): open.append(id)
            case .event(.provisioned):
                outcomes += 1
                try check(outcomes <= tries, "each try has one outcome at most")
            case .finished: isFinished = true
            default: break
            }
        }
    }

    mutating func end() throws(Broken) {
        client.close(at: now)
        client.receive(.disconnected(.closedByUs), at: now)
        try drain()
        try check(isFinished, "a session that is closed ends")
        try check(client.nextDeadline == nil, "nothing is waited for after the end")
    }
}

private struct WiFiDeviceRun: ~Copyable {
    private var device = WiFiSetDevice(station: ScriptedStation())
    private var database: GATT.Database
    private var now = HostInstant.zero
    private var mtu = [23, 23]
    private static let links = [LinkID(rawValue: 1), LinkID(rawValue: 2)]

    init() {
        database = GATT.Database(device.services)
        device.start(database: database, at: now)
        for link in Self.links {
            device.receive(.connected(link, Peer(BluetoothAddress(1, kind: .random))), at: now)
        }
    }

    private func handle(_ choice: UInt8) -> AttributeHandle {
        let uuids = [WiFiSetUUID.credentialWrite, WiFiSetUUID.wifiList, WiFiSetUUID.status]
        guard Int(choice) < uuids.count, let handle = database.valueHandle(of: uuids[Int(choice)]) else {
            return AttributeHandle(rawValue: UInt16(choice))
        }
        return handle
    }

    mutating func step(_ script: inout Script) throws(Broken) {
        let choice = script.byte()
        let link = Self.links[Int(choice >> 4 & 1)]
        switch choice & 15 {
        case 0...4: write(script.message(), link, at: 0)
        case 5, 6: write(script.counted(), link, at: 0)
        case 7: write(script.counted(), link, at: script.byte() & 7)
        case 8:
            if case .success(let value) = device.answerRead(of: handle(script.byte() & 7), on: link, at: now)
            {
                try check(
                    value.isEmpty || (try? WiFiMessage(decoding: value)) != nil, "a read gives a message")
            }
        case 9, 10:
            let subscription: GATT.Subscription = choice & 0x80 == 0 ? .notify : []
            device.receive(.subscribed(link, handle(1 + script.byte() % 2), subscription), at: now)
        case 11:
            let size = 23 + Int(script.byte()) * 2
            mtu[Int(link.rawValue) - 1] = size
            device.receive(.mtuChanged(link, size), at: now)
        case 12:
            device.receive(.disconnected(link), at: now)
            device.receive(.connected(link, Peer(BluetoothAddress(1, kind: .random))), at: now)
            mtu[Int(link.rawValue) - 1] = 23
        default: try wait(UInt64(script.byte()))
        }
        try drain()
    }

    private mutating func write(_ octets: [UInt8], _ link: LinkID, at choice: UInt8) {
        _ = device.answerWrite(of: octets, to: handle(choice), on: link, at: now)
    }

    private mutating func wait(_ seconds: UInt64) throws(Broken) {
        let end = now.advanced(bySeconds: seconds)
        var deadlines = 0
        while let deadline = device.nextDeadline, deadline <= end {
            deadlines += 1
            try check(deadlines < 1000, "deadlines do not follow each other without end")
            now = max(now, deadline)
            device.deadlineReached(at: now)
            try drain()
        }
        now = end
    }

    private mutating func drain() throws(Broken) {
        var outputs = 0
        while let output = device.nextOutput() {
            outputs += 1
            try check(outputs < 10_000, "the outputs come to an end")
            guard case .send(let link, _, let piece, _) = output else { continue }
            try check(piece.count <= mtu[Int(link.rawValue) - 1] - 3, "a notification keeps to the MTU")
        }
    }

    mutating func end() throws(Broken) {
        let status = device.status
        try check((status.state == .connected) == (status.address != 0), "an address when connected")
        if let stored = device.storedSSID {
            try check(!stored.isEmpty, "no network without a name is stored")
        }
        for link in Self.links { device.receive(.disconnected(link), at: now) }
        try drain()
    }
}

/// A Wi-Fi radio that does what the first octet of the last network's name says.
private struct ScriptedStation: WiFiStation, ~Copyable, Sendable {
    /// Bit 0: keeps nothing; 1: stores nothing; 2: scans fail; 3 and 4: how a join ends.
    private var behaviour: UInt8 = 0
    private(set) var stored: WiFiCredentials?
    private var candidate: WiFiCredentials?
    private var waiting: (event: WiFiStationEvent, at: HostInstant)?
    private var events = FIFO<WiFiStationEvent>()

    init() {}

    mutating func keep(_ candidate: WiFiCredentials) -> Bool {
        behaviour = candidate.ssid.octets.first ?? 0
        guard behaviour & 1 == 0 else { return false }
        self.candidate = candidate
        return true
    }

    mutating func storeCandidate() -> Bool {
        guard behaviour & 2 == 0, let candidate else { return false }
        stored = candidate
        return true
    }

    mutating func dropCandidate() { candidate = nil }

    mutating func startScan(at now: HostInstant) {
        let network = WiFiNetwork(ssid: "a", rssi: -1, security: .open, channel: 1)
        let found = [WiFiNetwork](repeating: network, count: Int(behaviour) * 2)
        events.append(behaviour & 4 == 0 ? .scanned(found) : .scanFailed)
    }

    mutating func join(_ credentials: WiFiCredentials, at now: HostInstant) {
        let event: WiFiStationEvent? =
            switch behaviour >> 3 & 3 {
            case 0: .joined(rssi: -50, address: 0x0A00_0001)
            case 1: .joinFailed(.wrongPassword)
            case 2: .joinFailed(.notFound)
            default: nil
            }
        waiting = event.map { ($0, now.advanced(bySeconds: UInt64(behaviour >> 5))) }
    }

    mutating func leave(at now: HostInstant) { waiting = nil }

    mutating func deadlineReached(at now: HostInstant) {
        guard let due = waiting, due.at <= now else { return }
        waiting = nil
        events.append(due.event)
    }

    mutating func nextEvent() -> WiFiStationEvent? { events.popFirst() }

    var nextDeadline: HostInstant? { waiting?.at }
}
