// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEDevice
import BLEGATT
import BLEHCI
import BLEHost
import BLESimulation
import BLEWire
import FlockFinder
import FlockFinderSimulated
import Testing

/// A device that echoes what is written, counts time and can talk without end.
struct EchoDevice: DeviceSession, ~Copyable {
    enum Event: Equatable, Sendable {
        case connected(LinkID)
        case disconnected(LinkID)
        case mtu(Int)
        case subscribed(UInt16)
        case ticked
    }

    var name: WireText { "Echo" }
    var appearance: UInt16 { 0x0080 }
    var advertised: UInt8 = 0
    var advertisement: DeviceAdvertisement {
        DeviceAdvertisement(data: [2, 1, 6, 2, 0xFF, advertised], scanResponse: [])
    }
    var services: [GATT.ServiceDefinition] {
        [
            .init(
                BluetoothUUID(0xFF00),
                characteristics: [
                    .init(
                        BluetoothUUID(0xFF01), [.read, .write, .notify, .indicate, .writeWithoutResponse],
                        value: .delegated)
                ])
        ]
    }

    var handle = AttributeHandle(rawValue: 0)
    var value: [UInt8] = []
    var links: [LinkID] = []
    var outputs = FIFO<DeviceOutput<Event>>()
    var nextDeadline: HostInstant?

    mutating func start(handles: GATT.ValueHandles, at now: HostInstant) {
        handle = handles[BluetoothUUID(0xFF01)] ?? 0
        nextDeadline = now.advanced(bySeconds: 10)
    }

    mutating func receive(_ input: DeviceInput, at now: HostInstant) {
        switch input {
        case .connected(let link, _):
            links.append(link)
            outputs.append(.event(.connected(link)))
        case .disconnected(let link):
            links.removeAll { $0 == link }
            outputs.append(.event(.disconnected(link)))
        case .mtuChanged(_, let mtu): outputs.append(.event(.mtu(mtu)))
        case .subscribed(_, let handle, _): outputs.append(.event(.subscribed(handle.rawValue)))
        }
    }

    mutating func read(
        _ handle: AttributeHandle, on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) -> [UInt8] { value }

    mutating func write(
        _ handle: AttributeHandle, _ value: [UInt8], on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) {
        guard value != [0xBA] else { throw .valueNotAllowed }
        self.value = value
        send(value)
    }

    mutating func send(_ value: [UInt8], as kind: GATT.ValueKind = .notify) {
        for link in links { outputs.append(.send(link, handle, value, kind)) }
    }

    mutating func deadlineReached(at now: HostInstant) {
        nextDeadline = nil
        outputs.append(.event(.ticked))
    }

    mutating func nextOutput() -> DeviceOutput<Event>? { outputs.popFirst() }
}

/// An echo on the air, on either host.
struct EchoOnAir {
    /// Which host.
    enum Host: CaseIterable {
        /// The whole one.
        case whole
        /// The one for chips.
        case small
    }

    let device: any SimulatedHost
    let update: (HostInstant, (inout EchoDevice) -> Void) -> Void

    init(
        on host: Host, _ address: BluetoothAddress,
        observer: @escaping (EchoDevice.Event, HostInstant) -> Void = { _, _ in }
    ) {
        switch host {
        case .whole:
            let device = SimulatedDevice(kind: "echo", EchoDevice(), address: address, observer: observer)
            (self.device, update) = (device, { device.update(at: $0, $1) })
        case .small:
            let device = SimulatedDeviceHost(
                kind: "echo",
                host: PeripheralHost(
                    EchoDevice(), limits: DeviceLimits(maximumMTU: 517), randomAddress: address),
                address: address, observer: observer)
            (self.device, update) = (
                device, { now, body in device.withHost(at: now) { $0.update(at: now, body) } }
            )
        }
    }
}

@Suite struct DeviceHostTests {
    private static let address = BluetoothAddress(0xC000_0000_00DE, kind: .random)

    /// What the device has reported.
    final class Log {
        var events: [EchoDevice.Event] = []
    }

    private static func connect(_ bench: AirBench, _ central: Station, _ address: BluetoothAddress) throws
        -> LinkID
    {
        bench.update(central) { stack, now in stack.connect(to: address, at: now) }
        bench.run { !central.links.isEmpty }
        return try #require(central.links.last)
    }

    @Test(arguments: EchoOnAir.Host.allCases) func `a session on a host serves a central`(
        _ host: EchoOnAir.Host
    ) throws {
        let bench = AirBench()
        let log = Log()
        let echoes = EchoOnAir(on: host, Self.address) { event, _ in log.events.append(event) }
        bench.world.add(echoes.device, at: bench.now)
        let central = bench.add(0xC)
        bench.update(central) { stack, now in stack.startScanning(ScanParameters(), at: now) }
        bench.run { central.events.contains("advertisement \(Self.address) 02010602ff00") }
        echoes.update(bench.now) { session in
            session.advertised = 9
            session.outputs.append(.advertisementChanged)
        }
        bench.world.advance(to: bench.now)
        bench.run { central.events.contains("advertisement \(Self.address) 02010602ff09") }
        bench.update(central) { stack, now in stack.stopScanning(at: now) }
        let link = try Self.connect(bench, central, Self.address)
        bench.perform(.discover, central, on: link)
        bench.run { central.open.isEmpty }
        let echo = try #require(central.services.characteristic(BluetoothUUID(0xFF01)))
        let configuration = try #require(echo.clientConfigurationHandle)
        bench.perform(.write(configuration, [1, 0]), central, on: link)
        central.events = []
        bench.perform(.write(echo.valueHandle, [1, 2]), central, on: link)
        bench.perform(.write(echo.valueHandle, [0xBA]), central, on: link)
        bench.perform(.read(echo.valueHandle), central, on: link)
        bench.perform(.writeWithoutResponse(echo.valueHandle, [3]), central, on: link)
        bench.run { central.open.isEmpty && central.values.count == 2 }
        #expect(Set(central.values) == [[1, 2], [3]])
        #expect(central.events.contains { $0.hasSuffix("refused 19") })
        bench.run(seconds: 10)
        bench.update(central) { stack, now in stack.disconnect(link, at: now) }
        bench.run(seconds: 1)
        let device1 = LinkID(rawValue: 1)
        #expect(
            log.events == [
                .connected(device1), .mtu(517), .subscribed(echo.valueHandle.rawValue), .ticked,
                .disconnected(device1),
            ])
        // It is on the air again, and serves the next.
        _ = try Self.connect(bench, central, Self.address)
        #expect(central.open.isEmpty)
    }

    @Test(arguments: [(0, 1), (0.2, 1), (0, 2), (0.2, 2)], EchoOnAir.Host.allCases)
    func `a session that talks without end loses nothing`(
        _ trial: (loss: Double, kind: Int), _ host: EchoOnAir.Host
    ) throws {
        let bench = AirBench()
        let kind = trial.kind == 1 ? GATT.ValueKind.notify : .indicate
        let echoes = EchoOnAir(on: host, Self.address)
        bench.world.add(echoes.device, at: bench.now)
        let central = bench.add(0xC)
        let link = try Self.connect(bench, central, Self.address)
        bench.perform(.discover, central, on: link)
        bench.run { central.open.isEmpty }
        let echo = try #require(central.services.characteristic(BluetoothUUID(0xFF01)))
        bench.perform(.write(try #require(echo.clientConfigurationHandle), [3, 0]), central, on: link)
        bench.run { central.open.isEmpty }
        bench.world.air.loss = trial.loss
        let count = kind == .notify ? 2_000 : 300
        echoes.update(bench.now) { session in
            for number in 0..<count { session.send(two(number), as: kind) }
        }
        bench.world.advance(to: bench.now)
        bench.run(seconds: 600) { central.values.count == count }
        #expect(central.values == (0..<count).map(two))
    }

    @Test(arguments: EchoOnAir.Host.allCases)
    func `a link that hangs delays another, and its end lets it go on`(_ host: EchoOnAir.Host) throws {
        let bench = AirBench()
        let echoes = EchoOnAir(on: host, Self.address)
        let id = bench.world.add(echoes.device, at: bench.now)
        let stuck = bench.add(0xA)
        let free = bench.add(0xB)
        for central in [stuck, free] {
            let link = try Self.connect(bench, central, Self.address)
            bench.perform(.discover, central, on: link)
            bench.run { central.open.isEmpty }
            let echo = try #require(central.services.characteristic(BluetoothUUID(0xFF01)))
            bench.perform(.write(try #require(echo.clientConfigurationHandle), [1, 0]), central, on: link)
            bench.run { central.open.isEmpty }
        }
        bench.world.air.setReachable(stuck.controller, id, false)
        echoes.update(bench.now) { session in
            for number in 0..<300 { session.send(two(number)) }
        }
        bench.world.advance(to: bench.now)
        bench.run(seconds: 30) { free.values.count == 300 }
        #expect(free.values == (0..<300).map(two))
        #expect(stuck.links.isEmpty && free.links.count == 1)
    }

    @Test func `a controller that refuses to advertise is told`() {
        var host = DeviceHost(EchoDevice())
        let bench = HostBench()
        bench.replies[0x200A] = .complete([0x0C])
        // The table of answers, fed by another host's packets.
        var failures: [HostError] = []
        host.start(at: .zero)
        var isMoving = true
        while isMoving {
            isMoving = false
            while let output = host.nextOutput() {
                isMoving = true
                switch output {
                case .send(let packet): host.receive(bench.answer(to: packet), at: .zero)
                case .failed(let failure): failures.append(failure)
                case .event, .advertising: break
                }
            }
        }
        #expect(failures == [.refused(.leSetAdvertisingEnable, .commandDisallowed)])
    }
}

@Suite struct FlockFinderAirTests {
    @Test(arguments: [0, 0.2]) func `scripted detections come to a central, whole and in order`(
        _ loss: Double
    ) throws {
        let lines = (0..<40).map { number in
            DetectionScript.Line(
                afterMilliseconds: UInt64(number % 3 * 100),
                octets: Array(
                    #"{"type":"Flock Safety","rssi":-\#(40 + number),"confidence":0.9,"ssid":"Flock-\#(number)"}"#
                        .utf8))
        }
        let device = SimulatedFlockFinder.make(source: .script(DetectionScript(lines: lines)))
        let bench = AirBench()
        bench.world.add(device, at: bench.now)
        let central = bench.add(0xC)
        bench.update(central) { stack, now in stack.connect(to: SimulatedFlockFinder.address, at: now) }
        bench.run { !central.links.isEmpty }
        let link = try #require(central.links.first)
        bench.perform(.discover, central, on: link)
        bench.run { central.open.isEmpty }
        let detection = try #require(central.services.characteristic(FlockFinderUUID.detection))
        let command = try #require(central.services.characteristic(FlockFinderUUID.command))
        bench.world.air.loss = loss
        bench.perform(.write(try #require(detection.clientConfigurationHandle), [1, 0]), central, on: link)
        bench.perform(.write(command.valueHandle, Array("PING".utf8)), central, on: link)
        bench.run(seconds: 120) { central.values.count == lines.count && central.open.isEmpty }
        #expect(central.values == lines.map(\.octets))
        bench.world.air.loss = 0
        bench.update(central) { stack, now in stack.disconnect(link, at: now) }
        bench.run(seconds: 2)
        #expect(central.links.isEmpty && central.open.isEmpty && central.stack.nextDeadline == nil)
    }
}
