// SPDX-License-Identifier: Apache-2.0

import BLESessions
import BLEVirtualRadio
import CompanionDevices
import FlockFinder
import LEDBulb
import Nightlight
import NightlightCompanion
import NightlightDevices
import NightlightSimulated
import SimulatedDevices
import Testing
import WiFiSetSimulated

/// The articles' code in a module that is set up as Xcode sets up an app.
///
/// Its code runs on the main actor unless it says otherwise, and its asynchronous functions run where their caller does. The
/// files of the snippets are those of DocumentationTests.
@Suite("The articles' code on the main actor", .timeLimit(.minutes(5)))
struct ArticleTests {
    private static let lamp: BluetoothAddress = "C0:00:00:00:00:01"
    private static let phone: BluetoothAddress = "C0:00:00:00:00:02"

    @Test func servesFindsExploresReadsAndListens() async throws {
        try await TestAir.run { air in
            let device = try await air.radio(Self.lamp)
            let serving = Task { try await ServerSnippets.serve(device) }
            let radio = try await air.radio(Self.phone)
            let peer = try await CentralSnippets.find(radio, offering: .batteryService)
            #expect(try await CentralSnippets.first(radio) == peer)
            #expect(try await CentralSnippets.discover(radio, offering: .batteryService)?.peer == peer)
            try await NumberSnippets.explore(radio, peer)
            try await radio.withConnection(to: peer) { connection in
                try await NumberSnippets.readAndWrite(connection)
                let level = try await connection.characteristic(.batteryLevel)
                #expect(try await CentralSnippets.subscribe(connection, level, count: 1) == [[94]])
                try await CentralSnippets.errors(connection, level)
                try await CentralSnippets.tune(connection)
            }
            serving.cancel()
            _ = await serving.result
        }
    }

    @Test func sendsThroughAChannel() async throws {
        try await TestAir.run { air in
            let device = try await air.radio(Self.lamp)
            _ = try await device.serve(ServerDescription(name: "Echo", services: []))
            let listener = try await device.listen()
            let echo = Task {
                for try await channel in listener.channels() {
                    for try await sdu in channel.received() {
                        try await channel.send(sdu)
                        await channel.close()
                    }
                }
            }
            let radio = try await air.radio(Self.phone)
            try await radio.withConnection(to: Peer(Self.lamp)) { connection in
                try await ChannelSnippets.send(connection, psm: listener.psm)
            }
            echo.cancel()
            _ = await echo.result
        }
    }

    @Test func handlersOfRunnersAreTheCallers() async throws {
        try await TestAir.run { air in
            let script = DetectionScript(
                lines: (0..<3).map { _ in
                    DetectionScript.Line(
                        afterMilliseconds: 500,
                        Detection(type: .ring, label: "Ring", rssi: -71, confidence: 0.9))
                })
            let device = DeviceRunner(
                FlockFinderDevice(source: .script(script)), on: try await air.radio(Self.lamp))
            var told = 0
            let serving = Task { try await device.run(watcher: { _ in told += 1 }) { _ in told += 1 } }
            let client = ClientRunner(
                FlockFinderClient(options: .init()), on: try await air.radio(Self.phone))
            var heard: [Detection] = []
            await client.run { event in
                if case .detection(let detection) = event { heard.append(detection) }
                if heard.count == 3 { await client.update { $0.close(at: $1) } }
            }
            serving.cancel()
            _ = await serving.result
            #expect(heard.count == 3 && told > 0)
        }
    }

    @Test func aLampIsAskedWhatTheScreenWants() async throws {
        try await TestAir.run { air in
            await air.air.add { SimulatedDevices.all() }
            let radio = try await air.radio(Self.phone)
            let lamp = Peer(SimulatedNightlight.address)
            let rows = try await setButton(.init(red: 1, green: 2, blue: 3), of: lamp, on: radio)
            #expect(rows.contains { $0.contains("#010203") })
            // What is shown meanwhile changes what the main actor has, with no annotation.
            var notices: [ConnectionNotice] = []
            var state: LampState?
            let client = NightlightClient(options: .init(target: .peer(lamp)))
            try await ClientConnection.open(client, on: radio, notices: { notices.append($0) }) {
                connection in
                state = try await connection.lamp()
                _ = try await connection.whileConnected {
                    notices.append(.fault("asked"))
                    return true
                }
            }
            #expect(
                state != nil && notices.contains(.fault("asked")) && notices.contains(.state(.discovering)))
        }
    }

    @Test func bringsADeviceIntoItsNetwork() async throws {
        try await TestAir.run { air in
            await air.air.add { SimulatedDevices.all() }
            let radio = try await air.radio(Self.phone)
            let end = try await provision(Peer(SimulatedWiFiSet.address), on: radio) { await answer($0) }
            #expect(end.contains("Lantern Home"))
        }
    }

    @Test func listsTheDevicesAroundAndWhatOneHas() async throws {
        try await TestAir.run { air in
            await air.air.add { SimulatedDevices.all() }
            let radio = try await air.radio(Self.phone)
            let surroundings = Surroundings()
            let scan = Task { try await surroundings.scan(on: radio) }
            try await air.advance(by: .seconds(10))
            scan.cancel()
            _ = await scan.result
            #expect(surroundings.devices.count >= SimulatedDevices.kinds.count)
            #expect(try await values(of: Peer(SimulatedNightlight.address), on: radio).count > 5)
        }
    }

    @Test func waitsForTheRadio() async throws {
        try await TestAir.run { air in
            let radio = try await air.radio(Self.phone)
            #expect(await radio.states().first { $0 == .ready } == .ready)
            let before = radio.now
            try await radio.sleep(for: .milliseconds(1500))
            #expect(radio.now - before >= .milliseconds(1500))
        }
    }
}
