// SPDX-License-Identifier: Apache-2.0

package import BLEGATT
package import BLEWire

/// One attribute of a device: its UUID, its name and its handle.
package struct AttributePart: EventPart, Hashable, Sendable {
    /// Where it is.
    package let handle: AttributeHandle
    /// What it is; `nil` when that is not known.
    package let target: AttributeTarget?

    /// Names an attribute.
    ///
    /// - Parameters:
    ///   - handle: Where it is.
    ///   - target: What it is; `nil` when that is not known.
    package init(_ handle: AttributeHandle, _ target: AttributeTarget?) {
        self.handle = handle
        self.target = target
    }

    /// Names an attribute of which it is known what it is.
    package init(_ target: AttributeTarget) { self.init(target.handle, target) }

    /// What to call it in a sentence.
    package var title: String { target.map { $0.name ?? $0.uuid.description } ?? "what is" }

    package static func describe(_ shape: inout EventShape<Self>) {
        shape.text("uuid", "The attribute's UUID; null when it is not known.") { $0.target?.uuid.description }
        shape.text("name", "What the Bluetooth SIG calls it, if it does.") { $0.target?.name }
        shape.integer("handle", "The attribute's handle.") { $0.handle.rawValue }
    }
}

/// A value was read: the answer of `gatt read`.
package struct ValueRead: Event, Hashable, Sendable {
    package static let name: StaticString = "value_read"
    package static let summary: StaticString = "A value was read from a device."

    package let peer: Peer
    package let attribute: AttributePart
    package let octets: [UInt8]

    package init(_ peer: Peer, _ attribute: AttributePart, _ octets: [UInt8]) {
        self.peer = peer
        self.attribute = attribute
        self.octets = octets
    }

    package static func describe(_ shape: inout EventShape<Self>) {
        shape.device { $0.peer }
        shape.include { $0.attribute }
        shape.value { $0.octets }
    }
}

/// A value was written: the answer of `gatt write`.
package struct ValueWritten: Event, Hashable, Sendable {
    package static let name: StaticString = "value_written"
    package static let summary: StaticString = "A value was written to a device."

    package let peer: Peer
    package let attribute: AttributePart
    package let octets: [UInt8]
    package let isAnswered: Bool

    package init(_ peer: Peer, _ attribute: AttributePart, _ octets: [UInt8], isAnswered: Bool) {
        self.peer = peer
        self.attribute = attribute
        self.octets = octets
        self.isAnswered = isAnswered
    }

    package static func describe(_ shape: inout EventShape<Self>) {
        shape.device { $0.peer }
        shape.include { $0.attribute }
        shape.octets("octets", "What was written.") { $0.octets }
        shape.flag("answered", "Whether the device has said that it took it.") { $0.isAnswered }
    }
}

/// A device has sent a value by itself.
package struct ValueReceived: Event, Hashable, Sendable {
    package static let name: StaticString = "value_received"
    package static let summary: StaticString = "A device has sent a value by itself."

    package let peer: Peer
    package let attribute: AttributePart
    package let octets: [UInt8]
    package let kind: GATT.ValueKind

    package init(_ peer: Peer, _ attribute: AttributePart, _ octets: [UInt8], _ kind: GATT.ValueKind) {
        self.peer = peer
        self.attribute = attribute
        self.octets = octets
        self.kind = kind
    }

    package static func describe(_ shape: inout EventShape<Self>) {
        shape.device { $0.peer }
        shape.include { $0.attribute }
        shape.value { $0.octets }
        shape.word("kind", "How it was sent.", of: ["notify", "indicate"]) {
            $0.kind == .notify ? "notify" : "indicate"
        }
    }
}

/// The recorded values of a characteristic were sent to a client that wanted them.
package struct RecordingPlayed: Event, Hashable, Sendable {
    package static let name: StaticString = "recording_played"
    package static let summary: StaticString =
        "A recording of values was sent to a client, to its end or until the client wanted no more."

    package let link: LinkID
    package let attribute: ServedAttribute
    package let sent: Int
    package let recorded: Int

    package init(_ link: LinkID, _ attribute: ServedAttribute, sent: Int, of recorded: Int) {
        self.link = link
        self.attribute = attribute
        self.sent = sent
        self.recorded = recorded
    }

    package static func describe(_ shape: inout EventShape<Self>) {
        shape.link { $0.link }
        shape.include { $0.attribute }
        shape.integer("sent", "How many values were sent.") { $0.sent }
        shape.integer("recorded", "How many there are.") { $0.recorded }
    }
}

extension EventShape {
    fileprivate mutating func value(_ value: (Part) -> [UInt8]) {
        octets("octets", "The value.") { value($0) }
        text("text", "The value as text, where it can be printed.") { PrintableText.text(value($0)) }
    }
}
