// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Companion
public import Nightlight

/// The LEDs of the lamp that this program is show something else.
public struct LampShows: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "lamp_shows"
    /// When it happens.
    public static let summary: StaticString =
        "The LEDs of the lamp that this program acts as show something else, or for another reason."

    /// What they show.
    public let display: LampDisplay

    /// Makes the event.
    public init(_ display: LampDisplay) { self.display = display }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.word("source", "Why.", of: LightSource.words) { $0.display.source.description }
        schema.list("colors", "What each LED shows, from LED 1 on.") {
            $0.display.colors.map { $0.description }
        }
    }
}

/// The button of the lamp that this program is was pressed.
public struct LampButtonPressed: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "lamp_button_pressed"
    /// When it happens.
    public static let summary: StaticString = "The button of the lamp that this program acts as was pressed."

    /// What came of it.
    public let verdict: ButtonVerdict

    /// Makes the event.
    public init(_ verdict: ButtonVerdict) { self.verdict = verdict }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.word(
            "result", "What came of it.", of: ["lit", "disabled", "used_up", "deactivated", "no_time"]
        ) { "\($0.verdict.keyword)" }
        schema.integer("presses_left", "How many presses count today; null for all or none.") {
            event -> Int? in
            if case .lit(let left) = event.verdict { left } else { nil }
        }
    }
}

/// The lamp that this program is was shaken.
public struct LampShaken: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "lamp_shaken"
    /// When it happens.
    public static let summary: StaticString = "The lamp that this program acts as was shaken."

    /// Whether its colours turn.
    public let turnsColors: Bool

    /// Makes the event.
    public init(turnsColors: Bool) { self.turnsColors = turnsColors }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.flag("turns_colors", "Whether its colours turn.") { $0.turnsColors }
    }
}

/// The battery of the lamp that this program is has changed.
public struct LampBatteryChanged: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "lamp_battery"
    /// When it happens.
    public static let summary: StaticString = "The battery of the lamp that this program acts as has changed."

    /// The battery.
    public let battery: LampBattery

    /// Makes the event.
    public init(_ battery: LampBattery) { self.battery = battery }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("battery_percent", "How full it is.") { $0.battery.percent }
        schema.flag("charging", "Whether it is being charged.") { $0.battery.isCharging }
    }
}

/// The clock of the lamp that this program is shows another time.
public struct LampClockSet: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "lamp_clock_set"
    /// When it happens.
    public static let summary: StaticString =
        "The clock of the lamp that this program acts as was set, or has changed to DST or back."

    /// What it shows.
    public let time: LocalTime

    /// Makes the event.
    public init(_ time: LocalTime) { self.time = time }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("local_time", "What it shows, as `2026-11-21T20:00:00`.") { $0.time.description }
    }
}

/// A client has written a value to the lamp that this program is.
public struct LampWritten: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "lamp_written"
    /// When it happens.
    public static let summary: StaticString =
        "A client has written a value to the lamp that this program acts as, and it was taken."

    /// The client's link.
    public let link: LinkID
    /// Which value.
    public let item: NightlightItem
    /// What it is now.
    public let octets: [UInt8]

    /// Makes the event.
    public init(_ link: LinkID, _ item: NightlightItem, _ octets: [UInt8]) {
        self.link = link
        self.item = item
        self.octets = octets
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.link { $0.link }
        schema.text("item", "Which value.") { "\($0.item.keyword)" }
        schema.octets("octets", "What was written.") { $0.octets }
    }
}

/// The lamp that this program is has refused what a client wrote.
public struct LampWriteRefused: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "lamp_write_refused"
    /// When it happens.
    public static let summary: StaticString =
        "The lamp that this program acts as has refused what a client wrote, and keeps the old value."

    /// The client's link.
    public let link: LinkID
    /// Which value.
    public let item: NightlightItem
    /// Why.
    public let refusal: NightlightErrorCode

    /// Makes the event.
    public init(_ link: LinkID, _ item: NightlightItem, _ refusal: NightlightErrorCode) {
        self.link = link
        self.item = item
        self.refusal = refusal
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.link { $0.link }
        schema.text("item", "Which value.") { "\($0.item.keyword)" }
        schema.integer("error_code", "The error of the attribute protocol.") { $0.refusal.rawValue }
        schema.text("reason", "Why.") { $0.refusal.description }
    }
}

/// All events of nightlights.
public enum NightlightEvents {
    /// All of them.
    public static let all: [EventDescription] = [
        EventDescription(LampStateRead.self), EventDescription(LampNameRead.self),
        EventDescription(LampWeekRead.self), EventDescription(LampTonightRead.self),
        EventDescription(LampButtonRead.self), EventDescription(LampLEDsRead.self),
        EventDescription(LampClockChecked.self), EventDescription(LampProofBegan.self),
        EventDescription(LampProofEnded.self), EventDescription(ScheduleChecked.self),
        EventDescription(PlannedLightShown.self), EventDescription(PlannedStretchShown.self),
        EventDescription(LampShows.self), EventDescription(LampButtonPressed.self),
        EventDescription(LampShaken.self), EventDescription(LampBatteryChanged.self),
        EventDescription(LampClockSet.self), EventDescription(LampWritten.self),
        EventDescription(LampWriteRefused.self), EventDescription(NightlightChanged.self),
        EventDescription(NightlightsChanged.self),
    ]
}
