// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// An attribute of a device in an event: its UUID, its name and its handle.
public struct AttributeJSON: EventPart, Hashable, Sendable {
    /// Its handle.
    public let handle: AttributeHandle
    /// What was discovered at that handle; `nil` when nothing was.
    public let target: AttributeTarget?

    /// Makes the part for a handle.
    public init(_ handle: AttributeHandle, _ target: AttributeTarget?) {
        self.handle = handle
        self.target = target
    }

    /// Makes the part for an attribute that was discovered.
    public init(_ target: AttributeTarget) { self.init(target.handle, target) }

    /// Its name or UUID, for a sentence.
    public var title: String { target.map { $0.title ?? $0.uuid.description } ?? "what is" }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("uuid", "The attribute's UUID; null when it is not known.") {
            $0.target?.uuid.description
        }
        schema.text("name", "What the Bluetooth SIG calls it, if it does.") { $0.target?.name }
        schema.text("description", "What the device itself calls it, if it has no other name.") {
            $0.target?.userDescription
        }
        schema.integer("handle", "The attribute's handle.") { $0.handle.rawValue }
    }
}

/// A value was read from a device.
public struct ValueRead: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "value_read"
    /// When it happens.
    public static let summary: StaticString = "A value was read from a device."

    /// The device.
    public let peer: Peer
    /// The attribute.
    public let attribute: AttributeJSON
    /// The value, or its first part.
    public let octets: [UInt8]
    /// Why there may be more, as part of a sentence; `nil` when this is all.
    public let incomplete: String?

    /// Makes the event.
    public init(
        _ peer: Peer, _ attribute: AttributeJSON, _ octets: [UInt8], incomplete: String? = nil
    ) {
        self.peer = peer
        self.attribute = attribute
        self.octets = octets
        self.incomplete = incomplete
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.include { $0.attribute }
        schema.include { ValueJSON($0.octets, of: $0.attribute.target?.layout) }
        schema.text("incomplete", "Why only the first part of the value was read, if there may be more.") {
            $0.incomplete
        }
    }
}

/// A value was written to a device.
public struct ValueWritten: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "value_written"
    /// When it happens.
    public static let summary: StaticString = "A value was written to a device."

    /// The device.
    public let peer: Peer
    /// The attribute.
    public let attribute: AttributeJSON
    /// The value.
    public let octets: [UInt8]
    /// Whether the device has answered; without an answer it may not have arrived.
    public let isAnswered: Bool

    /// Makes the event.
    public init(_ peer: Peer, _ attribute: AttributeJSON, _ octets: [UInt8], isAnswered: Bool) {
        self.peer = peer
        self.attribute = attribute
        self.octets = octets
        self.isAnswered = isAnswered
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.include { $0.attribute }
        schema.octets("octets", "What was written.") { $0.octets }
        schema.flag("answered", "Whether the device has said that it took it.") { $0.isAnswered }
    }
}

/// A device has notified or indicated a value.
public struct ValueReceived: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "value_received"
    /// When it happens.
    public static let summary: StaticString = "A device has sent a value by itself."

    /// The device.
    public let peer: Peer
    /// The attribute.
    public let attribute: AttributeJSON
    /// The value.
    public let octets: [UInt8]
    /// Whether it was notified or indicated.
    public let kind: GATT.ValueKind

    /// Makes the event.
    public init(_ peer: Peer, _ attribute: AttributeJSON, _ octets: [UInt8], _ kind: GATT.ValueKind) {
        self.peer = peer
        self.attribute = attribute
        self.octets = octets
        self.kind = kind
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.include { $0.attribute }
        schema.include { ValueJSON($0.octets, of: $0.attribute.target?.layout) }
        schema.word("kind", "How it was sent.", of: ["notify", "indicate"]) {
            $0.kind == .notify ? "notify" : "indicate"
        }
    }
}

/// The recorded values of a characteristic were sent to a client that has subscribed to it.
public struct RecordingPlayed: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "recording_played"
    /// When it happens.
    public static let summary: StaticString =
        "A recording of values was sent to a client, to its end or until the client wanted no more."

    /// The link to the client.
    public let link: LinkID
    /// The characteristic.
    public let attribute: ServedAttribute
    /// How many values were sent.
    public let sent: Int
    /// How many values the recording has.
    public let recorded: Int

    /// Makes the event.
    public init(_ link: LinkID, _ attribute: ServedAttribute, sent: Int, of recorded: Int) {
        self.link = link
        self.attribute = attribute
        self.sent = sent
        self.recorded = recorded
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.link { $0.link }
        schema.include { $0.attribute }
        schema.integer("sent", "How many values were sent.") { $0.sent }
        schema.integer("recorded", "How many there are.") { $0.recorded }
    }
}

/// A characteristic that is listened to has no descriptor that switches it on.
public struct ConfigurationMissing: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "configuration_missing"
    /// When it happens.
    public static let summary: StaticString =
        "A characteristic that sends by itself has no Client Characteristic Configuration (2902); it is listened to all the same."

    /// The device.
    public let peer: Peer
    /// The characteristic.
    public let attribute: AttributeJSON

    /// Makes the event.
    public init(_ peer: Peer, _ attribute: AttributeJSON) {
        self.peer = peer
        self.attribute = attribute
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.include { $0.attribute }
    }
}
