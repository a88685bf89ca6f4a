// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Companion
public import Nightlight

/// The child's button of a lamp, as far as it was read.
public struct LampButton: EventPart, Hashable, Sendable {
    let values: NightlightValues

    /// When it does nothing.
    struct Window: EventPart {
        let window: ButtonSettings.Deactivation

        static func describe(_ schema: inout EventSchema<Self>) {
            schema.text("from", "The first minute, as `20:30`.") { $0.window.from.description }
            schema.text("to", "The minute after the last, as `06:30`.") { $0.window.to.description }
        }
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.flag("enabled", "Whether it does anything.") { $0.values.isButtonEnabled }
        schema.integer("on_seconds", "How long a press lights the lamp, in seconds.") {
            $0.values.buttonOnSeconds
        }
        schema.integer("daily_presses", "How many presses a day count; 0 none, 255 all.") {
            $0.values.buttonDailyPresses
        }
        schema.object("deactivation", "When it does nothing; null for never.") {
            $0.values.buttonDeactivation.flatMap { $0.isNone ? nil : Window(window: $0) }
        }
        schema.flag("shake", "Whether shaking the lamp turns the colours.") { $0.values.isShakeOn }
        schema.text("color", "The colour of its light.") { $0.values.buttonColor?.description }
        schema.text("color_name", "What that colour is called, as `Warm amber`.") {
            $0.values.buttonColor?.word
        }
    }
}

/// The LEDs of a lamp, as far as they were read.
public struct LampLEDs: EventPart, Hashable, Sendable {
    let values: NightlightValues

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.flag("power", "Whether the LEDs have power.") { $0.values.isPowered }
        schema.flag("linked", "Whether LEDs 2 to 4 follow LED 1.") { $0.values.isLinked }
        schema.list("colors", "What each LED shows, from LED 1 on.") {
            $0.values.ledColors.map { $0.description }
        }
    }
}

extension NightlightValues {
    /// What each LED shows that was read.
    public var ledColors: [RGBColor] { (1...NightlightLimit.leds).compactMap { led($0) } }
}

/// The clock of a lamp against this computer's.
public struct LampClockState: EventPart, Hashable, Sendable {
    let state: LampState

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text(
            "device", "What the lamp's clock shows, as `2026-11-21T20:00:00`; null when it was never set."
        ) {
            $0.state.clock?.time.description
        }
        schema.text("host", "What this computer's clock shows.") { $0.state.host.time.description }
        schema.integer("difference_seconds", "How much the lamp's clock is fast, in seconds.") {
            $0.state.difference
        }
        schema.word(
            "action", "What is to be done about it.", of: ClockAction.allCases.map { $0.description }
        ) { $0.state.action.description }
    }
}

/// What a lamp says of itself.
struct LampInformation: EventPart {
    let information: NightlightValues.DeviceInformation

    static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("model_number", "The model.") { $0.information.modelNumber?.string }
        schema.text("serial_number", "The serial number.") { $0.information.serialNumber?.string }
        schema.text("hardware_revision", "The version of the hardware.") {
            $0.information.hardwareRevision?.string
        }
        schema.text("firmware_revision", "The version of the firmware.") {
            $0.information.firmwareRevision?.string
        }
        schema.text("software_revision", "The version of the software.") {
            $0.information.softwareRevision?.string
        }
        schema.octets("system_id", "The system id, least significant octet first.") {
            $0.information.systemID
        }
    }
}

/// A time of light, as schedule files have it.
struct SchedulePeriod: EventPart {
    let period: LightPeriod

    static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("on", "When it goes on, as `19:30`.") { $0.period.on.description }
        schema.text("off", "When it goes off; earlier than `on` is on the next day.") {
            $0.period.off.description
        }
        schema.text("color", "How it shines, as `#ff8800`.") { $0.period.color.description }
        schema.integer("timeout_minutes", "After how many minutes it goes off at the latest.") {
            $0.period.timeout
        }
    }
}

/// A week, as schedule files have it.
public struct SchedulesOfWeek: EventPart, Hashable, Sendable {
    let week: WeekSchedule

    /// Days with the same times of light.
    struct Group: EventPart {
        let group: DayGroup

        static func describe(_ schema: inout EventSchema<Self>) {
            schema.list("days", "The days, as `mon`.") { $0.group.days.days.map { "\($0.keyword)" } }
            schema.list("periods", "When it shines on them.") {
                $0.group.periods.map { SchedulePeriod(period: $0) }
            }
        }
    }

    /// Wraps a week.
    public init(_ week: WeekSchedule) { self.week = week }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("name", "The name of the week.") { $0.week.name.string }
        schema.list("groups", "Days with the same times of light.") {
            $0.week.groups.map { Group(group: $0) }
        }
    }
}

/// A day schedule, as schedule files have it.
public struct ScheduleOfDay: EventPart, Hashable, Sendable {
    let day: DaySchedule

    /// Wraps a day schedule.
    public init(_ day: DaySchedule) { self.day = day }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.list("periods", "When it shines.") { $0.day.periods.map { SchedulePeriod(period: $0) } }
    }
}

/// The schedule for a few days, of a lamp that may have none.
struct LampTonight: EventPart {
    let day: DaySchedule?

    static func describe(_ schema: inout EventSchema<Self>) {
        schema.object("tonight", "The schedule in place of the week; null for none.") {
            $0.day.map { ScheduleOfDay($0) }
        }
        schema.integer("tonight_days_left", "For how many days it still is, with today.") { $0.day?.daysLeft }
    }
}
