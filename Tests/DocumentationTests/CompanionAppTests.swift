// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver
import BLESimulation
import BLEVirtualRadio
import Companion
import CompanionStore
import Detections
import FlockFinderSimulated
import NightlightSimulated
import SimulatedDevices
import Synchronization
import Testing
import WiFiSetSimulated

@Suite("The app on Companion", .timeLimit(.minutes(5)))
struct CompanionAppTests {
    /// A radio among one of each simulated device.
    private static func radio() async throws -> Radio {
        let air = try VirtualRadio()
        await air.add { SimulatedDevices.all() }
        let host = HostRadio(loop: air.loop) { (loop) async throws(TransportError) in
            await air.attach(.init(address: BluetoothAddress(1, kind: .public)), on: loop)
        }
        try await host.start()
        return host.radio
    }

    @MainActor @Test func listsTheDevicesAroundAndWhatOneHas() async throws {
        let radio = try await Self.radio()
        let surroundings = Surroundings()
        let scan = Task { try await surroundings.scan(on: radio) }
        while surroundings.devices.count < SimulatedDevices.kinds.count { await Task.yield() }
        scan.cancel()
        _ = await scan.result
        #expect(surroundings.devices.contains { $0.advertised.name == "ESP32-WiFiSet" })
        let values = try await values(of: Peer(SimulatedFlockFinder.address), on: radio)
        #expect(values.contains { $0.hasPrefix("Device Name: \"FlockFinder-S3\"") })
        await radio.close()
    }

    @Test func givesTheButtonAnotherColour() async throws {
        let radio = try await Self.radio()
        let lamp = Peer(SimulatedNightlight.address)
        let rows = try await setButton(.init(red: 1, green: 2, blue: 3), of: lamp, on: radio)
        #expect(rows.contains { $0.contains("#010203") })
        await radio.close()
    }

    @Test func bringsADeviceIntoItsNetwork() async throws {
        let radio = try await Self.radio()
        let end = try await provision(Peer(SimulatedWiFiSet.address), on: radio) { answer($0) }
        #expect(end.contains("Lantern Home"))
        await radio.close()
    }

    @Test func storesDetectionsAndShowsThem() async throws {
        let radio = try await Self.radio()
        let database = try DetectionDatabase()
        let shown = Mutex<[DetectionEvent]>([])
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let work = Task {
            try await listen(on: radio, into: database) { detection in
                arrival.yield()
                shown.withLock { $0.append(detection) }
            }
        }
        for await _ in arrivals { break }
        work.cancel()
        let count = try await work.value
        #expect(count >= 1 && count == shown.withLock { $0.count })
        await radio.close()
    }
}
