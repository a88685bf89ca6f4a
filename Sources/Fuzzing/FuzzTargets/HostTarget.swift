// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEHCI
import BLEHost
import BLEL2CAP
import BLEWire
import Fuzzing

/// A host between an application and a controller that both do as the input says.
///
/// The first octet says how good the controller is: 1 answers commands well and at once, 2 completes data at once,
/// 4 is one of the first, with LE alone. With 8 somebody has to report what is consumed.
func fuzzHost(_ input: [UInt8], _ trace: FuzzTrace) throws(Broken) {
    var script = Script(input)
    var run = HostFuzzCase(habits: script.byte(), trace)
    try run.start()
    while !script.isAtEnd { try run.step(&script) }
    try run.end()
}

/// The host, and what its environment knows of it.
struct HostFuzzCase: ~Copyable {
    var stack: HostStack
    var now = HostInstant.zero
    var controller = ControllerModel()
    var promises = HostPromises()
    private let trace: FuzzTrace
    let answersCommands: Bool
    let completesData: Bool

    init(habits: UInt8, _ trace: FuzzTrace) {
        self.trace = trace
        answersCommands = habits & 1 != 0
        completesData = habits & 2 != 0
        controller.features = habits & 4 == 0 ? 0xFF : 0x20
        stack = HostStack(
            HostConfiguration(
                services: Array(RichDatabase.services.dropFirst(2)), maximumCentrals: 2,
                limits: habits & 8 == 0 ? HostLimits() : HostLimits(unconsumedEvents: 40)))
    }

    mutating func start() throws(Broken) {
        stack.start(at: now)
        try settle()
    }

    mutating func step(_ script: inout Script) throws(Broken) {
        let choice = script.byte()
        switch choice & 31 {
        case 0...1: try fromController(.event(HCI.EventCode(rawValue: script.byte()), script.counted()))
        case 2: try fromController(.event(.leMeta, script.counted()))
        case 3: try octets(script.counted())
        case 4, 5:
            if let answer = controller.goodAnswer() { try fromController(answer) }
        case 6:
            if let answer = controller.badAnswer(status: script.byte(), complete: choice & 0x80 == 0) {
                try fromController(answer)
            }
        case 7: try connectionComplete(&script, choice)
        case 8:
            try fromController(ControllerModel.disconnectionComplete(script.byte(), reason: script.byte()))
        case 9: try fromController(ControllerModel.completed(UInt16(script.byte() & 7), script.byte()))
        case 10...14: try frame(&script, choice)
        case 15: try fromController(.acl(acl(script.byte(), choice & 0x80 == 0, script.counted())))
        default: application(&script, choice)
        }
        try settle()
    }

    /// Octets that are no packet perhaps: the host may lose its sync.
    private mutating func octets(_ octets: [UInt8]) throws(Broken) {
        var framer = HCI.H4Framer()
        framer.receive(octets)
        while let packet = try? framer.nextPacket() { try fromController(packet) }
        // What is no whole packet ends the host sooner or later; now is as good as then.
        stack.receive([0], at: now)
    }

    private mutating func fromController(_ packet: HCI.Packet) throws(Broken) {
        controller.sends(packet)
        stack.receive(packet.octets, at: now)
        try drain()
    }

    private mutating func connectionComplete(_ script: inout Script, _ choice: UInt8) throws(Broken) {
        let handle = script.byte() & 7
        let peer = choice & 0x40 == 0 ? (promises.lastPeer ?? Self.peer(0)) : Self.peer(script.byte())
        var writer = ByteWriter()
        peer.encode(into: &writer)
        let status: UInt8 = choice & 0x20 == 0 ? 0 : script.byte()
        try fromController(
            .event(
                .leMeta,
                [1, status, handle, 0, choice >> 7, peer.kind.rawValue] + writer.octets + [
                    24, 0, 0, 0, 100, 0, 0,
                ]))
    }

    private mutating func frame(_ script: inout Script, _ choice: UInt8) throws(Broken) {
        let link = script.byte()
        let channel: L2CAP.ChannelID =
            switch choice & 31 {
            case 10, 11, 12: .att
            case 13: .signalling
            default: L2CAP.ChannelID(rawValue: UInt16(script.byte()))
            }
        let payload = choice & 0x80 == 0 ? script.counted() : script.next(3) + script.long()
        try fromController(.acl(acl(link, true, L2CAP.frame(payload, on: channel))))
    }

    private func acl(_ handle: UInt8, _ isFirst: Bool, _ payload: [UInt8]) -> HCI.ACLData {
        HCI.ACLData(
            handle: ConnectionHandle(rawValue: UInt16(handle & 7)),
            boundary: isFirst ? .firstFlushable : .continuing,
            payload: payload)
    }

    static func peer(_ number: UInt8) -> BluetoothAddress {
        BluetoothAddress(0xC000_0000_0000 | UInt64(number & 7), kind: .random)
    }

    private mutating func application(_ script: inout Script, _ choice: UInt8) {
        let link = promises.link(script.byte())
        switch choice & 31 {
        case 16 where choice & 0x80 != 0: stack.stopServing(at: now)
        case 16: stack.start(at: now)
        case 17 where choice & 0x80 != 0: stack.stop(at: now)
        case 18:
            let peer = Self.peer(script.byte())
            promises.asked(peer)
            stack.connect(to: peer, at: now)
        case 19: stack.cancelConnect(to: Self.peer(script.byte()), at: now)
        case 20: stack.disconnect(link, at: now)
        case 21:
            let time = UInt64(script.byte()) * (choice & 0x80 == 0 ? 10 : 250)
            now = now.advanced(byMilliseconds: time)
        case 22:
            if let deadline = stack.nextDeadline { now = max(now, deadline) }
        case 23...26:
            if let id = stack.perform(GATT.Operation(&script), on: link, at: now) {
                promises.began(id, on: link)
            }
        case 27:
            stack.answer(
                choice & 0x80 == 0 ? .success(script.long()) : .failure(.unlikelyError), on: link, at: now)
        case 28:
            _ = stack.send(
                script.counted(), of: AttributeHandle(rawValue: UInt16(script.byte())),
                as: choice & 0x80 == 0 ? .notify : .indicate, on: link, at: now)
        case 29:
            choice & 0x80 == 0 ? stack.startScanning(ScanParameters(), at: now) : stack.stopScanning(at: now)
        case 30:
            if choice & 0x80 == 0 {
                stack.startAdvertising(AdvertisingParameters(data: script.counted()), at: now)
            } else {
                stack.stopAdvertising(at: now)
            }
        case 31 where choice & 0xC0 == 0x40: stack.consumed(Int(script.byte()), on: link, at: now)
        case 31 where choice & 0x80 != 0: stack.transportClosed(at: now)
        default: _ = stack.offer(name: "fuzzed", appearance: 0, services: [])
        }
    }

    /// Lets the host and a good controller go on until both are quiet.
    private mutating func settle() throws(Broken) {
        try drain()
        for _ in 0..<2000 {
            if let deadline = stack.nextDeadline, deadline <= now {
                stack.deadlineReached(at: now)
                try drain()
            }
            if answersCommands, let answer = controller.goodAnswer() {
                try fromController(answer)
            } else if completesData, let completion = controller.completion() {
                try fromController(completion)
            } else {
                try check(stack.nextDeadline.map { $0 > now } ?? true, "no deadline lies in the past")
                return
            }
        }
        try check(false, "the host comes to rest")
    }

    private mutating func drain() throws(Broken) {
        var outputs = 0
        while let output = stack.nextOutput() {
            outputs += 1
            trace.add(stack.nextDeadline)
            try check(outputs < 20_000, "the outputs come to an end")
            switch output {
            case .send(let octets):
                trace.add(octets)
                try controller.receives(
                    octets, packets: stack.controller.aclDataPackets, length: stack.controller.aclDataLength)
            case .event(let event):
                if case .disconnected(let link, _) = event { controller.freed(promises.handle(of: link)) }
                try promises.observe(event, handle: controller.lastHandle)
                if case .value(_, _, let value, _) = event { trace.add(value) }
                if case .failed = event { controller.reset() }
                if case .stopped = event { controller.reset() }
            }
        }
    }

    mutating func end() throws(Broken) {
        stack.transportClosed(at: now)
        try drain()
        try promises.end()
        try check(stack.nextDeadline == nil && !stack.isReady, "nothing is waited for after the end")
        try check(stack.perform(.read(3), on: LinkID(rawValue: 1), at: now) == nil, "no link after the end")
        // Whatever was, the host starts again on a good controller.
        controller.reset()
        stack.start(at: now)
        try drain()
        while let answer = controller.goodAnswer() { try fromController(answer) }
        try check(stack.isReady, "the host can start again")
    }
}
