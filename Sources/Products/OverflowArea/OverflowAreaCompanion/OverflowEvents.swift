// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Companion
public import OverflowArea

/// Events about overflow areas.
public enum OverflowEvents {
    /// All of them.
    public static let all: [EventDescription] = [
        EventDescription(OverflowMapHeard.self),
        EventDescription(OverflowPayloadHeard.self),
        EventDescription(OverflowMapIgnored.self),
        EventDescription(OverflowAdvertising.self),
        EventDescription(OverflowBitFound.self),
        EventDescription(OverflowMapMade.self),
        EventDescription(OverflowMapRead.self),
        EventDescription(PhoneInBackground.self),
        EventDescription(PhoneInForeground.self),
    ]
}

/// A sender whose overflow area was heard.
public struct OverflowSighting: Hashable, Sendable {
    /// The sender.
    public let peer: Peer
    /// How strong it was, in dBm.
    public let rssi: Int8?

    fileprivate init(_ output: OverflowReceiver.Output) {
        peer = Peer(output.address)
        rssi = output.rssi
    }
}

/// A sender's map has changed.
public struct OverflowMapHeard: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "overflow_map"
    /// When it happens.
    public static let summary: StaticString = "A sender's overflow area was heard first, or has changed."

    /// The sender.
    public let sighting: OverflowSighting
    /// Its map.
    public let map: OverflowMap

    /// Makes the event of a receiver's report; `nil` when it is of another kind.
    public init?(_ output: OverflowReceiver.Output) {
        guard case .map(let map) = output.event else { return nil }
        sighting = OverflowSighting(output)
        self.map = map
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.sighting { $0.sighting }
        schema.map { $0.map }
    }
}

/// A sender has sent a payload.
public struct OverflowPayloadHeard: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "overflow_payload"
    /// When it happens.
    public static let summary: StaticString = "A sender's overflow area has a new message."

    /// The sender.
    public let sighting: OverflowSighting
    /// What it says.
    public let message: OverflowMessage

    /// Makes the event of a receiver's report; `nil` when it is of another kind.
    public init?(_ output: OverflowReceiver.Output) {
        guard case .payload(let message) = output.event else { return nil }
        sighting = OverflowSighting(output)
        self.message = message
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.sighting { $0.sighting }
        schema.message { $0.message }
    }
}

/// A sender's map was ignored.
public struct OverflowMapIgnored: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "overflow_ignored"
    /// When it happens.
    public static let summary: StaticString = "A sender's overflow area came to nothing."

    /// The sender.
    public let sighting: OverflowSighting
    /// Why.
    public let reason: OverflowReceiver.Reason

    /// Makes the event of a receiver's report; `nil` when it is of another kind.
    public init?(_ output: OverflowReceiver.Output) {
        guard case .ignored(let reason) = output.event else { return nil }
        sighting = OverflowSighting(output)
        self.reason = reason
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.sighting { $0.sighting }
        schema.word("reason", "Why.", of: OverflowReceiver.Reason.allCases.map { $0.description }) {
            $0.reason.description
        }
    }
}

/// This program advertises as an iPhone in the background does.
public struct OverflowAdvertising: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "overflow_advertising"
    /// When it happens.
    public static let summary: StaticString = "This program advertises an overflow area from now on."

    /// What is advertised.
    public let transmission: OverflowSender.Transmission
    /// How the payload is put into the map, if there is one.
    public let codec: OverflowCodec?

    /// Makes the event.
    public init(_ transmission: OverflowSender.Transmission, codec: OverflowCodec?) {
        self.transmission = transmission
        self.codec = codec
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.word("codec", "How a payload is put into the map; null for services.", of: OverflowCodec.words)
        {
            $0.codec?.description
        }
        schema.integer("position", "Where the message stands; null for services.") {
            $0.transmission.position?.rawValue
        }
        schema.made { ($0.transmission.map, $0.transmission.uuids) }
    }
}

/// Which bit a service sets: the answer of `overflow bit`.
public struct OverflowBitFound: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "overflow_bit"
    /// When it happens.
    public static let summary: StaticString = "Which bit of the overflow area a service sets."

    /// The service.
    public let uuid: BluetoothUUID
    /// Its bit.
    public var bit: OverflowBit { OverflowBit(of: uuid) }

    /// Makes the event.
    public init(_ uuid: BluetoothUUID) { self.uuid = uuid }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("uuid", "The service.") { $0.uuid.description }
        schema.integer("bit", "The bit's number on the air.") { $0.bit.number }
        schema.integer("octet", "In which octet of the map it is.") { $0.bit.octet }
        schema.text("mask", "Which bit of that octet it is.") { $0.bit.maskText }
        schema.integer("table_index", "Its number in the published table.") { $0.bit.tableIndex }
        schema.list("services", "The known services that set it.") { $0.bit.known }
    }
}

/// The map of services or of a payload: the answer of `overflow encode`.
public struct OverflowMapMade: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "overflow_encoded"
    /// When it happens.
    public static let summary: StaticString = "The overflow area that services or a payload make."

    /// The map.
    public let map: OverflowMap
    /// Services that set it.
    public let uuids: [BluetoothUUID]

    /// Makes the event.
    public init(_ map: OverflowMap, uuids: [BluetoothUUID]) {
        self.map = map
        self.uuids = uuids
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) { schema.made { ($0.map, $0.uuids) } }
}

/// What a map says by itself: the answer of `overflow decode`.
public struct OverflowMapRead: Event, Hashable, Sendable {
    /// A message in the map.
    public struct Payload: EventPart, Hashable, Sendable {
        /// The message.
        public let message: OverflowMessage
        /// Whether the half without it is occupied.
        public let isPolluted: Bool

        /// Declares its fields.
        public static func describe(_ schema: inout EventSchema<Self>) {
            schema.message { $0.message }
            schema.flag("polluted", "Whether other bits are set where none should be.") { $0.isPolluted }
            schema.integer("corrected_bits", "How many bits were corrected.") { $0.message.correctedBits }
        }
    }

    /// Its name in JSON.
    public static let name: StaticString = "overflow_decoded"
    /// When it happens.
    public static let summary: StaticString = "What an overflow area says by itself."

    /// The map.
    public let map: OverflowMap
    /// The messages in it.
    public let payloads: [Payload]

    /// Reads a map.
    ///
    /// - Parameters:
    ///   - map: The map.
    ///   - reading: What counts as pollution.
    public init(_ map: OverflowMap, _ reading: OverflowBanks.Reading) {
        self.map = map
        payloads = [OverflowBanks.message(in: map), OverflowHamming.message(in: map)].compactMap { message in
            guard let message else { return nil }
            // The bit that v2 sets by itself in the other half is its own.
            let own = message.codec == .v2 ? OverflowHamming.map(of: message.payload) : OverflowMap()
            let others = map.subtracting(own)
            return Payload(
                message: message,
                isPolluted: OverflowBanks.isOccupied(message.position.other, in: others, reading))
        }
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.map { $0.map }
        schema.list("payloads", "The messages in it.") { $0.payloads }
    }
}
