// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHost
import BLEHostDriver
import BLESimulation
import BLETransport
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import Synchronization
import Testing

/// Our own radio on a virtual air with devices that a test has laid down; for tests with the trait `manualTime`.
struct TestAir {
    private static let own = BluetoothAddress(0x00AA_0000_0001, kind: .public)

    private let air: VirtualRadio
    private let devices: [(device: TestDevice, id: VirtualAir.ControllerID)]
    private let controller: LosableController
    let radio: Radio

    /// Opens a radio among devices.
    ///
    /// - Parameters:
    ///   - devices: The devices.
    ///   - generation: What the radio's controller can do.
    /// - Throws: What opening a radio throws.
    init(_ devices: TestDevice..., generation: VirtualAir.Generation = .extended) async throws {
        let air = VirtualRadio(on: ManualTime.loop)
        self.air = air
        let ids = await air.add { devices.map { ScriptedHost($0) } }
        self.devices = Array(zip(devices, ids))
        let controller = LosableController()
        self.controller = controller
        let host = HostRadio(loop: air.loop) { (loop) async throws(TransportError) in
            var configuration = VirtualAir.ControllerConfiguration(address: Self.own)
            configuration.generation = generation
            return try controller.hold(await air.attach(configuration, on: loop))
        }
        try await host.start()
        radio = host.radio
    }

    /// What was asked of a device, in order, once what is on the air has arrived.
    func log(of device: TestDevice) async throws -> [String] {
        try await ManualTime.pass(milliseconds: 200)
        return device.log.entries
    }

    /// Carries all devices out of reach.
    func loseDevices() async {
        for (_, id) in devices { await air.move(id, to: .init(x: 1_000_000, y: 0)) }
    }

    /// Pulls the controller out from under the host.
    func loseRadio(returns: Bool) { controller.lose(returns: returns) }
}

/// A device whose answers a test has laid down.
struct TestDevice: Sendable {
    let address: BluetoothAddress
    let services: [GATT.Service]
    /// What reading and writing a handle comes to; other values cannot be read, and can be written.
    let answers: [AttributeHandle: Result<[UInt8], ATT.ErrorCode>]
    let log = Log()

    init(
        _ address: BluetoothAddress, services: [GATT.Service],
        answers: [AttributeHandle: Result<[UInt8], ATT.ErrorCode>] = [:]
    ) {
        self.address = address
        self.services = services
        self.answers = answers
    }

    /// What was asked of it.
    final class Log: Sendable {
        private let notes = Mutex<[String]>([])

        var entries: [String] { notes.withLock { $0 } }

        func note(_ entry: String) { notes.withLock { $0.append(entry) } }
    }

    /// Its attributes, at the handles that the services say.
    fileprivate var database: GATT.Database {
        var attributes: [GATT.Database.Attribute] = []
        for service in services {
            attributes.append(
                .init(
                    handle: service.handle, type: GATT.AttributeType.primaryService,
                    content: .constant(service.uuid.wireOctets), groupEnd: service.endHandle))
            for characteristic in service.characteristics {
                let value = characteristic.valueHandle
                attributes.append(
                    .init(
                        handle: characteristic.handle, type: GATT.AttributeType.characteristic,
                        content: .constant(
                            [
                                characteristic.properties.rawValue, UInt8(value.rawValue & 0xFF),
                                UInt8(value.rawValue >> 8),
                            ] + characteristic.uuid.wireOctets)))
                attributes.append(
                    .init(
                        handle: value, type: characteristic.uuid,
                        content: .value(characteristic.properties, .delegated)))
            }
        }
        return GATT.Database(attributes: attributes)
    }
}

/// A device on a host and controller of its own.
private final class ScriptedHost: SimulatedHost {
    let kind = "test"
    let controller = VirtualAir.ControllerConfiguration(address: BluetoothAddress(0, kind: .public))
    private let device: TestDevice
    private var stack: HostStack
    private var octets = FIFO<[UInt8]>()

    init(_ device: TestDevice) {
        self.device = device
        stack = HostStack(HostConfiguration(randomAddress: device.address))
    }

    var nextDeadline: HostInstant? { stack.nextDeadline }

    func start(at now: HostInstant) {
        stack.start(at: now)
        drain(at: now)
    }

    func receive(_ octets: [UInt8], at now: HostInstant) {
        stack.receive(octets, at: now)
        drain(at: now)
    }

    func deadlineReached(at now: HostInstant) {
        stack.deadlineReached(at: now)
        drain(at: now)
    }

    func nextOutput() -> [UInt8]? { octets.popFirst() }

    private func drain(at now: HostInstant) {
        while let output = stack.nextOutput() {
            switch output {
            case .send(let packet): octets.append(packet)
            case .event(let event): handle(event, at: now)
            }
        }
    }

    private func handle(_ event: HostStack.Event, at now: HostInstant) {
        switch event {
        case .ready:
            let isOffered = stack.offer(database: device.database)
            #expect(isOffered)
            stack.startAdvertising(AdvertisingParameters(data: [2, 1, 6]), at: now)
        case .readRequested(let link, let handle):
            device.log.note("read \(handle.rawValue)")
            stack.answer(device.answers[handle] ?? .failure(.readNotPermitted), on: link, at: now)
        case .writeRequested(let link, let handle, let value, let isAnswered):
            device.log.note("\(isAnswered ? "write" : "send") \(value.hexadecimal) to \(handle.rawValue)")
            if isAnswered { stack.answer(device.answers[handle] ?? .success([]), on: link, at: now) }
        case .disconnected: device.log.note("disconnect")
        default: break
        }
    }
}

/// What a host has of its controller until a test takes it away.
private final class LosableController: Sendable {
    private struct State {
        var transport: (any Transport)?
        var isGone = false
    }

    private let state = Mutex(State())

    func hold(_ transport: any Transport) throws(TransportError) -> any Transport {
        let isGone = state.withLock { state in
            state.transport = transport
            return state.isGone
        }
        if isGone { throw .cannotOpen("it is gone") }
        return transport
    }

    func lose(returns: Bool) {
        state.withLock { state in
            state.isGone = !returns
            return state.transport
        }?.close()
    }
}

extension BluetoothUUID {
    /// The shortest form that ATT knows.
    fileprivate var wireOctets: [UInt8] {
        var writer = ByteWriter(capacity: 16)
        encodeAttributeType(into: &writer)
        return writer.octets
    }
}
