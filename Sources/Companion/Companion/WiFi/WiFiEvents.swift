// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// Events about the Wi-Fi of a device, by whatever protocol.
public enum WiFiEvents {
    /// All of them.
    public static let all: [EventDescription] = [
        EventDescription(WiFiNetworkHeard.self),
        EventDescription(WiFiListEnded.self),
        EventDescription(WiFiStateReported.self),
        EventDescription(WiFiCredentialsAnswered.self),
        EventDescription(WiFiErrorReported.self),
        EventDescription(WiFiAuthorizationNeeded.self),
        EventDescription(WiFiDeviceIdentified.self),
        EventDescription(WiFiDeviceDescribed.self),
    ]
}

extension EventSchema {
    /// A network's name: `ssid`, null when it is hidden or not UTF-8, and `ssid_octets`, its octets.
    public mutating func ssid(_ value: (Part) -> WireText?) {
        text("ssid", "The network's name; null when it is hidden, no text or not known.") { part in
            value(part).flatMap { $0.octets.allSatisfy { $0 == 0 } ? nil : $0.validString }
        }
        octets("ssid_octets", "The octets of the network's name; null when it is not known.") {
            value($0)?.octets
        }
    }
}

/// A device hears a Wi-Fi network.
public struct WiFiNetworkHeard: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "wifi_network"
    /// When it happens.
    public static let summary: StaticString =
        "The device hears a Wi-Fi network; of a list that is asked for again, networks come again."

    /// The device.
    public let peer: Peer
    /// The network.
    public let network: HeardNetwork

    /// Makes the event.
    public init(_ peer: Peer, _ network: HeardNetwork) {
        self.peer = peer
        self.network = network
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.ssid { $0.network.ssid }
        schema.flag("hidden", "Whether the network does not say its name.") { $0.network.isHidden }
        schema.integer("rssi", "How strong it is, in dBm; null when the device does not say.") {
            $0.network.rssi
        }
        schema.word("security", "How it is secured.", of: NetworkSecurity.allCases.map { $0.rawValue }) {
            $0.network.security.rawValue
        }
        schema.integer("security_code", "The device's number for that; null when its protocol has none.") {
            $0.network.securityCode
        }
        schema.text("security_name", "The device's word for that; null when its protocol has none.") {
            $0.network.securityName
        }
        schema.integer("channel", "Its channel; null when the device does not say.") { $0.network.channel }
    }
}

/// A list of networks is complete.
public struct WiFiListEnded: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "wifi_list_end"
    /// When it happens.
    public static let summary: StaticString = "The list of networks is complete."

    /// The device.
    public let peer: Peer
    /// The list.
    public let list: HeardNetworks

    /// Makes the event.
    public init(_ peer: Peer, _ list: HeardNetworks) {
        self.peer = peer
        self.list = list
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.integer("count", "How many networks the device has counted.") { $0.list.count }
        schema.integer("received", "How many of them came.") { $0.list.networks.count }
        schema.integer("sequence_gaps", "How often messages were missing.") { $0.list.sequenceGaps }
        schema.integer("duplicates", "How many messages came twice.") { $0.list.duplicates }
    }
}

/// The state of a device's Wi-Fi.
public struct WiFiStateReported: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "wifi_status"
    /// When it happens.
    public static let summary: StaticString =
        "A device says how its Wi-Fi is: one that was asked, or the one that this program acts as."

    /// The device; `nil` when this program is the device.
    public let peer: Peer?
    /// The state.
    public let state: WiFiDeviceState

    /// Makes the event.
    public init(_ peer: Peer?, _ state: WiFiDeviceState) {
        self.peer = peer
        self.state = state
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.word("state", "How it is.", of: WiFiDeviceState.Word.allCases.map { $0.rawValue }) {
            $0.state.word.rawValue
        }
        schema.integer(
            "rssi", "How strong the network is, in dBm; 0 without one, null when the device does not say."
        ) { $0.state.rssi }
        schema.text("ip", "The IPv4 address; 0.0.0.0 without one, null when the device does not say.") {
            $0.state.ip
        }
        schema.ssid { $0.state.ssid }
        schema.text("url", "Where to go on in a browser, if the device says so.") { $0.state.url }
    }
}

/// A device has answered credentials.
public struct WiFiCredentialsAnswered: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "wifi_acknowledgment"
    /// When it happens.
    public static let summary: StaticString = "A device has answered the credentials, before it joins."

    /// The device.
    public let peer: Peer
    /// The answer.
    public let answer: WiFiAnswer
    /// Which try it answers.
    public let attempt: Int

    /// Makes the event.
    public init(_ peer: Peer, _ answer: WiFiAnswer, attempt: Int) {
        self.peer = peer
        self.answer = answer
        self.attempt = attempt
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.word("answer", "What it has answered.", of: WiFiAnswer.allCases.map { $0.rawValue }) {
            $0.answer.rawValue
        }
        schema.integer("attempt", "Which try it answers, from 1.") { $0.attempt }
    }
}

/// A device reports an error.
public struct WiFiErrorReported: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "wifi_error"
    /// When it happens.
    public static let summary: StaticString = "A device reports an error."

    /// The device.
    public let peer: Peer
    /// The error.
    public let trouble: ReportedWiFiError

    /// Makes the event.
    public init(_ peer: Peer, _ trouble: ReportedWiFiError) {
        self.peer = peer
        self.trouble = trouble
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.integer("code", "The error as the device spells it.") { $0.trouble.code }
        schema.word("error", "What it means.", of: ReportedWiFiError.Word.allCases.map { $0.rawValue }) {
            $0.trouble.word.rawValue
        }
        schema.text("message", "What the device says of it.") { $0.trouble.message }
    }
}

/// Somebody has to press a device's button.
public struct WiFiAuthorizationNeeded: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "wifi_authorization_needed"
    /// When it happens.
    public static let summary: StaticString =
        "The credentials wait until somebody has pressed the device's button."

    /// The device.
    public let peer: Peer

    /// Makes the event.
    public init(_ peer: Peer) { self.peer = peer }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) { schema.device { $0.peer } }
}

/// A device shows itself, by a light or a sound.
public struct WiFiDeviceIdentified: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "wifi_identified"
    /// When it happens.
    public static let summary: StaticString = "The device shows which it is, by a light or a sound."

    /// The device.
    public let peer: Peer

    /// Makes the event.
    public init(_ peer: Peer) { self.peer = peer }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) { schema.device { $0.peer } }
}

/// A device has described itself.
public struct WiFiDeviceDescribed: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "wifi_device"
    /// When it happens.
    public static let summary: StaticString = "The device says what it is."

    /// The device.
    public let peer: Peer
    /// What it is.
    public let device: WiFiDeviceDescription

    /// Makes the event.
    public init(_ peer: Peer, _ device: WiFiDeviceDescription) {
        self.peer = peer
        self.device = device
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.text("firmware", "Its firmware.") { $0.device.firmware }
        schema.text("version", "Its firmware's version.") { $0.device.version }
        schema.text("hardware", "Its chip, or its variant.") { $0.device.hardware }
        schema.text("name", "What it calls itself.") { $0.device.name }
    }
}
