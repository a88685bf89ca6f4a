// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEHostDriver
import BLESimulation
import BLETransport
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import FlockFinder
import SimulatedDevices
import Testing

/// A radio on a virtual air of its own.
func makeRadio(_ devices: @escaping @Sendable () -> [any SimulatedHost]) async throws -> HostRadio {
    let air = VirtualRadio()
    await air.add(devices)
    let address = BluetoothAddress(0x00AA_0000_0001, .public)
    let radio = HostRadio { () async throws(TransportError) in
        await air.attach(VirtualAir.ControllerConfiguration(address: address))
    }
    try await radio.start()
    return radio
}

@Suite("The facade over our own host on a virtual air", .timeLimit(.minutes(2)))
struct VirtualRadioTests {
    static let detection = #"{"type":"Ring","mac":"a4:83:e7:ab:cd:ef","ssid":"","rssi":-60,"confidence":0.5}"#

    static func flockFinder(_ count: Int) throws -> FlockFinderDevice.Source {
        .script(try DetectionScript(jsonLines: (0..<count).flatMap { _ in Array((detection + "\n").utf8) }))
    }

    @Test func scanHearsAdvertisementAndScanResponse() async throws {
        let radio = try await makeRadio { [SimulatedFlockFinder.make()] }
        var kinds: Set<Bool> = []
        for await advertisement in try await radio.scan(ScanOptions()) {
            #expect(advertisement.address == SimulatedFlockFinder.address)
            kinds.insert(advertisement.isScanResponse)
            if kinds.count == 2 { break }
        }
        #expect(kinds == [true, false])
        await radio.close()
    }

    @Test func aWholeSessionFromConnectToDisconnect() async throws {
        let source = try Self.flockFinder(3)
        let radio = try await makeRadio { [SimulatedFlockFinder.make(source: source)] }
        let connection = try await radio.connect(to: SimulatedFlockFinder.address, ConnectOptions())
        let services = try await connection.discover()
        #expect(await connection.mtu == 517)
        let characteristic = try #require(services.characteristic(FlockFinderUUID.detection))
        let values = await connection.values()
        try await connection.subscribe(.notify, to: characteristic)
        var received: [ReceivedValue] = []
        for await value in values {
            received.append(value)
            if received.count == 3 { break }
        }
        #expect(received.allSatisfy { $0.handle == characteristic.valueHandle && $0.kind == .notify })
        #expect(received.allSatisfy { $0.value.first == UInt8(ascii: "{") })
        await #expect(throws: BluetoothError.request(.refused(.readNotPermitted))) {
            _ = try await connection.read(characteristic.valueHandle)
        }
        await connection.disconnect()
        #expect(await connection.disconnected() == .closedByUs)
        await #expect(throws: BluetoothError.request(.disconnected)) { _ = try await connection.discover() }
        await radio.close()
    }

    @Test func nobodyAtAnAddressIsATimeout() async throws {
        let radio = try await makeRadio { [] }
        await #expect(throws: BluetoothError.link(.connectTimeout)) {
            _ = try await radio.connect(
                to: BluetoothAddress(0xC000_0000_0001, .random), ConnectOptions(timeout: .milliseconds(50)))
        }
        await radio.close()
    }

    @Test func cancellationGivesUpConnecting() async throws {
        let radio = try await makeRadio { [] }
        let attempt = Task { () -> BluetoothError? in
            do throws(BluetoothError) {
                _ = try await radio.connect(
                    to: BluetoothAddress(0xC000_0000_0001, .random), ConnectOptions(timeout: .seconds(3600)))
                return nil
            } catch {
                return error
            }
        }
        attempt.cancel()
        #expect(await attempt.value == .cancelled)
        await radio.close()
    }

    @Test func closingTheRadioEndsEverything() async throws {
        let radio = try await makeRadio { [SimulatedFlockFinder.make()] }
        let connection = try await radio.connect(to: SimulatedFlockFinder.address, ConnectOptions())
        let values = await connection.values()
        let states = await radio.states()
        await radio.close()
        for await _ in values {}
        for await _ in states {}
        #expect(await connection.disconnected() == .closedByUs)
        await #expect(throws: BluetoothError.self) { _ = try await radio.scan(ScanOptions()) }
    }

    @Test func aSlowConsumerHoldsTheRadioBackAndLosesNothing() async throws {
        let count = 2000
        let source = try Self.flockFinder(count)
        let radio = try await makeRadio { [SimulatedFlockFinder.make(source: source)] }
        let connection = try await radio.connect(to: SimulatedFlockFinder.address, ConnectOptions())
        let characteristic = try #require(
            try await connection.discover().characteristic(FlockFinderUUID.detection))
        let values = await connection.values()
        try await connection.subscribe(.notify, to: characteristic)
        var received = 0
        for await _ in values {
            received += 1
            if received.isMultiple(of: 100) { await Task.yield() }
            if received == count { break }
        }
        #expect(received == count)
        await radio.close()
    }
}
