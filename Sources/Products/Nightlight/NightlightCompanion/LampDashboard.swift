// SPDX-License-Identifier: Apache-2.0

public import Companion
import Nightlight

/// A lamp as a page shows it while there is a link to it.
public struct LampDashboard: EventPart, Hashable, Sendable {
    /// The job whose link it uses.
    public var job: DeviceJob
    /// How often it has come further, so that an old word is known for what it is.
    public var revision = 0
    /// How many pages look at it.
    public var viewers = 0
    /// How often its name, schedules or button were found to be others, whoever has changed them.
    public var changes = 0
    /// When it was read last.
    public var read: Timestamp?
    /// What it has.
    public var state: LampState?
    /// The night in which it is.
    public var night: LampNight?
    /// What shines until when, in a few words.
    public var title = ""
    /// Why, and what comes then, in a sentence or two.
    public var reason = ""
    /// When a colour that is tried out ends by itself.
    public var proofEnd: Timestamp?
    /// What was done about its clock, where that is to be said.
    public var clockNote: String?
    /// Whether something that was asked for is still to be done.
    public var isWorking = false
    /// How often it has not taken something.
    public var refusals = 0
    /// What it has not taken last, and why, in a sentence or two.
    public var refusal: String?

    /// Makes a dashboard of a lamp that is not connected yet.
    public init(_ job: DeviceJob) { self.job = job }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.object("job", "The job whose link it uses.") { $0.job }
        schema.integer("revision", "How often it has come further; what has a lower one is old.") {
            $0.revision
        }
        schema.integer("viewers", "How many pages look at it.") { $0.viewers }
        schema.integer("changes", "How often its name, schedules or button were found to be others.") {
            $0.changes
        }
        schema.time("read", "When it was read last.") { $0.read }
        schema.object("lamp", "What it has; null before it was read.") { $0.state.map { LampStateRead($0) } }
        schema.text("now", "What its clock showed then, as `2026-11-21T20:00:00+01:00`.") {
            $0.state.map { $0.wall.text($0.moment) }
        }
        schema.object("night", "The night in which it is; null when its week is not known.") { $0.night }
        schema.text("title", "What shines until when, in a few words; empty before it was read.") { $0.title }
        schema.text("reason", "Why, and what comes then, in a sentence or two.") { $0.reason }
        schema.time("proof_end", "When a colour that is tried out ends by itself; null for none.") {
            $0.proofEnd
        }
        schema.text("clock_note", "What was done about its clock, where that is to be said.") { $0.clockNote }
        schema.flag("working", "Whether something that was asked for is still to be done.") { $0.isWorking }
        schema.integer("refusals", "How often it has not taken something.") { $0.refusals }
        schema.text("refusal", "What it has not taken last, and why.") { $0.refusal }
    }
}

/// Something about a lamp that a page looks at has changed.
public struct NightlightChanged: Event, Hashable, Sendable {
    /// Its name.
    public static let name: StaticString = "nightlight_changed"
    /// When it happens.
    public static let summary: StaticString =
        "Something about a lamp that a page looks at has changed; at most ten times a second."

    /// How it is.
    public let dashboard: LampDashboard

    /// Makes the event.
    public init(_ dashboard: LampDashboard) { self.dashboard = dashboard }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.object("dashboard", "How it is.") { $0.dashboard }
    }
}
