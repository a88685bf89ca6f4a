// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire
public import Companion
public import LEDBulb

/// A bulb that was found.
public struct FoundBulb: EventPart, Hashable, Sendable {
    /// The device, as the radio identifies it.
    public var peer: Peer
    /// Its name, if it says one.
    public var name: WireText?
    /// Its dialect.
    public var dialect: BulbDialect
    /// Whether it can be asked for its state.
    public var reportsState: Bool
    /// What it reports with, when that has no descriptor that switches it on.
    public var unswitched: GATT.Characteristic?

    /// Makes a bulb.
    public init(
        peer: Peer, name: WireText?, dialect: BulbDialect, reportsState: Bool,
        unswitched: GATT.Characteristic? = nil
    ) {
        self.peer = peer
        self.name = name
        self.dialect = dialect
        self.reportsState = reportsState
        self.unswitched = unswitched
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.text("name", "Its name, if it says one.") { $0.name?.string }
        schema.text("dialect", "What it speaks.") { $0.dialect.keyword.string }
    }
}

extension BulbState: EventPart {
    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.flag("power", "Whether it is switched on.") { $0.isOn }
        schema.word("mode", "What it shows when it is on.", of: ["color", "white", "effect"]) {
            state -> String in
            switch state.light {
            case .color: "color"
            case .white: "white"
            case .effect: "effect"
            }
        }
        schema.text("color", "The colour, in that mode.") { state -> String? in
            if case .color(let color) = state.light { color.description } else { nil }
        }
        schema.integer("white_percent", "How bright the white is, in that mode.") { state -> UInt8? in
            if case .white(let level) = state.light { BulbLevel.percent(ofOctet: level) } else { nil }
        }
        schema.integer("effect", "The effect, in that mode.") { $0.effect?.code }
        schema.integer("speed", "How fast the effect is; 1 is the fastest.") { $0.effect?.speed }
        schema.text("shown", "The colour that an eye sees; null while an effect plays.") {
            $0.shown?.description
        }
    }

    private var effect: BulbEffect? { if case .effect(let effect) = light { effect } else { nil } }
}

/// A bulb has reported its state.
public struct BulbStateRead: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "bulb_state"
    /// When it happens.
    public static let summary: StaticString = "A bulb says what it does."

    /// The bulb.
    public let bulb: FoundBulb
    /// What it does.
    public let state: BulbState

    /// Makes the event.
    public init(_ bulb: FoundBulb, _ state: BulbState) {
        self.bulb = bulb
        self.state = state
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.include { $0.bulb }
        schema.include { $0.state }
    }
}

/// The outcome of a command.
public struct BulbCommanded: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "bulb_command"
    /// When it happens.
    public static let summary: StaticString = "A bulb was given a command, and has got it."

    /// The bulb.
    public var bulb: FoundBulb
    /// The command.
    public var command: BulbCommand
    /// The octets that were written.
    public var octets: [UInt8]
    /// What the bulb says that it does now; `nil` when it says nothing.
    public var state: BulbState?

    /// Makes the event.
    public init(_ bulb: FoundBulb, _ command: BulbCommand, octets: [UInt8], state: BulbState? = nil) {
        self.bulb = bulb
        self.command = command
        self.octets = octets
        self.state = state
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.include { $0.bulb }
        schema.word(
            "command", "The command.", of: ["color", "white", "brightness", "on", "off", "effect", "state"]
        ) {
            event -> String in
            switch event.command {
            case .color: "color"
            case .white: "white"
            case .brightness: "brightness"
            case .power(let isOn): isOn ? "on" : "off"
            case .effect: "effect"
            case .requestState: "state"
            }
        }
        schema.text("color", "The colour that was wanted.") { event -> String? in
            if case .color(let color) = event.command { color.description } else { nil }
        }
        schema.integer("white_percent", "How bright a white was wanted.") { event -> UInt8? in
            if case .white(let level) = event.command { BulbLevel.percent(ofOctet: level) } else { nil }
        }
        schema.integer("brightness_percent", "How bright it was wanted.") { event -> UInt8? in
            if case .brightness(let level) = event.command { BulbLevel.percent(ofOctet: level) } else { nil }
        }
        schema.octets("octets", "What was written.") { $0.octets }
        schema.object("state", "What the bulb says that it does now; null when it says nothing.") { $0.state }
    }
}

/// A bulb that goes through the hues has come to one.
public struct BulbHueShown: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "bulb_hue"
    /// When it happens.
    public static let summary: StaticString = "A bulb that goes through all hues has come to this one."

    /// The bulb.
    public let bulb: FoundBulb
    /// The hue.
    public let color: RGBColor

    /// Makes the event.
    public init(_ bulb: FoundBulb, _ color: RGBColor) {
        self.bulb = bulb
        self.color = color
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.bulb.peer }
        schema.text("color", "The hue.") { $0.color.description }
    }
}

/// A bulb goes no longer through the hues.
public struct BulbCycleEnded: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "bulb_cycle_end"
    /// When it happens.
    public static let summary: StaticString = "A bulb has gone through all hues, or was stopped."

    /// The bulb.
    public let bulb: FoundBulb
    /// How many colours it was given.
    public let colors: Int
    /// Whether all turns are done.
    public let isDone: Bool

    /// Makes the event.
    public init(_ bulb: FoundBulb, colors: Int, isDone: Bool) {
        self.bulb = bulb
        self.colors = colors
        self.isDone = isDone
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.bulb.peer }
        schema.word("reason", "Why it has ended.", of: ["done", "interrupted"]) {
            $0.isDone ? "done" : "interrupted"
        }
        schema.integer("colors", "How many colours it was given.") { $0.colors }
    }
}

/// A dialect that bulbs speak.
public struct BulbDialectListed: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "bulb_dialect"
    /// When it happens.
    public static let summary: StaticString = "A dialect that bulbs speak."

    /// The dialect.
    public let dialect: BulbDialect

    /// Makes the event.
    public init(_ dialect: BulbDialect) { self.dialect = dialect }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("dialect", "How --dialect names it.") { $0.dialect.keyword.string }
        schema.text("name", "Its name.") { $0.dialect.name.string }
        schema.text("service", "The service that is written to.") { $0.dialect.control.service.description }
        schema.text("characteristic", "The characteristic that is written to.") {
            $0.dialect.control.characteristic.description
        }
        schema.flag("found_out", "Whether it is known by what the bulb has.") { $0.dialect.isFoundOut }
        schema.text("notify_service", "The service that reports, if any.") {
            $0.dialect.reports?.service.description
        }
        schema.text("notify_characteristic", "The characteristic that reports, if any.") {
            $0.dialect.reports?.characteristic.description
        }
        schema.flag("white", "Whether it has white LEDs.") { $0.dialect.hasWhite }
        schema.flag("power", "Whether it can be switched on and off.") { $0.dialect.hasPower }
        schema.flag("state", "Whether it can be asked for its state.") { $0.dialect.reportsState }
    }
}

/// The bulb that this program is shines in another way.
public struct BulbShines: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "bulb_shines"
    /// When it happens.
    public static let summary: StaticString = "The bulb that this program acts as shines in another way."

    /// What it does.
    public let state: BulbState

    /// Makes the event.
    public init(_ state: BulbState) { self.state = state }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) { schema.include { $0.state } }
}

/// The bulb that this program is has sent its state.
public struct BulbStateSent: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "bulb_state_sent"
    /// When it happens.
    public static let summary: StaticString =
        "The bulb that this program acts as has sent its state to a client."

    /// The client's link.
    public let link: LinkID
    /// What it does.
    public let state: BulbState

    /// Makes the event.
    public init(_ link: LinkID, _ state: BulbState) {
        self.link = link
        self.state = state
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.link { $0.link }
        schema.include { $0.state }
    }
}

/// All events of bulbs.
public enum LEDBulbEvents {
    /// All of them.
    public static let all: [EventDescription] = [
        EventDescription(BulbStateRead.self), EventDescription(BulbCommanded.self),
        EventDescription(BulbHueShown.self), EventDescription(BulbCycleEnded.self),
        EventDescription(BulbDialectListed.self), EventDescription(BulbShines.self),
        EventDescription(BulbStateSent.self),
    ]
}
