// SPDX-License-Identifier: Apache-2.0

import Companion
import Synchronization

/// Where a hub is, for all who want to know.
final class HubPlace: Sendable {
    private let route: (@Sendable (Timestamp) -> HubLocation)?
    private let settings = Mutex(HubSettings.Location())

    init(route: (@Sendable (Timestamp) -> HubLocation)?) { self.route = route }

    /// Takes what people have set.
    func set(_ location: HubSettings.Location) { settings.withLock { $0 = location } }

    /// Where the hub is.
    func location(at now: Timestamp) -> HubLocation {
        if let route { return route(now) }
        let set = settings.withLock { $0 }
        guard set.source == .fixed, let position = set.position else { return HubLocation() }
        return HubLocation(
            source: .fixed, condition: .fix, position: position, activity: "stationary", time: now)
    }
}
