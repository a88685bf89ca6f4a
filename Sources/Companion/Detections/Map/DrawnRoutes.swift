// SPDX-License-Identifier: Apache-2.0

package import Companion

/// The ways of drives as a page draws them: the newest drives, as many as have room.
package struct DrawnRoutes: Sendable {
    /// Points that are drawn at once, at most.
    package static let mostPoints = 20_000

    private let box: MapBox
    private let zoom: Double
    private var left: Int
    private var found: [[DriveRoute]] = []

    /// Begins without a drive.
    ///
    /// - Parameters:
    ///   - box: The part of the map.
    ///   - zoom: How large the world is: 256 pixels, doubled so many times.
    ///   - limit: Points that there may be, at most.
    package init(in box: MapBox, zoom: Double, limit: Int = mostPoints) {
        (self.box, self.zoom, left) = (box, zoom, limit)
    }

    /// Whether another drive may have room.
    package var hasRoom: Bool { left >= 2 }

    /// The ways, the newest drive last; one that leaves the part of the map and comes back is there more than once.
    package var routes: [DriveRoute] { found.reversed().flatMap { $0 } }

    /// Adds a drive, older than those before; one that has no room is left out, and nothing comes after it.
    package mutating func add(_ drive: Drive, _ points: [DrivePoint]) {
        var tolerance = 1.0
        var lines = RouteLines(points, in: box, zoom: zoom).simplified(tolerance: tolerance)
        var count = lines.reduce(0) { $0 + $1.count }
        while found.isEmpty, count > left, tolerance < 1e6 {
            // It alone is too much: coarser.
            tolerance *= 2
            lines = RouteLines(points, in: box, zoom: zoom).simplified(tolerance: tolerance)
            count = lines.reduce(0) { $0 + $1.count }
        }
        guard count <= left else { return left = 0 }
        left -= count
        found.append(lines.map { DriveRoute(drive, points: $0) })
    }
}

extension DrawnRoutes {
    /// Writes ways into an object.
    ///
    /// - Parameters:
    ///   - routes: The ways.
    ///   - json: The object.
    package static func writeValues(of routes: [DriveRoute], into json: inout JSONWriter) {
        json.key("routes")
        json.array { json in for route in routes { route.write(into: &json) } }
    }
}

extension DriveRoute {
    fileprivate func write(into json: inout JSONWriter) {
        json.object { json in
            json.field("drive", drive.id)
            json.field("begin", drive.begin)
            json.field("end", drive.end)
            json.field("metres", (drive.metres * 10).rounded() / 10)
            json.key("points")
            json.array { json in
                for point in points {
                    json.array { json in
                        json.value(point.latitude)
                        json.value(point.longitude)
                    }
                }
            }
        }
    }
}
