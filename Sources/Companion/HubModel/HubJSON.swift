// SPDX-License-Identifier: Apache-2.0

public import Companion

/// Where a hub is, and how it knows.
public struct HubLocation: EventPart, Hashable, Sendable {
    /// Where a position comes from.
    public enum Source: String, Hashable, Sendable, CaseIterable {
        /// From nowhere.
        case none
        /// From the receiver behind gpsd.
        case gpsd
        /// From a person who has said where the hub stands.
        case fixed
        /// From a browser that shows the hub's pages.
        case browser
        /// From a recorded track.
        case track = "gpx"
        /// From the route of a demo.
        case route
    }

    /// What is known of a position.
    public enum Condition: String, Hashable, Sendable, CaseIterable {
        /// It is known.
        case fix
        /// It is looked for.
        case noFix = "no_fix"
        /// Nobody looks for it.
        case off
    }

    /// Where the position comes from.
    public var source: Source
    /// What is known of it.
    public var condition: Condition
    /// Satellites that are used.
    public var satellites: Int?
    /// How exact it is, in metres.
    public var accuracy: Double?
    /// The position.
    public var position: Position?
    /// Metres above the sea.
    public var altitude: Double?
    /// How fast the hub moves, in metres a second.
    public var speed: Double?
    /// Where to it moves, in degrees from north, clockwise.
    public var heading: Double?
    /// How it moves, in one word.
    public var activity: String?
    /// When this was so.
    public var time: Timestamp?
    /// Why there is no position, or why the last fix is not used, in a sentence; `nil` when all is well.
    public var reason: String?

    /// Makes a location.
    public init(
        source: Source = .none, condition: Condition = .off, satellites: Int? = nil, accuracy: Double? = nil,
        position: Position? = nil, altitude: Double? = nil, speed: Double? = nil, heading: Double? = nil,
        activity: String? = nil, time: Timestamp? = nil, reason: String? = nil
    ) {
        self.source = source
        self.condition = condition
        self.satellites = satellites
        self.accuracy = accuracy
        self.position = position
        self.altitude = altitude
        self.speed = speed
        self.heading = heading
        self.activity = activity
        self.time = time
        self.reason = reason
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.word("source", "Where the position comes from.", of: Source.allCases.map { $0.rawValue }) {
            $0.source.rawValue
        }
        schema.word("state", "What is known of it.", of: Condition.allCases.map { $0.rawValue }) {
            $0.condition.rawValue
        }
        schema.integer("satellites", "Satellites that are used, where that is known.") { $0.satellites }
        schema.number("accuracy", "How exact it is, in metres, where that is known.") { $0.accuracy }
        schema.number("latitude", "Degrees north.") { $0.position?.latitude }
        schema.number("longitude", "Degrees east.") { $0.position?.longitude }
        schema.number("altitude", "Metres above the sea, where that is known.") { $0.altitude }
        schema.number("speed", "How fast the hub moves, in metres a second.") { $0.speed }
        schema.number("heading", "Where it moves to, in degrees from north, clockwise.") { $0.heading }
        schema.text("activity", "How it moves, in one word.") { $0.activity }
        schema.time("time", "When this was so.") { $0.time }
        schema.text("reason", "Why there is no position, or why the last fix is not used.") { $0.reason }
    }
}

/// How a hub's database is.
public struct HubStorage: EventPart, Hashable, Sendable {
    /// What the octets of the file are used for.
    public struct Parts: EventPart, Hashable, Sendable {
        /// Detections.
        public var detections: Int64
        /// What is made of them, for searching.
        public var derived: Int64
        /// Drives.
        public var drives: Int64
        /// Nothing yet.
        public var free: Int64

        /// Makes parts, in octets.
        public init(detections: Int64 = 0, derived: Int64 = 0, drives: Int64 = 0, free: Int64 = 0) {
            self.detections = detections
            self.derived = derived
            self.drives = drives
            self.free = free
        }

        /// Names its values.
        public static func describe(_ schema: inout EventSchema<Self>) {
            schema.integer("detections", "Octets of detections.") { $0.detections }
            schema.integer("derived", "Octets of what is made of them, for searching.") { $0.derived }
            schema.integer("drives", "Octets of drives.") { $0.drives }
            schema.integer("free", "Octets that are not used yet.") { $0.free }
        }
    }

    /// The file.
    public var file: String
    /// How many octets it has.
    public var octets: Int64
    /// How many octets its disk has left; `nil` when it lies on none.
    public var diskOctets: Int64?
    /// What they are used for.
    public var parts: Parts
    /// How many detections there are.
    public var detections: Int
    /// How many sources there are.
    public var sources: Int
    /// When the last detection was received.
    public var lastDetection: Timestamp?
    /// How many sources are muted or somebody's own.
    public var quietSources: Int
    /// What keeps it from storing, in a sentence; `nil` when nothing does.
    public var trouble: String?
    /// How many of its rows cannot be read; they are left as they are.
    public var unreadable = 0

    /// Makes the state of a database.
    public init(
        file: String, octets: Int64 = 0, diskOctets: Int64? = nil, parts: Parts = Parts(),
        detections: Int = 0,
        sources: Int = 0, lastDetection: Timestamp? = nil, quietSources: Int = 0, trouble: String? = nil
    ) {
        self.file = file
        self.octets = octets
        self.diskOctets = diskOctets
        self.parts = parts
        self.detections = detections
        self.sources = sources
        self.lastDetection = lastDetection
        self.quietSources = quietSources
        self.trouble = trouble
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("file", "The file.") { $0.file }
        schema.integer("octets", "How many octets it has.") { $0.octets }
        schema.integer("disk_octets", "How many octets its disk has left, where that is known.") {
            $0.diskOctets
        }
        schema.object("parts", "What its octets are used for.") { $0.parts }
        schema.integer("detections", "How many detections there are.") { $0.detections }
        schema.integer("sources", "How many sources there are.") { $0.sources }
        schema.time("last_detection", "When the last detection was received.") { $0.lastDetection }
        schema.integer("quiet_sources", "How many sources are muted or somebody's own.") { $0.quietSources }
        schema.text("trouble", "What keeps it from storing, and what becomes of what waits.") { $0.trouble }
        schema.integer("unreadable", "How many rows cannot be read; they are left as they are.") {
            $0.unreadable
        }
    }
}

/// What a hub captures of its radio's traffic.
public struct HubCapture: EventPart, Hashable, Sendable {
    /// Whether it captures.
    public var isRunning: Bool
    /// When it has begun.
    public var started: Timestamp?
    /// How many octets the file has.
    public var octets: Int64
    /// How many packets are in it.
    public var packets: Int
    /// Whether there is a file.
    public var hasFile: Bool
    /// Why it has ended by itself; `nil` when it has not.
    public var failure: String?

    /// Makes the state of a capture.
    public init(
        isRunning: Bool = false, started: Timestamp? = nil, octets: Int64 = 0, packets: Int = 0,
        hasFile: Bool = false, failure: String? = nil
    ) {
        self.isRunning = isRunning
        self.started = started
        self.octets = octets
        self.packets = packets
        self.hasFile = hasFile
        self.failure = failure
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.flag("running", "Whether the hub captures.") { $0.isRunning }
        schema.time("started", "When it has begun.") { $0.started }
        schema.integer("octets", "How many octets the file has.") { $0.octets }
        schema.integer("packets", "How many packets are in it.") { $0.packets }
        schema.flag("file", "Whether there is a file.") { $0.hasFile }
        schema.text("reason", "Why it has ended by itself; null when it has not.") { $0.failure }
    }
}

/// How a hub's pages are reached, and by whom.
public struct HubAccess: EventPart, Hashable, Sendable {
    /// Where they are.
    public var address: String
    /// Whether the way there is encrypted.
    public var isEncrypted: Bool
    /// Whether one has to sign in.
    public var needsLogin: Bool
    /// How many browsers are signed in.
    public var sessions: Int
    /// When one of them was last heard of.
    public var lastSession: Timestamp?
    /// When the token was made.
    public var tokenMade: Timestamp?

    /// Makes the state of the access.
    public init(
        address: String = "", isEncrypted: Bool = false, needsLogin: Bool = false, sessions: Int = 0,
        lastSession: Timestamp? = nil, tokenMade: Timestamp? = nil
    ) {
        self.address = address
        self.isEncrypted = isEncrypted
        self.needsLogin = needsLogin
        self.sessions = sessions
        self.lastSession = lastSession
        self.tokenMade = tokenMade
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("address", "Where the pages are.") { $0.address }
        schema.flag("encrypted", "Whether the way there is encrypted.") { $0.isEncrypted }
        schema.flag("login", "Whether one has to sign in.") { $0.needsLogin }
        schema.integer("sessions", "How many browsers are signed in.") { $0.sessions }
        schema.time("last_session", "When one of them was last heard of.") { $0.lastSession }
        schema.time("token_made", "When the token was made.") { $0.tokenMade }
    }
}
