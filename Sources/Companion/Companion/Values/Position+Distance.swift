// SPDX-License-Identifier: Apache-2.0

extension Position {
    /// Measures the way over a sphere of the Earth's mean radius.
    ///
    /// - Parameter other: The other place.
    /// - Returns: Metres; at most 0.6 percent from the truth.
    public func distance(to other: Position) -> Double {
        let halfway = { (from: Double, to: Double) in Trigonometry.sine((to - from) / 2) }
        let north = halfway(latitude, other.latitude)
        let east = halfway(longitude, other.longitude)
        let parallels = Trigonometry.cosine(latitude) * Trigonometry.cosine(other.latitude)
        let chord = north * north + parallels * east * east
        return 2 * Self.earthRadius * Trigonometry.arcSine(chord.squareRoot()) * .pi / 180
    }
}

extension Vicinity {
    /// Whether a place is inside.
    ///
    /// - Parameter position: The place.
    /// - Returns: Whether it is at most ``metres`` away from the middle.
    public func contains(_ position: Position) -> Bool { center.distance(to: position) <= metres }

    /// Boxes that hold the circle: two where it crosses the 180th meridian, else one.
    public var boxes: [Box] {
        // A little more than needed, so that rounding never leaves out a place on the rim.
        let angle = metres / Position.earthRadius * (1 + 1e-9) + 1e-9
        let degrees = angle * 180 / .pi
        let south = max(-90, center.latitude - degrees)
        let north = min(90, center.latitude + degrees)
        let (reach, sine) = (Trigonometry.cosine(center.latitude), Trigonometry.sine(degrees))
        guard south > -90, north < 90, degrees < 90, sine < reach else {
            return [Box(latitudes: south...north, longitudes: -180...180)]
        }
        let side = Trigonometry.arcSine(sine / reach)
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
