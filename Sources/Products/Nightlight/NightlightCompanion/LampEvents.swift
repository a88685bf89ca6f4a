// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Companion
import Nightlight

/// Everything that a lamp has: what `nightlight show` shows.
public struct LampStateRead: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "lamp_state"
    /// When it happens.
    public static let summary: StaticString = "Everything that a lamp has was read."

    /// What it has.
    public let state: LampState

    /// Makes the event.
    public init(_ state: LampState) { self.state = state }

    /// What the schedules make a lamp do at this moment.
    struct Planned: EventPart {
        let light: PlannedLight
        let now: UnixTime

        static func describe(_ schema: inout EventSchema<Self>) {
            schema.word("source", "Why.", of: LightSource.words) { $0.light.source.description }
            schema.text("color", "How it shines.") { $0.light.color.description }
            schema.integer("next_change_minutes", "In how many minutes that changes.") { planned in
                planned.light.until.map { planned.now.minutes(until: $0) }
            }
        }
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.state.peer }
        schema.text("name", "The child's name; null for the factory's.") { $0.state.childName }
        schema.object("week", "The week.") { $0.state.values.week.map { SchedulesOfWeek($0) } }
        schema.include { LampTonight(day: $0.state.values.day) }
        schema.word("source", "Why the lamp shines as it does.", of: LightSource.words) {
            $0.state.values.source?.source.description
        }
        schema.text("color", "How it shines.") { $0.state.values.source?.color.description }
        schema.integer("next_change_minutes", "In how many minutes that changes; null for never.") {
            $0.state.values.source?.minutesToNextChange
        }
        schema.object("planned", "What its schedules make it do now.") { event in
            event.state.planned.map { Planned(light: $0, now: event.state.moment) }
        }
        schema.flag("differs", "Whether it does something else than its schedules make it do.") {
            $0.state.differsFromPlan
        }
        schema.list("today", "What its schedules make it do today, part by part.") { event in
            event.state.plannedDay.map { PlannedStretchShown($0, on: event.state.wall) }
        }
        schema.object("button", "The child's button.") { LampButton(values: $0.state.values) }
        schema.object("leds", "The LEDs.") { LampLEDs(values: $0.state.values) }
        schema.integer("battery_percent", "How full the battery is.") { $0.state.values.batteryPercent }
        schema.flag("charging", "Whether it is being charged.") { $0.state.values.isCharging }
        schema.object("clock", "Its clock against this computer's.") { LampClockState(state: $0.state) }
        schema.object("device_information", "What it says of itself.") {
            LampInformation(information: $0.state.values.deviceInformation)
        }
    }
}

extension LightSource {
    /// All words that ``description`` may be.
    static var words: [String] { ["off", "week", "day", "button", "proof", "unknown"] }
}

/// The child's name of a lamp.
public struct LampNameRead: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "lamp_name"
    /// When it happens.
    public static let summary: StaticString = "A lamp has this name of a child."

    /// What the lamp has.
    public let state: LampState

    /// Makes the event.
    public init(_ state: LampState) { self.state = state }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.state.peer }
        schema.text("name", "The child's name; null for the factory's.") { $0.state.childName }
    }
}

/// The week of a lamp.
public struct LampWeekRead: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "lamp_week"
    /// When it happens.
    public static let summary: StaticString = "A lamp has this week; `week set` takes it as it is."

    /// What the lamp has.
    public let state: LampState

    /// Makes the event.
    public init(_ state: LampState) { self.state = state }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.state.peer }
        schema.object("week", "The week; null when this version does not understand it.") {
            $0.state.values.week.map { SchedulesOfWeek($0) }
        }
    }
}

/// The schedule of a lamp for a few days.
public struct LampTonightRead: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "lamp_tonight"
    /// When it happens.
    public static let summary: StaticString = "A lamp has this schedule for a few days, or none."

    /// What the lamp has.
    public let state: LampState

    /// Makes the event.
    public init(_ state: LampState) { self.state = state }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.state.peer }
        schema.include { LampTonight(day: $0.state.values.day) }
    }
}

/// The child's button of a lamp.
public struct LampButtonRead: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "lamp_button"
    /// When it happens.
    public static let summary: StaticString = "The child's button of a lamp works like this."

    /// What the lamp has.
    public let state: LampState

    /// Makes the event.
    public init(_ state: LampState) { self.state = state }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.state.peer }
        schema.include { LampButton(values: $0.state.values) }
    }
}

/// The LEDs of a lamp.
public struct LampLEDsRead: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "lamp_leds"
    /// When it happens.
    public static let summary: StaticString = "The power and the link of a lamp's LEDs are these now."

    /// What the lamp has.
    public let state: LampState

    /// Makes the event.
    public init(_ state: LampState) { self.state = state }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.state.peer }
        schema.include { LampLEDs(values: $0.state.values) }
    }
}

/// The clock of a lamp was looked at, and set where it was wanted.
public struct LampClockChecked: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "lamp_clock"
    /// When it happens.
    public static let summary: StaticString =
        "The clock of a lamp was looked at, and set where that was wanted."

    /// What the lamp had before.
    public let state: LampState
    /// Whether it was set.
    public let isSet: Bool

    /// Makes the event.
    public init(_ state: LampState, isSet: Bool) {
        self.state = state
        self.isSet = isSet
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.state.peer }
        schema.include { LampClockState(state: $0.state) }
        schema.flag("set", "Whether it was set.") { $0.isSet }
    }
}

/// A colour is being tried out on a lamp, or was.
public struct LampProof: EventPart, Hashable, Sendable {
    /// What the lamp has.
    public let state: LampState

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.state.peer }
        schema.word("source", "Why the lamp shines as it does.", of: LightSource.words) {
            $0.state.values.source?.source.description
        }
        schema.include { LampLEDs(values: $0.state.values) }
    }
}

/// A colour is being tried out.
public struct LampProofBegan: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "lamp_proof"
    /// When it happens.
    public static let summary: StaticString = "A colour is being tried out on a lamp; its LEDs show this."

    /// What the lamp has.
    public let proof: LampProof

    /// Makes the event.
    ///
    /// - Parameter state: The lamp's state.
    public init(_ state: LampState) { proof = LampProof(state: state) }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) { schema.include { $0.proof } }
}

/// A colour is no longer being tried out.
public struct LampProofEnded: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "lamp_proof_end"
    /// When it happens.
    public static let summary: StaticString = "The colour was tried out; the lamp does again what is due."

    /// What the lamp has.
    public let proof: LampProof

    /// Makes the event.
    ///
    /// - Parameter state: The lamp's state.
    public init(_ state: LampState) { proof = LampProof(state: state) }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) { schema.include { $0.proof } }
}
