// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Companion
public import LEDBulb

/// A bulb that a page has at hand: what was asked of it, what it says, and how it is spoken to.
public struct HubBulb: EventPart, Hashable, Sendable {
    /// How far a colour that a bulb says may be from the one that was asked for and still be the same, in steps of
    /// 255: bulbs round.
    static let tolerance = 2

    /// The job whose link it uses.
    public var job: DeviceJob
    /// How often something has changed, so that an old word is known for what it is.
    public var revision = 0
    /// What it speaks, once that is known.
    public var dialect: BulbDialect?
    /// Whether somebody has chosen the dialect.
    public var isDialectChosen: Bool
    /// Why it is spoken to so, in a sentence or two.
    public var dialectReason: String?
    /// The dialects that it may speak, when somebody has to choose.
    public var fitting: [BulbDialect] = []
    /// Whether it says what it does.
    public var reportsState = false
    /// What it should do, once something was asked of it.
    public var asked: BulbState?
    /// When something was asked of it last.
    public var askedTime: Timestamp?
    /// What it says that it does.
    public var said: BulbState?
    /// When it has said so.
    public var saidTime: Timestamp?
    /// Whether something that was asked for may not have arrived yet.
    public var isBusy = false
    /// Why it did not do what was asked for, in a sentence or two.
    public var trouble: String?
    /// How long a turn through all hues takes, in milliseconds, while it goes through them.
    public var turn: Int?
    /// The hue to which it has come.
    public var hue: RGBColor?
    /// What was written last.
    public var octets: [UInt8]?

    /// Makes a bulb that is not connected yet.
    public init(_ job: DeviceJob, isDialectChosen: Bool) {
        self.job = job
        self.isDialectChosen = isDialectChosen
    }

    /// Whether it says what was asked for; `nil` where one of them is not known.
    public var agrees: Bool? {
        guard let asked, let said else { return nil }
        guard asked.isOn == said.isOn else { return false }
        guard asked.isOn else { return true }
        switch (asked.light, said.light) {
        case (.color(let wanted), .color(let shown)):
            return zip(wanted.octets, shown.octets).allSatisfy {
                abs(Int($0) - Int($1)) <= Self.tolerance
            }
        case (.white(let wanted), .white(let shown)):
            return abs(Int(wanted) - Int(shown)) <= Self.tolerance
        // White of a bulb that has no white LEDs.
        case (.white(let wanted), .color(let shown)): return shown == RGBColor(white: wanted)
        case (.effect(let wanted), .effect(let shown)): return wanted.code == shown.code
        default: return false
        }
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        let keywords = BulbDialect.all.map { $0.keyword.string }
        schema.object("job", "The job whose link it uses.") { $0.job }
        schema.integer("revision", "How often something has changed; what has a lower one is old.") {
            $0.revision
        }
        schema.word("dialect", "What it speaks, once that is known.", of: keywords) {
            $0.dialect?.keyword.string
        }
        schema.flag("dialect_chosen", "Whether somebody has chosen the dialect.") { $0.isDialectChosen }
        schema.text("dialect_reason", "Why it is spoken to so, once that is known.") { $0.dialectReason }
        schema.list("fitting", "The dialects that it may speak, when somebody has to choose.") {
            $0.fitting.map { $0.keyword.string }
        }
        schema.flag("reports_state", "Whether it says what it does.") { $0.reportsState }
        schema.object("asked", "What it should do; null before anything was asked of it.") { $0.asked }
        schema.time("asked_time", "When something was asked of it last.") { $0.askedTime }
        schema.object("said", "What it says that it does; null when it has said nothing.") { $0.said }
        schema.time("said_time", "When it has said so.") { $0.saidTime }
        schema.flag("agrees", "Whether it says what was asked for; null where one of them is not known.") {
            $0.agrees
        }
        schema.flag("busy", "Whether something that was asked for may not have arrived yet.") { $0.isBusy }
        schema.text("trouble", "Why it did not do what was asked for; null when it did.") { $0.trouble }
        schema.integer("turn", "How long a turn through all hues takes, in ms; null while it does not turn.")
        {
            $0.turn
        }
        schema.text("hue", "The hue to which it has come; null while it does not turn.") {
            $0.hue?.description
        }
        schema.octets("octets", "What was written last; null before that.") { $0.octets }
    }
}

/// Something about a bulb that a page has at hand has changed.
public struct BulbChanged: Event, Hashable, Sendable {
    /// Its name.
    public static let name: StaticString = "bulb_changed"
    /// When it happens.
    public static let summary: StaticString =
        "Something about a bulb that a page has at hand has changed; at most ten times a second."

    /// The bulb as it is now.
    public let bulb: HubBulb

    /// Makes the event.
    public init(_ bulb: HubBulb) { self.bulb = bulb }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.object("bulb", "The bulb as it is now.") { $0.bulb }
    }
}

/// A dialect as pages need it: what it can, and what its effects are called.
public struct BulbDialectJSON: EventPart, Hashable, Sendable {
    /// An effect with its name.
    private struct NamedEffect: EventPart {
        let code: UInt8
        let name: String

        static func describe(_ schema: inout EventSchema<Self>) {
            schema.integer("code", "Its number.") { $0.code }
            schema.text("name", "What it shows.") { $0.name }
        }
    }

    /// The dialect.
    public let dialect: BulbDialect

    /// Makes a part.
    public init(_ dialect: BulbDialect) { self.dialect = dialect }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("dialect", "How it is named in requests.") { $0.dialect.keyword.string }
        schema.text("name", "Its name.") { $0.dialect.name.string }
        schema.flag("found_out", "Whether it is known by what the bulb has.") { $0.dialect.isFoundOut }
        schema.flag("white", "Whether it has white LEDs.") { $0.dialect.hasWhite }
        schema.flag("power", "Whether it can be switched on and off with its colour kept.") {
            $0.dialect.hasPower
        }
        schema.flag("state", "Whether it can be asked for its state.") { $0.dialect.reportsState }
        schema.flag("speed", "Whether the speed of its effects can be said.") { $0.dialect.hasSpeed }
        schema.list("effects", "Its effects that have a name.") {
            $0.dialect.namedEffects.map { NamedEffect(code: $0.code, name: $0.name) }
        }
    }
}
