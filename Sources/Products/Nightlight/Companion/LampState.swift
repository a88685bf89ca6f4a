// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Nightlight

/// What a lamp has, held against this computer's clock: what `nightlight show` shows.
struct NightlightState: Hashable, Sendable {
    /// What the lamp has; its clock was read a moment ago.
    let values: NightlightValues
    /// What this computer's clock showed then.
    let host: ClockReading
    /// The part of a second behind it, from 0 to 1.
    let hostFraction: Double

    /// Holds what was read just now against this computer's clock.
    ///
    /// - Parameter values: What the lamp has.
    init(justRead values: NightlightValues) {
        let (host, fraction) = HostClock.precise()
        self.init(values: values, host: host, hostFraction: fraction)
    }

    /// Makes a state; for tests.
    init(values: NightlightValues, host: ClockReading, hostFraction: Double = 0) {
        self.values = values
        self.host = host
        self.hostFraction = hostFraction
    }

    /// What the lamp's clock shows, if it shows a time.
    var clock: ClockReading? {
        guard let time = values.currentTime?.time else { return nil }
        // What a lamp does not say is no difference.
        return ClockReading(
            time: time, zone: values.localTimeInformation ?? host.zone,
            next: values.nextDSTChange ?? host.next)
    }

    /// Lamp minus computer, in seconds on the wall.
    private var exactDifference: Double? {
        guard let current = values.currentTime, let time = current.time else { return nil }
        return Double(time.seconds(since: host.time)) + Double(current.fractions) / 256 - hostFraction
    }

    /// Lamp minus computer, in whole seconds on the wall.
    var difference: Int64? { exactDifference.map { Int64($0.rounded()) } }

    /// What is to be done about the lamp's clock; one that has never been set is set and told.
    var action: ClockAction {
        guard values[.currentTime] != nil else { return .none }
        guard var clock, let exactDifference else { return .setAndReport }
        // Whole seconds of the exact difference, not a difference of whole seconds.
        let utc = WallClock.utc
        clock.time = utc.time(at: utc.moment(of: host.time).advanced(bySeconds: Int64(exactDifference)))
        return clock.action(against: host)
    }

    /// What the schedules make the lamp do.
    var plan: LightPlan? {
        guard let week = values.week else { return nil }
        let reading = clock ?? host
        var plan = LightPlan(week: week, day: values.day, from: reading.time.date)
        if let source = values.source {
            let wall = WallClock(reading.zone, next: reading.next)
            plan.agree(with: source, at: wall.moment(of: reading.time), on: wall)
        }
        return plan
    }

    /// All of it as one JSON object.
    var json: String {
        var json = JSONWriter()
        json.object { json in
            json.field("name", childName)
            json.key("week")
            if let week = values.week {
                ScheduleJSON.write(week, to: &json)
            } else {
                json.value(nil as String?)
            }
            json.key("tonight")
            if let day = values.day { ScheduleJSON.write(day, to: &json) } else { json.value(nil as String?) }
            json.field("tonight_days_left", values.day?.daysLeft)
            json.field("source", values.source?.source.description)
            json.field("color", values.source?.color.description)
            json.field("next_change_minutes", values.source?.minutesToNextChange)
            json.key("button")
            writeButton(to: &json)
            json.key("leds")
            json.object { json in
                json.field("power", values.isPowered)
                json.field("link", values.isLinked)
                json.key("colors")
                json.array { json in
                    for number in 1...NightlightLimit.leds { json.value(values.led(number)?.description) }
                }
            }
            json.field("battery_percent", values.batteryPercent)
            json.field("charging", values.isCharging)
            json.key("clock")
            json.object { json in writeClock(to: &json) }
            json.key("device_information")
            writeInformation(to: &json)
        }
        return json.text
    }

    /// The child's name, unless it is the factory's.
    var childName: String? { values.childName.flatMap { $0.isEmpty ? nil : $0.string } }

    /// The button as an object.
    func writeButton(to json: inout JSONWriter) {
        json.object { json in
            json.field("enabled", values.isButtonEnabled)
            json.field("on_seconds", values.buttonOnSeconds)
            json.field("daily_presses", values.buttonDailyPresses)
            json.key("deactivation")
            if let window = values.buttonDeactivation, !window.isNone {
                json.object { json in
                    json.field("from", window.from.description)
                    json.field("to", window.to.description)
                }
            } else {
                json.value(nil as String?)
            }
            json.field("shake", values.isShakeOn)
            json.field("color", values.buttonColor?.description)
        }
    }

    /// The clocks as fields of an object.
    func writeClock(to json: inout JSONWriter) {
        json.field("device", clock?.time.description)
        json.field("host", host.time.description)
        json.field("difference_seconds", difference)
        json.field("action", action.description)
    }

    private func writeInformation(to json: inout JSONWriter) {
        let information = values.deviceInformation
        json.object { json in
            json.field("model_number", information.modelNumber?.string)
            json.field("serial_number", information.serialNumber?.string)
            json.field("hardware_revision", information.hardwareRevision?.string)
            json.field("firmware_revision", information.firmwareRevision?.string)
            json.field("software_revision", information.softwareRevision?.string)
            json.field("system_id", information.systemID?.hexadecimal)
        }
    }
}
