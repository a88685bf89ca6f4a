// SPDX-License-Identifier: Apache-2.0

public import Companion
public import FlockFinder

/// What a part of the map shows: sources one by one, or many as one cluster, never more than a page can draw.
public struct MapView: Sendable {
    /// Sources that are shown as one.
    public struct Cluster: Hashable, Sendable {
        /// The middle of them.
        public var position: Position
        /// How many there are.
        public var count: Int
        /// How many there are of each kind, the most frequent first.
        public var types: [(type: DetectionType, count: Int)]
        /// Where they stand.
        public var box: MapBox

        public static func == (one: Cluster, other: Cluster) -> Bool {
            one.position == other.position && one.count == other.count && one.box == other.box
                && one.types.elementsEqual(other.types) { $0 == $1 }
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(position)
            hasher.combine(count)
        }
    }

    /// Sightings that are near each other.
    public struct Spot: Hashable, Sendable {
        /// Where.
        public var position: Position
        /// How many.
        public var count: Int
    }

    /// How many sources stand in the box and fit the filter.
    public var sources: Int
    /// Sources that are shown by themselves, the ones seen last first.
    public var pins: [ListedSource]
    /// The others, the largest cluster first.
    public var clusters: [Cluster]
    /// How often anything was received where; empty unless that was asked for.
    public var heat: [Spot]
    /// How much of the map is there, 0 to 1, while it is built; `nil` when it is complete.
    public var progress: Double?

    /// The most pins and clusters, and spots, that there may be together.
    public static let mostFeatures = 1500
}
