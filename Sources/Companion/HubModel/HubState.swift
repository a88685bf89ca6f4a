// SPDX-License-Identifier: Apache-2.0

public import Companion

/// How a hub is, as its pages show it.
public struct HubState: EventPart, Hashable, Sendable {
    /// What it is called: the name of its machine.
    public var name: String
    /// Which version of Lantern it is.
    public var version: String
    /// When this was so.
    public var time: Timestamp
    /// When it was started.
    public var started: Timestamp
    /// Whether its devices are invented.
    public var isSimulated: Bool
    /// The number of the last event that is in this state.
    public var lastEvent: Int64
    /// Its radio.
    public var radio: HubRadioState
    /// Where it is.
    public var location: HubLocation
    /// The file of map pictures that it was started with.
    public var mapFile: MapFile?
    /// Its database.
    public var storage: HubStorage
    /// What it captures.
    public var capture: HubCapture
    /// How its pages are reached.
    public var access: HubAccess

    /// Makes a state.
    public init(
        name: String, version: String, time: Timestamp, started: Timestamp, isSimulated: Bool,
        lastEvent: Int64 = 0, radio: HubRadioState = HubRadioState(), location: HubLocation = HubLocation(),
        mapFile: MapFile? = nil, storage: HubStorage, capture: HubCapture = HubCapture(),
        access: HubAccess = HubAccess()
    ) {
        self.name = name
        self.version = version
        self.time = time
        self.started = started
        self.isSimulated = isSimulated
        self.lastEvent = lastEvent
        self.radio = radio
        self.location = location
        self.mapFile = mapFile
        self.storage = storage
        self.capture = capture
        self.access = access
    }

    /// Whether there is something to tell; how busy the air is, and how large a file, is told now and then.
    ///
    /// - Parameter told: What was told last.
    /// - Returns: Whether it is to be told.
    package func differs(from told: HubState) -> Bool {
        if abs(told.time.milliseconds - time.milliseconds) >= 10_000 { return true }
        var old = told
        (old.time, old.lastEvent, old.location.time) = (time, lastEvent, location.time)
        old.radio.reportsPerMinute = radio.reportsPerMinute
        (old.storage.octets, old.storage.diskOctets) = (storage.octets, storage.diskOctets)
        old.storage.parts = storage.parts
        (old.capture.octets, old.capture.packets) = (capture.octets, capture.packets)
        return old != self
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("name", "What the hub is called.") { $0.name }
        schema.text("version", "Which version of Lantern it is.") { $0.version }
        schema.time("time", "When this was so.") { $0.time }
        schema.time("started", "When it was started.") { $0.started }
        schema.flag("simulated", "Whether its devices are invented.") { $0.isSimulated }
        schema.integer("last_event_id", "The number of the last event that is in this state.") {
            $0.lastEvent
        }
        schema.object("radio", "Its radio.") { $0.radio }
        schema.object("location", "Where it is.") { $0.location }
        schema.object("map_file", "The file of map pictures that it was started with; null without one.") {
            $0.mapFile
        }
        schema.object("storage", "Its database.") { $0.storage }
        schema.object("capture", "What it captures of its radio's traffic.") { $0.capture }
        schema.object("access", "How its pages are reached.") { $0.access }
    }
}

/// How a hub's radio is.
public struct HubRadioState: EventPart, Hashable, Sendable {
    /// What a radio may be at.
    public enum Condition: String, Hashable, Sendable, CaseIterable {
        /// It listens.
        case scanning
        /// Somebody else uses it.
        case busy
        /// It is not there.
        case missing
        /// This program may not use it.
        case forbidden
        /// It has no room for another connection.
        case full
    }

    /// What pages show of devices, and not every radio tells.
    public enum Lack: String, Hashable, Sendable, CaseIterable {
        /// The octets of advertisements; those that are shown are put together from what it tells.
        case advertisedOctets = "advertised_octets"
        /// How a link is modulated.
        case modulation
        /// The timing of a link.
        case timing
        /// How strong a link is.
        case linkStrength = "link_strength"
        /// How a device is paired with.
        case pairing
    }

    /// What it is called.
    public var name: String
    /// What it is at.
    public var condition: Condition
    /// That in some words.
    public var title: String
    /// What is wrong and what to do, in a sentence or two; empty when nothing is.
    public var text: String
    /// What to type on the hub.
    public var commands: [String]
    /// When it is tried again by itself.
    public var nextTry: Timestamp?
    /// Advertisements that were heard in the last minute.
    public var reportsPerMinute: Int
    /// How often the scan was begun anew because nothing came.
    public var restarts: Int
    /// When that was last.
    public var lastRestart: Timestamp?
    /// Links that are open.
    public var connections: Int
    /// Links that may be open.
    public var maximumConnections: Int
    /// What it does not tell.
    public var lacks: [Lack]

    /// Why nothing can be connected now, in a sentence or two; `nil` when nothing is in the way.
    package var obstacle: String? {
        guard [.missing, .forbidden].contains(condition) else { return nil }
        return "There is no radio to connect with. \(text)"
    }

    /// Makes a state.
    public init(
        name: String = "", condition: Condition = .missing, title: String = "", text: String = "",
        commands: [String] = [], nextTry: Timestamp? = nil, reportsPerMinute: Int = 0, restarts: Int = 0,
        lastRestart: Timestamp? = nil, connections: Int = 0, maximumConnections: Int = 0,
        lacks: [Lack] = []
    ) {
        self.name = name
        self.condition = condition
        self.title = title
        self.text = text
        self.commands = commands
        self.nextTry = nextTry
        self.reportsPerMinute = reportsPerMinute
        self.restarts = restarts
        self.lastRestart = lastRestart
        self.connections = connections
        self.maximumConnections = maximumConnections
        self.lacks = lacks
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("name", "What the radio is called; automatic while the hub looks for one.") { $0.name }
        schema.word("state", "What it is at.", of: Condition.allCases.map { $0.rawValue }) {
            $0.condition.rawValue
        }
        schema.text("title", "The same in a few words.") { $0.title }
        schema.text("text", "What is wrong and what to do; empty when nothing is.") { $0.text }
        schema.list("commands", "What to type on the hub.") { $0.commands }
        schema.time("next_try", "When it is tried again by itself, if it has to be.") { $0.nextTry }
        schema.integer("reports_per_minute", "Advertisements that were heard in the last minute.") {
            $0.reportsPerMinute
        }
        schema.integer("restarts", "How often the scan was started again because nothing came.") {
            $0.restarts
        }
        schema.time("last_restart", "When that was last.") { $0.lastRestart }
        schema.integer("connections", "Links that are open.") { $0.connections }
        schema.integer("max_connections", "Links that may be open.") { $0.maximumConnections }
        schema.list(
            "lacks",
            "What it does not tell: advertised_octets (those that are shown are put together from what it tells), modulation, timing, link_strength, pairing."
        ) { $0.lacks.map { $0.rawValue } }
    }
}
