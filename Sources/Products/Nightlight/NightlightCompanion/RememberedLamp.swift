// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Companion

/// What a hub remembers of a lamp that may be away: what it was like, and what is wanted of it.
public struct RememberedLamp: EventPart, Hashable, Sendable {
    /// The settings in which lamps are stored begin so; their addresses follow.
    public static let prefix = "lamp."
    /// Changes that may wait for one lamp.
    public static let changeLimit = 10
    /// Lamps that are remembered, and those among them that were never seen: an address can be invented.
    public static let limits = (all: 64, unseen: 16)

    /// Something that is to be sent when the lamp is back.
    public struct PendingChange: EventPart, Hashable, Sendable {
        /// Its number, which no other change of this lamp has.
        public let id: Int
        /// When it was made.
        public let made: Timestamp
        /// What is wanted.
        public let change: LampChange

        /// Makes a change that waits.
        public init(id: Int, made: Timestamp, _ change: LampChange) {
            self.id = id
            self.made = made
            self.change = change
        }

        /// Names its values.
        public static func describe(_ schema: inout EventSchema<Self>) {
            schema.integer("id", "Its number, which no other change of this lamp has.") { $0.id }
            schema.time("made", "When it was made.") { $0.made }
            schema.object("change", "What is wanted; null where nothing is.") { $0.change }
        }
    }

    /// Who the lamp is.
    public let peer: Peer
    /// The child's name.
    public var name: String?
    /// When it was read last.
    public var seen: Timestamp?
    /// What it had then, as the event `lamp_state` has it; `null` for nothing.
    public var known: [UInt8]
    /// What is to be sent when it is back, the oldest first.
    public var pendingChanges: [PendingChange] = []
    /// Why the last of them was not taken, in a sentence or two.
    public var refusal: String?

    /// Remembers a lamp of which nothing is known.
    ///
    /// - Parameter peer: Who it is.
    public init(_ peer: Peer) {
        self.peer = peer
        known = Array("null".utf8)
    }

    /// The name of its setting.
    public var setting: String { Self.prefix + peer.description }

    /// Makes room for a lamp that is not remembered yet.
    ///
    /// - Parameters:
    ///   - others: Those that are.
    ///   - lamp: The lamp.
    /// - Returns: One that is to be forgotten, if need be: which was seen longest ago, and for which nothing waits.
    /// - Throws: ``HubError/badValue(_:)`` when there is no room.
    package static func leaving(
        _ others: [RememberedLamp], for lamp: RememberedLamp
    ) throws(HubError) -> RememberedLamp? {
        guard lamp.seen != nil || others.count(where: { $0.seen == nil }) < limits.unseen else {
            throw .badValue(
                "Changes wait for \(limits.unseen) lamps already that this hub has never seen. Forget one of them first."
            )
        }
        guard others.count >= limits.all else { return nil }
        let idle = others.filter { $0.pendingChanges.isEmpty }
        let oldest = idle.min { ($0.seen?.milliseconds ?? .min) < ($1.seen?.milliseconds ?? .min) }
        guard let oldest else {
            throw .badValue("Changes wait for \(others.count) lamps already. Take one back first.")
        }
        return oldest
    }

    /// The number of the next change that waits.
    public var nextChange: Int { StoredNumber.next(after: pendingChanges.map { $0.id }) }

    /// Has a change wait until the lamp is back.
    ///
    /// - Parameters:
    ///   - change: What is wanted.
    ///   - now: When it was made.
    /// - Throws: ``HubError/badValue(_:)`` when it changes nothing, or too many wait.
    package mutating func add(_ change: LampChange, at now: Timestamp) throws(HubError) {
        guard !change.settings.isEmpty else { throw .badValue("There is nothing to change.") }
        guard pendingChanges.count < Self.changeLimit else {
            throw .badValue("\(Self.changeLimit) changes wait for this lamp already. Take one back first.")
        }
        pendingChanges.append(PendingChange(id: nextChange, made: now, change))
        refusal = nil
    }

    /// Takes back a change that was not sent yet.
    ///
    /// - Parameter id: Its number.
    /// - Throws: ``HubError/notFound(_:)`` when it does not wait.
    package mutating func takeBack(_ id: Int?) throws(HubError) {
        guard pendingChanges.contains(where: { $0.id == id }) else {
            throw .notFound("This was sent already, or taken back.")
        }
        pendingChanges.removeAll { $0.id == id }
    }

    /// Handles that a change that waited was sent; one that the lamp refuses is not sent again.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - refusal: Why the lamp has not taken it, if it has not.
    ///   - state: What the lamp has now, if that was read.
    ///   - now: When it was read.
    package mutating func sent(_ id: Int, refusal: String?, _ state: LampState?, at now: Timestamp) {
        pendingChanges.removeAll { $0.id == id }
        self.refusal = refusal
        if let state { take(state, at: now) }
    }

    /// Whether a lamp is heard just now, and something waits for it.
    ///
    /// - Parameters:
    ///   - device: The lamp as a device.
    ///   - wait: How long ago it was tried last, in milliseconds; `nil` when it was not.
    ///   - now: The time.
    /// - Returns: Whether to connect to it.
    package func wantsLink(_ device: HubDevice, triedBefore wait: Int64?, at now: Timestamp) -> Bool {
        guard device.kind == .nightlight, device.link == .none, let heard = device.lastHeard else {
            return false
        }
        return now.milliseconds - heard.milliseconds < 10_000 && wait ?? .max > 30_000
            && !pendingChanges.isEmpty
    }

    /// Takes over what was read.
    ///
    /// - Parameters:
    ///   - state: What the lamp has.
    ///   - now: When it was read.
    public mutating func take(_ state: LampState, at now: Timestamp) {
        name = state.childName
        seen = now
        var json = JSONWriter()
        LampStateRead(state).write(into: &json)
        known = json.octets
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { Optional($0.peer) }
        schema.text("name", "The child's name; null for none.") { $0.name }
        schema.time("seen", "When it was read last.") { $0.seen }
        schema.anything("known", "What it had then, as lamp_state; null when it was never read.") { $0.known }
        schema.list("pending", "Changes that are sent when it is back, the oldest first.") {
            $0.pendingChanges
        }
        schema.text("refusal", "Why the last of them was not taken.") { $0.refusal }
    }

    /// The text of its setting.
    public var text: String {
        var json = JSONWriter()
        write(into: &json)
        return json.text
    }

    /// Reads what a database has: of more pending changes than there may be, or of two with one number, the first.
    ///
    /// - Parameter text: The text of the setting.
    /// - Throws: ``JSONDecodingError`` when it is none.
    public init(_ text: String) throws(JSONDecodingError) {
        let node = try JSONReader.read(Array(text.utf8))
        let address = try node.needed("address").text("address")
        let kind = try node.member("address_kind")?.text("address_kind")
        guard let device = DeviceAddress(address + (kind == "random" ? "/R" : kind == "public" ? "/P" : ""))
        else { throw node.fault("the address is none") }
        self.init(device.likeliest)
        name = try node.member("name")?.text("name")
        seen = try node.member("seen").flatMap { node throws(JSONDecodingError) in
            Timestamp(try node.text("seen"))
        }
        if let state = try node.member("known") { known = state.octets }
        refusal = try node.member("refusal")?.text("refusal")
        // Their key was "wishes" once, and databases are kept.
        for node in (try node.list("pending") + node.list("wishes")).prefix(Self.changeLimit) {
            let wanted = try node.needed("change")
            let change: LampChange
            do throws(BadInput) { change = try LampChange(wanted) } catch {
                throw node.fault("a pending change cannot be read")
            }
            let id = try node.needed("id").number("id", in: StoredNumber.range)
            guard let made = Timestamp(try node.needed("made").text("made")),
                !pendingChanges.contains(where: { $0.id == id })
            else { continue }
            pendingChanges.append(PendingChange(id: id, made: made, change))
        }
    }
}

/// What a hub remembers of lamps has changed.
public struct NightlightsChanged: Event, Hashable, Sendable {
    /// Its name.
    public static let name: StaticString = "nightlights_changed"
    /// When it happens.
    public static let summary: StaticString =
        "What a hub remembers of a lamp, or what is wanted of one that is away, has changed."

    /// The lamp.
    public let lamp: RememberedLamp

    /// Makes the event.
    public init(_ lamp: RememberedLamp) { self.lamp = lamp }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.object("lamp", "The lamp.") { $0.lamp }
    }
}

extension JSONNode {
    /// The value as JSON.
    var octets: [UInt8] {
        var json = JSONWriter()
        write(into: &json)
        return json.octets
    }
}
