// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Fuzzing
import Improv
import ProductRegistry

extension ImprovProduct: FuzzedProduct {
    var fuzzTarget: FuzzTarget { FuzzTarget("improv", fuzzImprov) }
}

/// The first octet says what: packets cut to pieces, a client with any device, or a device with any client.
private func fuzzImprov(_ input: [UInt8], _ trace: FuzzTrace) throws(Broken) {
    var script = Script(input)
    switch script.byte() % 3 {
    case 0: try fuzzPackets(&script, trace)
    case 1: try fuzzClient(&script, trace)
    default: try fuzzDevice(&script, needsAuthorization: script.byte() & 1 != 0, trace)
    }
}

private func fuzzPackets(_ script: inout Script, _ trace: FuzzTrace) throws(Broken) {
    let step = Int(script.byte()) + 1
    let octets = script.rest()
    if let command = try? ImprovCommand(decoding: octets) {
        trace.add(command.encoded())
        try check(command.encoded() == octets, "a command is written as it was read")
    }
    if let result = try? ImprovResult(decoding: octets) {
        trace.add(result.encoded())
        try check(result.encoded() == octets, "a result is written as it was read")
    }
    if let advertisement = try? ImprovAdvertisement(decoding: octets) {
        trace.add(advertisement.octets)
        let again = try? ImprovAdvertisement(decoding: advertisement.octets)
        try check(again == advertisement, "what is advertised comes back")
    }
    let whole = packets(octets, by: max(octets.count, 1))
    for packet in whole { trace.add(packet) }
    try check(packets(octets, by: step) == whole, "packets are the same however they are cut")
    try check(whole.reduce(0) { $0 + $1.count } <= octets.count, "no octets out of nothing")
}

private func packets(_ octets: [UInt8], by step: Int) -> [[UInt8]] {
    var stream = ImprovPacketStream()
    var found: [[UInt8]] = []
    for piece in octets.pieces(of: step) {
        stream.receive(piece, at: .zero)
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

/// What the device has, in the order of their handles.
private let values = [
    ImprovUUID.state, ImprovUUID.error, ImprovUUID.command, ImprovUUID.result, ImprovUUID.capabilities,
]

private func fuzzClient(_ script: inout Script, _ trace: FuzzTrace) throws(Broken) {
    var run = ProvisioningClientFuzzCase(
        ImprovClient(options: .init()), service: ImprovUUID.service, characteristics: values, trace
    ) { event in
        if case .provisioned = event { true } else { false }
    }
    while !script.isAtEnd {
        let choice = script.byte()
        let handle = AttributeHandle(rawValue: choice & 0x80 == 0 ? 12 : UInt16(choice >> 4))
        switch choice & 15 {
        case 0...2: run.hear(script.packet(), from: handle, choice)
        case 3: run.hear(script.counted(), from: handle, choice)
        case 4: run.hear([script.byte()], from: 3, 0)
        case 5: run.hear([script.byte()], from: 6, 0)
        case 6, 7: run.complete(.success(choice & 0x80 == 0 ? [choice >> 4] : script.packet()))
        case 9: run.client.listNetworks(at: run.now)
        case 10 where choice & 0x80 == 0: run.client.requestInfo(at: run.now)
        case 10: run.client.identify(at: run.now)
        case 11:
            let ssid = WireText(script.counted())
            if let settings = try? ImprovSettings(ssid: ssid, password: script.counted()) {
                run.client.provision(settings, at: run.now)
                run.tries += 1
            }
        default: try run.step(choice, &script)
        }
        try run.drain()
    }
    try run.end { $0.close(at: $1) }
}

private func fuzzDevice(
    _ script: inout Script, needsAuthorization: Bool, _ trace: FuzzTrace
) throws(Broken) {
    let info = ImprovDeviceInfo(firmware: "f", version: "1", hardware: "h", name: "n")
    var run = ProvisioningDeviceFuzzCase(
        ImprovDevice(station: ScriptedStation(), info: info, needsAuthorization: needsAuthorization),
        values: [
            ImprovUUID.command, ImprovUUID.state, ImprovUUID.error, ImprovUUID.result,
            ImprovUUID.capabilities,
        ], trace)
    func write(_ octets: [UInt8], _ link: LinkID, at choice: UInt8) {
        for piece in octets.pieces(of: run.room(of: link)) {
            _ = run.device.answerWrite(of: piece, to: run.handle(choice), on: link, at: run.now)
        }
    }
    while !script.isAtEnd {
        let choice = script.byte()
        let link = run.link(choice)
        switch choice & 15 {
        case 0...4: write(script.packet(), link, at: 0)
        case 5, 6: write(script.counted(), link, at: 0)
        case 7: write(script.counted(), link, at: script.byte() & 7)
        case 8:
            let handle = run.handle(script.byte() & 7)
            if case .success(let value) = run.device.answerRead(of: handle, on: link, at: run.now),
                run.database.valueHandle(of: ImprovUUID.result) == handle, !value.isEmpty
            {
                trace.add(value)
                try check((try? ImprovResult(decoding: value)) != nil, "a result can be read")
            }
        case 9: run.device.press(at: run.now)
        case 10:
            let subscription: GATT.Subscription = choice & 0x80 == 0 ? .notify : []
            let handle = run.handle(script.byte() & 7)
            run.device.receive(.subscribed(link, handle, subscription), at: run.now)
        default: try run.step(choice, &script)
        }
        try run.drain()
    }
    if run.device.state == .provisioned {
        let hasJoined = run.events.contains { event in
            if case .settings(_, _, .none) = event { true } else { false }
        }
        try check(hasJoined, "no network without settings")
    }
    if !needsAuthorization {
        try check(run.device.state != .authorizationRequired, "no button where none is needed")
    }
    try run.end()
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
