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
        public var types: [Share]
        /// Where they stand.
        public var box: MapBox
    }

    /// A kind among the sources of a cluster.
    public struct Share: Hashable, Sendable {
        /// The kind.
        public var type: DetectionType
        /// How many of it.
        public var count: Int
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

extension MapView {
    /// Writes what it has into an object.
    ///
    /// - Parameters:
    ///   - json: The object.
    ///   - now: The time, by which sources are new.
    package func writeValues(into json: inout JSONWriter, at now: Timestamp) {
        json.field("sources", sources)
        json.field("progress", progress)
        json.key("pins")
        json.array { json in for pin in pins { SourceJSON(pin, at: now).write(into: &json) } }
        json.key("clusters")
        json.array { json in for cluster in clusters { cluster.write(into: &json) } }
        json.key("heat")
        json.array { json in
            for spot in heat {
                json.array { json in
                    json.value(spot.position.latitude)
                    json.value(spot.position.longitude)
                    json.value(spot.count)
                }
            }
        }
    }
}

extension MapView.Cluster {
    /// Kinds that are said of a cluster.
    private static let mostShares = 4

    fileprivate func write(into json: inout JSONWriter) {
        json.object { json in
            json.field("latitude", position.latitude)
            json.field("longitude", position.longitude)
            json.field("count", count)
            json.key("types")
            json.array { json in
                for share in types.prefix(Self.mostShares) {
                    json.object { json in
                        json.field("type", share.type.keywordString)
                        json.field("count", share.count)
                    }
                }
            }
            json.field("west", box.west)
            json.field("south", box.south)
            json.field("east", box.east)
            json.field("north", box.north)
        }
    }
}
