// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionStore
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
}
