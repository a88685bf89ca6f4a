// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Companion

/// Events of a WiFiSet device that this program is.
public enum WiFiSetEvents {
    /// All of them.
    public static let all: [EventDescription] = [
        EventDescription(WiFiSetListRequested.self),
        EventDescription(WiFiSetListSent.self),
        EventDescription(WiFiSetScanFailed.self),
        EventDescription(WiFiSetCredentialsReceived.self),
        EventDescription(WiFiSetStatusRequested.self),
        EventDescription(WiFiSetJoinFailed.self),
        EventDescription(WiFiSetMessageRefused.self),
        EventDescription(WiFiSetMessageRepeated.self),
        EventDescription(WiFiSetMessagesMissing.self),
    ]
}

/// A client wants the list of networks.
public struct WiFiSetListRequested: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "wifiset_list_requested"
    /// When it happens.
    public static let summary: StaticString = "A client wants the list of networks."

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

/// The device has sent its list of networks.
public struct WiFiSetListSent: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "wifiset_list_sent"
    /// When it happens.
    public static let summary: StaticString = "The device has sent its list of networks."

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
public struct WiFiSetScanFailed: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "wifiset_scan_failed"
    /// When it happens.
    public static let summary: StaticString = "The device could not look for networks."

    /// Makes the event.
    public init() {}

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
    }
}

/// Credentials were received.
public struct WiFiSetCredentialsReceived: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "wifiset_credentials"
    /// When it happens.
    public static let summary: StaticString = "Credentials came."

    /// The client's link.
    public let link: LinkID
    /// The network's name.
    public let ssid: WireText
    /// How they were answered.
    public let answer: WiFiAnswer

    /// Makes the event.
    public init(_ link: LinkID, ssid: WireText, answer: WiFiAnswer) {
        self.link = link
        self.ssid = ssid
        self.answer = answer
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.link { $0.link }
        schema.ssid { $0.ssid }
        schema.word("answer", "How they were answered.", of: WiFiAnswer.allCases.map { $0.rawValue }) {
            $0.answer.rawValue
        }
    }
}

/// A client wants the state.
public struct WiFiSetStatusRequested: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "wifiset_status_requested"
    /// When it happens.
    public static let summary: StaticString = "A client wants the state."

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

/// The device could not join a network.
public struct WiFiSetJoinFailed: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "wifiset_join_failed"
    /// When it happens.
    public static let summary: StaticString = "The device could not join a network."

    /// The network's name.
    public let ssid: WireText
    /// Why not, in words.
    public let reason: String

    /// Makes the event.
    public init(ssid: WireText, reason: String) {
        self.ssid = ssid
        self.reason = reason
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.ssid { $0.ssid }
        schema.text("reason", "Why not, in words.") { $0.reason }
    }
}

/// Octets were received that are no message for the device.
public struct WiFiSetMessageRefused: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "wifiset_fault"
    /// When it happens.
    public static let summary: StaticString = "Something came that is not a message for the device."

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

/// A message was received twice.
public struct WiFiSetMessageRepeated: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "wifiset_repeated"
    /// When it happens.
    public static let summary: StaticString = "A message came twice."

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

/// Messages are missing, or out of order.
public struct WiFiSetMessagesMissing: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "wifiset_sequence_gap"
    /// When it happens.
    public static let summary: StaticString = "Messages are missing, or out of order."

    /// The client's link.
    public let link: LinkID
    /// The number that was expected.
    public let expected: Int
    /// The number that came.
    public let received: Int

    /// Makes the event.
    public init(_ link: LinkID, expected: Int, received: Int) {
        self.link = link
        self.expected = expected
        self.received = received
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.link { $0.link }
        schema.integer("expected", "The number that was expected.") { $0.expected }
        schema.integer("received", "The number that came.") { $0.received }
    }
}
