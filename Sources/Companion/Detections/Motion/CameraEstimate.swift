// SPDX-License-Identifier: Apache-2.0

/// Where a source probably stands, judged by how strongly it was received at several places.
///
/// Signals fade with distance by a path-loss model, ten times the exponent in dB for each factor of ten, around which walls and
/// cars scatter them; how strongly the source sends is not known beforehand, and what is too weak is not received. For each
/// square of a grid the model says how well it explains what was received. The mean of all squares, weighted by that, is the
/// estimate; the circle around it that holds 68 % of the weight is how far it may be wrong. Where all places lie on one
/// straight road, both sides of it explain them equally well, and the estimate lies on the road, with a circle that has both.
public struct CameraEstimate: Hashable, Sendable {
    /// Degrees north.
    public let latitude: Double
    /// Degrees east.
    public let longitude: Double
    /// The true place is nearer than so many metres in at least 68 of 100 cases.
    public let radius: Double
    /// From how many places it was judged; sightings within some metres of each other are one.
    public let placeCount: Int

    /// One sighting.
    public struct Sighting: Hashable, Sendable {
        /// Degrees north of whoever received it.
        public var latitude: Double
        /// Degrees east of whoever received it.
        public var longitude: Double
        /// How far that may be wrong, in metres.
        public var accuracy: Double?
        /// How strong it was, in dBm.
        public var rssi: Int

        /// Makes a sighting.
        public init(latitude: Double, longitude: Double, accuracy: Double? = nil, rssi: Int) {
            self.latitude = latitude
            self.longitude = longitude
            self.accuracy = accuracy
            self.rssi = rssi
        }
    }

    /// How signals fade.
    public struct Model: Hashable, Sendable {
        /// A tenth of the dB lost for each factor of ten in distance: 2 in the open, 4 among houses.
        public var exponent: Double
        /// By how much a signal scatters around that, in dB.
        public var scatter: Double
        /// How strong a source is at one metre, in dBm, before anything is known of it.
        public var strength: Double
        /// By how much sources differ in that, in dB.
        public var strengthScatter: Double
        /// Beyond so many metres nothing is received.
        public var range: Double
        /// How far from the way of whoever receives them sources stand, in metres: two of three are nearer.
        public var roadside: Double

        /// A street with houses.
        public static let street = Model(
            exponent: 2.7, scatter: 7, strength: -38, strengthScatter: 8, range: 150,
            roadside: 30)

        /// Makes a model.
        public init(
            exponent: Double, scatter: Double, strength: Double, strengthScatter: Double, range: Double,
            roadside: Double
        ) {
            self.exponent = exponent
            self.scatter = scatter
            self.strength = strength
            self.strengthScatter = strengthScatter
            self.range = range
            self.roadside = roadside
        }
    }

    /// Judges where a source stands; `nil` when there is no sighting with a place.
    ///
    /// - Parameters:
    ///   - sightings: What was received, in any order.
    ///   - model: How signals fade.
    public init?(_ sightings: [Sighting], model: Model = .street) {
        guard let field = SightingField(sightings, model: model) else { return nil }
        var grid = EstimateGrid(around: field.middle, reach: field.reach, side: 19)
        grid.weigh(field)
        // Finer, around what the coarse one has found, but never so narrow that weight is left out.
        let first = grid.summary()
        grid = EstimateGrid(around: first.mean, reach: min(field.reach, first.farthest + grid.step), side: 25)
        grid.weigh(field)
        let summary = grid.summary()
        (latitude, longitude) = field.plane.place(of: summary.mean)
        // Half a square is what the grid itself does not know.
        radius = (summary.radius * summary.radius + grid.step * grid.step / 4).squareRoot()
        placeCount = field.places.count
    }
}
