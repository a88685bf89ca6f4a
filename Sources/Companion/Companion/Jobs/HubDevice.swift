// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// A device that a hub hears or knows.
public struct HubDevice: EventPart, Hashable, Sendable, Identifiable {
    /// What a device is, as far as it can be told.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A FlockFinder.
        case flockFinder = "flockfinder"
        /// Something that wants to be told its Wi-Fi.
        case wifiSet = "wifiset"
        /// A nightlight.
        case nightlight
        /// A bulb.
        case bulb
        /// Anything else.
        case other
    }

    /// How far the hub's link to it is.
    public enum Link: String, Hashable, Sendable, CaseIterable {
        /// None is wanted.
        case none
        /// It is being opened.
        case connecting
        /// The device is there and listened to.
        case connected
        /// It was lost, or could not be opened, and is tried again.
        case lost
    }

    /// Its number, the same as long as the hub runs.
    public let id: Int
    /// Who it is.
    public var peer: Peer
    /// What it calls itself.
    public var name: String?
    /// What its owner calls it.
    public var ownName: String?
    /// What it is.
    public var kind: Kind
    /// Whether it offers the service that WiFiSet devices share with others, and has been shown to be no FlockFinder.
    public var mayBeWiFiSet: Bool
    /// What else is known of it, in a few words; empty when nothing.
    public var note: String
    /// Whether it accepts links, where that is known.
    public var isConnectable: Bool?
    /// How strong it was last, in dBm.
    public var rssi: Int?
    /// When it was heard last.
    public var lastHeard: Timestamp?
    /// How far the link is.
    public var link: Link
    /// Why there is no link, in a sentence.
    public var reason: String?
    /// When the link is tried again.
    public var nextTry: Timestamp?
    /// Whether the hub connects to it by itself.
    public var connectsByItself: Bool
    /// Detections that it has brought since the hub began or its counters were reset.
    public var received: Int
    /// What it sent in this time that could not be used.
    public var refused: Int
    /// When the last detection came.
    public var lastReceived: Timestamp?
    /// Since when it is connected.
    public var connectedSince: Timestamp?
    /// Whether its live stream is on.
    public var isStreaming: Bool

    /// Makes a device of which only the identity is known.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - peer: Who it is.
    public init(id: Int, peer: Peer) {
        self.id = id
        self.peer = peer
        kind = .other
        mayBeWiFiSet = false
        note = ""
        link = .none
        connectsByItself = false
        received = 0
        refused = 0
        isStreaming = false
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("id", "Its number, the same as long as the hub runs.") { $0.id }
        schema.device { Optional($0.peer) }
        schema.text("name", "What it calls itself, if it does.") { $0.name }
        schema.text("own_name", "What its owner calls it.") { $0.ownName }
        schema.word("kind", "What it is, as far as it can be told.", of: Kind.allCases.map { $0.rawValue }) {
            $0.kind.rawValue
        }
        schema.flag(
            "maybe_wifiset",
            "Whether it offers the service that WiFiSet devices share with others, and is no FlockFinder."
        ) { $0.mayBeWiFiSet }
        schema.text("note", "What else is known of it; empty when nothing.") { $0.note }
        schema.flag("connectable", "Whether it accepts links, where that is known.") { $0.isConnectable }
        schema.integer("rssi", "How strong it was last, in dBm.") { $0.rssi }
        schema.time("last_heard", "When it was heard last.") { $0.lastHeard }
        schema.word("state", "How far the hub's link to it is.", of: Link.allCases.map { $0.rawValue }) {
            $0.link.rawValue
        }
        schema.text("reason", "Why there is no link, where one was wanted.") { $0.reason }
        schema.time("next_try", "When the link is tried again.") { $0.nextTry }
        schema.flag("auto_connect", "Whether the hub connects to it by itself.") { $0.connectsByItself }
        schema.integer("received", "Detections that it has brought since its counters were reset.") {
            $0.received
        }
        schema.integer("refused", "What it sent in this time that could not be used.") { $0.refused }
        schema.time("last_received", "When the last detection came.") { $0.lastReceived }
        schema.time("connected_since", "Since when it is connected.") { $0.connectedSince }
        schema.flag("stream", "Whether its live stream is on.") { $0.isStreaming }
    }
}
