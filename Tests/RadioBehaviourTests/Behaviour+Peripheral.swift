// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEWire
import BluetoothLE
import Testing

// The radio under test is the device; the other scans and connects.
extension Behaviour {
    static let peripheral = [
        Behaviour("it advertises, and something else when told to", advertises),
        Behaviour("it serves what is read and written", serves),
        Behaviour("it notifies and indicates", sends), Behaviour("it closes a client's link", closes),
        Behaviour("it stops being a device, and is one again", stops),
    ]

    private static func advertises(_ bench: Bench) async throws {
        let device = try await Device(on: bench.radio, name: "First")
        for try await _ in try await bench.other.scan(ScanOptions(services: [Device.uuid], name: "First")) {
            break
        }
        try await device.server.advertise(try Device.advertisement("Second"))
        for try await heard in try await bench.other.scan(
            ScanOptions(services: [Device.uuid], name: "Second"))
        {
            #expect(heard.name != "First")
            break
        }
    }

    private static func serves(_ bench: Bench) async throws {
        let device = try await Device(on: bench.radio)
        let link = try await bench.connect(by: bench.other)
        let client = try await device.client()
        #expect(try await link.read(Device.long) == Device.longValue)
        try await link.write([7, 7], to: Device.stored)
        #expect(try await device.written(to: Device.stored) == [7, 7])
        try await link.connection.writeWithoutResponse([3], to: try link.characteristic(Device.commands))
        #expect(try await device.written(to: Device.commands) == [3])
        async let answer = link.read(Device.asked)
        let request = try await device.readRequest()
        let handle = try await device.handle(of: Device.asked)
        #expect(request.client == client && request.handle == handle)
        await device.server.respond(to: request, with: [4])
        #expect(try await answer == [4])
        async let refusal: Void = expect(.refused(.valueNotAllowed)) {
            try await link.write([1], to: Device.asked)
        }
        let write = try await device.writeRequest()
        await device.server.refuse(write, with: .valueNotAllowed)
        await refusal
    }

    private static func sends(_ bench: Bench) async throws {
        let device = try await Device(on: bench.radio)
        let link = try await bench.connect(by: bench.other)
        let notified = try await link.connection.notifications(of: try link.characteristic(Device.notified))
        let client = try await device.subscriber(to: Device.notified)
        let handle = try await device.handle(of: Device.notified)
        for number in 0..<50 as Range<UInt8> {
            #expect(try await device.server.notify([number], of: handle, to: client))
        }
        var received: [UInt8] = []
        for try await value in notified {
            received += value
            if received.count == 50 { break }
        }
        #expect(received == Array(0..<50))
        let indicated = try await link.connection.notifications(of: try link.characteristic(Device.indicated))
        _ = try await device.subscriber(to: Device.indicated)
        let other = try await device.handle(of: Device.indicated)
        #expect(try await device.server.indicate([1, 2], of: other, to: client))
        for try await value in indicated {
            #expect(value == [1, 2])
            break
        }
        try await device.confirmation(of: other, by: client)
    }

    private static func closes(_ bench: Bench) async throws {
        let device = try await Device(on: bench.radio)
        let link = try await bench.connect(by: bench.other)
        let client = try await device.client()
        try await device.server.disconnect(client)
        #expect(try await link.connection.waitUntilDisconnected() == .closedByPeer)
        _ = try await device.end(of: client)
        // It can be found again.
        let again = try await bench.connect(by: bench.other)
        #expect(try await again.read(Device.stored) == [1, 2, 3])
    }

    private static func stops(_ bench: Bench) async throws {
        let device = try await Device(on: bench.radio)
        let link = try await bench.connect(by: bench.other)
        let peer = link.connection.peer
        await device.server.stop()
        #expect(try await link.connection.waitUntilDisconnected() == .closedByPeer)
        await expect(.connectFailed(.connectTimeout)) {
            _ = try await bench.other.connect(to: peer, ConnectOptions(timeout: .milliseconds(500)))
        }
        _ = try await Device(on: bench.radio)
        #expect(try await bench.connect(by: bench.other).read(Device.stored) == [1, 2, 3])
    }
}
