// SPDX-License-Identifier: Apache-2.0

import BLEHost
import BLEHostDriver
import BLESessions
import BLESimulation
import BLEVirtualRadio
import SimulatedDevices

enum PeripheralSnippets {
    static func serve(_ radio: Radio) async throws {
        // snippet: serve
        let level = GATT.CharacteristicDefinition(
            BluetoothUUID(0x2A19), [.read, .notify], value: .stored([95]))
        let note = GATT.CharacteristicDefinition(BluetoothUUID(0xFFF1), .write, value: .delegated)
        let server = try await radio.serve(
            ServerDescription(
                name: "Kitchen",
                services: [
                    GATT.ServiceDefinition(BluetoothUUID(0x180F), characteristics: [level]),
                    GATT.ServiceDefinition(BluetoothUUID(0xFFF0), characteristics: [note]),
                ]))
        // end
        // snippet: events
        for try await event in server.events() {
            switch event {
            case .connected(let client): print("\(client.peer) has connected")
            case .subscribed(_, let handle, _): try await server.update([94], of: handle)
            case .writeRequest(let request) where request.value.count <= 20:
                print(String(decoding: request.value, as: UTF8.self))
                await server.respond(to: request)
            case .writeRequest(let request): await server.refuse(request, with: .invalidAttributeValueLength)
            default: continue
            }
        }
        // end
    }

    static func askBack(_ server: Server, _ client: Server.Client) async throws {
        // snippet: ask-back
        let connection = try await server.connection(to: client)
        for service in try await connection.discoverServices() { print(service.uuid) }
        // end
    }

    static func run(_ radio: Radio) async throws {
        // snippet: run
        try await DeviceRunner(Thermometer(), on: radio).run { event in print(event) }
        // end
    }

    static func virtualAir() async throws -> Radio {
        // snippet: virtual-air
        let air = try VirtualRadio()
        await air.add {
            [
                SimulatedDevice(
                    kind: "thermometer", Thermometer(),
                    address: BluetoothAddress(0xC000_0000_0001, kind: .random))
            ]
        }
        let address = BluetoothAddress(0x00AA_0100_0001, kind: .public)
        let host = HostRadio(loop: air.loop) { (loop) async throws(TransportError) in
            await air.attach(VirtualAir.ControllerConfiguration(address: address), on: loop)
        }
        try await host.start()
        let radio = host.radio
        // end
        return radio
    }

    // snippet: firmware
    /// Runs a device on a chip: octets to and from the controller, and the time in microseconds.
    static func firmware(
        now: () -> UInt64, write: ([UInt8]) -> Void, read: (_ until: UInt64?) -> [UInt8]
    ) -> Never {
        var host = DeviceHost(Thermometer())
        host.start(at: HostInstant(microseconds: now()))
        while true {
            while let output = host.nextOutput() {
                if case .send(let octets) = output { write(octets) }
            }
            let octets = read(host.nextDeadline?.microseconds)
            let moment = HostInstant(microseconds: now())
            if octets.isEmpty {
                host.deadlineReached(at: moment)
            } else {
                host.receive(octets, at: moment)
            }
        }
    }
    // end
}

// snippet: session
/// Sends its temperature every second to whoever has subscribed.
struct Thermometer: DeviceSession {
    enum Event: Sendable {
        case subscribed(LinkID, Bool)
    }

    private var handle: AttributeHandle = 0
    private var listeners: [LinkID] = []
    private var outputs: [DeviceOutput<Event>] = []
    private var temperature: Int16 = 2150
    private(set) var nextDeadline: HostInstant?

    let name: WireText = "Thermometer"
    let appearance: UInt16 = 0x0300

    var services: [GATT.ServiceDefinition] {
        let value = GATT.CharacteristicDefinition(
            BluetoothUUID(0x2A6E), [.read, .notify], value: .delegated)
        return [GATT.ServiceDefinition(BluetoothUUID(0x181A), characteristics: [value])]
    }

    var advertisement: DeviceAdvertisement {
        DeviceAdvertisement(data: [2, 0x01, 0x06, 3, 0x03, 0x1A, 0x18], scanResponse: [])
    }

    mutating func start(database: GATT.Database, at now: HostInstant) {
        handle = database.valueHandle(of: BluetoothUUID(0x2A6E)) ?? 0
    }

    mutating func receive(_ input: DeviceInput, at now: HostInstant) {
        switch input {
        case .subscribed(let link, handle, let wanted):
            listeners.removeAll { $0 == link }
            if wanted.contains(.notify) { listeners.append(link) }
            outputs.append(.event(.subscribed(link, wanted.contains(.notify))))
        case .disconnected(let link): listeners.removeAll { $0 == link }
        case .connected, .mtuChanged, .subscribed: break
        }
        nextDeadline = listeners.isEmpty ? nil : now.advanced(bySeconds: 1)
    }

    mutating func read(
        _ handle: AttributeHandle, on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) -> [UInt8] { octets }

    mutating func write(
        _ handle: AttributeHandle, _ value: [UInt8], on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) { throw .writeNotPermitted }

    mutating func deadlineReached(at now: HostInstant) {
        temperature += 1
        for link in listeners { outputs.append(.send(link, handle, octets, .notify)) }
        nextDeadline = now.advanced(bySeconds: 1)
    }

    mutating func nextOutput() -> DeviceOutput<Event>? { outputs.isEmpty ? nil : outputs.removeFirst() }

    private var octets: [UInt8] {
        [UInt8(truncatingIfNeeded: temperature), UInt8(truncatingIfNeeded: temperature >> 8)]
    }
}
// end
