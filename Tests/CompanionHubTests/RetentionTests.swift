// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionStore
import Detections
import FlockFinder
import Testing

@testable import CompanionHub

@Suite("How long detections are kept")
struct RetentionTests {
    /// Each change of others makes every page fetch all that it shows.
    @Test func aLookAtAgesIsNotTakenForTheWorkOfOthers() async throws {
        let store = try DetectionDatabase()
        let options = Hub.Options(name: "test", version: "1", captureFile: "/nowhere/capture.btsnoop")
        let hub = Hub(options, store: store, radio: ScriptedSource(), clock: SteppedClock().clock)
        _ = try await hub.change(settings: JSONReader.read(Array(#"{"retention_days":2}"#.utf8)))
        let before = try await store.state()
        await hub.deleteBeyondLimits(byAge: true)
        let after = try await store.state()
        #expect(after.deletions > before.deletions)
        #expect(await hub.storeState == after)
        try await store.close()
    }

    @Test func whatPeopleHaveDeletedCanBeBroughtBackForADay() async throws {
        let store = try DetectionDatabase()
        let options = Hub.Options(name: "test", version: "1", captureFile: "/nowhere/capture.btsnoop")
        let time = SteppedClock()
        let hub = Hub(options, store: store, radio: ScriptedSource(), clock: time.clock)
        let now = time.clock.now()
        let day: Int64 = 86_400_000
        var kept: [Int] = []
        for age in [day - 60_000, day + 60_000] {
            let moment = Timestamp(milliseconds: now.milliseconds - age)
            let sighting = Sighting(type: .ring, label: "Ring", rssi: -60, confidence: 1, received: moment)
            let record = try await store.save(sighting)
            let deletion = try await store.discard(ids: [record.id], at: moment)
            await hub.deleteBeyondLimits(byAge: true)
            kept.append(try await store.restore(deletion: deletion.id))
        }
        #expect(kept == [1, 0])
        try await store.close()
    }
}
