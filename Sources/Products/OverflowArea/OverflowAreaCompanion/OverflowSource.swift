// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Companion
public import OverflowArea

/// A sender of overflow areas as a hub hears it.
public struct OverflowSource: EventPart, Hashable, Sendable {
    /// Whether a message can be believed.
    public enum Quality: String, Hashable, Sendable, CaseIterable {
        /// The place where it stands was empty when it stood elsewhere, or its code is right.
        case clean
        /// One bit of it was put right.
        case corrected
        /// Other bits were seen in the place where it stands.
        case polluted
        /// The place where it stands was not seen without it yet.
        case unknown
    }

    /// A message in the map.
    public struct Payload: EventPart, Hashable, Sendable {
        /// The message.
        public var message: OverflowMessage
        /// Whether it can be believed.
        public var quality: Quality
        /// The map of the message alone.
        public var map: OverflowMap
        /// How often it has changed its place.
        public var moves = 0
        /// How long it stood in a place, in seconds; `nil` before it has moved twice.
        public var stay: Int?

        /// Makes a payload.
        ///
        /// - Parameters:
        ///   - message: The message.
        ///   - quality: Whether it can be believed.
        public init(_ message: OverflowMessage, _ quality: Quality) {
            self.message = message
            self.quality = quality
            map =
                message.codec == .v1
                ? OverflowBanks.map(of: message.payload, at: message.position)
                : OverflowHamming.map(of: message.payload)
        }

        /// Names its values.
        public static func describe(_ schema: inout EventSchema<Self>) {
            schema.message { $0.message }
            schema.integer("corrected_bits", "How many bits were put right.") { $0.message.correctedBits }
            schema.word(
                "quality", "Whether it can be believed.", of: Quality.allCases.map { $0.rawValue }
            ) { $0.quality.rawValue }
            schema.octets("map", "The map of the message alone, 16 octets.") { $0.map.octets }
            schema.integer("moves", "How often it has changed its place.") { $0.moves }
            schema.integer("stay", "How long it stood in a place, in s; null before it has moved twice.") {
                $0.stay
            }
        }
    }

    /// The sender.
    public let peer: Peer
    /// How strong it was last, in dBm.
    public var rssi: Int?
    /// When it was heard first.
    public let first: Timestamp
    /// When it was heard last.
    public var last: Timestamp
    /// Whether it is heard now.
    public var isHere = true
    /// The map that it has sent last.
    public var map: OverflowMap
    /// How many octets of a map it has sent last, where that was too short; `nil` while its maps are whole.
    public var octetsOfCutMap: Int?
    /// How many times its map has changed.
    public var changes = 0
    /// The message in its map, if there is one.
    public var payload: Payload?

    /// Makes a sender that was just heard.
    public init(_ peer: Peer, map: OverflowMap, at now: Timestamp) {
        self.peer = peer
        self.map = map
        first = now
        last = now
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { Optional($0.peer) }
        schema.integer("rssi", "How strong it was last, in dBm.") { $0.rssi }
        schema.time("first", "When it was heard first.") { $0.first }
        schema.time("last", "When it was heard last.") { $0.last }
        schema.flag("here", "Whether it is heard now.") { $0.isHere }
        schema.octets("octets", "Its map, 16 octets as on the air.") { $0.map.octets }
        schema.integer(
            "cut_octets",
            "How many octets its last map had where it was too short and is not shown; null while its maps are whole."
        ) { $0.octetsOfCutMap }
        schema.integer("changes", "How many times its map has changed.") { $0.changes }
        schema.object("payload", "The message in its map; null without one.") { $0.payload }
    }
}

/// A sender of overflow areas was heard first, has changed, or has fallen silent.
public struct OverflowSourceChanged: Event, Hashable, Sendable {
    /// Its name.
    public static let name: StaticString = "overflow_source_changed"
    /// When it happens.
    public static let summary: StaticString =
        "A sender of overflow areas was heard first, has changed, or has fallen silent; each at most once a second."

    /// The sender as it is now.
    public let source: OverflowSource

    /// Makes the event.
    public init(_ source: OverflowSource) { self.source = source }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.object("source", "The sender as it is now.") { $0.source }
    }
}

/// What a hub advertises as an iPhone in the background would.
public struct OverflowBeacon: EventPart, Hashable, Sendable {
    /// What it says; `nil` while it is off.
    public var payload: OverflowPayload?
    /// How that is put into the map.
    public var codec = OverflowCodec.v1
    /// What is on the air; `nil` until it is.
    public var map: OverflowMap?
    /// Since when it is on.
    public var since: Timestamp?
    /// Why it has gone off by itself, in a sentence.
    public var reason: String?

    /// Makes a beacon that is off.
    public init() {}

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.flag("on", "Whether it is on.") { $0.payload != nil }
        schema.octets("payload", "What it says, four octets; null while it is off.") { $0.payload?.octets }
        schema.word("codec", "How that is put into the map.", of: OverflowCodec.words) {
            $0.codec.description
        }
        schema.octets("octets", "What is on the air; null until something is.") { $0.map?.octets }
        schema.time("since", "Since when it is on.") { $0.since }
        schema.text("reason", "Why it has gone off by itself; null when somebody has switched it off.") {
            $0.reason
        }
    }
}

/// The beacon of a hub was switched, or has moved its message.
public struct OverflowBeaconChanged: Event, Hashable, Sendable {
    /// Its name.
    public static let name: StaticString = "overflow_beacon_changed"
    /// When it happens.
    public static let summary: StaticString = "The beacon of the hub was switched, or has moved its message."

    /// The beacon as it is now.
    public let beacon: OverflowBeacon

    /// Makes the event.
    public init(_ beacon: OverflowBeacon) { self.beacon = beacon }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.object("beacon", "The beacon as it is now.") { $0.beacon }
    }
}

/// A service of the catalogue with the bit that it sets.
public struct OverflowServiceJSON: EventPart, Hashable, Sendable {
    /// The service.
    public let uuid: BluetoothUUID
    /// What it is called.
    public let name: String
    /// Whether somebody has added it here.
    public let isOwn: Bool

    /// Makes a service.
    public init(_ uuid: BluetoothUUID, name: String, isOwn: Bool) {
        self.uuid = uuid
        self.name = name
        self.isOwn = isOwn
    }

    /// The whole catalogue.
    ///
    /// - Parameter own: What people have added.
    /// - Returns: What people have added, then the known services.
    public static func all(with own: [OverflowSettings.OwnService]) -> [OverflowServiceJSON] {
        own.map { OverflowServiceJSON($0.uuid, name: $0.name, isOwn: true) }
            + OverflowCatalogue.services.map {
                OverflowServiceJSON($0.uuid, name: $0.name.description, isOwn: false)
            }
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("uuid", "The service.") { $0.uuid.description }
        schema.text("name", "What it is called.") { $0.name }
        schema.integer("bit", "The number on the air of the bit that it sets.") {
            OverflowBit(of: $0.uuid).number
        }
        schema.flag("own", "Whether somebody has added it here.") { $0.isOwn }
    }
}
