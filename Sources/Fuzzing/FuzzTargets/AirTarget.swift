// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEGATT
import BLEHost
import BLEL2CAP
import BLESimulation
import BLEWire
import Companion
import Fuzzing

/// Some hosts on one virtual air, whose applications do as the input says; the first octet is the air's seed.
///
/// A long input made of a seed is a soak: all of Core and the simulated controllers at once, on one clock.
func fuzzAir(_ input: [UInt8], _ trace: FuzzTrace) throws(Broken) {
    var script = Script(input)
    let run = AirFuzzCase(seed: script.byte(), trace)
    try run.start()
    while !script.isAtEnd { try run.step(&script) }
    try run.end()
}

/// A host, and what its application knows.
private final class AirHost {
    var stack: HostStack { didSet { isStale = true } }
    let id: VirtualAir.ControllerID
    var links: [LinkID] = []
    var channels: [(link: LinkID, token: L2CAP.ChannelToken)] = []
    private var known: HostInstant?
    private var isStale = true

    /// When it has to be called again.
    ///
    /// Each host is asked at each moment of the air, at most of which nothing has come to it: to work it out took two fifths
    /// of a soak.
    var nextDeadline: HostInstant? {
        if isStale { (known, isStale) = (stack.nextDeadline, false) }
        return known
    }

    /// Its next output, which no deadline hangs on.
    func nextOutput() -> HostStack.Output? {
        let wasStale = isStale
        let output = stack.nextOutput()
        isStale = wasStale
        return output
    }

    init(_ stack: consuming HostStack, _ id: VirtualAir.ControllerID) {
        self.stack = stack
        self.id = id
    }

    func link(_ choice: UInt8) -> LinkID {
        links.isEmpty ? LinkID(rawValue: UInt32(choice)) : links[Int(choice) % links.count]
    }
}

private final class AirFuzzCase {
    private static let count: UInt8 = 5
    private static let psm = L2CAP.PSM(rawValue: 0x80)
    private let world: SimulatedWorld
    private let hosts: [AirHost]
    private let trace: FuzzTrace
    private var now = HostInstant.zero

    init(seed: UInt8, _ trace: FuzzTrace) {
        var configuration = VirtualAir.Configuration(seed: UInt64(seed))
        configuration.latencyMicroseconds = 0...2000
        configuration.rssiJitter = 4
        let world = SimulatedWorld(configuration)
        self.world = world
        self.trace = trace
        hosts = (0..<Self.count).map { number in
            var controller = VirtualAir.ControllerConfiguration(
                address: BluetoothAddress(UInt64(number) + 1, kind: .public))
            if number == 3 { controller.generation = .legacy }
            if number == 1 { controller.totalACLDataPackets = 2 }
            let services = number == 0 ? [] : Array(RichDatabase.services.dropFirst(2))
            let stack = HostStack(HostConfiguration(services: services, maximumCentrals: 3))
            return AirHost(stack, world.addController(controller))
        }
    }

    /// As whom the others know a host: its controller's address, made random by its host.
    private static func peer(_ choice: UInt8) -> BluetoothAddress {
        BluetoothAddress(0xC000_0000_0001 + UInt64(choice % count), kind: .random)
    }

    /// Everybody is there, and all but the first can be connected to.
    func start() throws(Broken) {
        for host in hosts { host.stack.start(at: now) }
        try settle()
        for host in hosts.dropFirst() {
            host.stack.listen(at: Self.psm)
            host.stack.startAdvertising(AdvertisingParameters(data: [2, 1, 6]), at: now)
        }
        try settle()
    }

    func step(_ script: inout Script) throws(Broken) {
        let choice = script.byte()
        let host = hosts[Int(script.byte() % Self.count)]
        switch choice & 15 {
        case 0...3: try pass(milliseconds: UInt64(script.byte()) * (choice & 0x80 == 0 ? 5 : 100))
        case 4, 5: host.stack.connect(to: Self.peer(script.byte()), at: now)
        case 6...8: _ = host.stack.perform(GATT.Operation(&script), on: host.link(script.byte()), at: now)
        case 9:
            let handle = AttributeHandle(rawValue: UInt16(script.byte() & 0x3F))
            let kind: GATT.ValueKind = choice & 0x80 == 0 ? .notify : .indicate
            _ = host.stack.send(script.counted(), of: handle, as: kind, on: host.link(script.byte()), at: now)
        case 10:
            let link = host.link(script.byte())
            guard let token = host.stack.openChannel(Self.psm, on: link, at: now) else { break }
            host.channels.append((link, token))
        case 11:
            guard let channel = host.channels.last else { break }
            _ = host.stack.send(script.long(), through: channel.token, on: channel.link, at: now)
        case 12:
            choice & 0x80 == 0
                ? host.stack.startScanning(ScanParameters(), at: now) : host.stack.stopScanning(at: now)
        case 13:
            let data = AdvertisingParameters(data: script.next(Int(script.byte() & 31)))
            choice & 0x80 == 0
                ? host.stack.startAdvertising(data, at: now) : host.stack.stopAdvertising(at: now)
        case 14: host.stack.disconnect(host.link(script.byte()), at: now)
        default: trouble(host, choice >> 4, script.byte())
        }
        try settle()
    }

    /// Something goes wrong, or somebody leaves or comes back.
    private func trouble(_ host: AirHost, _ choice: UInt8, _ value: UInt8) {
        switch choice {
        case 0...3: world.air.loss = Double(value % 32) / 100
        case 4...6: world.air.move(host.id, to: VirtualAir.Position(x: Double(value) * 20, y: 0))
        case 7...8: world.air.move(host.id, to: VirtualAir.Position())
        case 9: host.stack.cancelConnect(to: Self.peer(value), at: now)
        case 10: host.stack.stop(at: now)
        case 11: world.hostDetached(host.id, at: now)
        case 12: host.stack.transportClosed(at: now)
        default: host.stack.start(at: now)
        }
    }

    private func pass(milliseconds: UInt64) throws(Broken) {
        let end = now.advanced(byMilliseconds: milliseconds)
        while true {
            var due = world.nextDeadline
            for host in hosts { due = HostInstant.earliest(due, host.nextDeadline) }
            guard let due, due <= end else { break }
            now = max(now, due)
            try settle()
        }
        now = end
        try settle()
    }

    /// Meets the deadlines that have come, and carries octets until nothing moves.
    private func settle() throws(Broken) {
        world.advance(to: now)
        for host in hosts {
            if let deadline = host.nextDeadline, deadline <= now { host.stack.deadlineReached(at: now) }
        }
        var rounds = 0
        var moves = true
        while moves {
            moves = false
            rounds += 1
            try check(rounds < 20_000, "the air comes to rest")
            for host in hosts {
                while let output = host.nextOutput() {
                    moves = true
                    try take(output, host)
                }
            }
            while let (id, octets) = world.nextOutput() {
                moves = true
                note(octets, id, from: 0)
                hosts.first { $0.id == id }?.stack.receive(octets, at: now)
            }
        }
    }

    private func note(_ octets: [UInt8], _ id: VirtualAir.ControllerID, from end: UInt8) {
        trace.add([end, UInt8(truncatingIfNeeded: id.rawValue)])
        trace.add(now.microseconds)
        trace.add(octets)
    }

    private func take(_ output: HostStack.Output, _ host: AirHost) throws(Broken) {
        switch output {
        case .send(let octets):
            note(octets, host.id, from: 1)
            world.receive(octets, on: host.id, at: now)
        case .event(.connected(let link, _, _)):
            try check(!host.links.contains(link), "a link opens once")
            host.links.append(link)
        case .event(.disconnected(let link, _)):
            try check(host.links.contains(link), "a link ends once")
            host.links.removeAll { $0 == link }
            host.channels.removeAll { $0.link == link }
        case .event(.readRequested(let link, _)):
            host.stack.answer(.success([UInt8](repeating: 5, count: 40)), on: link, at: now)
        case .event(.writeRequested(let link, _, let value, answered: true)):
            host.stack.answer(value.isEmpty ? .failure(.unlikelyError) : .success([]), on: link, at: now)
        case .event(.value(_, _, let value, _)): trace.add(value)
        case .event(.channel(let link, let token, .received(let sdu))):
            trace.add(sdu)
            host.stack.consumed(1, through: token, on: link, at: now)
        case .event(.channel(_, let token, .closed)): host.channels.removeAll { $0.token == token }
        case .event(.failed), .event(.stopped):
            try check(host.links.isEmpty, "every link ends before its host")
        default: break
        }
    }

    /// Ends all hosts: nothing may be left.
    func end() throws(Broken) {
        world.air.loss = 0
        for host in hosts { host.stack.stop(at: now) }
        try pass(milliseconds: 60_000)
        for host in hosts {
            host.stack.transportClosed(at: now)
            try settle()
            try check(host.links.isEmpty, "every link ends")
            try check(host.stack.nextDeadline == nil, "nothing is waited for after the end")
        }
    }
}
