// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Fuzzing
import ProductRegistry
import WiFiSet

extension WiFiSetProduct: FuzzedProduct {
    var fuzzTarget: FuzzTarget { FuzzTarget("wifiset", fuzzWiFiSet) }
}

/// The first octet says what: a message cut to pieces, a client with any device, or a device with any client.
private func fuzzWiFiSet(_ input: [UInt8], _ trace: FuzzTrace) throws(Broken) {
    var script = Script(input)
    switch script.byte() % 3 {
    case 0: try fuzzMessages(&script, trace)
    case 1: try fuzzClient(&script, trace)
    default: try fuzzDevice(&script, trace)
    }
}

private func fuzzMessages(_ script: inout Script, _ trace: FuzzTrace) throws(Broken) {
    let step = Int(script.byte()) + 1
    let octets = script.rest()
    if let message = try? WiFiMessage(decoding: octets) {
        trace.add(message.encoded())
        try check(message.encoded() == octets, "what was read is written as it was")
    }
    let whole = try wifiMessages(octets, by: max(octets.count, 1))
    for message in whole { trace.add(message) }
    try check(try wifiMessages(octets, by: step) == whole, "messages are the same however they are cut")
}

private func wifiMessages(_ octets: [UInt8], by step: Int) throws(Broken) -> [[UInt8]] {
    var stream = WiFiMessageStream()
    var found: [[UInt8]] = []
    for piece in octets.pieces(of: step) {
        stream.receive(piece, at: .zero)
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

private func fuzzClient(_ script: inout Script, _ trace: FuzzTrace) throws(Broken) {
    var run = ProvisioningClientFuzzCase(
        WiFiSetClient(options: .init()), service: WiFiSetUUID.service,
        characteristics: [WiFiSetUUID.wifiList, WiFiSetUUID.credentialWrite, WiFiSetUUID.status], trace
    ) { event in
        if case .provisioned = event { true } else { false }
    }
    while !script.isAtEnd {
        let choice = script.byte()
        let handle = AttributeHandle(rawValue: [3, 6, 9, 4][Int(choice >> 4 & 3)])
        switch choice & 15 {
        case 0...3: run.hear(script.message(), from: handle, choice)
        case 4, 5: run.hear(script.counted(), from: handle, choice)
        case 6, 7: run.complete(.success(choice & 0x80 == 0 ? [] : script.message()))
        case 9: run.client.listNetworks(at: run.now)
        case 10: run.client.requestStatus(at: run.now)
        case 11:
            let ssid = WireText(script.counted())
            if let credentials = try? WiFiCredentials(ssid: ssid, password: script.counted()) {
                run.client.provision(credentials, at: run.now)
                run.tries += 1
            }
        default: try run.step(choice, &script)
        }
        try run.drain()
    }
    try run.end { $0.close(at: $1) }
}

private func fuzzDevice(_ script: inout Script, _ trace: FuzzTrace) throws(Broken) {
    var run = ProvisioningDeviceFuzzCase(
        WiFiSetDevice(station: ScriptedStation()),
        values: [WiFiSetUUID.credentialWrite, WiFiSetUUID.wifiList, WiFiSetUUID.status], trace)
    func write(_ octets: [UInt8], _ link: LinkID, at choice: UInt8) {
        _ = run.device.answerWrite(of: octets, to: run.handle(choice), on: link, at: run.now)
    }
    while !script.isAtEnd {
        let choice = script.byte()
        let link = run.link(choice)
        switch choice & 15 {
        case 0...4: write(script.message(), link, at: 0)
        case 5, 6: write(script.counted(), link, at: 0)
        case 7: write(script.counted(), link, at: script.byte() & 7)
        case 8:
            let handle = run.handle(script.byte() & 7)
            if case .success(let value) = run.device.answerRead(of: handle, on: link, at: run.now) {
                trace.add(value)
                let isMessage = value.isEmpty || (try? WiFiMessage(decoding: value)) != nil
                try check(isMessage, "a read gives a message")
            }
        case 9, 10:
            let subscription: GATT.Subscription = choice & 0x80 == 0 ? .notify : []
            let handle = run.handle(1 + script.byte() % 2)
            run.device.receive(.subscribed(link, handle, subscription), at: run.now)
        default: try run.step(choice, &script)
        }
        try run.drain()
    }
    let status = run.device.status
    try check((status.state == .connected) == (status.address != 0), "an address when connected")
    if let stored = run.device.storedSSID {
        try check(!stored.isEmpty, "no network without a name is stored")
    }
    try run.end()
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
