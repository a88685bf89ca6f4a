// SPDX-License-Identifier: Apache-2.0

public import Companion
public import FlockFinder

/// Which records are wanted: those that fit every condition that is set.
public struct DetectionFilter: Hashable, Sendable {
    /// Any of these kinds; empty for every kind.
    public var types: Set<DetectionType>
    /// Received then or later.
    public var since: Timestamp?
    /// Received before then.
    public var until: Timestamp?
    /// At least so sure, 0 to 1.
    public var minimumConfidence: Double?
    /// Received in this circle; a record without a position is in none.
    public var near: Vicinity?
    /// Stands somewhere in the label, SSID, MAC address or extra keys, in whatever case.
    ///
    /// Empty text stands everywhere. It has at most ``longestText`` octets.
    public var text: String?
    /// Of this source only.
    public var source: Int64?
    /// Of any of these sources; empty for all.
    public var sources: Set<Int64> = []
    /// With any of these numbers; empty for all.
    public var ids: Set<Int64> = []
    /// Received in this part of the map; a record without a position is in none.
    public var box: MapBox?
    /// Whether it has to have a position, or must have none.
    public var hasPosition: Bool?
    /// Of sources with any of these marks; empty for all.
    public var marks: Set<SourceMark>
    /// Of sources that were received first then or later; with ``marks``, either is enough.
    public var newSince: Timestamp?

    /// How many octets of UTF-8 a text that is looked for may have.
    public static let longestText = 512

    /// Makes a filter; without arguments every record fits.
    public init(
        types: Set<DetectionType> = [],
        since: Timestamp? = nil,
        until: Timestamp? = nil,
        minimumConfidence: Double? = nil,
        near: Vicinity? = nil,
        text: String? = nil,
        source: Int64? = nil,
        marks: Set<SourceMark> = []
    ) {
        self.types = types
        self.since = since
        self.until = until
        self.minimumConfidence = minimumConfidence
        self.near = near
        self.text = text
        self.source = source
        self.marks = marks
    }
}

/// A part of the map between two latitudes and two longitudes.
public struct MapBox: Hashable, Sendable {
    /// Degrees east at its western edge; when that is more than at the eastern one, it lies across the date line.
    public var west: Double
    /// Degrees north at its southern edge.
    public var south: Double
    /// Degrees east at its eastern edge.
    public var east: Double
    /// Degrees north at its northern edge.
    public var north: Double

    /// Makes a box.
    public init(west: Double, south: Double, east: Double, north: Double) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }
}

/// Which part of a long list is wanted, and from which end.
///
/// The order is that in which detections came into the store, so that a new one is always at one end, whatever the
/// clock was set to.
public struct DetectionPage: Hashable, Sendable {
    /// The order by number.
    public enum Order: String, CaseIterable, Hashable, Sendable {
        /// What was stored last comes first.
        case newestFirst = "newest"
        /// What was stored first comes first.
        case oldestFirst = "oldest"
    }

    /// The order.
    public var order: Order
    /// The number of the last record that is already known; the list goes on behind it.
    public var after: Int64?
    /// At most so many records; never more than ``largest``.
    public var limit: Int

    /// The most records that one page has.
    public static let largest = 10_000

    /// Makes a page; without arguments it is the thousand that were stored last.
    public init(order: Order = .newestFirst, after: Int64? = nil, limit: Int = 1000) {
        self.order = order
        self.after = after
        self.limit = limit
    }
}
