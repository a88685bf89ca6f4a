// SPDX-License-Identifier: Apache-2.0

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
    /// Stands somewhere in the label, SSID, MAC address or extra keys, in whatever case; empty text stands
    /// everywhere.
    public var text: String?

    /// Makes a filter; without arguments every record fits.
    ///
    /// - Parameters:
    ///   - types: Any of these kinds; empty for every kind.
    ///   - since: Received then or later.
    ///   - until: Received before then.
    ///   - minimumConfidence: At least so sure, 0 to 1.
    ///   - near: Received in this circle.
    ///   - text: Stands in the label, SSID, MAC address or extra keys.
    public init(
        types: Set<DetectionType> = [],
        since: Timestamp? = nil,
        until: Timestamp? = nil,
        minimumConfidence: Double? = nil,
        near: Vicinity? = nil,
        text: String? = nil
    ) {
        self.types = types
        self.since = since
        self.until = until
        self.minimumConfidence = minimumConfidence
        self.near = near
        self.text = text
    }
}

/// Which part of a long list is wanted, and from which end.
public struct DetectionPage: Hashable, Sendable {
    /// The order by receive time; those of one millisecond are in order of number.
    public enum Order: Hashable, Sendable {
        /// The latest comes first.
        case newestFirst
        /// The earliest comes first.
        case oldestFirst
    }

    /// The order.
    public var order: Order
    /// The last record that is already known; the list goes on behind it.
    public var after: DetectionRecord.Cursor?
    /// At most so many records.
    public var limit: Int?

    /// Makes a page; without arguments it is everything, the latest first.
    ///
    /// - Parameters:
    ///   - order: The order.
    ///   - after: The last record that is already known.
    ///   - limit: At most so many records.
    public init(order: Order = .newestFirst, after: DetectionRecord.Cursor? = nil, limit: Int? = nil) {
        self.order = order
        self.after = after
        self.limit = limit
    }
}
