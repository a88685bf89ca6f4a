// SPDX-License-Identifier: Apache-2.0

import CompanionHub

// snippet: companion-hub
/// What an app shows, and what a person can do with it.
@MainActor final class Home {
    let hub: Hub
    private(set) var devices: [HubDevice] = []

    init(database: String, radio: any HubRadioSource) throws {
        hub = try Hub(database: database, radio: radio)
    }

    /// Listens, stores what FlockFinders send and keeps the list, until the task is cancelled.
    func run() async {
        async let work: Void = hub.run()
        for await devices in hub.deviceUpdates { self.devices = devices }
        await work
    }

    func setButton(of lamp: HubDevice, to color: RGBColor) async throws {
        try await hub.withLamp(lamp.id) { try await $0.change(LampChange(button: .init(color: color))) }
    }

    func connect(_ flockFinder: HubDevice) async throws { _ = try await hub.connect(flockFinder.id) }

    func history() async throws -> [DetectionRecord] { try await hub.store.records() }

    func keepHistory(days: Int?) async throws { try await hub.changeSettings { $0.retentionDays = days } }
}
// end
