// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Companion

/// A device that pairs with a hub: what is shown or asked on its pages, and what came of it.
///
/// Digits are no part of it.
public struct HubPairing: EventPart, Hashable, Sendable, Identifiable {
    /// How far it is.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        /// A person is shown or asked something.
        case asking
        /// A person has answered, and the devices go on.
        case working
        /// It is paired.
        case paired
        /// It came to nothing.
        case failed
    }

    /// Who has begun.
    public enum Beginner: String, Hashable, Sendable, CaseIterable {
        /// A person on a page of the hub.
        case person
        /// The device, or something that it refuses until it is paired.
        case device
    }

    /// Its number, which no other pairing of this hub has.
    public let id: Int64
    /// The number of the device; `nil` when it is none of those that the hub lists.
    public let device: Int?
    /// Who the device is.
    public let peer: Peer
    /// What it is called.
    public let name: String?
    /// Who has begun.
    public let beginner: Beginner
    /// How far it is.
    public var phase = Phase.asking
    /// How many things were shown or asked so far: an answer names the one that it answers.
    public var question = 1
    /// What is shown or asked, or was last.
    public var kind: PairingAsked.Kind
    /// Whether it takes the place of a device that is known already.
    public var replacesBond = false
    /// Until when an answer counts.
    public var deadline: Timestamp
    /// Why it came to nothing, and what to do, in a sentence.
    public var reason: String?
    /// How well the link is protected, once it is paired.
    public var protection: ProtectionJSON?

    /// Makes a pairing of which something is shown or asked.
    public init(
        id: Int64, device: Int?, _ peer: Peer, name: String?, begunBy beginner: Beginner,
        _ kind: PairingAsked.Kind, until deadline: Timestamp
    ) {
        self.id = id
        self.device = device
        self.peer = peer
        self.name = name
        self.beginner = beginner
        self.kind = kind
        self.deadline = deadline
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("id", "Its number, which no other pairing has.") { $0.id }
        schema.integer("device", "The number of the device; null when it is not listed.") { $0.device }
        schema.device { Optional($0.peer) }
        schema.text("name", "What the device is called, if it is.") { $0.name }
        schema.word("begun_by", "Who has begun.", of: Beginner.allCases.map { $0.rawValue }) {
            $0.beginner.rawValue
        }
        schema.word("phase", "How far it is.", of: Phase.allCases.map { $0.rawValue }) { $0.phase.rawValue }
        schema.integer("question", "What an answer names: how many things were shown or asked so far.") {
            $0.question
        }
        schema.word(
            "kind",
            "What is shown or asked, or was last: show these digits, enter those of the device, compare them, or consent.",
            of: PairingAsked.Kind.allCases.map { $0.rawValue }
        ) { $0.kind.rawValue }
        schema.flag("replaces_bond", "Whether it takes the place of a device that is known already.") {
            $0.replacesBond
        }
        schema.time("deadline", "Until when an answer counts.") { $0.deadline }
        schema.text("reason", "Why it came to nothing, and what to do.") { $0.reason }
        schema.object("protection", "How well the link is protected, once it is paired.") { $0.protection }
    }
}

/// Something about a device that pairs with a hub has changed.
public struct PairingChanged: Event, Hashable, Sendable {
    /// Its name.
    public static let name: StaticString = "pairing_changed"
    /// When it happens.
    public static let summary: StaticString =
        "A device pairs with the hub: a person is asked something, has answered, or it is over. Digits are in no event."

    /// How it is now.
    public let pairing: HubPairing

    /// Makes the event.
    public init(_ pairing: HubPairing) { self.pairing = pairing }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.object("pairing", "How it is now.") { $0.pairing }
    }
}

/// The bonds of a hub are others.
public struct BondsChanged: Event, Hashable, Sendable {
    /// Its name.
    public static let name: StaticString = "bonds_changed"
    /// When it happens.
    public static let summary: StaticString = "The hub has the keys of one device more, or of one less."

    /// Makes the event.
    public init() {}

    /// It has no values.
    public static func describe(_ schema: inout EventSchema<Self>) {}
}
