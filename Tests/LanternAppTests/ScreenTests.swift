// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import FlockFinderSimulated
import LanternApp
import SwiftUI
import Testing
import VirtualPhone

/// What a person sees, hears and presses, from launch to job done.
@Suite("The screens of the app", .timeLimit(.minutes(5)), .serialized) @MainActor struct ScreenTests {
    @Test func aPersonConnectsAndFindsMarksDeletesAndBringsBack() async throws {
        let bench = try await AppBench { [SimulatedFlockFinder.make()] }
        let screen = Screen { RootView(bench.app) }
        #expect(screen.shows("No FlockFinder in reach") && screen.shows("Nothing noticed yet"))
        #expect(await screen.wait(seconds: 30) { screen.shows("Connect") })
        try screen.press("Connect")
        #expect(await screen.wait(seconds: 30) { screen.spoken.contains { $0.contains("Connected") } })
        #expect(await screen.wait(seconds: 30) { !screen.shows("Nothing noticed yet") })
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        try screen.choose("PING", in: "Commands")
        try screen.press("Disconnect")
        #expect(await screen.wait(seconds: 30) { screen.shows("Connect") })
        try screen.select(tab: "History")
        #expect(await screen.wait(seconds: 30) { screen.spoken.contains { $0.hasSuffix("sources") } })
        let rows = screen.spoken
        let row = try #require(rows.first { $0.contains("times, last") }, "\(rows)")
        try screen.swipe(row, "Mute")
        #expect(await screen.wait { screen.spoken.contains { $0.contains("Muted") } })
        let muted = try #require(screen.spoken.first { $0.contains("Muted") && $0.contains("times, last") })
        try screen.swipe(muted, "Delete")
        #expect(await screen.wait { screen.shows("Undo") && !screen.spoken.contains(muted) })
        try screen.press("Undo")
        #expect(await screen.wait { screen.spoken.contains(muted) })
        try screen.enter("nothing has this name", into: "Name, address, kind or note")
        #expect(await screen.wait { screen.shows("Nothing to show") })
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        screen.close()
        try await bench.end()
    }

    @Test func settingsAreSetAndStay() async throws {
        let bench = try await AppBench { [] }
        let screen = Screen { RootView(bench.app) }
        try screen.select(tab: "Settings")
        try screen.choose("30 days", in: "Keep")
        try await bench.until { bench.app.settings.retentionDays == 30 }
        try screen.press("Quiet hours")
        try await bench.until { bench.app.settings.alerts.quiet.isOn }
        #expect(await bench.app.hub.settings.retentionDays == 30)
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        screen.close()
        try await bench.end()
    }

    @Test func thatBluetoothIsOffIsSaidOnceAndStaysOnTheScreen() async throws {
        let bench = try await AppBench { [] }
        let screen = Screen { RootView(bench.app) }
        try await bench.until { bench.app.state?.radio.condition == .scanning }
        bench.phone.isBluetoothOn = false
        #expect(await screen.wait(seconds: 30) { screen.shows("OK") })
        try screen.press("OK")
        #expect(await screen.wait { !screen.shows("OK") && screen.shows(bench.app.obstacle?.title ?? "?") })
        screen.close()
        try await bench.end()
    }
}
