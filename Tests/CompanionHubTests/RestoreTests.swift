// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionStore
import Detections
import FlockFinder
import Foundation
import Testing

@testable import CompanionHub

@Suite("A copy that is put back", .timeLimit(.minutes(5)))
struct RestoreTests {
    /// Runs a hub that stores two detections, beside a copy that has one.
    private static func withHub(
        _ body: (_ hub: Hub, _ store: DetectionDatabase, _ copy: String) async throws -> Void
    ) async throws {
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
        try await body(hub, store, folder + "/copy.sqlite")
        try await store.close()
    }

    /// What is being deleted by its number is not to be looked for in the copy.
    @Test func itWaitsForChangesThatAreUnderWay() async throws {
        try await Self.withHub { hub, store, copy in
            await hub.change(by: 1)
            async let restored: Void = hub.restore(from: copy, keeping: [])
            try await eventually { await hub.waitingForChanges.count == 1 }
            #expect(try await store.count() == 2)
            await hub.change(by: -1)
            try await restored
            #expect(try await store.count() == 1)
            #expect(await hub.ownChanges == 0)
        }
    }

    @Test func whoLeavesBeforeItIsPutInPlaceChangesNothing() async throws {
        try await Self.withHub { hub, store, copy in
            await hub.change(by: 1)
            let restoring = Task { try await hub.restore(from: copy, keeping: []) }
            try await eventually { await hub.waitingForChanges.count == 1 }
            restoring.cancel()
            await hub.change(by: -1)
            await #expect(throws: StoreError.cancelled) { try await restoring.value }
            #expect(try await store.count() == 2)
            #expect(await hub.ownChanges == 0)
        }
    }
}

extension Hub {
    /// Begins or ends a change.
    fileprivate func change(by step: Int) { ownChanges += step }
}
