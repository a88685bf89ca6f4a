// SPDX-License-Identifier: Apache-2.0

import BLEVirtualRadio
import CoreBluetooth
import Synchronization
import Testing
import VirtualPhone

@Suite("A peripheral app that ends, and Bluetooth that goes off", .timeLimit(.minutes(5)))
struct RestoredSensorTests {
    /// The link is gone, and what was published is there again when Bluetooth is.
    @Test func bluetoothGoesOffAndOn() async throws {
        try await TestAir.run { air in
            let pair = try await Pair(on: air)
            pair.reader.follow(Sensor.level)
            try await pair.sensor.log.next("subscribed")
            pair.sensorPhone.isBluetoothOn = false
            try await pair.sensor.log.next("state poweredOff")
            try await pair.sensor.log.next("unsubscribed 0")
            try await pair.reader.log.next("disconnected")
            #expect(!pair.sensor.send([1]))
            pair.reader.lookAgain()
            try await air.advance(by: .seconds(30))
            #expect(pair.reader.peripheral == nil)
            pair.sensorPhone.isBluetoothOn = true
            try await pair.sensor.log.next("state poweredOn")
            try await pair.reader.log.next("ready 5")
            pair.reader.follow(Sensor.level)
            try await pair.sensor.log.next("subscribed true 1")
            #expect(pair.sensor.send([3]))
            try await pair.reader.log.next("value [3]")
            #expect(pair.sensor.log.lines.filter { $0 == "added" }.count == 1)
        }
    }

    /// Below "off" what was published is gone.
    @Test func anAppThatIsForbiddenHasNothingPublished() async throws {
        try await TestAir.run { air in
            let pair = try await Pair(on: air)
            pair.sensorApp.permission = .denied
            try await pair.sensor.log.next("state unauthorized")
            try await pair.reader.log.next("modified 1")
            #expect(!pair.sensor.manager.isAdvertising)
            pair.sensorApp.permission = .allowed
            try await pair.sensor.log.next("advertising true")
        }
    }

    /// While the app does not run its subscribers stay, and a read waits until the system has started it again.
    @Test func whatWasPublishedLivesOnUntilTheAppIsStartedAgain() async throws {
        try await TestAir.run { air in
            let pair = try await Pair(on: air) { Sensor(restoring: "sensor") }
            pair.reader.follow(Sensor.level)
            try await pair.sensor.log.next("subscribed")
            let (before, app) = (pair.sensor, pair.sensorApp)
            let again = Mutex<Sensor?>(nil)
            let started = Log()
            app.endBySystem {
                let sensor = Sensor(restoring: "sensor")
                sensor.value = Data([77])
                again.withLock { $0 = sensor }
                started.add("started")
            }
            try await air.advance(by: .seconds(60))
            #expect(started.lines.isEmpty)
            #expect(!pair.reader.log.lines.contains { $0.hasPrefix("disconnected") })
            let lines = before.log.lines
            pair.reader.read(Sensor.level)
            try await started.next("started")
            try await pair.reader.log.next("value [77]")
            #expect(before.log.lines == lines)
            let sensor = try #require(again.withLock { $0 })
            #expect(sensor.log.lines == ["restored 1 Sensor 1", "state poweredOn", "read 0"])
            #expect(sensor.manager.isAdvertising && sensor.service === before.service)
            #expect(sensor.send([5]))
            try await pair.reader.log.next("value [5]")
            pair.reader.follow(Sensor.level, false)
            try await sensor.log.next("unsubscribed 0")
        }
    }

    /// A manager without a restore identifier, or an app that a person has swiped away, leaves nothing.
    @Test(arguments: [true, false]) func whatIsNotKeptIsGone(_ byPerson: Bool) async throws {
        try await TestAir.run { air in
            let pair = try await Pair(on: air) { Sensor(restoring: byPerson ? "sensor" : nil) }
            // A request that the app never answers is refused when it ends.
            pair.sensor.reading = { _, _ in }
            pair.reader.read(Sensor.level)
            try await pair.sensor.log.next("read")
            if byPerson { pair.sensorApp.endByPerson() } else { pair.sensorApp.endBySystem() }
            try await pair.reader.log.next("value ")
            #expect(
                pair.reader.log.lines.contains {
                    $0.hasPrefix("value invalidHandle") || $0.hasPrefix("value unlikelyError")
                })
            try await air.advance(by: .seconds(5))
            pair.reader.explore()
            try await pair.reader.log.next("ready 0")
        }
    }
}
