// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// A link between this program and a device, or a client of a device that this program is.
public struct LinkConnected: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "link_connected"
    /// When it happens.
    public static let summary: StaticString =
        "A link was opened, by this program or by a client of the device that it is."

    /// The link's number; `nil` where there is only one.
    public let link: LinkID?
    /// The other end of the link.
    public let peer: Peer

    /// Makes the event.
    public init(link: LinkID? = nil, _ peer: Peer) {
        self.link = link
        self.peer = peer
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.link { $0.link }
    }
}

/// A link is gone.
public struct LinkDisconnected: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "link_disconnected"
    /// When it happens.
    public static let summary: StaticString = "A link is gone."

    /// The link's number; `nil` where there is only one.
    public let link: LinkID?
    /// The other end of the link, where that is known.
    public let peer: Peer?
    /// Why, where that is known.
    public let reason: String?

    /// Makes the event.
    public init(link: LinkID? = nil, _ peer: Peer? = nil, reason: String? = nil) {
        self.link = link
        self.peer = peer
        self.reason = reason
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.link { $0.link }
        schema.text("reason", "Why, where that is known.") { $0.reason }
    }
}

/// The two ends of a link have agreed on longer packets.
public struct LinkMTUChanged: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "link_mtu"
    /// When it happens.
    public static let summary: StaticString = "The two ends of a link have agreed on the length of packets."

    /// The link's number; `nil` where there is only one.
    public let link: LinkID?
    /// The length of the longest packet, in octets.
    public let mtu: Int

    /// Makes the event.
    public init(link: LinkID? = nil, mtu: Int) {
        self.link = link
        self.mtu = mtu
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.link { $0.link }
        schema.integer("mtu", "The longest packet of the attribute protocol, in octets.") { $0.mtu }
    }
}

/// The state of the link to a device has changed.
public struct LinkStateChanged: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "link_state"
    /// When it happens.
    public static let summary: StaticString =
        "The link to a device that is looked for has come a step further or back."

    /// What the session says.
    public let report: DeviceLink.Report

    /// Makes the event.
    public init(_ report: DeviceLink.Report) { self.report = report }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.word(
            "state", "How far it is.", of: DeviceLink.State.allCases.map { "\($0.keyword)" }
        ) { "\($0.report.state.keyword)" }
        schema.device { $0.report.peer }
        schema.text("reason", "Why it ended; null in other states.") { $0.report.reason?.description }
        schema.integer("retry_ms", "In how many milliseconds it is tried again; null when at once or never.")
        {
            $0.report.retryMilliseconds
        }
    }
}

/// A device is connected and has the services that are needed.
public struct DeviceReady: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "device_ready"
    /// When it happens.
    public static let summary: StaticString = "A device is connected and has what the command needs."

    /// The device.
    public let peer: Peer
    /// What it calls itself, if it does.
    public let deviceName: String?
    /// The longest packet, in octets.
    public let mtu: Int

    /// Makes the event.
    public init(_ peer: Peer, deviceName: String?, mtu: Int) {
        self.peer = peer
        self.deviceName = deviceName
        self.mtu = mtu
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.text("name", "What it calls itself, if it does.") { $0.deviceName }
        schema.integer("mtu", "The longest packet of the attribute protocol, in octets.") { $0.mtu }
    }
}

/// A device has asked for pairing, and nobody answers for this side.
public struct SecurityRefused: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "security_refused"
    /// When it happens.
    public static let summary: StaticString = "The device asks for pairing, which was refused."

    /// The device.
    public let peer: Peer

    /// Makes the event.
    public init(_ peer: Peer) { self.peer = peer }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) { schema.device { $0.peer } }
}

/// A device has sent a malformed PDU.
public struct MalformedPDUReceived: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "malformed_pdu"
    /// When it happens.
    public static let summary: StaticString =
        "The device has sent something that makes no sense, or that nobody has asked for."

    /// The device.
    public let peer: Peer
    /// Its first octets.
    public let octets: [UInt8]

    /// Makes the event.
    public init(_ peer: Peer, octets: [UInt8]) {
        self.peer = peer
        self.octets = octets
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.octets("octets", "Its first octets.") { $0.octets }
    }
}

/// The services of a device have changed.
public struct ServicesChanged: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "services_changed"
    /// When it happens.
    public static let summary: StaticString = "What the device has in a range of handles is not what it was."

    /// The device.
    public let peer: Peer
    /// The first handle.
    public let start: AttributeHandle
    /// The last handle.
    public let end: AttributeHandle

    /// Makes the event.
    public init(_ peer: Peer, from start: AttributeHandle, to end: AttributeHandle) {
        self.peer = peer
        self.start = start
        self.end = end
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.integer("handle", "The first handle.") { $0.start.rawValue }
        schema.integer("end_handle", "The last handle.") { $0.end.rawValue }
    }
}

extension EventSchema {
    /// The number of a link; the value `link`.
    public mutating func link(_ value: (Part) -> LinkID?) {
        integer("link", "The link's number; null where there is only one.") { value($0)?.rawValue }
    }
}

/// A device has not answered the question for its MTU; a second link goes without it.
public struct MTUUnanswered: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "mtu_unanswered"
    /// When it happens.
    public static let summary: StaticString =
        "The device did not answer when it was asked for its MTU (Exchange MTU); a second link goes without that."

    /// The device.
    public let peer: Peer

    /// Makes the event.
    public init(_ peer: Peer) { self.peer = peer }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) { schema.device { $0.peer } }
}
