// SPDX-License-Identifier: Apache-2.0

/// Where a receiver is, and how it moves.
public struct Whereabouts: Hashable, Sendable {
    /// The place.
    public var position: Position
    /// How it moves; nothing is known of that where somebody has only said where it stands.
    public var motion: Sighting.Motion
    /// How the place is known.
    public var fix: FixDetails?

    /// Makes whereabouts.
    ///
    /// - Parameters:
    ///   - position: The place.
    ///   - motion: How it moves.
    ///   - fix: How the place is known.
    public init(
        _ position: Position, motion: Sighting.Motion = Sighting.Motion(), fix: FixDetails? = nil
    ) {
        self.position = position
        self.motion = motion
        self.fix = fix
    }
}
