// SPDX-License-Identifier: Apache-2.0

public import Companion
import FlockFinder
import Foundation
import GRDB

extension DetectionDatabase {
    /// Points of ways that are drawn at once, at most.
    public static let mostRoutePoints = 20_000
    /// Points that are read for that, at most.
    private static let mostPointsRead = 100_000
    /// To look for one point takes as long as to read so many in their order.
    private static let costOfLook = 4
    /// A drive of so many points is always read wholly.
    private static let smallDrive: Int64 = 1000

    /// The ways of drives within a part of the map, as fine as they can be seen: the newest drives, as many as have room.
    ///
    /// - Parameters:
    ///   - box: The part of the map.
    ///   - zoom: How large the world is: 256 pixels, doubled so many times.
    ///   - limit: Points that there may be, at most.
    /// - Returns: The ways, the newest drive last; one that leaves the part and comes back is there more than once.
    /// - Throws: ``StoreError``.
    public func routes(
        in box: MapBox, zoom: Double, limit: Int = mostRoutePoints
    ) async throws(StoreError) -> [DriveRoute] {
        let request = SQLRequest<Row>(
            literal: """
                SELECT id, "begin", "end", metres, fix_source, 0, 0 FROM drive
                WHERE \(box.area()) ORDER BY "begin" DESC, id DESC
                """)
        return try await read { database in
            var routes: [[DriveRoute]] = []
            var (left, unread) = (limit, Self.mostPointsRead)
            let drives = try request.fetchCursor(database).map(Self.drive)
            while left >= 2, unread > 0, let drive = try drives.next() {
                let points = try Self.points(of: drive, in: box, zoom: zoom, &unread, database)
                var simplified = RouteLines(points, in: box, zoom: zoom).simplified(tolerance: 1)
                var tolerance = 1.0
                while routes.isEmpty, simplified.reduce(0, { $0 + $1.count }) > left, tolerance < 1e6 {
                    // It alone is too much: coarser.
                    tolerance *= 2
                    simplified = RouteLines(points, in: box, zoom: zoom).simplified(tolerance: tolerance)
                }
                let count = simplified.reduce(0) { $0 + $1.count }
                guard count <= left else { break }
                left -= count
                routes.append(simplified.map { DriveRoute(drive, points: $0) })
            }
            return routes.reversed().flatMap(\.self)
        }
    }

    /// The points of a drive, or some of them where it is so small on the map that nobody could tell.
    static func points(
        of drive: Drive, in box: MapBox, zoom: Double, _ unread: inout Int, _ database: Database
    ) throws -> [DrivePoint] {
        let latitude = max(box.south, -max(0, -box.north), min(box.north, 0)).magnitude
        let metresOfPixel = 156_543 * cos(min(latitude, 85) * .pi / 180) / pow(2, zoom)
        // Two for each pixel of its way; a receiver tells one each second.
        let wanted = Int(max(64, min(1e6, 2 * drive.metres / metresOfPixel)))
        let length = drive.end.milliseconds - drive.begin.milliseconds
        guard length / 1000 > max(smallDrive, Int64(wanted * costOfLook)) else {
            let points = try points(of: drive.id, database)
            unread -= points.count
            return points
        }
        unread -= wanted * costOfLook
        let request = SQLRequest<Row>(
            literal: """
                WITH RECURSIVE step (number) AS (
                    SELECT 0 UNION ALL SELECT number + 1 FROM step WHERE number < \(wanted)
                )
                SELECT DISTINCT time, latitude, longitude FROM step CROSS JOIN drive_point ON drive = \(drive.id) AND time = (
                    SELECT MIN(time) FROM drive_point
                    WHERE drive = \(drive.id) AND time >= \(drive.begin.milliseconds) + \(length) * number / \(wanted)
                ) ORDER BY time
                """)
        return try Array(
            request.fetchCursor(database).map {
                DrivePoint(time: $0[0], latitude: $0[1], longitude: $0[2])
            })
    }
}

/// A way on the Mercator map, in pixels, as lines within a part of it.
struct RouteLines {
    private struct Point {
        let x: Double
        let y: Double
        let position: Position
    }

    private var lines: [[Point]] = []

    init(_ points: [DrivePoint], in box: MapBox, zoom: Double) {
        let size = 256 * pow(2, zoom)
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
            let latitude = min(85.06, max(-85.06, point.latitude)) * .pi / 180
            let new = Point(
                x: (point.longitude + shift + 180) / 360 * size,
                y: (1 - log(tan(latitude) + 1 / cos(latitude)) / .pi) / 2 * size, position: position)
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
    func simplified(tolerance: Double) -> [[Position]] {
        lines.map { Self.simplified($0, tolerance * tolerance).map(\.position) }
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
