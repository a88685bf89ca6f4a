// SPDX-License-Identifier: Apache-2.0

package import Companion
package import HubModel

/// What says where we are.
package enum PlaceSource: Hashable, Sendable {
    /// Nothing.
    case none
    /// A person, who has said where we stand.
    case fixed(Position)
    /// The receiver behind gpsd.
    case gpsd
    /// A browser.
    case browser
    /// A recorded track, played so many times as fast as it was driven.
    case track(pace: Double)
    /// The route of a demo.
    case route

    /// What pages call it.
    package var name: HubLocation.Source {
        switch self {
        case .none: .none
        case .fixed: .fixed
        case .gpsd: .gpsd
        case .browser: .browser
        case .track: .track
        case .route: .route
        }
    }

    /// How many times as fast time goes there.
    package var pace: Double { if case .track(let pace) = self { pace } else { 1 } }
}

/// Which source of places counts: what a person has chosen, or what was given at the start.
///
/// | given | counts |
/// |---|---|
/// | nothing | what is chosen |
/// | a track | the track, until a person chooses something else than was chosen when it was given |
/// | a route | what is chosen, and the route as long as that is nothing |
package struct PlaceChoice: Sendable {
    /// What was given at the start.
    package enum Given: Hashable, Sendable {
        /// A track, played so many times as fast as it was driven.
        case track(pace: Double)
        /// The route of a demo.
        case route
    }

    private var given: Given?
    private var chosen: HubSettings.Location?

    /// Starts before anything is known of what a person has chosen.
    package init(_ given: Given? = nil) { self.given = given }

    /// The source that counts.
    package var source: PlaceSource {
        if case .track(let pace)? = given { return .track(pace: pace) }
        let chosen = chosen ?? HubSettings.Location()
        switch chosen.source {
        case .fixed:
            guard let position = chosen.position else { return .none }
            return .fixed(position)
        case .gpsd: return .gpsd
        case .browser: return .browser
        case .none, .track, .route: return given == .route ? .route : .none
        }
    }

    /// Takes what the settings say.
    ///
    /// - Parameter location: What they say; the first is what was chosen before.
    /// - Returns: Whether another source counts now.
    package mutating func choose(_ location: HubSettings.Location) -> Bool {
        let before = source
        if let chosen, chosen != location, case .track? = given { given = nil }
        chosen = location
        return source != before
    }
}
