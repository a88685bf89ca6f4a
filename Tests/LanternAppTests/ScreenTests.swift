// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import FlockFinderSimulated
import Foundation
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
        // It is connected to by itself as soon as it is heard.
        #expect(await screen.wait(seconds: 30) { screen.spoken.contains { $0.contains("Connected") } })
        #expect(await screen.wait(seconds: 30) { !screen.shows("Nothing noticed yet") })
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        try await screen.choose("PING", in: "Commands")
        #expect(await screen.wait { screen.spoken.contains { $0.localizedCaseInsensitiveContains("pong") } })
        try await screen.press("Disconnect")
        #expect(await screen.wait(seconds: 30) { screen.shows("Connect") })
        try await screen.press("Connect")
        #expect(await screen.wait(seconds: 30) { screen.spoken.contains { $0.contains("Connected") } })
        try await screen.press("Disconnect")
        #expect(await screen.wait(seconds: 30) { screen.shows("Connect") })
        try screen.select(tab: "History")
        #expect(await screen.wait(seconds: 30) { screen.spoken.contains { $0.contains("times, last") } })
        // What holds rows is spoken of, too.
        func row(_ part: String) throws -> String {
            let rows = screen.spoken.filter { $0.contains("times, last") && $0.contains(part) }
            return try #require(rows.min { $0.count < $1.count }, "\(screen.description)")
        }
        let first = try row("Ring")
        try screen.swipe(first, "Mute")
        #expect(await screen.wait { screen.spoken.contains { $0.contains("Muted") } })
        let muted = try row("Muted")
        try screen.swipe(muted, "Delete")
        #expect(await screen.wait { screen.shows("Undo") && !screen.spoken.contains(muted) })
        try await screen.press("Undo")
        #expect(await screen.wait { screen.spoken.contains(muted) })
        try await screen.enter("nothing has this name", into: "Name, address, kind or note")
        #expect(await screen.wait { screen.shows("Nothing to show") })
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        screen.close()
        try await bench.end()
    }

    @Test func settingsAreSetAndStay() async throws {
        let bench = try await AppBench { [] }
        let screen = Screen { RootView(bench.app) }
        try screen.select(tab: "Settings")
        try await screen.choose("30 days", in: "Keep")
        try await bench.until { bench.app.settings.retentionDays == 30 }
        try await screen.press("Quiet hours")
        try await bench.until { bench.app.settings.alerts.quiet.isOn }
        try screen.choose(time: "21:45", in: "From")
        try screen.choose(time: "06:30", in: "To")
        try await bench.until {
            let quiet = await bench.app.hub.settings.alerts.quiet
            return quiet.from == 21 * 60 + 45 && quiet.to == 6 * 60 + 30
        }
        #expect(screen.value(of: "From")?.contains("45") == true && screen.value(of: "To") != nil)
        try await screen.choose("500 MB", in: "At most")
        try await bench.until { await bench.app.hub.settings.sizeLimit == 500 }
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
        try await screen.press("OK")
        #expect(await screen.wait { !screen.shows("OK") && screen.shows(bench.app.obstacle?.title ?? "?") })
        screen.close()
        try await bench.end()
    }
}
