// SPDX-License-Identifier: Apache-2.0

public import Companion

/// A saved device that a hub serves again.
public struct HubServing: EventPart, Hashable, Sendable {
    /// How far it is.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// Nothing is served.
        case off
        /// The radio is asked for it.
        case starting
        /// It is on the air.
        case on
        /// It could not be served, or not any more.
        case failed
    }

    /// Lines that are kept.
    public static let lineLimit = 20

    /// How far it is.
    public var state = State.off
    /// The number of what was saved; `nil` before anything was served.
    public var save: Int64?
    /// What somebody has called that.
    public var title: String?
    /// What the device is called on the air.
    public var name: String?
    /// Since when it is on.
    public var since: Timestamp?
    /// Why it failed.
    public var reason: String?
    /// Clients that are connected.
    public var clients = 0
    /// What clients have written.
    public var writes = 0
    /// What clients did, the last of it, the oldest first.
    public var lines: [HubExplorer.Change] = []

    /// Nothing is served.
    public init() {}

    /// Notes what a client did.
    public mutating func note(_ text: String, at now: Timestamp) {
        lines.append(HubExplorer.Change(now, text))
        if lines.count > Self.lineLimit { lines.removeFirst() }
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.word("state", "How far it is.", of: State.allCases.map { $0.rawValue }) { $0.state.rawValue }
        schema.integer("save", "The number of what was saved; null before anything was served.") { $0.save }
        schema.text("title", "What somebody has called that.") { $0.title }
        schema.text("name", "What the device is called on the air, if it is.") { $0.name }
        schema.time("since", "Since when it is on the air.") { $0.since }
        schema.text("reason", "Why it failed, if it did.") { $0.reason }
        schema.integer("clients", "Clients that are connected.") { $0.clients }
        schema.integer("writes", "Values that clients have written.") { $0.writes }
        schema.list("lines", "What clients did, the last 20, the oldest first.") { $0.lines }
    }
}

/// Something about a saved device that a hub serves again has changed.
public struct ServingChanged: Event, Hashable, Sendable {
    /// Its name.
    public static let name: StaticString = "serving_changed"
    /// When it happens.
    public static let summary: StaticString =
        "Something about a saved device that the hub serves again has changed; at most four times a second."

    /// How it is now.
    public let serving: HubServing

    /// Makes the event.
    public init(_ serving: HubServing) { self.serving = serving }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.object("serving", "How it is now.") { $0.serving }
    }
}
