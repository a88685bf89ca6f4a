// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A place on Earth in degrees of WGS 84.
public struct Position: Hashable, Sendable {
    /// Degrees north, -90 to 90.
    public let latitude: Double
    /// Degrees east, -180 to 180.
    public let longitude: Double

    /// Makes a place, when both numbers are in range.
    ///
    /// - Parameters:
    ///   - latitude: Degrees north, -90 to 90.
    ///   - longitude: Degrees east, -180 to 180.
    public init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Reads `LAT,LON`, for example `52.5200,13.4050`.
    ///
    /// - Parameter text: The text; blanks around the numbers do no harm.
    /// - Throws: ``BadInput`` with a sentence that says what is wrong.
    public init(parsing text: String) throws(BadInput) {
        let numbers = numbers(in: text)
        guard let numbers, numbers.count == 2 else {
            throw BadInput(
                "\(text.debugDescription) is not a place; write LAT,LON, for example 52.52,13.405.")
        }
        self = try Self.checked(numbers[0], numbers[1])
    }

    /// Measures the way over a sphere of the Earth's mean radius.
    ///
    /// - Parameter other: The other place.
    /// - Returns: Metres; at most 0.6 percent from the truth.
    public func distance(to other: Position) -> Double {
        let halfway = { (from: Double, to: Double) in sin((to - from) * .pi / 360) }
        let north = halfway(latitude, other.latitude)
        let east = halfway(longitude, other.longitude)
        let chord = north * north + cos(latitude * .pi / 180) * cos(other.latitude * .pi / 180) * east * east
        return 2 * Self.earthRadius * asin(min(1, chord.squareRoot()))
    }

    /// The Earth's mean radius in metres.
    static let earthRadius = 6_371_008.8

    fileprivate static func checked(_ latitude: Double, _ longitude: Double) throws(BadInput) -> Position {
        guard (-90...90).contains(latitude) else {
            throw BadInput("The latitude \(latitude) is not between -90 and 90; the latitude comes first.")
        }
        guard let position = Position(latitude: latitude, longitude: longitude) else {
            throw BadInput("The longitude \(longitude) is not between -180 and 180.")
        }
        return position
    }
}

/// A circle on the map.
public struct Vicinity: Hashable, Sendable {
    /// The middle.
    public let center: Position
    /// How far it reaches, in metres.
    public let metres: Double

    /// Makes a circle, when the radius is a number and not negative.
    ///
    /// - Parameters:
    ///   - center: The middle.
    ///   - metres: How far it reaches, in metres.
    public init?(center: Position, metres: Double) {
        guard metres >= 0, metres.isFinite else { return nil }
        self.center = center
        self.metres = metres
    }

    /// Reads `LAT,LON,METRES`, for example `52.5200,13.4050,250`.
    ///
    /// - Parameter text: The text; blanks around the numbers do no harm.
    /// - Throws: ``BadInput`` with a sentence that says what is wrong.
    public init(parsing text: String) throws(BadInput) {
        let numbers = numbers(in: text)
        guard let numbers, numbers.count == 3 else {
            throw BadInput(
                "\(text.debugDescription) is not a circle; write LAT,LON,METRES, for example 52.52,13.405,250."
            )
        }
        let center = try Position.checked(numbers[0], numbers[1])
        guard let circle = Vicinity(center: center, metres: numbers[2]) else {
            throw BadInput("The radius \(numbers[2]) is negative; it is in metres.")
        }
        self = circle
    }

    /// Tells whether a place is inside.
    ///
    /// - Parameter position: The place.
    /// - Returns: Whether it is at most ``metres`` away from the middle.
    public func contains(_ position: Position) -> Bool { center.distance(to: position) <= metres }

    /// A range of latitudes and longitudes.
    public struct Box: Hashable, Sendable {
        /// Degrees north.
        public let latitudes: ClosedRange<Double>
        /// Degrees east.
        public let longitudes: ClosedRange<Double>
    }

    /// Boxes that hold the circle: two where it crosses the 180th meridian, else one.
    public var boxes: [Box] {
        // A little more than needed, so that rounding never leaves out a place on the rim.
        let angle = metres / Position.earthRadius * (1 + 1e-9) + 1e-9
        let degrees = angle * 180 / .pi
        let south = max(-90, center.latitude - degrees)
        let north = min(90, center.latitude + degrees)
        let reach = cos(center.latitude * .pi / 180)
        guard south > -90, north < 90, angle < .pi / 2, sin(angle) < reach else {
            return [Box(latitudes: south...north, longitudes: -180...180)]
        }
        let side = asin(sin(angle) / reach) * 180 / .pi
        let (west, east) = (center.longitude - side, center.longitude + side)
        if west < -180 {
            return [
                Box(latitudes: south...north, longitudes: -180...east),
                Box(latitudes: south...north, longitudes: (west + 360)...180),
            ]
        }
        if east > 180 {
            return [
                Box(latitudes: south...north, longitudes: west...180),
                Box(latitudes: south...north, longitudes: -180...(east - 360)),
            ]
        }
        return [Box(latitudes: south...north, longitudes: west...east)]
    }
}

/// Reads finite numbers with commas between them.
private func numbers(in text: String) -> [Double]? {
    var numbers: [Double] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let number = Double(part.trimmingCharacters(in: .whitespaces)), number.isFinite else {
            return nil
        }
        numbers.append(number)
    }
    return numbers
}
