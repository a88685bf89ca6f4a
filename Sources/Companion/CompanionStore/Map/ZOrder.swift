// SPDX-License-Identifier: Apache-2.0

import Detections
import GRDB

/// The squares of a deep level of the map in one line, in which neighbours mostly stand together: the Z-order.
///
/// The number of a square has the bits of its row and column by turns. All squares within a square of a level above are a
/// range of numbers, so a part of the map is a few ranges of an index.
enum ZOrder {
    /// The level of the squares: at the equator 38 m wide.
    static let level = 20
    /// A part of the map is looked up in about so many ranges; with more of them less is read beside it.
    static let mostRanges = 48

    /// The number of the square in which a place lies.
    static func number(latitude: Double, longitude: Double) -> Int64 {
        number(MapCell(latitude: latitude, longitude: longitude, level: level))
    }

    private static func number(_ cell: MapCell) -> Int64 {
        Int64(spread(UInt64(cell.y)) << 1 | spread(UInt64(cell.x)))
    }

    /// The bits of a number with a zero before each.
    private static func spread(_ value: UInt64) -> UInt64 {
        var bits = value & 0xFFFF_FFFF
        bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
        bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333
        return (bits | bits << 1) & 0x5555_5555_5555_5555
    }

    /// Ranges that have all squares of a part of the map, in order, and some beside them.
    static func ranges(_ box: MapBox) -> [ClosedRange<Int64>] {
        var whole: [ClosedRange<Int64>] = []
        // Each is parted in four until it lies inside or outside, or there are enough.
        var rims: [(rim: MapCell, box: CellBox)] = box.unbroken.map {
            (MapCell(level: 0, y: 0, x: 0), CellBox($0))
        }
        while let first = rims.first, first.rim.level < level, whole.count + rims.count < mostRanges {
            var finer: [(rim: MapCell, box: CellBox)] = []
            for (rim, box) in rims {
                for part in 0..<4 {
                    let cell = MapCell(level: rim.level + 1, y: rim.y * 2 + part / 2, x: rim.x * 2 + part % 2)
                    switch box.relation(to: cell) {
                    case .outside: break
                    case .inside: whole.append(range(cell))
                    case .partly: finer.append((cell, box))
                    }
                }
            }
            rims = finer
        }
        return joined(whole + rims.map { range($0.rim) })
    }

    private static func range(_ cell: MapCell) -> ClosedRange<Int64> {
        let first = number(cell) << (2 * (level - cell.level))
        return first...(first + (1 << (2 * (level - cell.level))) - 1)
    }

    /// The ranges in order, those that touch as one.
    private static func joined(_ ranges: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
        var result: [ClosedRange<Int64>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = result.last, range.lowerBound <= last.upperBound + 1 {
                result[result.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }

    /// `map_square(latitude, longitude)`: the number of a square, of whole numbers as ``WholeDegrees`` has them.
    static let function = DatabaseFunction("map_square", argumentCount: 2, pure: true) { values in
        guard let latitude = Int64.fromDatabaseValue(values[0]),
            let longitude = Int64.fromDatabaseValue(values[1])
        else { return nil }
        return number(
            latitude: WholeDegrees.degrees(latitude), longitude: WholeDegrees.degrees(longitude))
    }
}

/// A part of the map that does not lie across the date line, in squares of the level of ``ZOrder``.
private struct CellBox {
    enum Relation { case outside, partly, inside }

    private let ys: ClosedRange<Int>
    private let xs: ClosedRange<Int>

    init(_ box: MapBox) {
        let northWest = MapCell(latitude: box.north, longitude: box.west, level: ZOrder.level)
        let southEast = MapCell(latitude: box.south, longitude: box.east, level: ZOrder.level)
        ys = northWest.y...max(northWest.y, southEast.y)
        xs = northWest.x...max(northWest.x, southEast.x)
    }

    /// How a square of any level lies to it.
    func relation(to cell: MapCell) -> Relation {
        let size = 1 << (ZOrder.level - cell.level)
        let (firstY, firstX) = (cell.y * size, cell.x * size)
        let (lastY, lastX) = (firstY + size - 1, firstX + size - 1)
        guard firstY <= ys.upperBound, lastY >= ys.lowerBound, firstX <= xs.upperBound, lastX >= xs.lowerBound
        else { return .outside }
        let isInside = ys.contains(firstY) && ys.contains(lastY) && xs.contains(firstX) && xs.contains(lastX)
        return isInside ? .inside : .partly
    }
}
