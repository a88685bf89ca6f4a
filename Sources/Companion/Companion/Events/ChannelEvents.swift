// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// Channels can be opened to this program.
public struct ChannelListening: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "channel_listening"
    /// When it happens.
    public static let summary: StaticString = "L2CAP channels can be opened to this program."

    /// At which PSM.
    public let psm: UInt16
    /// What it calls itself on the air.
    public let deviceName: String

    /// Makes the event.
    public init(psm: UInt16, deviceName: String) {
        self.psm = psm
        self.deviceName = deviceName
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("name", "What this program calls itself on the air.") { $0.deviceName }
        schema.integer("psm", "What the channel is for.") { $0.psm }
    }
}

/// A channel is open.
public struct ChannelOpened: Event, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "channel_open"
    /// When it happens.
    public static let summary: StaticString = "An L2CAP channel is open."

    /// The other end of the link.
    public let peer: Peer
    /// What the channel is for.
    public let psm: UInt16
    /// Our number of it, and the peer's.
    public let identifiers: (ours: UInt16?, theirs: UInt16?)
    /// The largest SDU and frame to send, in octets.
    public let limits: (mtu: Int, mps: Int?)

    /// Makes the event.
    public init(
        _ peer: Peer, psm: UInt16, identifiers: (ours: UInt16?, theirs: UInt16?),
        limits: (mtu: Int, mps: Int?)
    ) {
        self.peer = peer
        self.psm = psm
        self.identifiers = identifiers
        self.limits = limits
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.integer("psm", "What the channel is for.") { $0.psm }
        schema.integer("cid", "Our number for the channel; null when the platform does not say.") {
            $0.identifiers.ours
        }
        schema.integer("peer_cid", "The peer's number for the channel; null when the platform does not say.")
        {
            $0.identifiers.theirs
        }
        schema.integer("mtu", "The largest SDU that the peer takes, in octets.") { $0.limits.mtu }
        schema.integer(
            "mps", "The largest frame that the peer takes, in octets; null when the platform does not say."
        ) { $0.limits.mps }
    }
}

/// An SDU was received.
public struct ChannelReceived: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "channel_sdu"
    /// When it happens.
    public static let summary: StaticString = "An SDU has come through an L2CAP channel."

    /// Who has sent it.
    public let peer: Peer
    /// Our number of the channel.
    public let identifier: UInt16?
    /// The SDU.
    public let octets: [UInt8]

    /// Makes the event.
    public init(_ peer: Peer, identifier: UInt16?, octets: [UInt8]) {
        self.peer = peer
        self.identifier = identifier
        self.octets = octets
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.integer("cid", "Our number for the channel; null when the platform does not say.") {
            $0.identifier
        }
        schema.octets("octets", "The SDU.") { $0.octets }
    }
}

/// A channel is closed.
public struct ChannelClosed: Event, Hashable, Sendable {
    /// Why a channel is closed.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// This side has closed it.
        case closedByUs = "closed_by_us"
        /// The peer has closed it.
        case closedByPeer = "closed_by_peer"
        /// The peer has nothing at that PSM.
        case notOffered = "not_offered"
        /// The peer has no room for another channel.
        case noResources = "no_resources"
        /// The peer wants pairing, encryption or authorization first.
        case insufficientSecurity = "insufficient_security"
        /// The peer has refused it for another reason.
        case refused
        /// This radio or the peer has no channels.
        case unsupported
        /// The peer did not answer in time.
        case timeout
        /// The peer has broken the rules of the protocol.
        case protocolViolation = "protocol_violation"
        /// The link is gone.
        case linkLost = "link_lost"
    }

    /// Its name in JSON.
    public static let name: StaticString = "channel_closed"
    /// When it happens.
    public static let summary: StaticString = "An L2CAP channel is closed."

    /// The other end of the link.
    public let peer: Peer
    /// Our number of the channel.
    public let identifier: UInt16?
    /// Why.
    public let reason: Reason
    /// The same as a sentence for a person.
    public let sentence: String
    /// How many SDUs have come.
    public let received: Int

    /// Makes the event.
    public init(_ peer: Peer, identifier: UInt16?, reason: Reason, sentence: String, received: Int) {
        self.peer = peer
        self.identifier = identifier
        self.reason = reason
        self.sentence = sentence
        self.received = received
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.integer("cid", "Our number for the channel; null when the platform does not say.") {
            $0.identifier
        }
        schema.word("reason", "Why.", of: Reason.allCases.map { $0.rawValue }) { $0.reason.rawValue }
        schema.integer("received", "How many SDUs have come.") { $0.received }
    }
}
