// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A square of the Mercator map: level 0 is the whole of it, and each level parts every square in four.
struct MapCell: Hashable {
    /// The level with the smallest squares: at the equator 611 m wide.
    static let deepestLevel = 16
    /// The Mercator map ends here; what is farther north or south lies in its last row.
    static let lastLatitude = 85.0511287798066

    let level: Int
    /// Counted from the north.
    let y: Int
    /// Counted from the date line to the east.
    let x: Int

    init(level: Int, y: Int, x: Int) {
        self.level = level
        self.y = y
        self.x = x
    }

    /// The square of a level, the deepest one, that a place lies in.
    init(latitude: Double, longitude: Double, level: Int = deepestLevel) {
        let side = Double(1 << level)
        let (x, y) = Mercator.point(latitude: latitude, longitude: longitude)
        self.init(
            level: level, y: Int(max(0, min(side - 1, (y * side).rounded(.down)))),
            x: Int(max(0, min(side - 1, (x * side).rounded(.down)))))
    }

    /// The square of a level above, or the same one, that this lies in.
    func at(_ level: Int) -> MapCell {
        MapCell(level: level, y: y >> (self.level - level), x: x >> (self.level - level))
    }
}

/// The Mercator map of the web: 0, 0 in the north-west, 1, 1 in the south-east.
enum Mercator {
    /// Where a place lies on the map.
    static func point(latitude: Double, longitude: Double) -> (x: Double, y: Double) {
        let clipped = max(-MapCell.lastLatitude, min(MapCell.lastLatitude, latitude))
        let sine = sin(clipped * .pi / 180)
        return ((longitude + 180) / 360, 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi))
    }

    /// Which latitude lies at a height of the map.
    static func latitude(y: Double) -> Double { atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi }

    /// Which longitude lies so far from the date line.
    static func longitude(x: Double) -> Double { x * 360 - 180 }
}

/// Degrees as whole numbers, of which sums can be taken apart again without a trace.
enum WholeDegrees {
    private static let parts = 10_000_000.0

    static func whole(_ degrees: Double) -> Int64 { Int64((degrees * parts).rounded()) }
    static func degrees(_ whole: Int64) -> Double { Double(whole) / parts }
}
