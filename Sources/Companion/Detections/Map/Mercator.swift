// SPDX-License-Identifier: Apache-2.0

import Companion

/// The Mercator map of the web: 0, 0 in the north-west, 1, 1 in the south-east.
package enum Mercator {
    /// Where a place lies on the map.
    package static func point(latitude: Double, longitude: Double) -> (x: Double, y: Double) {
        let clipped = max(-MapCell.lastLatitude, min(MapCell.lastLatitude, latitude))
        let sine = Trigonometry.sine(clipped)
        return ((longitude + 180) / 360, 0.5 - Trigonometry.logarithm((1 + sine) / (1 - sine)) / (4 * .pi))
    }

    /// Which latitude lies at a height of the map.
    package static func latitude(y: Double) -> Double {
        let height = .pi * (1 - 2 * y)
        let decay = Trigonometry.exponential(-abs(height))
        let angle = 2 * Trigonometry.arcTangent((1 - decay) / (1 + decay))
        return height < 0 ? -angle : angle
    }

    /// Which longitude lies so far from the date line.
    package static func longitude(x: Double) -> Double { x * 360 - 180 }

    /// How many pixels wide the world is: 256 at zoom 0, doubled for each further one up to 24.
    package static func pixels(zoom: Double) -> Double {
        256 * Trigonometry.powerOfTwo(max(0, min(24, zoom)))
    }
}

/// Degrees as whole numbers, of which sums can be taken apart again without a trace.
package enum WholeDegrees {
    private static let parts = 10_000_000.0

    package static func whole(_ degrees: Double) -> Int64 { Int64((degrees * parts).rounded()) }
    package static func degrees(_ whole: Int64) -> Double { Double(whole) / parts }
}
