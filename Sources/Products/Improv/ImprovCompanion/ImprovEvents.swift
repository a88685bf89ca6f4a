// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Companion
public import Improv

/// Events of an Improv device that this program is.
public enum ImprovEvents {
    /// All of them.
    public static let all: [EventDescription] = [
        EventDescription(ImprovStateChanged.self),
        EventDescription(ImprovIdentifyRequested.self),
        EventDescription(ImprovInfoRequested.self),
        EventDescription(ImprovScanRequested.self),
        EventDescription(ImprovNetworksSent.self),
        EventDescription(ImprovScanFailed.self),
        EventDescription(ImprovSettingsReceived.self),
        EventDescription(ImprovJoinFailed.self),
        EventDescription(ImprovCommandRefused.self),
    ]
}

/// The state of the device that this program is has changed.
public struct ImprovStateChanged: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "improv_state"
    /// When it happens.
    public static let summary: StaticString = "The device that this program acts as has come further."

    /// Its state.
    public let state: ImprovState

    /// Makes the event.
    public init(state: ImprovState) {
        self.state = state
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.word("state", "How far it is.", of: ImprovState.known.map { "\($0.keyword)" }) {
            "\($0.state.keyword)"
        }
    }
}

/// A client wants to see which device it is.
public struct ImprovIdentifyRequested: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "improv_identify"
    /// When it happens.
    public static let summary: StaticString = "A client wants to see which device it is."

    /// The client's link.
    public let link: LinkID

    /// Makes the event.
    public init(_ link: LinkID) {
        self.link = link
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.link { $0.link }
    }
}

/// A client wants to know what the device is.
public struct ImprovInfoRequested: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "improv_info_requested"
    /// When it happens.
    public static let summary: StaticString = "A client wants to know what the device is."

    /// The client's link.
    public let link: LinkID

    /// Makes the event.
    public init(_ link: LinkID) {
        self.link = link
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.link { $0.link }
    }
}

/// A client wants the networks.
public struct ImprovScanRequested: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "improv_scan_requested"
    /// When it happens.
    public static let summary: StaticString = "A client wants the networks."

    /// The client's link.
    public let link: LinkID

    /// Makes the event.
    public init(_ link: LinkID) {
        self.link = link
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.link { $0.link }
    }
}

/// The device has sent its networks.
public struct ImprovNetworksSent: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "improv_networks_sent"
    /// When it happens.
    public static let summary: StaticString = "The device has sent its networks."

    /// The client's link.
    public let link: LinkID
    /// How many networks.
    public let count: Int

    /// Makes the event.
    public init(_ link: LinkID, count: Int) {
        self.link = link
        self.count = count
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.link { $0.link }
        schema.integer("count", "How many networks.") { $0.count }
    }
}

/// The device could not look for networks.
public struct ImprovScanFailed: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "improv_scan_failed"
    /// When it happens.
    public static let summary: StaticString = "The device could not look for networks."

    /// Makes the event.
    public init() {}

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
    }
}

/// Credentials were received.
public struct ImprovSettingsReceived: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "improv_settings"
    /// When it happens.
    public static let summary: StaticString = "Credentials came."

    /// The client's link.
    public let link: LinkID
    /// The network's name.
    public let ssid: WireText
    /// What was wrong with that.
    public let error: ImprovErrorCode

    /// Makes the event.
    public init(_ link: LinkID, ssid: WireText, error: ImprovErrorCode) {
        self.link = link
        self.ssid = ssid
        self.error = error
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.link { $0.link }
        schema.ssid { $0.ssid }
        schema.word("error", "What was wrong with that.", of: ["none", "not_authorized"]) {
            "\($0.error.keyword)"
        }
    }
}

/// The device could not join a network.
public struct ImprovJoinFailed: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "improv_join_failed"
    /// When it happens.
    public static let summary: StaticString = "The device could not join a network."

    /// The network's name.
    public let ssid: WireText

    /// Makes the event.
    public init(ssid: WireText) {
        self.ssid = ssid
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.ssid { $0.ssid }
    }
}

/// Octets were received that are no command for the device.
public struct ImprovCommandRefused: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "improv_fault"
    /// When it happens.
    public static let summary: StaticString = "Something came that is not a command for the device."

    /// The client's link.
    public let link: LinkID
    /// What is wrong, in words.
    public let reason: String

    /// Makes the event.
    public init(_ link: LinkID, reason: String) {
        self.link = link
        self.reason = reason
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.link { $0.link }
        schema.text("reason", "What is wrong, in words.") { $0.reason }
    }
}
