// SPDX-License-Identifier: Apache-2.0

import Companion

/// The ground around a place as a flat sheet, in metres; right to a metre in a kilometre for some ten kilometres.
struct LocalPlane {
    /// Metres in a degree of latitude, on a ball with the Earth's mean radius.
    static let metersPerDegree = 6_371_008.8 * Double.pi / 180

    private let latitude: Double
    private let longitude: Double
    /// Metres in a degree of longitude; not nothing, even at a pole.
    private let eastPerDegree: Double

    /// Lays the sheet.
    ///
    /// - Parameters:
    ///   - latitude: Degrees north of its middle.
    ///   - longitude: Degrees east of its middle.
    init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
        eastPerDegree = max(Trigonometry.cosine(latitude), 1e-6) * Self.metersPerDegree
    }

    /// Where a place lies on the sheet, across the date line, too.
    func point(latitude: Double, longitude: Double) -> Point {
        var east = longitude - self.longitude
        if east > 180 { east -= 360 } else if east < -180 { east += 360 }
        return Point(east: east * eastPerDegree, north: (latitude - self.latitude) * Self.metersPerDegree)
    }

    /// The place of a point.
    func place(of point: Point) -> (latitude: Double, longitude: Double) {
        // A point at a pole may lie many times around it.
        var longitude = self.longitude + point.east / eastPerDegree
        if abs(longitude) < 1e12 { longitude -= 360 * Double(Int64(longitude / 360)) }
        if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
        let latitude = min(90, max(-90, self.latitude + point.north / Self.metersPerDegree))
        return (latitude, longitude)
    }

    /// A point of the sheet.
    struct Point: Hashable, Sendable {
        /// Metres east of its middle.
        var east: Double
        /// Metres north of its middle.
        var north: Double

        /// The square of the distance to another point, in square metres.
        func squaredDistance(to other: Point) -> Double {
            let (wide, high) = (east - other.east, north - other.north)
            return wide * wide + high * high
        }
    }
}
