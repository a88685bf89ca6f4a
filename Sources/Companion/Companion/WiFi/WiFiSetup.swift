// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// How far a device's Wi-Fi set-up is, as a page shows it; never a password.
public struct WiFiSetup: EventPart, Hashable, Sendable {
    /// Answers of the device that are kept, the newest.
    public static let answerLimit = 20

    /// The job whose link it uses.
    public var job: DeviceJob
    /// How often it has come further, so that an old word is known for what it is.
    public var revision = 0
    /// The protocol's name, once the device listens.
    public var protocolName: String?
    /// The MTU of the link, in octets, once the device listens.
    public var mtu: Int?
    /// Whether the device can show itself, by a light or a sound.
    public var canIdentify = false
    /// When the device has shown itself last.
    public var identified: Timestamp?
    /// Whether the device looks for networks.
    public var isListing = false
    /// How many lists of networks have come.
    public var lists = 0
    /// Why there is no (newer) list, in a sentence.
    public var listFailure: String?
    /// How the device's Wi-Fi is, when it has said so.
    public var status: WiFiSaidStatus?
    /// The last try.
    public var attempt: WiFiAttempt?
    /// What the device has answered, the newest last.
    public var answers: [WiFiSaid] = []

    /// Makes a set-up of a device that is not connected yet.
    public init(_ job: DeviceJob) { self.job = job }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.object("job", "The job whose link it uses.") { $0.job }
        schema.integer("revision", "How often it has come further; what has a lower one is old.") {
            $0.revision
        }
        schema.text("protocol", "What the device speaks, once it listens.") { $0.protocolName }
        schema.integer("mtu", "The MTU of the link, in octets, once the device listens.") { $0.mtu }
        schema.flag("can_identify", "Whether the device can show itself, by a light or a sound.") {
            $0.canIdentify
        }
        schema.time("identified", "When the device has shown itself last.") { $0.identified }
        schema.flag("listing", "Whether the device looks for networks.") { $0.isListing }
        schema.integer("lists", "How many lists of networks have come.") { $0.lists }
        schema.text("list_failure", "Why there is no newer list.") { $0.listFailure }
        schema.object("status", "How the device's Wi-Fi is, when it has said so.") { $0.status }
        schema.object("attempt", "The last try; null before the first one.") { $0.attempt }
        schema.list("answers", "What the device has answered, the newest last.") { $0.answers }
    }
}

/// How a device's Wi-Fi is, by its own word.
public struct WiFiSaidStatus: EventPart, Hashable, Sendable {
    /// The state.
    public var state: WiFiDeviceState

    /// Takes a state.
    public init(_ state: WiFiDeviceState) { self.state = state }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.word("state", "How it is.", of: WiFiDeviceState.Word.allCases.map { $0.rawValue }) {
            $0.state.word.rawValue
        }
        schema.ssid { $0.state.ssid }
        schema.integer("rssi", "How strong the network is, in dBm; null without one or where it is not said.")
        {
            $0.state.rssi == 0 ? nil : $0.state.rssi
        }
        schema.text("ip", "The IPv4 address; null without one or where it is not said.") {
            $0.state.ip == "0.0.0.0" ? nil : $0.state.ip
        }
        schema.text("url", "Where to go on in a browser, if the device says so.") { $0.state.url }
    }
}

/// One try to bring a device into a network.
public struct WiFiAttempt: EventPart, Hashable, Sendable {
    /// How far it is.
    public enum Step: String, Hashable, Sendable, CaseIterable {
        /// It is being sent.
        case sending
        /// It is sent and not answered.
        case sent
        /// The device has taken it.
        case accepted
        /// Somebody has to press the device's button.
        case button
        /// The device tries to join.
        case joining
        /// The device is in the network.
        case joined
        /// It is not.
        case failed

        /// Whether nothing more comes of it.
        public var isOver: Bool { self == .joined || self == .failed }
    }

    /// Its number, from 1.
    public let number: Int
    /// The network's name.
    public let ssid: WireText
    /// How the network is secured.
    public let security: NetworkSecurity
    /// How strong the device hears the network, in dBm, where that is known.
    public let heardRSSI: Int?
    /// A network that the device hears, of another name that looks like this one, when it does not hear this one.
    public let alike: WireText?
    /// What is known of the password that was sent.
    public let password: WiFiPasswordKind
    /// How many seconds joining takes at most.
    public let limit: Int
    /// How far it is.
    public var step = Step.sending
    /// When it was begun.
    public let begun: Timestamp
    /// When it was sent.
    public var sent: Timestamp?
    /// When the device has taken it.
    public var accepted: Timestamp?
    /// When the device began to join.
    public var joining: Timestamp?
    /// When it was over.
    public var ended: Timestamp?
    /// Why it did not work, in a sentence or two.
    public var failure: String?
    /// Whether the device may be in the network all the same: it was told, and has not said what came of it.
    public var isUncertain = false
    /// What the device does now that it did not work, in a sentence.
    public var fallback: String?

    /// Makes a try that has not been sent.
    public init(
        number: Int, ssid: WireText, security: NetworkSecurity, heardRSSI: Int?, alike: WireText? = nil,
        password: WiFiPasswordKind, limit: Int, begun: Timestamp
    ) {
        self.number = number
        self.ssid = ssid
        self.security = security
        self.heardRSSI = heardRSSI
        self.alike = alike
        self.password = password
        self.limit = limit
        self.begun = begun
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("number", "Its number, from 1.") { $0.number }
        schema.ssid { $0.ssid }
        schema.word("security", "How it is secured.", of: NetworkSecurity.allCases.map { $0.rawValue }) {
            $0.security.rawValue
        }
        schema.flag("with_password", "Whether a password was sent.") { $0.password != .empty }
        schema.integer("limit", "How many seconds joining takes at most.") { $0.limit }
        schema.word("step", "How far it is.", of: Step.allCases.map { $0.rawValue }) { $0.step.rawValue }
        schema.time("begun", "When it was begun.") { $0.begun }
        schema.time("sent", "When it was sent.") { $0.sent }
        schema.time("accepted", "When the device has taken it.") { $0.accepted }
        schema.time("joining", "When the device began to join.") { $0.joining }
        schema.time("ended", "When it was over.") { $0.ended }
        schema.text("failure", "Why it did not work; null when it did, and before.") { $0.failure }
        schema.flag(
            "uncertain", "Whether it may have worked: the device was told and has not said what came of it."
        ) { $0.isUncertain }
        schema.text("fallback", "What the device does now that it did not work.") { $0.fallback }
    }
}

/// Something that a device has answered, in its own words.
public struct WiFiSaid: EventPart, Hashable, Sendable {
    /// When.
    public var time: Timestamp
    /// What.
    public var text: String

    /// Makes an answer.
    public init(_ time: Timestamp, _ text: String) {
        self.time = time
        self.text = text
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.time("time", "When.") { $0.time }
        schema.text("text", "What, with the octet that says so.") { $0.text }
    }
}

/// A device's Wi-Fi set-up has come further.
public struct WiFiSetupChanged: Event, Hashable, Sendable {
    /// Its name.
    public static let name: StaticString = "wifi_setup_changed"
    /// When it happens.
    public static let summary: StaticString =
        "The set-up of a device's Wi-Fi for a page has come further; at most ten times a second."

    /// How far it is.
    public let setup: WiFiSetup

    /// Makes the event.
    public init(_ setup: WiFiSetup) { self.setup = setup }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.object("setup", "How far it is.") { $0.setup }
    }
}
