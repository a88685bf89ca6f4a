// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import FlockFinder
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

    /// Where what is noticed now is said to be, and how the hub moves; `nil` when nobody knows.
    func whereabouts(at now: Timestamp) -> Whereabouts? {
        let location = location(at: now)
        guard let position = location.position else { return nil }
        // A person who has said where the hub stands has said nothing of how it moves.
        guard location.source != .fixed else { return Whereabouts(position) }
        return Whereabouts(
            position,
            motion: Sighting.Motion(
                speed: location.speed, heading: location.heading, activity: location.activity))
    }
}
