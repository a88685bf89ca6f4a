// SPDX-License-Identifier: Apache-2.0

import BLECoreBluetooth
import BLEGATT
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import Testing
import VirtualPhone

/// A phone on a virtual air, and the radio that an app of it has through Core Bluetooth.
struct Phone {
    let phone: VirtualPhone
    let app: VirtualPhone.App
    let radio: Radio

    /// Puts a phone on the air.
    static func on(
        _ air: TestAir, _ address: BluetoothAddress = "C0:AA:00:00:00:01", name: String = "iPhone",
        _ prepare: (VirtualPhone, VirtualPhone.App) -> Void = { _, _ in }
    ) async throws -> Phone {
        let phone = VirtualPhone(name: name, radio: try await air.radio(address))
        let app = phone.app()
        prepare(phone, app)
        let radio = try await opening(app, air).value
        return Phone(phone: phone, app: app, radio: radio)
    }

    /// Opens the radio of an app.
    static func opening(_ app: VirtualPhone.App, _ air: TestAir) -> Task<Radio, any Error> {
        app.launch { Task(executorPreference: air.air.loop) { try await Radio.coreBluetooth() } }
    }

    /// Connects to whoever offers a service.
    func connect(offering service: BluetoothUUID) async throws -> Connection {
        try await radio.connect(to: try await radio.find(ScanOptions(services: [service])).peer)
    }
}

/// A device of our own host, and what is tried on it.
struct Lamp {
    static let service: BluetoothUUID = "A5C10000-0000-4000-8000-00805F9B34FB"
    static let value: BluetoothUUID = "A5C10001-0000-4000-8000-00805F9B34FB"
    static let asked: BluetoothUUID = "A5C10002-0000-4000-8000-00805F9B34FB"
    static let commands: BluetoothUUID = "A5C10003-0000-4000-8000-00805F9B34FB"
    static let later: BluetoothUUID = "A5C10004-0000-4000-8000-00805F9B34FB"

    static let definition = GATT.ServiceDefinition(
        service,
        characteristics: [
            .init(value, [.read, .write, .notify], value: .stored([1])),
            .init(asked, [.read, .write, .notify], value: .delegated),
            .init(commands, [.writeWithoutResponse], value: .stored([])),
        ])

    let radio: Radio
    let server: Server
    private var events: ServerEventStream.AsyncIterator

    init(on radio: Radio) async throws {
        self.radio = radio
        server = try await radio.serve(
            ServerDescription(name: "Lamp", services: [Self.definition], advertisesName: false))
        events = server.events().makeAsyncIterator()
    }

    /// Puts a lamp of our own host on the air.
    static func on(_ air: TestAir, _ address: BluetoothAddress = "C0:AA:00:00:00:02") async throws -> Lamp {
        try await Lamp(on: try await air.radio(address))
    }

    /// Takes events out until one is as wanted.
    mutating func next<Found>(_ pick: (ServerEvent) -> Found?) async throws -> Found {
        while let event = try await events.next() {
            if let found = pick(event) { return found }
        }
        throw Ended()
    }

    mutating func readRequest() async throws -> ReadRequest {
        try await next { if case .readRequest(let request) = $0 { request } else { nil } }
    }

    mutating func subscriber() async throws -> Server.Client {
        try await next { if case .subscribed(let client, _, _) = $0 { client } else { nil } }
    }

    func handle(_ uuid: BluetoothUUID) async throws -> AttributeHandle {
        try #require(await server.valueHandle(of: uuid))
    }

    struct Ended: Error {}
}
