// SPDX-License-Identifier: Apache-2.0

/// A fix that is used, as whoever listens to a source gets it.
public struct UsedFix: Hashable, Sendable {
    /// The fix.
    public var fix: Fix
    /// How we move.
    public var motion: Sighting.Motion
    /// How fast a track is played: so many times as fast goes its time.
    public var pace: Double

    /// Makes one.
    public init(_ fix: Fix, motion: Sighting.Motion = Sighting.Motion(), pace: Double = 1) {
        self.fix = fix
        self.motion = motion
        self.pace = pace
    }
}
