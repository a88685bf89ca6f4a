// SPDX-License-Identifier: Apache-2.0

import BLESimulation
import BLEWire
import CompanionHub
import FlockFinder
import FlockFinderSimulated
import Foundation
import LEDBulbSimulated
import LanternApp
import MapKit
import NightlightSimulated
import PhoneSurroundings
import SwiftUI
import Testing
import VirtualPhone
import WiFiSetSimulated

/// The tabs of the app in their states; `Snapshots` has what they show.
@Suite("Snapshots of the tabs", .timeLimit(.minutes(5)), .serialized) @MainActor struct SnapshotTests {
    /// A FlockFinder that notices three things and then no more.
    private nonisolated static func finder() -> SimulatedDevice<FlockFinderDevice> {
        let seen: [(DetectionType, String, UInt64, Int, Double)] = [
            (.ring, "Ring Camera", 0x5C475E_000001, -48, 0.92),
            (.flockSafety, "Flock Safety Camera", 0x588E81_000002, -71, 0.85),
            (.raven, "Raven", 0x70B3D5_000003, -88, 0.6),
        ]
        let lines = seen.map { type, label, mac, rssi, confidence in
            let detection = Detection(
                type: type, label: WireText(label), mac: mac, ssid: WireText(label + " net"), rssi: rssi,
                confidence: confidence)
            return DetectionScript.Line(afterMilliseconds: 10, detection)
        }
        return SimulatedFlockFinder.make(source: .script(DetectionScript(lines: lines)))
    }

    private func launch(
        _ bench: AppBench, tab: String
    ) throws -> Screen {
        let screen = Screen(environment: Snapshot.surroundings) { RootView(bench.app) }
        if tab != "Scanner" { try screen.select(tab: tab) }
        return screen
    }

    @Test func theScanner() async throws {
        let snapshot = try Snapshot("scanner", "The tab Scanner")
        let bench = try await AppBench { [Self.finder()] }
        let screen = try launch(bench, tab: "Scanner")
        snapshot.add("Just started", screen)
        try await bench.noticed(3)
        #expect(
            await screen.wait(seconds: 30) { screen.says("Connected", "3 received") && screen.says("Raven") })
        snapshot.add("Connected, with what was noticed", screen)
        try await bench.carry(SimulatedFlockFinder.address, away: true)
        #expect(await screen.wait(seconds: 60) { screen.says("Lost, tried again by itself") })
        // With its reason or without, as the next attempt goes: no state that stays.
        try await bench.carry(SimulatedFlockFinder.address, away: false)
        #expect(await screen.wait(seconds: 60) { screen.says("Connected") })
        try await screen.press("Disconnect")
        #expect(await screen.wait(seconds: 30) { screen.shows("Connect") })
        snapshot.add("Disconnected", screen)
        bench.phone.isBluetoothOn = false
        #expect(await screen.wait(seconds: 30) { screen.shows("OK") })
        snapshot.add("Bluetooth was switched off", screen)
        try await screen.press("OK")
        #expect(await screen.wait { !screen.shows("OK") })
        snapshot.add("Bluetooth is off", screen)
        screen.close()
        try await bench.end()
        try snapshot.check()
    }

    @Test func thePermissions() async throws {
        let snapshot = try Snapshot("permissions", "What the person has not allowed")
        let bench = try await AppBench { [] }
        try await bench.until { bench.app.state?.radio.condition == .scanning }
        let screen = try launch(bench, tab: "Scanner")
        bench.handle.permission = .denied
        #expect(
            await screen.wait(seconds: 30) {
                bench.app.obstacle?.isForbidden == true && screen.shows("OK") && screen.shows("Open Settings")
            }, "\(screen.description)")
        snapshot.add("The app may not use Bluetooth", screen)
        screen.close()
        try await bench.end()
        let other = try await AppBench { [] }
        let second = try launch(other, tab: "Scanner")
        other.phone.surroundings.answers[.location] = .refuse
        try await second.press("Record where")
        #expect(
            await second.wait {
                second.says("may not see where the phone is") && second.isOn("Record where") == true
            }, "\(second.description)")
        snapshot.add("The app may not see where the phone is", second)
        other.phone.surroundings.answers[.notifications] = .refuse
        try second.select(tab: "Settings")
        #expect(await second.wait { second.shows("Notify me of cameras") })
        try await second.press("Notify me of cameras")
        #expect(await second.wait { second.shows("Notifications are off for Lantern") })
        snapshot.add("It may not notify", second)
        second.close()
        try await other.end()
        try snapshot.check()
    }

    @Test func theHistory() async throws {
        let snapshot = try Snapshot("history", "The tab History")
        let bench = try await AppBench { [Self.finder()] }
        try await bench.noticed(3)
        let screen = try launch(bench, tab: "History")
        #expect(await screen.wait(seconds: 30) { screen.shows("3 of 3 sources") })
        snapshot.add("Three sources", screen)
        try await screen.press("Filters")
        snapshot.add("The filters", screen)
        try await screen.press("Done")
        try await screen.enter("nothing has this name", into: "Name, address, kind or note")
        #expect(await screen.wait { screen.shows("Nothing to show") })
        snapshot.add("Nothing fits", screen)
        try await screen.enter("", into: "Name, address, kind or note")
        #expect(await screen.wait { screen.shows("3 of 3 sources") })
        // What holds rows is spoken of, too.
        let rows = screen.spoken.filter { $0.contains("Raven") && $0.contains("times, last") }
        let row = try #require(rows.min { $0.count < $1.count })
        try screen.swipe(row, "Delete")
        #expect(await screen.wait { screen.shows("Undo") && screen.shows("2 of 2 sources") })
        snapshot.add("One was deleted", screen)
        try await screen.press(having: "Ring Camera")
        #expect(await screen.wait { screen.says("Why it was raised") })
        snapshot.add("A source", screen)
        screen.close()
        try await bench.end()
        try snapshot.check()
    }

    @Test func theMap() async throws {
        let snapshot = try Snapshot("map", "The tab Map")
        let bench = try await AppBench { [] }
        let screen = try launch(bench, tab: "Map")
        try screen.moveMap(to: .init(latitude: -33.9, longitude: 151.2), distance: 2000)
        try await screen.press("In view")
        #expect(await screen.wait { screen.shows("Nothing here") })
        snapshot.add("Nothing in view, its list", screen)
        try screen.dismissSheet()
        snapshot.add("Nothing in view", screen)
        screen.close()
        try await bench.end()
        try snapshot.check()
    }

    @Test func theDevices() async throws {
        let snapshot = try Snapshot("devices", "The tab Devices")
        let bench = try await AppBench { [] }
        let screen = try launch(bench, tab: "Devices")
        snapshot.add("Nothing is near", screen)
        try await screen.press("Explorer: all devices in reach")
        snapshot.add("Nothing is near, the Explorer", screen)
        screen.close()
        try await bench.end()
        let full = try await AppBench {
            [SimulatedNightlight.make(), SimulatedBulb.make(), SimulatedWiFiSet.make()]
        }
        let second = try launch(full, tab: "Devices")
        #expect(
            await second.wait(seconds: 30) {
                second.says("Nightlight") && second.says("Triones") && second.says("ESP32")
                    && second.value(of: "Explorer: all devices in reach") == "3"
            }, "\(second.description)")
        snapshot.add("One of each kind", second)
        second.close()
        try await full.end()
        try snapshot.check()
    }

    @Test func theSettings() async throws {
        let snapshot = try Snapshot("settings", "The tab Settings")
        let bench = try await AppBench { [] }
        try await bench.until { bench.app.state?.radio.condition == .scanning }
        let screen = try launch(bench, tab: "Settings")
        #expect(await screen.wait { screen.shows("Notify me of cameras") && screen.shows("Storage") })
        snapshot.add("As they come", screen)
        bench.handle.notificationPermission = .allowed
        try await screen.press("Notify me of cameras")
        #expect(await screen.wait { screen.shows("Notifications are on") })
        try await screen.choose("Imperial", in: "Lengths and speeds")
        try await screen.press("Quiet hours")
        try await bench.until { bench.app.settings.alerts.quiet.isOn }
        snapshot.add("Notifications, quiet hours and miles", screen)
        screen.close()
        try await bench.end()
        try snapshot.check()
    }

    @Test func theDebugStream() async throws {
        let snapshot = try Snapshot("debug", "The page Debug")
        let bench = try await AppBench { [] }
        try await bench.until { bench.app.state?.radio.condition == .scanning }
        let screen = try launch(bench, tab: "Scanner")
        try await screen.press("Debug")
        try await screen.press("Pause")
        try await screen.press("Clear")
        #expect(await screen.wait { screen.shows("Nothing has happened yet") })
        try await screen.enter("no event has this", into: "Text in an event")
        snapshot.add("Nothing has happened", screen)
        screen.close()
        try await bench.end()
        try snapshot.check()
    }
}
