// SPDX-License-Identifier: Apache-2.0

import BLECoreBluetooth
import BLEGATT
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import Testing
import VirtualPhone

@Suite("An app that the system ends and starts again", .timeLimit(.minutes(5)))
struct RestoringTests {
    private static func opening(_ app: VirtualPhone.App, _ air: TestAir) -> Task<Radio, any Error> {
        app.launch {
            Task(executorPreference: air.air.loop) { try await Radio.coreBluetooth(restoring: "radio") }
        }
    }

    private static func phone(_ air: TestAir) async throws -> (app: VirtualPhone.App, radio: Radio) {
        let app = VirtualPhone(radio: try await air.radio("C0:AA:00:00:00:01")).app()
        return (app, try await opening(app, air).value)
    }

    @Test func aLinkIsTakenUpAndItsValuesHaveWaited() async throws {
        try await TestAir.run { air in
            var lamp = try await Lamp.on(air)
            let (app, before) = try await Self.phone(air)
            #expect(await before.restoredState == RestoredState())
            let peer = try await before.find(ScanOptions(services: [Lamp.service])).peer
            let link = try await before.connect(to: peer)
            let values = try await link.notifications(of: Lamp.value)
            _ = try await lamp.subscriber()
            app.endBySystem()
            for value in 2...4 {
                try await lamp.server.update([UInt8(value)], of: Lamp.value)
                try await air.advance(by: .seconds(1))
            }
            let radio = try await Self.opening(app, air).value
            #expect(await radio.restoredState.connected == [peer])
            #expect(await radio.restoredState.connecting == [])
            #expect(await radio.restoredState.scannedServices == nil)
            let began = air.now
            let again = try await radio.connect(to: peer)
            #expect(air.now == began, "the link was there")
            await #expect(throws: BluetoothError.alreadyConnected) { try await radio.connect(to: peer) }
            // What else is done before does not lose them.
            #expect(try await again.read(Lamp.asked, answering: &lamp) == [42])
            var received: [[UInt8]] = []
            for try await value in try await again.notifications(of: Lamp.value) {
                received.append(value)
                if received.count == 3 { break }
            }
            #expect(received == [[2], [3], [4]])
            try await again.write([9], to: Lamp.value)
            _ = values
            await radio.close()
            await lamp.server.stop()
        }
    }

    @Test func aDeviceIsWaitedForOn() async throws {
        try await TestAir.run { air in
            let device = try await air.radio("C0:AA:00:00:00:02")
            let (app, before) = try await Self.phone(air)
            let first = try await Lamp(on: device)
            let peer = try await before.find(ScanOptions(services: [Lamp.service])).peer
            await first.server.stop()
            let waiting = Task(executorPreference: air.air.loop) {
                try await before.connect(to: peer, ConnectOptions(timeout: nil))
            }
            try await air.advance(by: .seconds(10))
            app.endBySystem()
            let radio = try await Self.opening(app, air).value
            #expect(await radio.restoredState.connecting == [peer])
            // It comes before anybody has asked for it again.
            let lamp = try await Lamp(on: device)
            try await air.advance(by: .seconds(10))
            #expect(lamp.server.clients.count == 1)
            let link = try await radio.connect(to: peer)
            #expect(try await link.read(Lamp.value) == [1])
            await link.disconnect()
            await radio.close()
            waiting.cancel()
            await lamp.server.stop()
        }
    }

    @Test func whatIsKeptEndsWithItsLinkAndWithBluetooth() async throws {
        try await TestAir.run { air in
            var lamp = try await Lamp.on(air)
            let (app, before) = try await Self.phone(air)
            let peer = try await before.find(ScanOptions(services: [Lamp.service])).peer
            _ = try await before.connect(to: peer)
            _ = try await lamp.client()
            app.endBySystem()
            let radio = try await Self.opening(app, air).value
            #expect(await radio.restoredState.connected == [peer])
            for client in lamp.server.clients { try await lamp.server.disconnect(client) }
            try await air.advance(by: .seconds(1))
            // Another link then.
            let link = try await radio.connect(to: peer)
            #expect(try await link.read(Lamp.value) == [1])
            app.endBySystem()
            let last = try await Self.opening(app, air).value
            app.phone.isBluetoothOn = false
            try await air.advance(by: .seconds(1))
            await #expect(throws: BluetoothError.self) { try await last.connect(to: peer) }
            app.phone.isBluetoothOn = true
            try await last.waitUntilReady()
            let again = try await last.connect(to: peer)
            #expect(try await again.read(Lamp.value) == [1])
            await last.close()
            await lamp.server.stop()
        }
    }

    @Test func aScanIsSaidAndEnded() async throws {
        try await TestAir.run { air in
            let (app, before) = try await Self.phone(air)
            let scan = try await before.scan(ScanOptions(services: [Lamp.service]))
            try await air.advance(by: .seconds(1))
            app.endBySystem()
            let radio = try await Self.opening(app, air).value
            #expect(await radio.restoredState.scannedServices == [Lamp.service])
            let lamp = try await Lamp.on(air)
            #expect(try await radio.find(ScanOptions(services: [Lamp.service])).services == [Lamp.service])
            _ = scan
            await radio.close()
            await lamp.server.stop()
        }
    }
}

extension Lamp {
    fileprivate mutating func client() async throws -> Server.Client {
        try await next { if case .connected(let client) = $0 { client } else { nil } }
    }
}

extension Connection {
    /// Reads a value for which the lamp is asked.
    fileprivate func read(_ uuid: BluetoothUUID, answering lamp: inout Lamp) async throws -> [UInt8] {
        let reading = Task { try await read(uuid) }
        await lamp.server.respond(to: try await lamp.readRequest(), with: [42])
        return try await reading.value
    }
}
