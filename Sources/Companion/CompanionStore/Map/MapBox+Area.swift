// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import GRDB

extension MapBox {
    /// The box, or the two on both sides of the date line that it has.
    var unbroken: [MapBox] {
        west <= east
            ? [self]
            : [
                MapBox(west: west, south: south, east: 180, north: north),
                MapBox(west: -180, south: south, east: east, north: north),
            ]
    }

    /// What an R*Tree, or a table with the same columns, has of the box; an R*Tree rounds outwards, so whoever asks looks again.
    ///
    /// - Parameter table: The table, where its columns are not the only ones of their names.
    /// - Returns: The condition.
    func area(in table: String? = nil) -> SQL { Self.area(of: unbroken, in: table) }

    /// What an R*Tree has of some boxes, none of which lies across the date line.
    static func area(of boxes: [MapBox], in table: String? = nil) -> SQL {
        let prefix = SQL(sql: table.map { $0 + "." } ?? "")
        let terms = boxes.map { box -> SQL in
            """
            (\(prefix)north >= \(box.south) AND \(prefix)south <= \(box.north) \
            AND \(prefix)east >= \(box.west) AND \(prefix)west <= \(box.east))
            """
        }
        return "(\(terms.joined(separator: " OR ")))"
    }

    /// A condition on the sources that are shown in the box.
    var shownSources: SQL {
        let (south, north) = (WholeDegrees.whole(south), WholeDegrees.whole(north))
        let (west, east) = (WholeDegrees.whole(west), WholeDegrees.whole(east))
        let breadth: SQL =
            west <= east
            ? "shown_longitude BETWEEN \(west) AND \(east)"
            : "(shown_longitude >= \(west) OR shown_longitude <= \(east))"
        return "shown_latitude BETWEEN \(south) AND \(north) AND \(breadth)"
    }

    /// What a table of places has of the box.
    func places(in table: String) -> SQL {
        let (latitude, longitude) = (SQL(sql: "\(table).latitude"), SQL(sql: "\(table).longitude"))
        let breadth: SQL =
            west <= east
            ? "\(longitude) BETWEEN \(west) AND \(east)"
            : "(\(longitude) >= \(west) OR \(longitude) <= \(east))"
        return "(\(latitude) BETWEEN \(south) AND \(north) AND \(breadth))"
    }
}

extension Vicinity {
    /// The boxes that the circle lies in, none of which lies across the date line.
    var mapBoxes: [MapBox] {
        boxes.map { box in
            MapBox(
                west: box.longitudes.lowerBound, south: box.latitudes.lowerBound,
                east: box.longitudes.upperBound, north: box.latitudes.upperBound)
        }
    }
}
