// SPDX-License-Identifier: Apache-2.0

public import Companion

/// Where a receiver is, and how it moves.
public struct LocationSample: Hashable, Sendable {
    /// The place.
    public var position: Position
    /// How it moves; nothing is known of that where somebody has only said where it stands.
    public var motion: Sighting.Motion
    /// How the place is known.
    public var fix: FixDetails?

    /// Makes whereabouts.
    public init(
        _ position: Position, motion: Sighting.Motion = Sighting.Motion(), fix: FixDetails? = nil
    ) {
        self.position = position
        self.motion = motion
        self.fix = fix
    }

    /// Makes whereabouts of a fix; `nil` when its place is none.
    ///
    /// - Parameters:
    ///   - fix: The fix.
    ///   - motion: How the receiver moves.
    ///   - age: How old the fix is, in milliseconds; negative where it came afterwards.
    public init?(_ fix: Fix, motion: Sighting.Motion = Sighting.Motion(), age: Int64?) {
        guard let position = Position(latitude: fix.latitude, longitude: fix.longitude) else { return nil }
        self.init(
            position, motion: motion,
            fix: FixDetails(source: fix.source, age: age, accuracy: fix.accuracy, altitude: fix.altitude))
    }

    /// Where a person has said.
    ///
    /// - Parameter position: The place.
    /// - Returns: Nothing is known of how old or exact it is, nor of how one moves.
    public static func fixed(_ position: Position) -> LocationSample {
        LocationSample(position, fix: FixDetails(source: .fixed))
    }
}
