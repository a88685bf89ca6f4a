// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEAssignedNumbers
import BLEWire
import ProductRegistry

/// A device in the list of all that a hub hears: who it is, what it says of itself, and how strong it was.
public struct HeardDevice: EventPart, Sendable, Identifiable {
    /// What the hub knows of it.
    public let device: HubDevice
    /// What it advertises.
    public let seen: SeenDevice
    /// How strong it was.
    public let signal: SignalHistory
    /// When it was heard first.
    public let firstHeard: Timestamp

    /// Makes an entry of the list.
    public init(_ device: HubDevice, _ seen: SeenDevice, _ signal: SignalHistory, firstHeard: Timestamp) {
        self.device = device
        self.seen = seen
        self.signal = signal
        self.firstHeard = firstHeard
    }

    /// Its number.
    public var id: Int { device.id }

    /// What it is in a few words: its kind, else the first service with a name, else what else is known.
    public var who: String {
        switch device.kind {
        case .flockFinder: return "FlockFinder"
        case .wifiSet: return "Wi-Fi set-up"
        case .nightlight: return "Nightlight"
        case .bulb: return "Bulb"
        case .other: break
        }
        let services = seen.advertised.services + seen.advertised.serviceData.map { $0.uuid }
        return services.lazy.compactMap { UUIDNames.name(ofService: $0) }.first ?? device.note
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("id", "Its number, the same as long as the hub runs.") { $0.id }
        schema.device { Optional($0.device.peer) }
        schema.text("name", "What it calls itself, if it does.") { $0.seen.advertised.name ?? $0.device.name }
        schema.text("own_name", "What its owner calls it.") { $0.device.ownName }
        schema.word(
            "kind", "What it is, as far as it can be told.", of: HubDevice.Kind.allCases.map { $0.rawValue }
        ) { $0.device.kind.rawValue }
        schema.text("note", "What else is known of it; empty when nothing.") { $0.device.note }
        schema.text("who", "What it is in a few words; empty when nothing is known.") { $0.who }
        schema.list("makers", "The companies whose data it sends; the number of one without a name.") {
            $0.seen.advertised.manufacturerData.map {
                AssignedNumbers.name(ofCompany: $0.company) ?? "0x" + $0.company.hexadecimal
            }
        }
        schema.list("services", "The UUIDs of the services that it names.") {
            $0.seen.advertised.services.map { $0.description }
        }
        schema.list(
            "service_names", "What these are called, in the same order; the UUID of one without a name."
        ) {
            $0.seen.advertised.services.map { UUIDNames.name(ofService: $0) ?? $0.description }
        }
        schema.flag("connectable", "Whether it accepts links, where that is known.") { $0.seen.isConnectable }
        schema.word(
            "state", "How far the hub's link to it is.", of: HubDevice.Link.allCases.map { $0.rawValue }
        ) { $0.device.link.rawValue }
        schema.integer("rssi", "How strong the last report was, in dBm.") { $0.seen.rssi }
        schema.number("strength", "The same, smoothed over the last reports.") { $0.roundedStrength }
        schema.time("first_heard", "When it was heard first.") { $0.firstHeard }
        schema.time("last_heard", "When it was heard last.") { $0.seen.lastHeard }
        schema.integer("reports", "How often it was heard.") { $0.signal.reports }
        schema.integer("interval", "How long it waits between two advertisements, in ms, once that is known.")
        {
            $0.signal.interval
        }
        schema.list(
            "history",
            "How strong it was in dBm, the strongest of each 2 s, the newest last; 127 where nothing was heard."
        ) { $0.signal.latest(SignalHistory.shortLimit) }
        schema.integer("history_slot", "Which 2 s the last of these are: how many have passed since 1970.") {
            $0.signal.last
        }
    }

    fileprivate var roundedStrength: Double? { seen.strength.map { ($0 * 10).rounded() / 10 } }
}

/// One device of that list with all that it advertises.
public struct HeardDeviceDetail: EventPart, Sendable {
    /// The device.
    public let device: HeardDevice
    /// What it advertises, structure by structure.
    public let structures: [AdvertisedStructure]

    /// Makes the detail of a device.
    public init(_ device: HeardDevice, _ structures: [AdvertisedStructure]) {
        self.device = device
        self.structures = structures
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.include { $0.device }
        schema.integer("tx_power", "With what power it sends, in dBm, where it says so.") {
            $0.device.seen.txPower
        }
        schema.integer("appearance", "The code of what it looks like, where it says so.") {
            $0.device.seen.advertised.appearance
        }
        schema.text("appearance_name", "What that is, if the Bluetooth SIG has named it.") {
            $0.device.seen.advertised.appearance.flatMap(AssignedNumbers.name(ofAppearance:))
        }
        schema.list("long_history", "As history, for up to ten minutes.") {
            $0.device.signal.latest(SignalHistory.limit)
        }
        schema.octets("octets", "The data of its last advertisement, if one has come.") {
            $0.device.seen.advertisement
        }
        schema.octets("scan_response_octets", "The data of its last scan response, if one has come.") {
            $0.device.seen.scanResponse
        }
        schema.list("structures", "What both say, in the order in which it stands.") { $0.structures }
        schema.include { PartyDataJSON($0.device.seen.advertised) }
    }
}

/// One structure of advertising data, with what it says.
public struct AdvertisedStructure: EventPart, Hashable, Sendable {
    /// Whether it stands in the scan response.
    public let isScanResponse: Bool
    /// Its type; `nil` for what is left when a length runs past the end.
    public let type: UInt8?
    /// Its octets, without length and type.
    public let octets: [UInt8]
    /// What it says, in words; `nil` when nothing more than its octets is known.
    public let text: String?
    /// Why it makes no sense, if it does not.
    public let fault: String?

    /// Makes a structure.
    public init(isScanResponse: Bool, type: UInt8?, octets: [UInt8], text: String?, fault: String?) {
        self.isScanResponse = isScanResponse
        self.type = type
        self.octets = octets
        self.text = text
        self.fault = fault
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.word("source", "Where it stands.", of: ["advertisement", "scan_response"]) {
            $0.isScanResponse ? "scan_response" : "advertisement"
        }
        schema.integer("type", "The number of its type; null where a length runs past the end.") { $0.type }
        schema.text("name", "What the Bluetooth SIG calls the type, if it does.") {
            $0.type.flatMap(AssignedNumbers.name(ofAdvertisingType:))
        }
        schema.octets("octets", "Its data.") { $0.octets }
        schema.text("text", "What it says; null when nothing more than its data is known.") { $0.text }
        schema.text("fault", "Why it makes no sense, if it does not.") { $0.fault }
    }
}

/// How strong a device of the list was in the last seconds.
public struct HeardSignal: EventPart, Sendable {
    private let device: HeardDevice

    /// Makes it of the device as it is now.
    public init(_ device: HeardDevice) { self.device = device }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("id", "The number of the device.") { $0.device.id }
        schema.integer("rssi", "How strong the last report was, in dBm.") { $0.device.seen.rssi }
        schema.number("strength", "The same, smoothed over the last reports.") { $0.device.roundedStrength }
        schema.time("last_heard", "When it was heard last.") { $0.device.seen.lastHeard }
        schema.integer("reports", "How often it was heard.") { $0.device.signal.reports }
        schema.integer("interval", "How long it waits between two advertisements, in ms, once that is known.")
        {
            $0.device.signal.interval
        }
        schema.integer("history_slot", "Which 2 s slot_rssi is of: how many have passed since 1970.") {
            $0.device.signal.last
        }
        schema.integer("slot_rssi", "The strongest report of these 2 s, in dBm; 127 when there was none.") {
            $0.device.signal.steps.last ?? SignalHistory.nothing
        }
    }
}

/// The list of all that a hub hears has changed.
public struct ScanChanged: Event, Sendable {
    /// Its name.
    public static let name: StaticString = "scan_changed"
    /// When it happens.
    public static let summary: StaticString =
        "The list of all that the hub hears has changed; at most once a second, and only while a page looks at it."

    /// Devices that are new, or that say something else than before.
    public var devices: [HeardDevice] = []
    /// Devices that were only heard again.
    public var signals: [HeardDevice] = []
    /// Devices that are not listed any more.
    public var gone: [Int] = []
    /// Devices whose changes are told the next time.
    public var waiting = 0

    /// Makes one of no changes.
    public init() {}

    /// Whether there is nothing to tell.
    public var isEmpty: Bool { devices.isEmpty && signals.isEmpty && gone.isEmpty }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.list("devices", "Devices that are new, or that say something else than before.") { $0.devices }
        schema.list("signals", "Devices that were only heard again, each every 2 s at most.") {
            $0.signals.map { HeardSignal($0) }
        }
        schema.list("gone", "The numbers of devices that are not listed any more.") { $0.gone }
        schema.integer("waiting", "Devices whose changes are told the next time.") { $0.waiting }
    }
}
