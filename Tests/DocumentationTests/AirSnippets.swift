// SPDX-License-Identifier: Apache-2.0

import BLEVirtualRadio
import Testing

// snippet: app-test
@MainActor @Test func theAppShowsTheBattery() async throws {
    try await TestAir.run { air in
        let lamp = try await air.radio("C0:00:00:00:00:01")
        let level = GATT.CharacteristicDefinition(.batteryLevel, .read, value: .stored([95]))
        let battery = GATT.ServiceDefinition(.batteryService, characteristics: [level])
        _ = try await lamp.serve(ServerDescription(name: "Kitchen", services: [battery]))
        let app = LampList(try await air.radio("C0:00:00:00:00:02"))
        try await app.refresh()
        #expect(app.levels == ["Kitchen": 95])
    }
}
// end

// snippet: far-test
@Test func aLampThatIsCarriedAwayIsNotFound() async throws {
    try await TestAir.run(seed: 7, loss: 0.1) { air in
        let lamp = try await air.radio("C0:00:00:00:00:01")
        _ = try await lamp.serve(ServerDescription(name: "Kitchen", services: []))
        let radio = try await air.radio("C0:00:00:00:00:02")
        #expect(try await radio.find(ScanOptions(name: "Kitchen")).peer == Peer("C0:00:00:00:00:01"))
        try await air.move("C0:00:00:00:00:01", to: .init(x: 5000))
        try await air.advance(by: .seconds(60))
        await #expect(throws: BluetoothError.notFound) {
            try await radio.find(ScanOptions(name: "Kitchen"))
        }
    }
}
// end

// snippet: off-test
@Test func theRadioGoesOffAndComesBack() async throws {
    try await TestAir.run { air in
        let lamp = try await air.radio("C0:00:00:00:00:01")
        _ = try await lamp.serve(ServerDescription(name: "Kitchen", services: []))
        let radio = try await air.radio("C0:00:00:00:00:02")
        try await air.switchOff("C0:00:00:00:00:02")
        await #expect(throws: BluetoothError.self) { try await radio.find(ScanOptions(name: "Kitchen")) }
        await air.setLoss(0.3)
        await air.switchOn("C0:00:00:00:00:02")
        try await radio.waitUntilReady()
        _ = try await radio.find(ScanOptions(name: "Kitchen"))
    }
}
// end
