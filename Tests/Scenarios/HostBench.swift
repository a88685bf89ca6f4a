// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEHCI
import BLEHost
import BLEL2CAP
import BLESMP
import BLEWire

/// Octets of hex digits; none when they are no hex digits, so that the test fails.
func octets(_ hex: String) -> [UInt8] { [UInt8](hexadecimal: hex) ?? [] }

func two(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF)] }

/// A host stack on a controller that is a table of answers, octet by octet.
///
/// It knows nothing of our HCI types on purpose: what they get wrong must show here.
final class HostBench {
    /// What the controller does with a command.
    enum Reply {
        /// Command Complete with return parameters.
        case complete([UInt8])
        /// Command Status.
        case status(UInt8)
        /// Any octets.
        case raw([UInt8])
        /// Nothing.
        case silence
    }

    var stack: HostStack
    var now = HostInstant.zero
    /// What the host told, in words.
    var events: [String] = []
    /// Commands that the host sent: opcode and parameters.
    var commands: [(opcode: UInt16, parameters: [UInt8])] = []
    /// Data packets that the host sent, whole, without the H4 octet.
    var data: [[UInt8]] = []
    /// Answers that differ from what a good controller gives.
    var replies: [UInt16: Reply] = [:]
    /// Answers that come once each, before ``replies``.
    var onceReplies: [UInt16: [Reply]] = [:]
    /// Which commands the controller knows; all others it refuses.
    var knows: (UInt16) -> Bool = { _ in true }
    /// How many more commands the controller takes, as it says with each answer.
    var commandCredits: UInt8 = 1
    /// Octets of payload of a data packet and how many of them the controller holds.
    var buffers = (length: 27, count: 4)
    /// The low two octets of its LE features; data length extension alone.
    var features = 0x0020
    /// Packets that the host has acknowledged with Host Number Of Completed Packets, which nothing answers.
    var acknowledged = 0
    /// Whether data packets are completed at once.
    var completesData = true
    /// How many octets still come through from the controller before the transport is cut; `nil` for all.
    var octetsUntilCut: Int?
    /// Octets that came through.
    private(set) var received = 0
    /// Octets that are still on their way to the controller.
    private var outgoing = FIFO<[UInt8]>()

    init(_ configuration: HostConfiguration = HostConfiguration()) { stack = HostStack(configuration) }

    /// A bench whose host is ready and has forgotten how it got there.
    static func ready(
        _ configuration: HostConfiguration = HostConfiguration(), length: Int = 27, count: Int = 4,
        features: Int = 0x0020
    )
        -> HostBench
    {
        let bench = HostBench(configuration)
        bench.buffers = (length, count)
        bench.features = features
        bench.start()
        bench.forget()
        return bench
    }

    func hasRoom(_ link: LinkID) -> Bool { stack.hasRoom(link) }

    func start() {
        stack.start(at: now)
        run()
    }

    func forget() { (events, commands, data) = ([], [], []) }

    /// Gives what the host sends to the controller, and back, until both are quiet.
    func run() {
        drain()
        while let packet = outgoing.popFirst() {
            switch packet[0] {
            case 1: answer(UInt16(packet[1]) | UInt16(packet[2]) << 8, Array(packet[4...]))
            case 2:
                data.append(Array(packet[1...]))
                if completesData { completed(Int(packet[1]) | Int(packet[2] & 0x0F) << 8, 1) }
            default: events.append("unknown packet \(packet[0])")
            }
            drain()
        }
    }

    /// Gives the host octets from the controller, then lets both go on.
    func receive(_ octets: [UInt8]) {
        feed(octets)
        run()
    }

    private func feed(_ octets: [UInt8]) {
        guard let left = octetsUntilCut else {
            received += octets.count
            stack.receive(octets, at: now)
            return
        }
        received += min(left, octets.count)
        octetsUntilCut = max(0, left - octets.count)
        stack.receive(Array(octets.prefix(left)), at: now)
        if left <= octets.count { stack.transportClosed(at: now) }
    }

    func receive(_ hex: String) { receive(octets(hex)) }

    /// Lets time pass, deadline by deadline.
    func advance(milliseconds: UInt64) {
        let end = now.advanced(byMilliseconds: milliseconds)
        while let deadline = stack.nextDeadline, deadline <= end {
            now = max(now, deadline)
            stack.deadlineReached(at: now)
            run()
        }
        now = end
    }

    /// Does something with the stack, then lets both go on.
    @discardableResult
    func update<R>(_ body: (inout HostStack, HostInstant) -> R) -> R {
        let result = body(&stack, now)
        run()
        return result
    }

    private func drain() {
        while let output = stack.nextOutput() {
            switch output {
            case .send(let packet): outgoing.append(packet)
            case .event(let event): events.append(Self.words(event))
            }
        }
    }

    private func answer(_ opcode: UInt16, _ parameters: [UInt8]) {
        if opcode == 0x0C35 {
            acknowledged += Int(parameters[3]) | Int(parameters[4]) << 8
            return
        }
        commands.append((opcode, parameters))
        feed(answer(to: opcode))
    }

    /// What the controller sends back for a packet of a host; nothing for data.
    func answer(to packet: [UInt8]) -> [UInt8] {
        packet[0] == 1 ? answer(to: UInt16(packet[1]) | UInt16(packet[2]) << 8) : []
    }

    private func answer(to opcode: UInt16) -> [UInt8] {
        var once: Reply?
        if let first = onceReplies[opcode]?.first {
            once = first
            onceReplies[opcode]?.removeFirst()
        }
        return switch once ?? (knows(opcode) ? replies[opcode] ?? standard(opcode) : .complete([0x01])) {
        case .complete(let octets): complete(opcode, octets)
        case .status(let status): [4, 0x0F, 4, status, commandCredits] + two(Int(opcode))
        case .raw(let octets): octets
        case .silence: []
        }
    }

    func complete(_ opcode: UInt16, _ octets: [UInt8]) -> [UInt8] {
        [4, 0x0E, UInt8(3 + octets.count), commandCredits] + two(Int(opcode)) + octets
    }

    /// What a good controller answers.
    private func standard(_ opcode: UInt16) -> Reply {
        switch opcode {
        case 0x0406, 0x041D, 0x200D, 0x2013, 0x2016, 0x2032, 0x2043: .status(0)
        case 0x1001: .complete(octets("00 0D 3412 0C F105 7856"))
        case 0x1002: .complete([0] + [UInt8](repeating: 0xFF, count: 64))
        case 0x1003: .complete(octets("00 0000000060000000"))
        case 0x1009: .complete(octets("00 665544332211"))
        case 0x2002: .complete([0] + two(buffers.length) + [UInt8(buffers.count)])
        case 0x2003: .complete([0] + two(features) + [0, 0, 0, 0, 0, 0])
        case 0x200F: .complete([0, 4])
        case 0x203A: .complete([0] + two(1650))
        case 0x2036: .complete([0, 0])
        case 0x2018: .complete(octets("00 0807060504030201"))
        default: .complete([0])
        }
    }
}

// Events that a controller sends.
extension HostBench {
    static let peer = BluetoothAddress(0xF0F1_F2F3_F4F5, kind: .random)

    /// LE Connection Complete.
    func linkOpened(_ handle: Int, role: UInt8 = 0, status: UInt8 = 0, peer: BluetoothAddress = peer) {
        var writer = ByteWriter()
        peer.encode(into: &writer)
        receive(
            [4, 0x3E, 19, 0x01, status] + two(handle) + [role, peer.kind.rawValue] + writer.octets
                + two(24) + two(0) + two(500) + [0])
    }

    /// Disconnection Complete.
    func linkClosed(_ handle: Int, reason: UInt8 = 0x13) {
        receive([4, 0x05, 4, 0] + two(handle) + [reason])
    }

    /// Number Of Completed Packets.
    func completed(_ handle: Int, _ count: Int) {
        feed([4, 0x13, 5, 1] + two(handle) + two(count))
    }

    /// A whole L2CAP frame from the peer, in one data packet.
    func frame(_ handle: Int, _ channel: Int, _ payload: [UInt8]) {
        receive(
            [2] + two(handle | 0x2000) + two(payload.count + 4) + two(payload.count) + two(channel) + payload)
    }

    func att(_ handle: Int, _ hex: String) { frame(handle, 4, octets(hex)) }

    /// The frames that the host sent on a link, put together: channel and payload in hex.
    func frames(_ handle: Int) -> [String] {
        var frames: [String] = []
        var begun: [UInt8] = []
        for packet in data where Int(packet[0]) | Int(packet[1] & 0x0F) << 8 == handle {
            let isFirst = packet[1] & 0x30 == 0
            if isFirst != begun.isEmpty { frames.append("torn") }
            begun += packet[4...]
            guard begun.count >= 4, begun.count == 4 + Int(begun[0]) + Int(begun[1]) << 8 else { continue }
            frames.append("\(begun[2]) \(begun[4...].hexadecimal)")
            begun = []
        }
        if !begun.isEmpty { frames.append("begun") }
        data = []
        return frames
    }

    /// A link with an agreed MTU, of which nothing is outstanding.
    func open(_ handle: Int, role: UInt8 = 0, mtu: Int = 23, peer: BluetoothAddress = peer) {
        if role == 0 { update { stack, now in stack.connect(to: peer, at: now) } }
        linkOpened(handle, role: role, peer: peer)
        if role == 0 {
            frame(handle, 4, [0x03] + two(mtu))
        } else if mtu > 23 {
            frame(handle, 4, [0x02] + two(mtu))
        }
        forget()
    }

    static func words(_ event: HostStack.Event) -> String {
        switch event {
        case .ready: "ready"
        case .stopped: "stopped"
        case .failed(let failure): "failed \(failure)"
        case .advertisement(let report):
            "advertisement \(report.address) \(report.data.hexadecimal)\(report.isTruncated ? " truncated" : "")"
        case .scanFailed(let status): "scan failed \(status.rawValue)"
        case .advertisingStarted: "advertising"
        case .advertisingFailed(let status): "advertising failed \(status.rawValue)"
        case .servingStopped: "serving stopped"
        case .addressChanged(let address): "address \(address)"
        case .addressRefused(let status): "address refused \(status.rawValue)"
        case .malformed(let link, let octets): "malformed \(link.rawValue) \(octets.hexadecimal)"
        case .securityRequested(let link): "security requested \(link.rawValue)"
        case .security(let link, let event): "security \(link.rawValue) \(event.words)"
        case .connected(let link, let role, let peer): "connected \(link.rawValue) \(role) \(peer)"
        case .connectFailed(let peer, let failure): "connect failed \(peer) \(words(failure))"
        case .disconnected(let link, let failure): "disconnected \(link.rawValue) \(words(failure))"
        case .parametersChanged(let link, let parameters):
            "parameters \(link.rawValue) \(words(parameters))"
        case .phyChanged(let link, let tx, let rx): "phy \(link.rawValue) \(tx.rawValue) \(rx.rawValue)"
        case .dataLengthChanged(let link, let tx, let rx): "length \(link.rawValue) \(tx) \(rx)"
        case .procedureCompleted(let link, let id, .success(let answer)):
            "procedure \(link.rawValue) \(id.rawValue) \(words(answer))"
        case .procedureCompleted(let link, let id, .failure(let failure)):
            "procedure \(link.rawValue) \(id.rawValue) \(words(failure))"
        case .channelsChosen(let status): "channels \(status.rawValue)"
        case .mtuChanged(let link, let mtu): "mtu \(link.rawValue) \(mtu)"
        case .completed(let link, let id, .success(let answer)):
            "completed \(link.rawValue) \(id.rawValue) \(Self.words(answer))"
        case .completed(let link, let id, .failure(let failure)):
            "completed \(link.rawValue) \(id.rawValue) \(words(failure))"
        case .value(let link, let handle, let value, let kind):
            "value \(link.rawValue) \(handle.rawValue) \(value.hexadecimal) \(kind)"
        case .servicesChanged(let link, let range):
            "services changed \(link.rawValue) \(range.start.rawValue) \(range.end.rawValue)"
        case .subscribed(let link, let handle, let subscription):
            "subscribed \(link.rawValue) \(handle.rawValue) \(subscription.rawValue)"
        case .readRequested(let link, let handle): "read \(link.rawValue) \(handle.rawValue)"
        case .writeRequested(let link, let handle, let value, let answered):
            "write \(link.rawValue) \(handle.rawValue) \(value.hexadecimal)\(answered ? " answered" : "")"
        case .stored(let link, let handle, let value):
            "stored \(link.rawValue) \(handle.rawValue) \(value.hexadecimal)"
        case .confirmed(let link, let handle): "confirmed \(link.rawValue) \(handle.rawValue)"
        case .writable(let link): "writable \(link.rawValue)"
        case .channel(let link, let token, let event):
            "channel \(link.rawValue) \(token.rawValue) \(words(event))"
        }
    }

    private static func words(_ answer: GATT.Answer) -> String {
        switch answer {
        case .done: "done"
        case .value(let value): "value \(value.hexadecimal)"
        case .firstPart(let part, let failure): "first part \(part.hexadecimal), \(words(failure))"
        case .values(let values): "values \(values.count)"
        case .services(let services): "services \(services.count)"
        case .found(let found): "found \(found.services.count)\(found.wereKnown ? " known" : "")"
        case .mtu(let mtu): "mtu \(mtu)"
        case .type(let uuid): "type \(uuid)"
        }
    }

    static func words(_ failure: LinkError) -> String {
        switch failure {
        case .closedByUs: "closedByUs"
        case .closedByPeer: "closedByPeer"
        case .flowControlIgnored: "flowControlIgnored"
        case .closedByPeerBecause(let status): "closedByPeer \(status)"
        case .consumerTooSlow: "consumerTooSlow"
        case .supervisionTimeout: "supervisionTimeout"
        case .connectTimeout: "connectTimeout"
        case .protocolFailure: "protocolFailure"
        case .radioLost: "radioLost"
        case .controller(let status): "controller \(status)"
        }
    }

    private static func words(_ failure: GATTRequestError) -> String {
        switch failure {
        case .refused(let code): "refused \(code.rawValue)"
        case .timeout: "timeout"
        case .badResponse: "badResponse"
        case .disconnected: "disconnected"
        case .unsupported: "unsupported"
        case .queueFull: "queueFull"
        case .tooLong: "tooLong"
        }
    }
}
