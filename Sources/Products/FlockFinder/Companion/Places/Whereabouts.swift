// SPDX-License-Identifier: Apache-2.0

/// Where a receiver is, and how it moves.
public struct Whereabouts: Hashable, Sendable {
    /// The place.
    public var position: Position
    /// How it moves; nothing is known of that where somebody has only said where it stands.
    public var motion: Sighting.Motion

    /// Makes whereabouts.
    ///
    /// - Parameters:
    ///   - position: The place.
    ///   - motion: How it moves.
    public init(_ position: Position, motion: Sighting.Motion = Sighting.Motion()) {
        self.position = position
        self.motion = motion
    }
}
