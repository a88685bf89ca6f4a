// SPDX-License-Identifier: Apache-2.0

public import Companion
public import FlockFinder

/// The mark that a person gives a source.
public enum SourceMark: String, Hashable, Sendable, CaseIterable {
    /// Nothing.
    case none
    /// It is the person's own.
    case mine
    /// It is known, and nothing more need be said of it.
    case muted
    /// It is not what the device reported.
    case falseAlarm = "false_alarm"

    /// Whether a detection of it calls for attention.
    public var alerts: Bool { self == .none }

    /// How many octets of UTF-8 a note may have.
    public static let longestNote = 1000

    /// All of them, for sentences.
    static var words: String { allCases.map { $0.rawValue }.joined(separator: ", ") }
}

/// One device that was noticed, as far as devices can be distinguished, and what its detections add up to.
///
/// A MAC address identifies a device; else its SSID and kind do; else only the kind is known, and several devices may
/// be one source.
public struct DetectionSource: Hashable, Sendable, Identifiable {
    /// What identifies it.
    public enum Identity: Hashable, Sendable {
        /// Its MAC address.
        case address(String)
        /// Its SSID or name, with its kind.
        case name(String)
        /// Its kind alone; several devices may be meant.
        case kind
    }

    /// Where it was heard best.
    public struct StrongestPlace: Hashable, Sendable {
        /// Where the receiver was.
        public var position: Position
        /// How strong it was there, in dBm.
        public var rssi: Int

        /// Makes a place.
        public init(position: Position, rssi: Int) {
            self.position = position
            self.rssi = rssi
        }
    }

    /// Where it probably stands.
    public struct Estimate: EventPart, Hashable, Sendable {
        /// The place.
        public var position: Position
        /// It is nearer than so many metres in at least two of three cases; `nil` when that is not known.
        public var radius: Double?
        /// From how many spots it was received.
        public var spots: Int

        /// Makes an estimate.
        public init(position: Position, radius: Double? = nil, spots: Int) {
            self.position = position
            self.radius = radius
            self.spots = spots
        }

        /// Names its values.
        public static func describe(_ schema: inout EventSchema<Self>) {
            schema.number("latitude", "Degrees north.") { $0.position.latitude }
            schema.number("longitude", "Degrees east.") { $0.position.longitude }
            schema.number(
                "radius",
                "It is nearer than so many metres in two of three cases; null when that is not known."
            ) { $0.radius }
            schema.integer("spots", "From how many spots it was received.") { $0.spots }
        }
    }

    /// Its number, never used twice.
    public let id: Int64
    /// What identifies it.
    public var identity: Identity
    /// What kind of device it is.
    public var type: DetectionType
    /// The kind as the device called it last.
    public var label: String
    /// When it was received first.
    public var firstSeen: Timestamp
    /// When it was received last.
    public var lastSeen: Timestamp
    /// How many detections of it there are.
    public var count: Int
    /// How strong it was at best, in dBm.
    public var strongest: Int
    /// Where it was heard best; `nil` when no detection has a position.
    public var strongestPlace: StrongestPlace?
    /// Where it probably stands; `nil` when that was not judged, or no detection has a position.
    public var estimate: Estimate?
    /// What a person has said about it.
    public var mark: SourceMark
    /// What a person has noted; empty when nothing.
    public var note: String
    /// Counts the changes of mark and note.
    public var revision: Int64

    /// Makes a source.
    public init(
        id: Int64,
        identity: Identity,
        type: DetectionType,
        label: String,
        firstSeen: Timestamp,
        lastSeen: Timestamp,
        count: Int,
        strongest: Int,
        strongestPlace: StrongestPlace? = nil,
        estimate: Estimate? = nil,
        mark: SourceMark = .none,
        note: String = "",
        revision: Int64 = 0
    ) {
        self.id = id
        self.identity = identity
        self.type = type
        self.label = label
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.count = count
        self.strongest = strongest
        self.strongestPlace = strongestPlace
        self.estimate = estimate
        self.mark = mark
        self.note = note
        self.revision = revision
    }

    /// What identifies a source, as one text.
    ///
    /// - Parameters:
    ///   - type: The keyword of its kind.
    ///   - label: The kind as the device calls it.
    ///   - mac: Its MAC address, if it is known.
    ///   - ssid: Its SSID or name, if it is known.
    /// - Returns: The text, the same for all detections of one source.
    package static func key(type: String, label: String, mac: String?, ssid: String?) -> String {
        if let mac { return mac }
        // Kinds that nobody knows are told by what the device calls them.
        let kind = type == DetectionType.unknown.keywordString ? "\(type) \(withoutSeparators(label))" : type
        return ssid.map { "name\u{1F}\(kind)\u{1F}\($0)" } ?? "kind\u{1F}\(kind)"
    }

    /// A label in which U+001F stands between no two parts of a key; no two labels become one.
    private static func withoutSeparators(_ label: String) -> String {
        guard label.utf8.contains(where: { $0 == 0x1E || $0 == 0x1F }) else { return label }
        var text = ""
        for scalar in label.unicodeScalars {
            switch scalar.value {
            case 0x1E: text += "\u{1E}e"
            case 0x1F: text += "\u{1E}f"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Whether its MAC address was made up by itself, so that the same device may come as another source.
    ///
    /// Spec: IEEE 802-2014, 8.4: the second bit of the first octet marks an address as locally administered.
    public var isRandomized: Bool {
        guard case .address(let mac) = identity, mac.utf8.count == 17 else { return false }
        let digit = mac.utf8[mac.utf8.index(after: mac.utf8.startIndex)]
        return [UInt8](("2367ABEF").utf8).contains(digit)
    }
}

/// How strong a source was at a moment.
public struct SignalPoint: Hashable, Sendable {
    /// The number of the detection.
    public var detection: Int64
    /// When it was received.
    public var received: Timestamp
    /// How strong it was, in dBm.
    public var rssi: Int

    /// Makes a point.
    public init(detection: Int64, received: Timestamp, rssi: Int) {
        self.detection = detection
        self.received = received
        self.rssi = rssi
    }
}

/// What a list of sources is in order of, the most first; of those that have the same, the newest source comes first.
public enum SourceOrder: String, CaseIterable, Sendable {
    /// When it was seen last.
    case last
    /// When it was seen first.
    case first
    /// How strong it was at its best.
    case strongest
    /// How often it was seen.
    case seen
    /// How sure its last detection was.
    case confidence

    /// Where a source stands in it.
    ///
    /// - Parameter listed: The source.
    /// - Returns: Its time in milliseconds, or its number; -1 where its confidence is not known.
    public func value(of listed: ListedSource) -> Double {
        switch self {
        case .last: Double(listed.source.lastSeen.milliseconds)
        case .first: Double(listed.source.firstSeen.milliseconds)
        case .strongest: Double(listed.source.strongest)
        case .seen: Double(listed.source.count)
        case .confidence: listed.confidence ?? -1
        }
    }
}

/// A part of the list of sources.
public struct SourcePage: Hashable, Sendable {
    /// A place in that list.
    public struct Cursor: Hashable, Sendable {
        /// What the list is in order of, at the source at which it stands.
        public let value: Double
        /// The number of that source.
        public let id: Int64

        /// Makes the place right behind a source.
        ///
        /// - Parameters:
        ///   - listed: The source.
        ///   - order: What the list is in order of.
        public init(_ listed: ListedSource, in order: SourceOrder) {
            value = order.value(of: listed)
            id = listed.source.id
        }

        /// Makes the place right behind a source of a list in order of when they were seen last.
        ///
        /// - Parameter source: The source.
        public init(_ source: DetectionSource) {
            value = Double(source.lastSeen.milliseconds)
            id = source.id
        }

        /// Makes a place.
        public init(value: Double, id: Int64) {
            self.value = value
            self.id = id
        }
    }

    /// Only with any of these marks; empty for all.
    public var marks: Set<SourceMark>
    /// What the list is in order of.
    public var order: SourceOrder
    /// The list goes on behind it.
    public var after: Cursor?
    /// At most so many, 1 to 10 000.
    public var limit: Int

    /// Makes a page.
    public init(
        marks: Set<SourceMark> = [], order: SourceOrder = .last, after: Cursor? = nil, limit: Int = 100
    ) {
        self.marks = marks
        self.order = order
        self.after = after
        self.limit = limit
    }
}
