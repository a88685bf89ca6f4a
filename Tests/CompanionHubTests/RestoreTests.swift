// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionStore
import FlockFinder
import Foundation
import Testing

@testable import CompanionHub

@Suite("A copy that is put back", .timeLimit(.minutes(5)))
struct RestoreTests {
    /// What is being deleted by its number is not to be looked for in the copy.
    @Test func itWaitsForChangesThatAreUnderWay() async throws {
        let folder = NSTemporaryDirectory() + "lantern-restore-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try DetectionDatabase(path: folder + "/lantern.sqlite", createIfMissing: true)
        let time = SteppedClock()
        let sighting = Sighting(
            type: .ring, label: "Ring", rssi: -60, confidence: 1, received: time.clock.now())
        _ = try await store.save(sighting)
        try await store.copy(to: folder + "/copy.sqlite")
        _ = try await store.save(sighting)
        let options = Hub.Options(name: "test", version: "1", captureFile: folder + "/capture.btsnoop")
        let hub = Hub(options, store: store, radio: ScriptedSource(), clock: time.clock)

        await hub.change(by: 1)
        async let restored: Void = hub.restore(from: folder + "/copy.sqlite", keeping: [])
        try await eventually { await hub.waitingForChanges.count == 1 }
        #expect(try await store.count() == 2)
        await hub.change(by: -1)
        try await restored
        #expect(try await store.count() == 1)
        #expect(await hub.ownChanges == 0)
        try await store.close()
    }
}

extension Hub {
    /// Begins or ends a change.
    fileprivate func change(by step: Int) { ownChanges += step }
}
