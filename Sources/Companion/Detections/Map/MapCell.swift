// SPDX-License-Identifier: Apache-2.0

/// A square of the Mercator map: level 0 is the whole of it, and each level parts every square in four.
package struct MapCell: Hashable, Sendable {
    /// The level with the smallest squares: at the equator 611 m wide.
    package static let deepestLevel = 16
    /// The Mercator map ends here; what is farther north or south lies in its last row.
    package static let lastLatitude = 85.0511287798066

    package let level: Int
    /// Counted from the north.
    package let y: Int
    /// Counted from the date line to the east.
    package let x: Int

    package init(level: Int, y: Int, x: Int) {
        self.level = level
        self.y = y
        self.x = x
    }

    /// The square of a level, the deepest one, that a place lies in.
    package init(latitude: Double, longitude: Double, level: Int = deepestLevel) {
        let side = Double(1 << level)
        let (x, y) = Mercator.point(latitude: latitude, longitude: longitude)
        self.init(
            level: level, y: Int(max(0, min(side - 1, (y * side).rounded(.down)))),
            x: Int(max(0, min(side - 1, (x * side).rounded(.down)))))
    }

    /// The square of a level above, or the same one, that this lies in.
    package func at(_ level: Int) -> MapCell {
        MapCell(level: level, y: y >> (self.level - level), x: x >> (self.level - level))
    }
}

/// The squares of one level in a part of the map.
package struct CellRange: Sendable {
    package let level: Int
    package let ys: ClosedRange<Int>
    /// One range, or two where it lies across the date line.
    package let xs: [ClosedRange<Int>]

    package init(_ box: MapBox, level: Int) {
        self.level = level
        let northWest = MapCell(latitude: box.north, longitude: box.west).at(level)
        let southEast = MapCell(latitude: box.south, longitude: box.east).at(level)
        ys = northWest.y...max(northWest.y, southEast.y)
        let last = 1 << level - 1
        xs =
            box.west <= box.east
            ? [northWest.x...max(northWest.x, southEast.x)]
            : southEast.x < northWest.x ? [northWest.x...last, 0...southEast.x] : [0...last]
    }

    package var count: Int { ys.count * xs.reduce(0) { $0 + $1.count } }

    package func contains(_ cell: MapCell) -> Bool {
        cell.level == level && ys.contains(cell.y) && xs.contains { $0.contains(cell.x) }
    }
}
