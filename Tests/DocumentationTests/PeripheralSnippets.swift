// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEGATT
import BLEHost
import BLEHostDriver
import BLESessions
import BLESimulation
import BLETransport
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import SimulatedDevices

enum PeripheralSnippets {
    static func serve(_ radio: any Radio) async throws {
        // snippet: serve
        let level = GATT.CharacteristicDefinition(
            BluetoothUUID(0x2A19), [.read, .notify], value: .stored([95]))
        let battery = GATT.ServiceDefinition(BluetoothUUID(0x180F), characteristics: [level])
        var advertisement = AdvertisingDataBuilder()
        try advertisement.appendFlags()
        try advertisement.appendServices([battery.uuid])
        let server = try await radio.serve(
            ServerDescription(
                name: "Kitchen", services: [battery],
                advertisement: DeviceAdvertisement(data: advertisement.octets, scanResponse: [])))
        // end
        // snippet: events
        for await event in await server.events() {
            switch event {
            case .connected(_, let central): print("\(central) has connected")
            case .subscribed(let link, let handle, let wanted) where wanted.contains(.notify):
                _ = await server.send([94], of: handle, as: .notify, to: link)
            case .read(let link, _): await server.answer(.success([95]), on: link)
            case .write(let link, _, _, answered: true): await server.answer(.success([]), on: link)
            default: continue
            }
        }
        // end
    }

    static func run(_ radio: any Radio) async throws {
        // snippet: run
        try await DeviceRunner(Thermometer(), on: radio).run { event in print(event) }
        // end
    }

    static func virtualAir() async throws -> HostRadio {
        // snippet: virtual-air
        let air = VirtualRadio()
        await air.add {
            [
                SimulatedDevice(
                    kind: "thermometer", Thermometer(),
                    address: BluetoothAddress(0xC000_0000_0001, .random))
            ]
        }
        let radio = HostRadio { () async throws(TransportError) in
            await air.attach(
                VirtualAir.ControllerConfiguration(address: BluetoothAddress(0x00AA_0100_0001, .public)))
        }
        try await radio.start()
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
        case .subscribed(let link, _, let wanted):
            listeners.removeAll { $0 == link }
            if wanted.contains(.notify) { listeners.append(link) }
            outputs.append(.event(.subscribed(link, wanted.contains(.notify))))
        case .disconnected(let link): listeners.removeAll { $0 == link }
        case .connected, .mtuChanged: break
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
