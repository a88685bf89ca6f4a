// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHost
import BLEL2CAP
import BLESMP
import BLESimulation
import BLEWire
import Testing

/// A host stack that an application drives, beside a controller of the virtual air.
final class Station {
    var stack: HostStack
    let controller: VirtualAir.ControllerID
    /// What the host told, in words; values that were sent by themselves are kept apart.
    var events: [String] = []
    /// Values that came by themselves, and those that were written, in order.
    var values: [[UInt8]] = []
    var services: [GATT.Service] = []
    var found: GATT.FoundServices?
    /// Answers delegated reads and writes of our server.
    var answer: (AttributeHandle, [UInt8]?) -> Result<[UInt8], ATT.ErrorCode> = { _, _ in .success([]) }
    /// SDUs that came, by link and channel, in order.
    var sdus: [ChannelName: [[UInt8]]] = [:]
    /// Whether SDUs count as consumed as soon as they come.
    var consumes = true
    /// What it keeps of those it has paired with, the last last.
    var bonds: [SMP.Bond] = []
    /// What it is asked and has not answered.
    var question: SMP.Question?
    /// The passkey that it shows.
    var shown: SMP.Passkey?
    /// Operations that have not been completed.
    var open: Set<String> = []

    init(_ configuration: HostConfiguration, _ controller: VirtualAir.ControllerID) {
        stack = HostStack(configuration)
        self.controller = controller
    }

    /// The links that are open, oldest first.
    var links: [LinkID] = []
}

/// Hosts and simulated devices on one air with one clock that only moves when told.
final class AirBench {
    let world: SimulatedWorld
    var now = HostInstant.zero
    var stations: [Station] = []
    /// What the controllers can do that are added from now on.
    var generation = VirtualAir.Generation.extended

    init(_ configuration: VirtualAir.Configuration = VirtualAir.Configuration()) {
        world = SimulatedWorld(configuration)
    }

    /// Puts a host on the air and waits until it is ready.
    func add(
        _ address: UInt64, _ configuration: HostConfiguration = HostConfiguration(),
        bufferLength: UInt16 = 251,
        buffers: UInt8 = 8
    ) -> Station {
        var controller = VirtualAir.ControllerConfiguration(address: BluetoothAddress(address, kind: .public))
        controller.generation = generation
        controller.aclDataPacketLength = bufferLength
        controller.totalACLDataPackets = buffers
        let station = Station(configuration, world.addController(controller))
        stations.append(station)
        update(station) { stack, now in stack.start(at: now) }
        #expect(station.events == ["ready"])
        station.events = []
        return station
    }

    @discardableResult
    func update<R>(_ station: Station, _ body: (inout HostStack, HostInstant) -> R) -> R {
        let result = body(&station.stack, now)
        drain(station)
        carry()
        return result
    }

    /// Starts an operation that must be completed some time.
    func perform(_ operation: GATT.Operation, _ station: Station, on link: LinkID) {
        let id = update(station) { stack, now in stack.perform(operation, on: link, at: now) }
        guard let id else { return }
        let name = "completed \(link.rawValue) \(id.rawValue) "
        if !station.events.contains(where: { $0.hasPrefix(name) }) { station.open.insert(name) }
    }

    /// Lets time pass until something is so; fails the test when it does not come to that.
    func run(seconds: UInt64 = 60, until isDone: () -> Bool) {
        let end = now.advanced(bySeconds: seconds)
        for _ in 0..<2_000_000 {
            if isDone() { return }
            guard let due = nextDeadline, due <= end else { break }
            step(to: due)
        }
        Issue.record("it did not come to that in \(seconds) s: \(stations.map(\.events))")
    }

    /// Lets time pass.
    func run(seconds: UInt64) { run(milliseconds: seconds * 1_000) }

    func run(milliseconds: UInt64) {
        let end = now.advanced(byMilliseconds: milliseconds)
        while let due = nextDeadline, due <= end { step(to: due) }
        step(to: end)
    }

    /// Lets everything come to rest; fails the test when there is no rest within a bounded number of steps.
    ///
    /// - Parameter strict: Whether nothing may have been dropped on the way.
    func settle(strict: Bool = true) {
        for _ in 0..<200_000 {
            guard let due = nextDeadline else {
                for station in stations {
                    #expect(station.open.isEmpty, "left over: \(station.open)")
                    let statistics = world.air.statistics(of: station.controller)
                    #expect(statistics?.bufferOverflows ?? 0 == 0)
                    #expect(statistics?.framingErrors ?? 0 == 0)
                    #expect(!strict || station.stack.counters == HostCounters())
                    #expect(station.links.allSatisfy { station.stack.hasRoom($0) })
                }
                return
            }
            step(to: due)
        }
        Issue.record("it never goes idle")
    }

    private var nextDeadline: HostInstant? {
        stations.reduce(world.nextDeadline) { .earliest($0, $1.stack.nextDeadline) }
    }

    private func step(to moment: HostInstant) {
        now = max(now, moment)
        world.advance(to: now)
        for station in stations {
            guard let deadline = station.stack.nextDeadline, deadline <= now else { continue }
            station.stack.deadlineReached(at: now)
            drain(station)
        }
        carry()
    }

    /// Carries octets from controllers to hosts until there are none.
    private func carry() {
        while let (id, octets) = world.nextOutput() {
            guard let station = stations.first(where: { $0.controller == id }) else { continue }
            station.stack.receive(octets, at: now)
            drain(station)
        }
    }

    private func drain(_ station: Station) {
        while let output = station.stack.nextOutput() {
            switch output {
            case .send(let packet): world.receive(packet, on: station.controller, at: now)
            case .event(let event): handle(event, station)
            }
        }
    }

    private func handle(_ event: HostStack.Event, _ station: Station) {
        switch event {
        case .connected(let link, _, _): station.links.append(link)
        case .security(_, .bonded(let bond)): station.bonds.append(bond)
        case .security(_, .shown(let passkey)): station.shown = passkey
        case .security(_, .asked(let question)): station.question = question
        case .disconnected(let link, _): station.links.removeAll { $0 == link }
        case .completed(_, _, .success(.services(let services))): station.services = services
        case .completed(_, _, .success(.found(let found))):
            station.services = found.services
            station.found = found
        case .readRequested(let link, let handle):
            station.stack.answer(station.answer(handle, nil), on: link, at: now)
        case .writeRequested(let link, let handle, let value, let answered):
            station.values.append(value)
            let result = station.answer(handle, value)
            if answered { station.stack.answer(result, on: link, at: now) }
            return
        case .value(_, _, let value, _):
            station.values.append(value)
            return
        case .channel(let link, let token, .received(let sdu)):
            station.sdus[ChannelName(link, token), default: []].append(sdu)
            if station.consumes { station.stack.consumed(1, through: token, on: link, at: now) }
            return
        default: break
        }
        let words = HostBench.words(event)
        if words.hasPrefix("completed") {
            let name = words.split(separator: " ").prefix(3).joined(separator: " ") + " "
            station.open.remove(name)
        }
        station.events.append(words)
    }
}

extension AirBench {
    /// Brings two hosts together: `central` opens a link to `peripheral`, which advertises.
    func connect(
        _ central: Station, _ peripheral: Station, _ parameters: ConnectParameters = ConnectParameters()
    )
        -> (LinkID, LinkID)?
    {
        update(peripheral) { stack, now in
            stack.startAdvertising(AdvertisingParameters(data: [2, 1, 6]), at: now)
        }
        guard let address = peripheral.stack.controller.ownAddress else { return nil }
        let before = (central.links.count, peripheral.links.count)
        update(central) { stack, now in stack.connect(to: address, parameters, at: now) }
        run { central.links.count > before.0 && peripheral.links.count > before.1 }
        update(peripheral) { stack, now in stack.stopAdvertising(at: now) }
        guard let a = central.links.last, let b = peripheral.links.last else { return nil }
        return (a, b)
    }
}
