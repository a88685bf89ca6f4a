// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Improv
import SimulatedDevices

extension ImprovProduct: FuzzedProduct {
    var fuzzTarget: FuzzTarget { FuzzTarget("improv", fuzzImprov) }
}

/// The first octet says what: packets cut to pieces, a client with any device, or a device with any client.
private func fuzzImprov(_ input: [UInt8]) throws(Broken) {
    var script = Script(input)
    switch script.byte() % 3 {
    case 0: try fuzzPackets(&script)
    case 1:
        var run = ImprovClientRun()
        while !script.isAtEnd { try run.step(&script) }
        try run.end()
    default:
        var run = ImprovDeviceRun(needsAuthorization: script.byte() & 1 != 0)
        while !script.isAtEnd { try run.step(&script) }
        try run.end()
    }
}

private func fuzzPackets(_ script: inout Script) throws(Broken) {
    let step = Int(script.byte()) + 1
    let octets = script.rest()
    if let command = try? ImprovCommand(decoding: octets) {
        try check(command.encoded() == octets, "a command is written as it was read")
    }
    if let result = try? ImprovResult(decoding: octets) {
        try check(result.encoded() == octets, "a result is written as it was read")
    }
    if let advertisement = try? ImprovAdvertisement(decoding: octets) {
        let again = try? ImprovAdvertisement(decoding: advertisement.octets)
        try check(again == advertisement, "what is advertised comes back")
    }
    let whole = packets(octets, by: max(octets.count, 1))
    try check(packets(octets, by: step) == whole, "packets are the same however they are cut")
    try check(whole.reduce(0) { $0 + $1.count } <= octets.count, "no octets out of nothing")
}

private func packets(_ octets: [UInt8], by step: Int) -> [[UInt8]] {
    var stream = ImprovPacketStream()
    var found: [[UInt8]] = []
    for start in stride(from: 0, to: octets.count, by: step) {
        stream.receive(Array(octets[start..<min(start + step, octets.count)]), at: .zero)
        while let packet = stream.next() { found.append(packet) }
    }
    return found
}

extension Script {
    /// A packet that makes sense, with any strings; a length or a checksum may be wrong.
    fileprivate mutating func packet() -> [UInt8] {
        let choice = byte()
        var data: [UInt8] = []
        for _ in 0..<(choice >> 3 & 7) {
            let text = next(Int(byte() & 0x3F))
            data += [UInt8(text.count)] + text
        }
        let count = choice & 0x40 == 0 ? data.count : Int(byte())
        let packet = [choice & 7, UInt8(truncatingIfNeeded: count)] + data
        return packet + [packet.reduce(choice & 0x80 == 0 ? 0 : 1, &+)]
    }
}

private struct ImprovClientRun: ~Copyable {
    private var client = ImprovClient(options: .init())
    private var now = HostInstant.zero
    private var open: [UInt32] = []
    private var tries = 0
    private var outcomes = 0
    private var isFinished = false
    private static let peer = Peer(BluetoothAddress(1, kind: .random))
    private static let uuids = [
        ImprovUUID.state, ImprovUUID.error, ImprovUUID.command, ImprovUUID.result, ImprovUUID.capabilities,
    ]

    init() {
        client.receive(.radio(.ready), at: now)
        connect()
    }

    private mutating func connect() {
        client.receive(
            .advertisement(ClientAdvertisement(peer: Self.peer, services: [ImprovUUID.service])), at: now)
        client.receive(.connected(Self.peer, mtu: 23), at: now)
        let characteristics = Self.uuids.indices.map { index in
            let handle = AttributeHandle(rawValue: UInt16(index * 3 + 3))
            return GATT.Characteristic(
                uuid: Self.uuids[index], handle: handle, valueHandle: handle, endHandle: handle,
                properties: [.read, .write, .notify])
        }
        let service = GATT.Service(
            uuid: ImprovUUID.service, handle: 1, endHandle: 20, characteristics: characteristics)
        client.receive(.discovered([service]), at: now)
    }

    mutating func step(_ script: inout Script) throws(Broken) {
        let choice = script.byte()
        switch choice & 15 {
        case 0...2: hear(script.packet(), choice)
        case 3: hear(script.counted(), choice)
        case 4: client.receive(.value(3, [script.byte()], .notify), at: now)
        case 5: client.receive(.value(6, [script.byte()], .notify), at: now)
        case 6, 7: complete(.success(choice & 0x80 == 0 ? [choice >> 4] : script.packet()))
        case 8: complete(.failure(choice & 0x80 == 0 ? .timeout : .refused(.unlikelyError)))
        case 9: client.listNetworks(at: now)
        case 10: if choice & 0x80 == 0 { client.requestInfo(at: now) } else { client.identify(at: now) }
        case 11:
            let ssid = WireText(script.counted())
            if let settings = try? ImprovSettings(ssid: ssid, password: script.counted()) {
                client.provision(settings, at: now)
                tries += 1
            }
        case 12: client.receive(.mtuChanged(23 + Int(script.byte()) * 2), at: now)
        case 13:
            client.receive(.disconnected(.supervisionTimeout), at: now)
            open = []
            try wait(31)
            connect()
        default: try wait(UInt64(script.byte()))
        }
        try drain()
    }

    private mutating func hear(_ octets: [UInt8], _ choice: UInt8) {
        let handle = AttributeHandle(rawValue: choice & 0x80 == 0 ? 12 : UInt16(choice >> 4))
        let room = choice & 0x40 == 0 ? 512 : 7
        for start in stride(from: 0, to: octets.count, by: room) {
            let piece = Array(octets[start..<min(start + room, octets.count)])
            client.receive(.value(handle, piece, .notify), at: now)
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
                try check(piece.count <= 512, "no write beyond what an attribute holds")
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

private struct ImprovDeviceRun: ~Copyable {
    private var device: ImprovDevice<ScriptedStation>
    private let database: GATT.Database
    private let needsAuthorization: Bool
    private var now = HostInstant.zero
    private var mtu = [23, 23]
    private var joins = 0
    private static let links = [LinkID(rawValue: 1), LinkID(rawValue: 2)]
    private static let peer = Peer(BluetoothAddress(1, kind: .random))

    init(needsAuthorization: Bool) {
        self.needsAuthorization = needsAuthorization
        let info = ImprovDeviceInfo(firmware: "f", version: "1", hardware: "h", name: "n")
        device = ImprovDevice(
            station: ScriptedStation(), info: info, needsAuthorization: needsAuthorization)
        database = GATT.Database(device.services)
        device.start(database: database, at: now)
        for link in Self.links { device.receive(.connected(link, Self.peer), at: now) }
    }

    private func handle(_ choice: UInt8) -> AttributeHandle {
        let uuids = [
            ImprovUUID.command, ImprovUUID.state, ImprovUUID.error, ImprovUUID.result,
            ImprovUUID.capabilities,
        ]
        guard Int(choice) < uuids.count, let handle = database.valueHandle(of: uuids[Int(choice)]) else {
            return AttributeHandle(rawValue: UInt16(choice))
        }
        return handle
    }

    mutating func step(_ script: inout Script) throws(Broken) {
        let choice = script.byte()
        let link = Self.links[Int(choice >> 4 & 1)]
        switch choice & 15 {
        case 0...4: write(script.packet(), link, at: 0)
        case 5, 6: write(script.counted(), link, at: 0)
        case 7: write(script.counted(), link, at: script.byte() & 7)
        case 8: try read(handle(script.byte() & 7), link)
        case 9: device.press(at: now)
        case 10:
            let subscription: GATT.Subscription = choice & 0x80 == 0 ? .notify : []
            device.receive(.subscribed(link, handle(script.byte() & 7), subscription), at: now)
        case 11:
            let size = 23 + Int(script.byte()) * 2
            mtu[Int(link.rawValue) - 1] = size
            device.receive(.mtuChanged(link, size), at: now)
        case 12:
            device.receive(.disconnected(link), at: now)
            device.receive(.connected(link, Self.peer), at: now)
            mtu[Int(link.rawValue) - 1] = 23
        default: try wait(UInt64(script.byte()))
        }
        try drain()
    }

    private mutating func write(_ octets: [UInt8], _ link: LinkID, at choice: UInt8) {
        let room = mtu[Int(link.rawValue) - 1] - 3
        for start in stride(from: 0, to: octets.count, by: room) {
            let piece = Array(octets[start..<min(start + room, octets.count)])
            _ = device.answerWrite(of: piece, to: handle(choice), on: link, at: now)
        }
    }

    private mutating func read(_ handle: AttributeHandle, _ link: LinkID) throws(Broken) {
        guard case .success(let value) = device.answerRead(of: handle, on: link, at: now),
            database.valueHandle(of: ImprovUUID.result) == handle, !value.isEmpty
        else { return }
        try check((try? ImprovResult(decoding: value)) != nil, "a result can be read")
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
            switch output {
            case .send(let link, _, let piece, _):
                try check(piece.count <= mtu[Int(link.rawValue) - 1] - 3, "a notification keeps to the MTU")
            case .event(.settings(_, _, .none)): joins += 1
            default: break
            }
        }
    }

    mutating func end() throws(Broken) {
        if device.state == .provisioned { try check(joins > 0, "no network without settings") }
        if !needsAuthorization {
            try check(device.state != .authorizationRequired, "no button where none is needed")
        }
        for link in Self.links { device.receive(.disconnected(link), at: now) }
        try drain()
    }
}

/// A Wi-Fi radio that does what the first octet of the last network's name says.
private struct ScriptedStation: ImprovStation, ~Copyable, Sendable {
    /// Bits 0 and 1: how a join ends; 2: scans fail; 5 to 7: how long a join takes.
    private var behaviour: UInt8 = 0
    private var waiting: (event: ImprovStationEvent, at: HostInstant)?
    private var events = FIFO<ImprovStationEvent>()

    init() {}

    var capabilities: ImprovCapabilities { [.identify, .scan] }

    mutating func identify(at now: HostInstant) {}

    mutating func startScan(at now: HostInstant) {
        let networks = (0..<behaviour).map { number in
            ImprovNetwork(ssid: WireText([number, 0x61]), rssi: Int8(bitPattern: number), security: "WPA2")
        }
        events.append(behaviour & 4 == 0 ? .scanned(networks) : .scanFailed)
    }

    mutating func join(_ settings: ImprovSettings, at now: HostInstant) {
        behaviour = settings.ssid.octets.first ?? 0
        let event: ImprovStationEvent? =
            switch behaviour & 3 {
            case 0: .joined(url: nil)
            case 1: .joined(url: WireText([UInt8](repeating: 0x75, count: Int(behaviour))))
            case 2: .joinFailed
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

    mutating func nextEvent() -> ImprovStationEvent? { events.popFirst() }

    var nextDeadline: HostInstant? { waiting?.at }
}
