// SPDX-License-Identifier: Apache-2.0

import BLESimulation
import BLEWire
import CompanionHub
import Foundation
import LEDBulbSimulated
import LanternApp
import Nightlight
import NightlightSimulated
import SimulatedDevices
import SwiftUI
import Testing
import VirtualPhone
import WiFiSetSimulated

/// The pages of devices in their states; `Snapshots` has what they show.
@Suite("Snapshots of devices", .timeLimit(.minutes(5)), .serialized) @MainActor struct DeviceSnapshotTests {
    private func launch(_ bench: AppBench, device: String) async throws -> Screen {
        let screen = Screen(environment: Snapshot.surroundings) { RootView(bench.app) }
        try await screen.open(device: device)
        return screen
    }

    @Test func aNightlight() async throws {
        let snapshot = try Snapshot("nightlight", "The pages of a nightlight")
        let time = try #require(LocalTime("2026-11-21T20:00:00"))
        let clock = ClockReading(time: time, zone: LocalTimeInformation(zone: 0, dst: .standard))
        let bench = try await AppBench { [SimulatedNightlight.make(clock: clock)] }
        let screen = try await launch(bench, device: "Nightlight")
        snapshot.add("It is connected to", screen)
        #expect(await screen.wait(seconds: 60) { screen.shows("Mia’s lamp") && screen.says("Battery") })
        snapshot.add("The lamp, whose clock is wrong", screen)
        try await screen.press("Week “School”")
        snapshot.add("Its week", screen)
        try await screen.press(having: "Monday to Friday, 19:30 to 07:00")
        snapshot.add("A time of light", screen)
        try await screen.press(having: "Warm amber, #")
        snapshot.add("Its colour", screen)
        try screen.back()
        try await screen.press("Cancel")
        try screen.back()
        try await screen.press("Child button")
        snapshot.add("The child’s button", screen)
        try screen.back()
        try await screen.press("The child’s name")
        snapshot.add("The child’s name", screen)
        try await screen.press("Later")
        try await bench.carry(SimulatedNightlight.address, away: true)
        #expect(await screen.wait(seconds: 60) { screen.shows("Not connected") })
        try await screen.press("Child button")
        snapshot.add("The link was lost, the child’s button", screen)
        screen.close()
        try await bench.end()
        try snapshot.check()
    }

    @Test func aBulb() async throws {
        let snapshot = try Snapshot("bulb", "The page of a bulb")
        let bench = try await AppBench { [SimulatedBulb.make()] }
        let screen = try await launch(bench, device: "Triones")
        snapshot.add("It is connected to", screen)
        #expect(
            await screen.wait(seconds: 60) {
                screen.canPress("Triones-0B02 shines") && screen.shows("As it was when Lantern connected")
            }, "\(screen.description)")
        snapshot.add("Its colour", screen)
        try await screen.choose("White", in: "Light")
        snapshot.add("White", screen)
        try await screen.choose("Effects", in: "Light")
        snapshot.add("Effects", screen)
        try await bench.carry(SimulatedBulb.address, away: true)
        #expect(await screen.wait(seconds: 60) { screen.shows("Not connected") })
        snapshot.add("The link was lost", screen)
        screen.close()
        try await bench.end()
        try snapshot.check()
    }

    @Test func aDeviceThatWantsANetwork() async throws {
        let snapshot = try Snapshot("wifi", "The pages of the Wi-Fi set-up")
        let bench = try await AppBench { [SimulatedWiFiSet.make()] }
        let screen = try await launch(bench, device: "ESP32")
        #expect(
            await screen.wait(seconds: 60) {
                screen.canPress("Lantern Home") && !screen.shows("The device looks for networks …")
            }, "\(screen.description)")
        snapshot.add("The networks that it hears", screen)
        try await screen.press(having: "Lantern Home")
        snapshot.add("The password of one", screen)
        try await screen.enter("not the password", into: "Password of Lantern Home", submit: true)
        // It is asked for anew then.
        #expect(
            await screen.wait(seconds: 60) {
                screen.shows("Couldn’t join “Lantern Home”") && screen.canPress("Try again")
            }, "\(screen.description)")
        snapshot.add("It was the wrong one", screen)
        try await screen.press("Choose another network")
        try await screen.press("Hidden network, type its name")
        snapshot.add("A hidden network", screen)
        screen.close()
        try await bench.end()
        try snapshot.check()
    }

    @Test func aDeviceThatNobodyKnows() async throws {
        let snapshot = try Snapshot("explorer", "The pages of the Explorer")
        // It sends once an hour.
        let bench = try await AppBench { [SimulatedStrap.make(every: 3_600_000)] }
        let screen = Screen(environment: Snapshot.surroundings) { RootView(bench.app) }
        try screen.select(tab: "Devices")
        try await screen.press("Explorer: all devices in reach")
        #expect(await screen.wait(seconds: 30) { screen.canPress("HR strap 9A3C2B") })
        try await screen.press(having: "HR strap 9A3C2B")
        #expect(
            await screen.wait(seconds: 60) {
                screen.canPress("Read all again") && screen.shows("Heart Rate, 180D") && screen.says("Signal")
            }, "\(screen.description)")
        snapshot.add("What it has", screen)
        try await screen.press("Heart Rate Measurement")
        snapshot.add("A value that it sends", screen)
        try await screen.press("Done")
        try await screen.press("Battery Level")
        snapshot.add("A value that can be read", screen)
        try await screen.press("Done")
        screen.close()
        try await bench.end()
        try snapshot.check()
    }
}
