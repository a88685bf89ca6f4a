// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion

/// A way that was driven, out of a file.
public struct ImportedDrive: Hashable, Sendable {
    /// The most points that one has; of a longer track, what follows is the next.
    public static let longest = 100_000

    /// Where its track begins in the file: the line, from 1.
    public let line: Int
    /// Its points: two or more, each later than the one before.
    public let fixes: [Fix]

    /// Makes a drive of points in whatever order; of those of one moment the first counts.
    ///
    /// - Parameters:
    ///   - line: Where its track begins in the file.
    ///   - fixes: Its points; `nil` comes out when fewer than two moments are among them.
    public init?(line: Int, fixes: [Fix]) {
        var sorted: [Fix] = []
        // Most tracks are in order, which this does not change.
        for fix in fixes.enumerated().ordered(by: {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }) {
            if fix.element.time != sorted.last?.time { sorted.append(fix.element) }
        }
        guard sorted.count >= 2 else { return nil }
        self.line = line
        self.fixes = sorted
    }
}

extension ImportedDrive {
    /// Its points, as a drive keeps them.
    package var points: [DrivePoint] {
        fixes.map { fix in
            DrivePoint(
                time: fix.time, latitude: fix.latitude, longitude: fix.longitude, altitude: fix.altitude,
                accuracy: fix.accuracy, speed: fix.speed)
        }
    }

    /// How long the way is, in metres.
    public var metres: Double {
        var sum = 0.0
        var last: Position?
        for fix in fixes {
            guard let here = Position(latitude: fix.latitude, longitude: fix.longitude) else { continue }
            sum += last?.distance(to: here) ?? 0
            last = here
        }
        return sum
    }
}
