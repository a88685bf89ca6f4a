// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import FlockFinder

/// One square, or one source: what there is before it is put together.
package struct MapGroup: Sendable {
    /// The middle on the Mercator map.
    package var x: Double
    package var y: Double
    package var count: Int
    package var kinds: KindCounts
    /// The number of the source, where there is one alone.
    package var source: Int64?
    package var box: MapBox

    package init(x: Double, y: Double, count: Int, kinds: KindCounts, source: Int64?, box: MapBox) {
        (self.x, self.y, self.count) = (x, y, count)
        (self.kinds, self.source, self.box) = (kinds, source, box)
    }

    /// A source by itself; degrees as whole numbers.
    package init(source id: Int64, type: DetectionType, latitude: Int64, longitude: Int64) {
        let (north, east) = (WholeDegrees.degrees(latitude), WholeDegrees.degrees(longitude))
        let point = Mercator.point(latitude: north, longitude: east)
        self.init(
            x: point.x, y: point.y, count: 1, kinds: KindCounts(type), source: id,
            box: MapBox(west: east, south: north, east: east, north: north))
    }
}

/// How many there are of each kind.
package struct KindCounts: Sendable {
    private var counts = [Int32](repeating: 0, count: DetectionType.allCases.count)

    package init() {}

    package init(_ type: DetectionType) { counts[Int(type.rawValue)] = 1 }

    package mutating func add(_ count: Int, of type: DetectionType) {
        let index = Int(type.rawValue)
        counts[index] = Int32(clamping: Int64(counts[index]) + Int64(clamping: count))
    }

    package mutating func add(_ other: KindCounts) {
        for index in counts.indices {
            counts[index] = Int32(clamping: Int64(counts[index]) + Int64(other.counts[index]))
        }
    }

    /// The kinds that there are, the most frequent first.
    package var shares: [MapView.Share] {
        let found = DetectionType.allCases.compactMap { type in
            counts[Int(type.rawValue)] > 0
                ? MapView.Share(type: type, count: Int(counts[Int(type.rawValue)])) : nil
        }
        return found.ordered { ($1.count, $0.type.keywordString) < ($0.count, $1.type.keywordString) }
    }
}

/// Sources of the same square, added up.
package struct SquareSums {
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
    private var places: [Int64: Int] = [:]
    /// Where the last one went: squares come in order, with all kinds of one together.
    private var last = -1

    package init(level: Int) { self.level = level }

    package mutating func add(
        _ cell: MapCell, type: DetectionType, count: Int, number: Int64, latitudes: Int64, longitudes: Int64
    ) {
        if last < 0 || sums[last].cell != cell {
            let key = Int64(cell.y) << 32 | Int64(cell.x)
            last = places[key] ?? sums.count
            if last == sums.count {
                places[key] = last
                sums.append(Sum(cell: cell))
            }
        }
        sums[last].count += count
        // Whoever has written them, the sums may be too large; only the number of a square with one source counts.
        sums[last].numbers &+= number
        sums[last].latitudes &+= latitudes
        sums[last].longitudes &+= longitudes
        sums[last].kinds.add(count, of: type)
    }

    /// The squares, in the order of the map.
    package var groups: [MapGroup] {
        let side = Double(1 << level)
        return sums.ordered { ($0.cell.y, $0.cell.x) < ($1.cell.y, $1.cell.x) }.compactMap { sum in
            // Each sum lies between its count times the least and the greatest, so the quotient fits.
            let latitude = WholeDegrees.degrees(sum.latitudes / Int64(max(1, sum.count)))
            let longitude = WholeDegrees.degrees(sum.longitudes / Int64(max(1, sum.count)))
            // Sums that somebody else has written may be of nothing.
            guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
            let point = Mercator.point(latitude: latitude, longitude: longitude)
            let (x, y) = (Double(sum.cell.x), Double(sum.cell.y))
            return MapGroup(
                x: point.x, y: point.y, count: sum.count, kinds: sum.kinds,
                source: sum.count == 1 ? sum.numbers : nil,
                box: MapBox(
                    west: Mercator.longitude(x: x / side), south: Mercator.latitude(y: (y + 1) / side),
                    east: Mercator.longitude(x: (x + 1) / side), north: Mercator.latitude(y: y / side)))
        }
    }
}
