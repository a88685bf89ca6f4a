// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEGATT
import BLEHostDriver
import BLESimulation
import BLETransport
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import RadioChoosing
import Testing

/// A radio under test, and another one on the same air.
struct Bench: Sendable {
    let radio: Radio
    let other: Radio

    /// Our own host, and another, on a virtual air.
    static func virtual() async throws -> Bench {
        let air = VirtualRadio(on: ManualTime.loop)
        return Bench(radio: try await host(1, on: air), other: try await host(2, on: air))
    }

    private static func host(_ number: UInt64, on air: VirtualRadio) async throws -> Radio {
        let address = BluetoothAddress(0x00AA_0000_0000 + number, kind: .public)
        let host = HostRadio(loop: air.loop) { (loop) async throws(TransportError) in
            await air.attach(.init(address: address), on: loop)
        }
        try await host.start()
        return host.radio
    }

    /// Radios of this machine.
    static func real(_ radio: String, _ other: String) async throws -> Bench {
        Bench(
            radio: try await RadioChoice(radio).open(devices: { [] }),
            other: try await RadioChoice(other).open(devices: { [] }))
    }

    /// Whether the other radio, as a device, can do something.
    func otherCan(_ capability: RadioCapability) async -> Bool {
        await other.capabilities.contains(capability)
    }

    /// Who is heard to be the device.
    func find(by radio: Radio) async throws -> Peer {
        for try await heard in try await radio.scan(ScanOptions(services: [Device.uuid])) {
            return heard.peer
        }
        throw NotHeard()
    }

    /// A link to the device, and what it offers.
    func connect(by radio: Radio) async throws -> Link {
        let connection = try await radio.connect(to: try await find(by: radio))
        return Link(connection: connection, services: try await connection.discoverServices())
    }

    /// A device of one radio, and the other that has subscribed to one of its values.
    func subscription(to value: BluetoothUUID, of serving: Radio, by radio: Radio) async throws
        -> Subscription
    {
        let device = try await Device(on: serving)
        let link = try await connect(by: radio)
        return Subscription(
            device: device, link: link,
            values: try await link.connection.notifications(of: try link.characteristic(value)),
            client: try await device.subscriber(to: value), handle: try await device.handle(of: value))
    }

    private struct NotHeard: Error {}

    func close() async {
        await radio.close()
        await other.close()
    }
}

/// A link to a device, and what the device offers.
struct Link: Sendable {
    let connection: Connection
    let services: [GATT.Service]

    func characteristic(_ uuid: BluetoothUUID) throws -> GATT.Characteristic {
        try #require(services.characteristic(uuid))
    }

    func read(_ uuid: BluetoothUUID) async throws -> [UInt8] {
        try await connection.read(try characteristic(uuid))
    }

    func write(_ value: [UInt8], to uuid: BluetoothUUID) async throws {
        try await connection.write(value, to: try characteristic(uuid))
    }
}

/// A device, a client that has subscribed to one of its values, and what arrives there.
struct Subscription {
    let device: Device
    let link: Link
    let values: NotificationStream
    let client: Server.Client
    let handle: AttributeHandle
}

/// A device that one radio serves, and what happens to it.
final class Device {
    let server: Server
    private var events: ServerEventStream.AsyncIterator

    init(on radio: Radio, name: WireText = Device.name) async throws {
        server = try await radio.serve(
            ServerDescription(
                name: name, services: [Device.service],
                advertisement: try Device.advertisement(name), advertisesName: false))
        events = server.events().makeAsyncIterator()
    }

    /// Takes events out until one is as wanted.
    func next<Found>(_ pick: (ServerEvent) -> Found?) async throws -> Found {
        while let event = try await events.next() {
            if let found = pick(event) { return found }
        }
        throw Ended()
    }

    /// The client that connects next.
    func client() async throws -> Server.Client {
        try await next { if case .connected(let client) = $0 { client } else { nil } }
    }

    /// Who subscribes next.
    func subscriber(to value: BluetoothUUID) async throws -> Server.Client {
        let handle = try await handle(of: value)
        return try await next { event in
            guard case .subscribed(let client, let to, _) = event, to == handle else { return nil }
            return client
        }
    }

    /// What is written next.
    func written(to value: BluetoothUUID) async throws -> [UInt8] {
        let handle = try await handle(of: value)
        return try await next { event in
            guard case .valueWritten(let octets, let to, _) = event, to == handle else { return nil }
            return octets
        }
    }

    /// The next read of a value that the server does not keep.
    func readRequest() async throws -> ReadRequest {
        try await next { if case .readRequest(let request) = $0 { request } else { nil } }
    }

    /// The next write of such a value.
    func writeRequest() async throws -> WriteRequest {
        try await next { if case .writeRequest(let request) = $0 { request } else { nil } }
    }

    /// Waits until a client has confirmed an indication.
    func confirmation(of handle: AttributeHandle, by client: Server.Client) async throws {
        try await next { if case .indicationConfirmed(handle, client) = $0 { () } else { nil } }
    }

    /// Waits until a client is gone.
    func end(of client: Server.Client) async throws -> LinkError {
        try await next { event in
            if case .disconnected(client, let reason) = event { reason } else { nil }
        }
    }

    func handle(of value: BluetoothUUID) async throws -> AttributeHandle {
        try #require(await server.valueHandle(of: value))
    }

    private struct Ended: Error {}
}

extension Device {
    static let name: WireText = "Behaviour"
    static let uuid = uuid(0)
    // Values: kept by the server; with the test; as long as can be; sent; sent and confirmed; only written.
    static let stored = uuid(1)
    static let asked = uuid(2)
    static let long = uuid(3)
    static let notified = uuid(4)
    static let indicated = uuid(5)
    static let commands = uuid(6)

    static let longValue = (0..<512).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    private static func uuid(_ number: UInt8) -> BluetoothUUID {
        BluetoothUUID(high: 0xA5C1_0000_0000_4000 | UInt64(number) << 32, low: 0x8000_0080_5F9B_34FB)
    }

    private static let service = GATT.ServiceDefinition(
        uuid,
        characteristics: [
            .init(
                stored, [.read, .write], value: .stored([1, 2, 3]),
                descriptors: [.userDescription("kept")]),
            .init(asked, [.read, .write], value: .delegated),
            .init(long, [.read, .write], value: .stored(longValue)),
            .init(notified, [.read, .notify], value: .stored([0])),
            .init(indicated, [.indicate], value: .stored([])),
            .init(commands, [.writeWithoutResponse], value: .stored([])),
        ])

    /// The service on the advertisement, the name in the scan response: together they do not fit.
    static func advertisement(_ name: WireText) throws -> DeviceAdvertisement {
        var data = AdvertisingDataBuilder()
        try data.appendFlags()
        try data.appendServices([uuid])
        var response = AdvertisingDataBuilder()
        try response.appendName(name)
        return DeviceAdvertisement(data: data.octets, scanResponse: response.octets)
    }
}
