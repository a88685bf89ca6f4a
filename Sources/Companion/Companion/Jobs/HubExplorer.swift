// SPDX-License-Identifier: Apache-2.0

/// A device that a page explores: how far it is known, and what its link is like.
public struct HubExplorer: EventPart, Sendable {
    /// How far it is.
    public enum Step: String, Hashable, Sendable, CaseIterable {
        /// The device is connected to.
        case connecting
        /// It is asked what it has.
        case discovering
        /// Its values are read, one after the other.
        case reading
        /// All that can be read was read.
        case ready
    }

    /// Something about the link that has changed.
    public struct Change: EventPart, Hashable, Sendable {
        /// When.
        public let time: Timestamp
        /// What, in a few words.
        public let text: String

        /// Makes a change.
        public init(_ time: Timestamp, _ text: String) {
            self.time = time
            self.text = text
        }

        /// Names its values.
        public static func describe(_ schema: inout EventSchema<Self>) {
            schema.time("time", "When.") { Optional($0.time) }
            schema.text("text", "What, in a few words.") { $0.text }
        }
    }

    /// Changes that are kept.
    static let changeLimit = 20
    /// Requests that may wait for the device.
    private static let requestLimit = 8

    /// The job whose link it uses.
    public var job: DeviceJob
    /// How often something has changed.
    public var revision = 0
    /// How far it is.
    public var step = Step.connecting
    /// Values that were read at first, and how many there are to read.
    public var progress = (read: 0, all: 0)
    /// How often the tree has changed.
    public var treeRevision = 0
    /// The octets of the longest packet of the attribute protocol, once there is a link.
    public var mtu: Int?
    /// How the link is modulated, each way, where the radio tells.
    public var phy: (tx: String, rx: String)?
    /// The timing of the link, in microseconds, events and milliseconds, where the radio tells.
    public var timing: (interval: UInt64, latency: Int, timeout: Int)?
    /// How strong the link is, in dBm, where the radio tells.
    public var rssi: Int?
    /// How well the link is protected, where that is known.
    public var security: String?
    /// The length of the link's key in octets, where it is encrypted and the radio tells.
    public var keySize: Int?
    /// Whether both sides keep the link's keys, where it is encrypted.
    public var isBonded: Bool?
    /// Whether the radio can pair.
    public var canPair = false
    /// Whether it is being paired.
    public var isPairing = false
    /// Whether somebody has confirmed that this device may be written to.
    public var mayWrite: Bool
    /// The handles of the values that are subscribed to.
    public var watched: [Int] = []
    /// Values that there were since the job began.
    public var values = 0
    /// Values in the log.
    public var logged = 0
    /// Values that the log has no more.
    public var dropped = 0
    /// What has changed about the link, the oldest first.
    public private(set) var changes: [Change] = []
    /// What went wrong last, in a sentence; `nil` after something went well.
    public var trouble: String?

    /// Levels of protection.
    public static let levels = ["none", "encrypted", "authenticated"]
    /// Modulations.
    public static let modulations = ["1m", "2m", "coded"]

    /// Makes one that is not connected yet.
    public init(_ job: DeviceJob, mayWrite: Bool) {
        self.job = job
        self.mayWrite = mayWrite
    }

    /// Checks that one more request may wait for the device.
    ///
    /// - Parameters:
    ///   - link: What it is reached over, if there is a link.
    ///   - waiting: How many wait already.
    /// - Returns: The link.
    /// - Throws: ``HubError`` when there is none, or too many wait.
    package func admit<Link>(_ link: Link?, waiting: Int) throws(HubError) -> Link {
        guard let link, job.phase == .open else {
            throw .notNow("The device is not connected. Wait a moment, or connect to it again.")
        }
        guard waiting < Self.requestLimit else {
            throw .notNow("The device has not answered what was asked before. Wait a moment.")
        }
        return link
    }

    /// Notes how many values there are.
    package mutating func count(_ log: ExplorerLog) {
        (values, logged, dropped) = (log.total, log.count, log.dropped)
    }

    /// Notes that something about the link has changed.
    public mutating func note(_ text: String, at now: Timestamp) {
        changes.append(Change(now, text))
        if changes.count > Self.changeLimit { changes.removeFirst() }
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.object("job", "The job whose link it uses.") { $0.job }
        schema.integer("revision", "How often something has changed; what has a lower one is old.") {
            $0.revision
        }
        schema.word("step", "How far it is.", of: Step.allCases.map { $0.rawValue }) { $0.step.rawValue }
        schema.integer("read", "Values that were read at first.") { $0.progress.read }
        schema.integer("to_read", "Values that are read at first.") { $0.progress.all }
        schema.integer("tree_revision", "How often the tree has changed: get it again.") { $0.treeRevision }
        describeLink(&schema)
        schema.flag("can_pair", "Whether the radio can pair.") { $0.canPair }
        schema.flag("pairing", "Whether it is being paired.") { $0.isPairing }
        schema.flag("may_write", "Whether somebody has confirmed that this device may be written to.") {
            $0.mayWrite
        }
        schema.list("watched", "The handles of the values that are subscribed to.") { $0.watched }
        schema.integer("values", "Values that there were since the job began, without the first reading.") {
            $0.values
        }
        schema.integer("log_values", "Values in the log.") { $0.logged }
        schema.integer("log_dropped", "Values that the log has no more.") { $0.dropped }
        schema.list("changes", "What has changed about the link, the last 20, the oldest first.") {
            $0.changes
        }
        schema.text("trouble", "What went wrong last; null after something went well.") { $0.trouble }
    }

    private static func describeLink(_ schema: inout EventSchema<Self>) {
        schema.integer("mtu", "The longest packet of the attribute protocol in octets, once connected.") {
            $0.mtu
        }
        schema.word("phy_tx", "How this side sends; null where the radio does not tell.", of: modulations) {
            $0.phy?.tx
        }
        schema.word("phy_rx", "How the device sends; null where the radio does not tell.", of: modulations) {
            $0.phy?.rx
        }
        schema.number(
            "interval", "Time between connection events, in ms; null where the radio does not tell."
        ) {
            $0.timing.map { Double($0.interval) / 1000 }
        }
        schema.integer("latency", "Events that the device may leave out; null where the radio does not tell.")
        {
            $0.timing?.latency
        }
        schema.integer(
            "supervision_timeout",
            "Silence after which the link is lost, in ms; null where the radio does not tell."
        ) { $0.timing?.timeout }
        schema.integer("rssi", "How strong the link is, in dBm; null where the radio does not tell.") {
            $0.rssi
        }
        schema.word("security", "How well the link is protected; null where that is not known.", of: levels) {
            $0.security
        }
        schema.integer(
            "key_size", "The length of its key in octets; null where it has none, or that is not known."
        ) {
            $0.keySize
        }
        schema.flag("bonded", "Whether both sides keep its keys; null where it has none.") { $0.isBonded }
    }
}

/// Something about a device that a page explores has changed.
public struct ExplorerChanged: Event, Sendable {
    /// Its name.
    public static let name: StaticString = "explorer_changed"
    /// When it happens.
    public static let summary: StaticString =
        "Something about a device that a page explores has changed; at most ten times a second."

    /// How it is now.
    public let explorer: HubExplorer

    /// Makes the event.
    public init(_ explorer: HubExplorer) { self.explorer = explorer }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.object("explorer", "How it is now.") { $0.explorer }
    }
}
