// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionHub
import CompanionStore

/// A hub with a radio that hears what a test says, and a database in memory.
struct ScriptedHub {
    let source = ScriptedSource()
    let store: DetectionDatabase
    let hub: Hub
    let events: FollowedEvents
    private let work: Task<Void, Never>

    /// Begins a hub, and waits until its radio scans.
    ///
    /// - Parameter change: Changes what tells it from others.
    /// - Throws: What making the database throws.
    init(_ change: (inout Hub.Options) -> Void = { _ in }) async throws {
        store = try DetectionDatabase()
        var options = Hub.Options(name: "test", version: "1", captureFile: "/nowhere")
        options.publishInterval = .milliseconds(20)
        change(&options)
        let (hub, source) = (Hub(options, store: store, radio: source), source)
        self.hub = hub
        work = Task { await hub.run() }
        try await eventually { source.radios.first?.scanCount == 1 }
        events = FollowedEvents(hub.feed)
    }

    /// Ends the hub, and what follows its events.
    func end() async {
        work.cancel()
        await work.value
        await events.end()
    }

    /// Ends the hub and closes its database.
    func stop() async throws {
        await end()
        try await store.close()
    }
}
