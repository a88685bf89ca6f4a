// SPDX-License-Identifier: Apache-2.0

import ActivityKit
import CompanionHub
import Foundation
import LanternApp
import MapKit
import PhoneSurroundings
import SwiftUI
import Testing
import VirtualPhone

/// A drive from its start to its end, on the map and on the lock screen.
@Suite("Drives on the map", .timeLimit(.minutes(5)), .serialized) @MainActor struct DriveScreenTests {
    private func shown(_ begin: Date) -> LiveActivities.Shown? {
        LiveActivities.shown.first { ($0.attributes as? DriveAttributes)?.begin == begin }
    }

    @Test func aDriveIsStartedSeenOnTheMapAndEnded() async throws {
        let bench = try await AppBench { [] }
        let screen = Screen { RootView(bench.app) }
        try screen.select(tab: "Map")
        let corners: [Surroundings.Place] = [.init(52.52, 13.405), .init(52.5254, 13.405)]
        bench.phone.surroundings.place = corners[0]
        try screen.moveMap(to: .init(latitude: 52.522, longitude: 13.405), distance: 3000)
        try await screen.press("Start a drive")
        try await bench.phone.surroundings.prompt(.location).answer(.allow)
        #expect(
            await screen.wait(seconds: 30) {
                screen.shows("The drive begins when you are 50 m away from here.")
            }, "\(screen.description)")
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        #expect(!lines(on: screen).contains { $0 > 1 } && bench.app.drive.current == nil)
        let way = bench.phone.surroundings.follow(
            .init(through: corners, at: 100, every: .milliseconds(100)))
        #expect(await screen.wait(seconds: 60) { screen.says("Drive since ", "0 new, 0 met again") })
        let begin = try #require(bench.app.drive.current.map { date($0.begin) })
        #expect(await screen.wait(seconds: 60) { lines(on: screen).contains { $0 > 1 } })
        await way.value
        // The lock screen knows as much as the bar.
        try await bench.until { (bench.app.drive.current?.metres ?? 0) > 300 }
        let metres = try #require(bench.app.drive.current?.metres)
        try await bench.until {
            ((self.shown(begin)?.state as? DriveAttributes.ContentState)?.metres ?? 0) >= metres
        }
        #expect(shown(begin)?.phase == .active)
        try await screen.press("End the drive")
        #expect(await screen.wait(seconds: 30) { screen.canPress("Start a drive") })
        try await bench.until { bench.app.drive.current == nil && self.shown(begin)?.phase != .active }
        let drive = try #require(try await bench.app.hub.store.drives().first)
        #expect(date(drive.begin) == begin && drive.metres > 300)
        // It stays on the map as a way that was driven before, and in the list.
        #expect(await screen.wait { lines(on: screen).contains { $0 > 1 } })
        try await screen.press("Drives")
        #expect(await screen.wait { screen.says("sources", " m,") }, "\(screen.description)")
        screen.close()
        try await bench.end()
    }

    private func date(_ time: Timestamp) -> Date {
        Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)
    }

    /// Of how many points each line on the map is.
    private func lines(on screen: Screen) -> [Int] {
        screen.reachable.flatMap(\.all).compactMap { node in
            guard node.text.hasPrefix("line of ") else { return nil }
            return node.text.split(separator: " ").compactMap { Int($0) }.first
        }
    }
}
