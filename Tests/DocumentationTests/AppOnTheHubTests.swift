// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver
import BLESimulation
import BLEVirtualRadio
import CompanionHub
import FlockFinderSimulated
import Foundation
import LEDBulbSimulated
import NightlightSimulated
import Testing
import WiFiSetSimulated

/// The app of the article, on the virtual air.
///
/// One test after the other, and on the air what they ask for alone: a device that is not connected within ten seconds is given
/// up, and an air that has more to do than its processor can is as slow as that.
@Suite("An app on the hub", .timeLimit(.minutes(5)), .serialized)
@MainActor struct AppOnTheHubTests {
    private let folder = NSTemporaryDirectory() + "lantern-app-\(UUID().uuidString)"
    private let home: Home
    private let work: Task<Void, Never>

    init() async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let air = try VirtualRadio()
        await air.add {
            [
                SimulatedNightlight.make(), SimulatedBulb.make(), SimulatedFlockFinder.make(),
                SimulatedWiFiSet.make(),
            ]
        }
        let home = try Home(
            database: folder + "/app.sqlite",
            radio: RadioSource("The virtual air") {
                let host = HostRadio(loop: air.loop) { (loop) async throws(TransportError) in
                    await air.attach(.init(address: BluetoothAddress(1, kind: .public)), on: loop)
                }
                try await host.start()
                return host.radio
            })
        self.home = home
        work = Task { await home.run() }
    }

    private func device(_ peer: Peer, where isWanted: (HubDevice) -> Bool) async throws -> HubDevice {
        while true {
            if let device = home.devices.first(where: { $0.peer == peer && isWanted($0) }) { return device }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func end() async throws {
        work.cancel()
        await work.value
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func givesTheButtonOfALampAnotherColour() async throws {
        let lamp = try await device(Peer(SimulatedNightlight.address)) { $0.kind == .nightlight }
        let color = RGBColor(red: 9, green: 8, blue: 7)
        try await home.setButton(of: lamp, to: color)
        let state = try await home.hub.withLamp(lamp.id) { try await $0.state.state }
        #expect(state?.values.buttonColor == color)
        // The link is let go when nobody holds it any more.
        while await !home.hub.currentJobs().isEmpty { try await Task.sleep(for: .milliseconds(20)) }
        try await end()
    }

    @Test func aBulbTakesACommand() async throws {
        let bulb = try await device(Peer(SimulatedBulb.address)) { $0.kind == .bulb }
        let asked = try await home.hub.withBulb(bulb.id) { held in
            try await held.perform(.color(RGBColor(red: 1, green: 2, blue: 3))).asked
        }
        #expect(asked?.shown == RGBColor(red: 1, green: 2, blue: 3))
        try await end()
    }

    @Test func whatABodyThrowsLetsTheLampGo() async throws {
        struct Enough: Error {}
        let lamp = try await device(Peer(SimulatedNightlight.address)) { $0.kind == .nightlight }
        await #expect(throws: Enough.self) { try await home.hub.withLamp(lamp.id) { _ in throw Enough() } }
        try await end()
    }

    @Test func aDeviceIsBroughtIntoANetwork() async throws {
        let lamp = try await device(Peer(SimulatedWiFiSet.address)) { $0.kind == .wifiSet }
        let tries = try await home.hub.withWiFi(lamp.id) { held in
            let network = try #require(try await held.networks.first { $0.network.security == .wpa2 }).network
            #expect(try await held.lookAgain().contains { $0.network.ssid == network.ssid })
            if try await held.state.canIdentify { try await held.identify() }
            let wrong = try await held.join(network.ssid, password: "not the password")
            await #expect(throws: HubError.self) { try await held.join(network.ssid, password: "short") }
            let right = try await held.join("Lantern Home", password: "lantern-home")
            #expect(try await held.state.attempt == right)
            return (wrong, right)
        }
        #expect(tries.0.step == .failed && tries.0.failure?.isEmpty == false)
        #expect(tries.1.step == .joined && tries.1.failure == nil)
        try await end()
    }

    @Test func anyDeviceIsExplored() async throws {
        let bulb = try await device(Peer(SimulatedBulb.address)) { $0.kind == .bulb }
        try await home.hub.withExplorer(bulb.id) { held in
            var steps: [HubExplorer.Step] = []
            for await state in held.updates {
                if steps.last != state.step { steps.append(state.step) }
                if state.step == .ready { break }
            }
            #expect(steps.last == .ready)
            let all = try await held.tree.services.flatMap(\.characteristics)
            let readable = try #require(all.first { $0.properties.contains(.read) })
            let value = try await held.read(readable.valueHandle)
            #expect(value.octets != nil && value.kind == .read)
            #expect(try await held.values(of: readable.valueHandle, limit: 1) == [value])
            let writable = try #require(all.first { $0.properties.contains(.write) })
            await #expect(throws: HubError.self) {
                try await held.write([0], to: writable.valueHandle, isConfirmed: false)
            }
            #expect(try await held.write([0], to: writable.valueHandle, isConfirmed: true).kind == .write)
            if let sent = all.first(where: { $0.properties.contains(.notify) }) {
                try await held.watch(sent.valueHandle)
                #expect(try await held.state.watched == [Int(sent.valueHandle.rawValue)])
                try await held.watch(sent.valueHandle, isOn: false)
            }
            #expect(try await held.refresh().services.count == (try await held.tree.services.count))
        }
        try await end()
    }

    @Test func statesOfALampEndWithItsLink() async throws {
        let lamp = try await device(Peer(SimulatedNightlight.address)) { $0.kind == .nightlight }
        let hub = home.hub
        let following = try await hub.withLamp(lamp.id) { held in
            let updates = held.updates
            let following = Task {
                var colors: [RGBColor?] = []
                for await state in updates { colors.append(state.state?.values.buttonColor) }
                return colors
            }
            _ = try await held.change(LampChange(button: .init(color: RGBColor(red: 3, green: 2, blue: 1))))
            return following
        }
        #expect(await following.value.contains(RGBColor(red: 3, green: 2, blue: 1)))
        try await end()
    }

    @Test func keepsWhatAFlockFinderSends() async throws {
        let finder = try await device(Peer(SimulatedFlockFinder.address)) { $0.kind == .flockFinder }
        try await home.connect(finder)
        while try await home.history().isEmpty { try await Task.sleep(for: .milliseconds(20)) }
        try await end()
    }

    @Test func settingsAreCheckedWhereTheyAreSet() async throws {
        try await home.keepHistory(days: 30)
        #expect(await home.hub.settings.retentionDays == 30)
        await #expect(throws: HubError.self) { try await home.keepHistory(days: -1) }
        await #expect(throws: HubError.self) {
            try await home.hub.changeSettings {
                $0.savedFilters = [.init(name: "mine", filter: Array("{".utf8))]
            }
        }
        try await home.keepHistory(days: nil)
        #expect(await home.hub.settings == HubSettings())
        try await end()
    }

    @Test func aLampThatIsNotThereIsSaid() async throws {
        _ = try await device(Peer(SimulatedNightlight.address)) { _ in true }
        await #expect(throws: HubError.self) { try await home.hub.withLamp(12345) { _ in } }
        try await end()
    }
}
