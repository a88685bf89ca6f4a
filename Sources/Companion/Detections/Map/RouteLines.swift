// SPDX-License-Identifier: Apache-2.0

package import Companion

/// A way on the Mercator map, in pixels, as lines within a part of it.
package struct RouteLines {
    private struct Point {
        let x: Double
        let y: Double
        let position: Position
    }

    private var lines: [[Point]] = []

    package init(_ points: [DrivePoint], in box: MapBox, zoom: Double) {
        let size = Mercator.pixels(zoom: zoom)
        var shift = 0.0
        var last: DrivePoint?
        var line: [Point] = []
        for point in points {
            guard let position = Position(latitude: point.latitude, longitude: point.longitude) else {
                continue
            }
            if let last {
                // Across the date line the way goes on beside the map.
                let step = point.longitude - last.longitude
                if step > 180 { shift -= 360 } else if step < -180 { shift += 360 }
            }
            let place = Mercator.point(latitude: point.latitude, longitude: point.longitude + shift)
            let new = Point(x: place.x * size, y: place.y * size, position: position)
            if let last, !box.touches(last, point) {
                if line.count > 1 { lines.append(line) }
                line = []
            }
            line.append(new)
            last = point
        }
        if line.count > 1 { lines.append(line) }
    }

    /// The lines with as few points as nobody can tell from them.
    ///
    /// - Parameter tolerance: How far a line may be off, in pixels.
    /// - Returns: Their places.
    package func simplified(tolerance: Double) -> [[Position]] {
        lines.map { Self.simplified($0, tolerance * tolerance).map { $0.position } }
    }

    /// Ramer, Douglas and Peucker, without recursion.
    private static func simplified(_ line: [Point], _ tolerance: Double) -> [Point] {
        var isKept = [Bool](repeating: false, count: line.count)
        (isKept[0], isKept[line.count - 1]) = (true, true)
        var open = [0..<line.count - 1]
        while let range = open.popLast() {
            guard range.count > 1 else { continue }
            let (from, to) = (line[range.lowerBound], line[range.upperBound])
            var farthest = (index: range.lowerBound, distance: tolerance)
            for index in range.dropFirst() {
                let distance = squaredDistance(of: line[index], from, to)
                if distance > farthest.distance { farthest = (index, distance) }
            }
            guard farthest.index > range.lowerBound else { continue }
            isKept[farthest.index] = true
            open += [range.lowerBound..<farthest.index, farthest.index..<range.upperBound]
        }
        return zip(line, isKept).compactMap { $1 ? $0 : nil }
    }

    /// The square of the distance of a point from a piece of a line.
    private static func squaredDistance(of point: Point, _ from: Point, _ to: Point) -> Double {
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        let length = dx * dx + dy * dy
        let part =
            length > 0 ? min(1, max(0, ((point.x - from.x) * dx + (point.y - from.y) * dy) / length)) : 0
        let (offX, offY) = (point.x - from.x - part * dx, point.y - from.y - part * dy)
        return offX * offX + offY * offY
    }
}

extension MapBox {
    /// Whether a piece of a way may be within it.
    fileprivate func touches(_ from: DrivePoint, _ to: DrivePoint) -> Bool {
        let (low, high) = (min(from.latitude, to.latitude), max(from.latitude, to.latitude))
        guard high >= south, low <= north else { return false }
        let (left, right) = (min(from.longitude, to.longitude), max(from.longitude, to.longitude))
        // What goes across the date line does so on the short way.
        let parts = right - left > 180 ? [right...180, -180...left] : [left...right]
        let own = west <= east ? [west...east] : [west...180, -180...east]
        return parts.contains { part in own.contains { $0.overlaps(part) } }
    }
}
