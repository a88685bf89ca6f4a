// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver
import BLESimulation
import BLEVirtualRadio
import FlockFinder
import FlockFinderSimulated
import Testing

/// A radio on a virtual air of its own.
func makeRadio(_ devices: @escaping @Sendable () -> [any SimulatedHost]) async throws -> Radio {
    let air = VirtualRadio(on: ManualTime.loop)
    await air.add(devices)
    return try await AirRadio.start(air).radio
}

extension SimulatedFlockFinder {
    static var peer: Peer { Peer(address) }
}

@Suite("The facade over our own host on a virtual air", .manualTime, .timeLimit(.minutes(5)))
struct VirtualRadioTests {
    static let detection = #"{"type":"Ring","mac":"a4:83:e7:ab:cd:ef","ssid":"","rssi":-60,"confidence":0.5}"#

    static func flockFinder(_ count: Int) throws -> FlockFinderDevice.Source {
        .script(try DetectionScript(jsonLines: (0..<count).flatMap { _ in Array((detection + "\n").utf8) }))
    }

    @Test func aWholeSessionFromConnectToDisconnect() async throws {
        let source = try Self.flockFinder(3)
        let radio = try await makeRadio { [SimulatedFlockFinder.make(source: source)] }
        let connection = try await radio.connect(to: SimulatedFlockFinder.peer)
        let services = try await connection.discoverServices()
        #expect(connection.mtu == 517)
        let characteristic = try #require(services.characteristic(FlockFinderUUID.detection))
        let values = connection.allValues()
        try await connection.subscribe(.notify, to: characteristic)
        var received: [ReceivedValue] = []
        for try await value in values {
            received.append(value)
            if received.count == 3 { break }
        }
        #expect(received.allSatisfy { $0.handle == characteristic.valueHandle && $0.kind == .notify })
        #expect(received.allSatisfy { $0.value.first == UInt8(ascii: "{") })
        await #expect(throws: BluetoothError.refused(.readNotPermitted)) {
            _ = try await connection.read(characteristic)
        }
        await connection.disconnect()
        #expect(try await connection.waitUntilDisconnected() == .closedByUs)
        await #expect(throws: BluetoothError.disconnected(.closedByUs)) {
            _ = try await connection.discoverServices()
        }
        await radio.close()
    }

    @Test func aTimeoutMayBeLongerThanAnyClockLasts() async throws {
        let radio = try await makeRadio { [] }
        let attempt = begin {
            try await radio.connect(
                to: SimulatedFlockFinder.peer, ConnectOptions(timeout: .seconds(Int64.max)))
        }
        try await ManualTime.pass(milliseconds: 60_000)
        attempt.cancel()
        await #expect(throws: BluetoothError.cancelled) { _ = try await attempt.value }
    }

    @Test func closingTheRadioEndsEverything() async throws {
        let radio = try await makeRadio { [SimulatedFlockFinder.make()] }
        let connection = try await radio.connect(to: SimulatedFlockFinder.peer)
        let values = connection.allValues()
        let states = await radio.states()
        await radio.close()
        for try await _ in values {}
        for await _ in states {}
        #expect(try await connection.waitUntilDisconnected() == .closedByUs)
        await #expect(throws: BluetoothError.self) { _ = try await radio.scan() }
    }

    @Test func aSlowConsumerHoldsTheRadioBackAndLosesNothing() async throws {
        let count = 2000
        let source = try Self.flockFinder(count)
        let radio = try await makeRadio { [SimulatedFlockFinder.make(source: source)] }
        let connection = try await radio.connect(to: SimulatedFlockFinder.peer)
        let characteristic = try #require(
            try await connection.discoverServices().characteristic(FlockFinderUUID.detection))
        let values = connection.allValues()
        try await connection.subscribe(.notify, to: characteristic)
        var received = 0
        for try await _ in values {
            received += 1
            if received.isMultiple(of: 100) { await Task.yield() }
            if received == count { break }
        }
        #expect(received == count)
        await radio.close()
    }
}
