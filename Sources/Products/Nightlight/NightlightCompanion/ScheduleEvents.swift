// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Companion
public import Nightlight

/// A schedule file was judged as a lamp would.
public struct ScheduleChecked: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "schedule_check"
    /// When it happens.
    public static let summary: StaticString = "A schedule file was judged as a lamp would."

    /// How many octets a lamp would get; `nil` when it would refuse them.
    public let size: Int?
    /// What is wrong.
    public let faults: [JSONDecodingError]

    /// Makes the event.
    ///
    /// - Parameters:
    ///   - size: How many octets a lamp would get.
    ///   - faults: What is wrong.
    public init(size: Int?, faults: [JSONDecodingError]) {
        self.size = faults.isEmpty ? size : nil
        self.faults = faults
    }

    /// Something that is wrong.
    struct Fault: EventPart {
        let fault: JSONDecodingError

        static func describe(_ schema: inout EventSchema<Self>) {
            schema.integer("line", "The line, from 1.") { $0.fault.line }
            schema.integer("column", "The column, from 1; null where only the line is known.") {
                $0.fault.column
            }
            schema.text("reason", "What is wrong.") { $0.fault.reason }
        }
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.flag("valid", "Whether a lamp would take it.") { $0.faults.isEmpty }
        schema.integer("size", "How many octets that are.") { $0.size }
        schema.list("faults", "What is wrong, in the order of the file.") {
            $0.faults.map { Fault(fault: $0) }
        }
    }
}

/// What a lamp would do at a moment.
public struct PlannedLightShown: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "lamp_plan"
    /// When it happens.
    public static let summary: StaticString = "What schedules would make a lamp do at a moment."

    /// The moment.
    public let moment: UnixTime
    /// What shines then.
    public let light: PlannedLight
    /// The clock on the wall.
    public let clock: WallClock

    /// Makes the event.
    public init(_ light: PlannedLight, at moment: UnixTime, on clock: WallClock) {
        self.light = light
        self.moment = moment
        self.clock = clock
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("at", "The moment, as `2026-11-21T20:00:00+01:00`.") { $0.clock.text($0.moment) }
        schema.word("source", "Why it shines.", of: LightSource.words) { $0.light.source.description }
        schema.text("color", "How it shines.") { $0.light.color.description }
        schema.text("until", "Until when; null for ever.") { event in
            event.light.until.map { event.clock.text($0) }
        }
    }
}

/// What a lamp would do in a part of a day.
public struct PlannedStretchShown: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "lamp_plan_stretch"
    /// When it happens.
    public static let summary: StaticString = "What schedules would make a lamp do in a part of a day."

    /// The part of the day and what shines in it.
    public let stretch: LightStretch
    /// The clock on the wall.
    public let clock: WallClock

    /// Makes the event.
    public init(_ stretch: LightStretch, on clock: WallClock) {
        self.stretch = stretch
        self.clock = clock
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("from", "When it begins, as `2026-11-21T20:00:00+01:00`.") {
            $0.clock.text($0.stretch.from)
        }
        schema.text("to", "When it ends.") { $0.clock.text($0.stretch.to) }
        schema.word("source", "Why it shines.", of: LightSource.words) { $0.stretch.source.description }
        schema.text("color", "How it shines.") { $0.stretch.color.description }
    }
}
