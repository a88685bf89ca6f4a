// SPDX-License-Identifier: Apache-2.0

import Companion
import FlockFinder
import GRDB

/// The squares of one level in a part of the map.
struct CellRange {
    let level: Int
    private let ys: ClosedRange<Int>
    /// One range, or two where it lies across the date line.
    private let xs: [ClosedRange<Int>]

    init(_ box: MapBox, level: Int) {
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

    var count: Int { ys.count * xs.reduce(0) { $0 + $1.count } }

    func contains(_ cell: MapCell) -> Bool {
        cell.level == level && ys.contains(cell.y) && xs.contains { $0.contains(cell.x) }
    }

    /// The rows of the table `cell`: each row of squares by itself, so that only those between two columns are read.
    var condition: SQL {
        let columns = xs.map { SQL("x BETWEEN \($0.lowerBound) AND \($0.upperBound)") }
        return "level = \(level) AND y IN \(Array(ys)) AND (\(columns.joined(separator: " OR ")))"
    }
}

/// How many there are of each kind.
struct KindCounts {
    private var counts = [Int32](repeating: 0, count: DetectionType.allCases.count)

    init() {}

    init(_ type: DetectionType) { counts[Int(type.rawValue)] = 1 }

    mutating func add(_ count: Int, of type: DetectionType) {
        counts[Int(type.rawValue)] += Int32(clamping: count)
    }

    mutating func add(_ other: KindCounts) {
        for index in counts.indices { counts[index] += other.counts[index] }
    }

    /// The kinds that there are, the most frequent first.
    var shares: [MapView.Share] {
        let found = DetectionType.allCases.compactMap { type in
            counts[Int(type.rawValue)] > 0
                ? MapView.Share(type: type, count: Int(counts[Int(type.rawValue)])) : nil
        }
        return found.sorted { ($1.count, $0.type.keywordString) < ($0.count, $1.type.keywordString) }
    }
}

/// Sources of the same square, added up.
struct SquareSums {
    private struct Sum {
        let cell: MapCell
        var count = 0
        var numbers: Int64 = 0
        var latitudes: Int64 = 0
        var longitudes: Int64 = 0
        var kinds = KindCounts()
    }

    private let level: Int
    private var sums: [Sum] = []
    private var places: [Int: Int] = [:]
    /// Where the last one went: squares come in order, with all kinds of one together.
    private var last = -1

    init(level: Int) { self.level = level }

    mutating func add(
        _ cell: MapCell, type: DetectionType, count: Int, number: Int64, latitudes: Int64, longitudes: Int64
    ) {
        if last < 0 || sums[last].cell != cell {
            let key = cell.y << 32 | cell.x
            last = places[key] ?? sums.count
            if last == sums.count {
                places[key] = last
                sums.append(Sum(cell: cell))
            }
        }
        sums[last].count += count
        sums[last].numbers += number
        sums[last].latitudes += latitudes
        sums[last].longitudes += longitudes
        sums[last].kinds.add(count, of: type)
    }

    /// The squares, in the order of the map.
    var groups: [MapQuery.Group] {
        let side = Double(1 << level)
        return sums.sorted { ($0.cell.y, $0.cell.x) < ($1.cell.y, $1.cell.x) }.map { sum in
            // Each sum lies between its count times the least and the greatest, so the quotient fits.
            let latitude = WholeDegrees.degrees(sum.latitudes / Int64(max(1, sum.count)))
            let longitude = WholeDegrees.degrees(sum.longitudes / Int64(max(1, sum.count)))
            let point = Mercator.point(latitude: latitude, longitude: longitude)
            let (x, y) = (Double(sum.cell.x), Double(sum.cell.y))
            return MapQuery.Group(
                x: point.x, y: point.y, count: sum.count, kinds: sum.kinds,
                source: sum.count == 1 ? sum.numbers : nil,
                box: MapBox(
                    west: Mercator.longitude(x: x / side), south: Mercator.latitude(y: (y + 1) / side),
                    east: Mercator.longitude(x: (x + 1) / side), north: Mercator.latitude(y: y / side)))
        }
    }
}

/// Puts together what would be drawn over each other.
enum MapMerging {
    /// Puts groups together that are nearer than a distance, the largest first.
    ///
    /// - Parameters:
    ///   - groups: What there is.
    ///   - distance: How near, as a part of the width of the map.
    ///   - between: How near two sources are that stand alone, which take less room.
    /// - Returns: What is left, the largest first.
    static func merge(
        _ groups: [MapQuery.Group], within distance: Double, sources between: Double
    ) -> [MapQuery.Group] {
        struct Square: Hashable {
            var x: Int
            var y: Int
        }
        func square(_ group: MapQuery.Group) -> Square {
            Square(x: Int((group.x / distance).rounded(.down)), y: Int((group.y / distance).rounded(.down)))
        }
        // The order among equals must not change while the map is moved: by place.
        let sorted = groups.sorted { ($1.count, $0.y, $0.x) < ($0.count, $1.y, $1.x) }
        var result: [MapQuery.Group] = []
        var inSquare: [Square: [Int]] = [:]
        for group in sorted {
            let own = square(group)
            var nearest: (index: Int, squared: Double)?
            for y in (own.y - 1)...(own.y + 1) {
                for x in (own.x - 1)...(own.x + 1) {
                    for index in inSquare[Square(x: x, y: y)] ?? [] {
                        let (dx, dy) = (result[index].x - group.x, result[index].y - group.y)
                        let squared = dx * dx + dy * dy
                        let limit = group.source != nil && result[index].source != nil ? between : distance
                        if squared < limit * limit, squared < nearest?.squared ?? .infinity {
                            nearest = (index, squared)
                        }
                    }
                }
            }
            if let nearest {
                result[nearest.index].absorb(group)
            } else {
                inSquare[own, default: []].append(result.count)
                result.append(group)
            }
        }
        return result.sorted { ($1.count, $0.y, $0.x) < ($0.count, $1.y, $1.x) }
    }
}

extension MapQuery.Group {
    /// Takes another one in; the middle of both is weighed by their numbers.
    fileprivate mutating func absorb(_ other: MapQuery.Group) {
        let share = Double(other.count) / Double(count + other.count)
        x += (other.x - x) * share
        y += (other.y - y) * share
        count += other.count
        kinds.add(other.kinds)
        source = nil
        box = MapBox(
            west: min(box.west, other.box.west), south: min(box.south, other.box.south),
            east: max(box.east, other.box.east), north: max(box.north, other.box.north))
    }
}
