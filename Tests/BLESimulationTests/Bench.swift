// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLESimulation
import BLEWire
import Testing

typealias ID = VirtualAir.ControllerID

/// An air, raw HCI hosts on it, and a clock that is turned by hand.
final class Bench {
    /// A packet that a host got, and when.
    struct Received: Equatable {
        let moment: HostInstant
        let packet: HCI.Packet

        var event: HCI.Event? {
            guard case .event(let code, let parameters) = packet else { return nil }
            return try? HCI.Event(code: code, parameters: parameters)
        }
    }

    let air: VirtualAir
    /// Everything that each host got and nobody has taken.
    private(set) var received: [ID: [Received]] = [:]
    /// Whether ``drain()`` leaves the packets where they are.
    var isNobodyReading = false

    /// What controllers can do that are added from now on.
    var generation: VirtualAir.Generation

    init(
        _ configuration: VirtualAir.Configuration = .init(), _ generation: VirtualAir.Generation = .legacy
    ) {
        air = VirtualAir(configuration)
        self.generation = generation
    }

    var now: HostInstant { air.now }

    /// Adds a controller and lets its host ask for every event.
    func add(_ number: UInt64, _ change: (inout VirtualAir.ControllerConfiguration) -> Void = { _ in }) -> ID
    {
        var configuration = VirtualAir.ControllerConfiguration(address: address(number))
        configuration.generation = generation
        change(&configuration)
        let id = air.addController(configuration)
        start(id)
        return id
    }

    /// What a host does first.
    func start(_ id: ID) {
        accept(HCI.Reset(), id)
        accept(HCI.SetEventMask(mask: .init(rawValue: .max)), id)
        accept(HCI.LESetEventMask(mask: .init(rawValue: .max)), id)
    }

    func send(_ packet: HCI.Packet, _ id: ID) {
        air.receive(packet.octets, on: id, at: now)
        drain()
    }

    /// Sends a command and gives the status that comes back at once.
    func status(_ command: some HCI.Command, _ id: ID) -> HCI.Status? {
        send(HCI.Packet(command), id)
        let opcode = type(of: command).opcode
        let answer = receive(id) { event -> HCI.Status? in
            switch event {
            case .commandComplete(let event) where event.opcode == opcode:
                event.returnParameters.first.map { HCI.Status(rawValue: $0) }
            case .commandStatus(let event) where event.opcode == opcode: event.status
            default: nil
            }
        }
        return answer?.value
    }

    /// Sends a command that must succeed.
    func accept(_ command: some HCI.Command, _ id: ID, _ location: SourceLocation = #_sourceLocation) {
        #expect(status(command, id) == .success, sourceLocation: location)
    }

    /// Sends a command that must succeed, and gives what comes back.
    func ask<Command: HCI.Command>(_ command: Command, _ id: ID) throws -> Command.ReturnParameters {
        send(HCI.Packet(command), id)
        let reply = receive(id) { event -> [UInt8]? in
            guard case .commandComplete(let event) = event, event.opcode == Command.opcode else { return nil }
            return event.returnParameters
        }
        return try Command.decodeReturn(try #require(reply).value)
    }

    func drain() {
        guard !isNobodyReading else { return }
        while let (id, octets) = air.nextOutput() {
            var reader = ByteReader(octets.span.bytes)
            do {
                let packet = try HCI.Packet(decoding: &reader)
                received[id, default: []].append(Received(moment: now, packet: packet))
            } catch {
                Issue.record("not a packet: \(octets)")
            }
        }
    }

    /// Lets time pass, from one deadline to the next or at once.
    func run(milliseconds: UInt64, atOnce: Bool = false) {
        let end = now.advanced(byMilliseconds: milliseconds)
        while !atOnce, let deadline = air.nextDeadline, deadline <= end {
            air.advance(to: deadline)
            drain()
        }
        air.advance(to: end)
        drain()
    }

    /// Takes out the first event that fits, with everything of that host before it left in place.
    func receive<Value>(_ id: ID, _ match: (HCI.Event) -> Value?) -> (moment: HostInstant, value: Value)? {
        for (index, item) in (received[id] ?? []).enumerated() {
            guard let event = item.event, let value = match(event) else { continue }
            received[id]?.remove(at: index)
            return (item.moment, value)
        }
        return nil
    }

    /// Takes out all events that fit.
    func receiveAll<Value>(_ id: ID, _ match: (HCI.Event) -> Value?) -> [(moment: HostInstant, value: Value)]
    {
        var all: [(moment: HostInstant, value: Value)] = []
        while let next = receive(id, match) { all.append(next) }
        return all
    }

    /// Takes out all data.
    func receiveData(_ id: ID) -> [(moment: HostInstant, data: HCI.ACLData)] {
        var all: [(HostInstant, HCI.ACLData)] = []
        received[id]?.removeAll { item in
            guard case .acl(let data) = item.packet else { return false }
            all.append((item.moment, data))
            return true
        }
        return all
    }

    func receiveReports(_ id: ID) -> [(moment: HostInstant, report: HCI.AdvertisingReport)] {
        receiveAll(id) { event -> HCI.AdvertisingReport? in
            guard case .advertisingReport(let event) = event else { return nil }
            return event.reports.first
        }.map { ($0.moment, $0.value) }
    }

    func receiveConnection(_ id: ID) -> HCI.LEConnectionComplete? {
        receive(id) { event -> HCI.LEConnectionComplete? in
            switch event {
            case .connectionComplete(let event): event
            case .enhancedConnectionComplete(let event):
                HCI.LEConnectionComplete(
                    status: event.status, handle: event.handle, role: event.role,
                    peerAddress: event.peerAddress, interval: event.interval, latency: event.latency,
                    supervisionTimeout: event.supervisionTimeout,
                    centralClockAccuracy: event.centralClockAccuracy)
            default: nil
            }
        }?.value
    }

    func receiveDisconnection(_ id: ID) -> (moment: HostInstant, event: HCI.DisconnectionComplete)? {
        let received = receive(id) { event -> HCI.DisconnectionComplete? in
            guard case .disconnectionComplete(let event) = event else { return nil }
            return event
        }
        return received.map { ($0.moment, $0.value) }
    }

    /// Packets reported as completed, and the report's moment.
    func receiveCompleted(_ id: ID) -> [(moment: HostInstant, entry: HCI.NumberOfCompletedPackets.Entry)] {
        receiveAll(id) { event -> HCI.NumberOfCompletedPackets.Entry? in
            guard case .numberOfCompletedPackets(let event) = event else { return nil }
            return event.entries.first
        }.map { ($0.moment, $0.value) }
    }

    /// Sends octets and gives all that has come since the last look, as octets.
    func octets(_ id: ID, sending hexadecimal: String = "") -> [String] {
        let octets = [UInt8](hexadecimal: hexadecimal)
        if !octets.isEmpty { air.receive(octets, on: id, at: now) }
        drain()
        defer { forget(id) }
        return (received[id] ?? []).map { $0.packet.octets.hexadecimal }
    }

    func forget(_ id: ID) { received[id] = [] }

    var isSilent: Bool { received.values.allSatisfy(\.isEmpty) }
}

func address(_ number: UInt64) -> BluetoothAddress {
    BluetoothAddress(0x00A0_0000_0000 + number, kind: .public)
}

extension Bench {
    func advertise(
        _ id: ID, milliseconds: UInt32 = 100, type: HCI.AdvertisingType = .connectableUndirected,
        peer: BluetoothAddress = BluetoothAddress(0, kind: .public),
        filter: HCI.AdvertisingFilterPolicy = .all,
        data: [UInt8] = [2, 1, 6], response: [UInt8] = [3, 9, 0x4C, 0x54]
    ) {
        let interval = AdvertisingInterval(milliseconds: milliseconds)
        accept(
            HCI.LESetAdvertisingParameters(
                intervalMin: interval, intervalMax: interval, type: type, ownAddressType: .public,
                peerAddress: peer, channelMap: .all, filterPolicy: filter), id)
        if let command = HCI.LESetAdvertisingData(data: data) { accept(command, id) }
        if let command = HCI.LESetScanResponseData(data: response) { accept(command, id) }
        accept(HCI.LESetAdvertisingEnable(enable: true), id)
    }

    func scan(
        _ id: ID, _ type: HCI.ScanType = .passive, interval: UInt32 = 50, window: UInt32 = 50,
        filter: HCI.ScanFilterPolicy = .all, filterDuplicates: Bool = false
    ) {
        accept(
            HCI.LESetScanParameters(
                type: type, interval: .init(milliseconds: interval), window: .init(milliseconds: window),
                ownAddressType: .public, filterPolicy: filter), id)
        accept(HCI.LESetScanEnable(enable: true, filterDuplicates: filterDuplicates), id)
    }

    static func connection(
        to peer: BluetoothAddress, interval: UInt32 = 30, latency: UInt16 = 0, timeout: UInt32 = 1000,
        filter: HCI.InitiatorFilterPolicy = .peerAddress
    ) -> HCI.LECreateConnection {
        HCI.LECreateConnection(
            scanInterval: .init(milliseconds: 50), scanWindow: .init(milliseconds: 50), filterPolicy: filter,
            peerAddress: peer, ownAddressType: .public, intervalMin: .init(milliseconds: 10),
            intervalMax: .init(milliseconds: interval), maxLatency: latency,
            supervisionTimeout: .init(milliseconds: timeout), minCELength: 0, maxCELength: 0)
    }

    /// A link that is up, with the handles of both sides.
    struct Connected {
        let central: ID
        let peripheral: ID
        let centralHandle: ConnectionHandle
        let peripheralHandle: ConnectionHandle
    }

    /// Connects two controllers, of which the second has the given number.
    func connect(
        _ central: ID, _ peripheral: ID, number: UInt64, interval: UInt32 = 30, latency: UInt16 = 0,
        timeout: UInt32 = 1000
    ) throws -> Connected {
        advertise(peripheral)
        accept(
            Self.connection(to: address(number), interval: interval, latency: latency, timeout: timeout),
            central)
        run(milliseconds: 200 + air.configuration.latencyMicroseconds.upperBound / 1000)
        let up = try #require(receiveConnection(central))
        let down = try #require(receiveConnection(peripheral))
        #expect(up.status == .success && down.status == .success)
        return Connected(
            central: central, peripheral: peripheral, centralHandle: up.handle, peripheralHandle: down.handle)
    }

    /// Two controllers with a link between them.
    func pair(interval: UInt32 = 30, latency: UInt16 = 0, timeout: UInt32 = 1000) throws -> Connected {
        try connect(add(1), add(2), number: 2, interval: interval, latency: latency, timeout: timeout)
    }

    func sendData(_ id: ID, _ handle: ConnectionHandle, _ payload: [UInt8]) {
        send(.acl(HCI.ACLData(handle: handle, boundary: .firstNonFlushable, payload: payload)), id)
    }
}

extension [UInt8] {
    /// Octets written as pairs of digits, with blanks anywhere.
    init(hexadecimal text: String) {
        let digits = text.compactMap(\.hexDigitValue)
        self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// Pairs of digits with blanks between.
    var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: " ")
    }
}
