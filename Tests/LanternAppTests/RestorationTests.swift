// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import FlockFinderSimulated
import LanternApp
import Testing
import VirtualPhone

/// An app that the system ends and starts again in the background.
@Suite("The app while nobody looks", .timeLimit(.minutes(5)), .serialized) @MainActor struct RestorationTests
{
    @Test func aFlockFinderIsConnectedAgainAndItsDetectionsAreStored() async throws {
        let bench = try await AppBench { [SimulatedFlockFinder.make()] }
        let first = bench.app
        try await bench.until { first.devices(of: .flockFinder).first?.link == .connected }
        try await bench.noticed(3)
        bench.endBySystem()
        // It is started because the device calls, and nobody has looked at it.
        try await bench.until { bench.app !== first }
        let stored = try await bench.app.hub.store.count()
        #expect(!bench.handle.isInForeground)
        try await bench.until { bench.app.devices(of: .flockFinder).first?.link == .connected }
        try await bench.noticed(stored + 3)
        #expect(!bench.handle.isInForeground)
        try await bench.end()
    }
}
