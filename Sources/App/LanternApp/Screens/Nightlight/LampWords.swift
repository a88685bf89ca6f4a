// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI

/// What is said of nightlights.
enum LampWords {
    /// Whose lamp it is.
    static func whose(_ name: String?) -> String {
        guard let name else { return String(localized: "The new lamp") }
        let quoted = PrintableText.quoted(name)
        let isShort = quoted.lowercased().last.map { "sxzß".contains($0) } ?? false
        return isShort ? String(localized: "\(quoted)’ lamp") : String(localized: "\(quoted)’s lamp")
    }

    /// What a week is called.
    static func week(_ week: WeekSchedule?) -> LocalizedStringKey {
        guard let week, !week.name.isEmpty else { return "Week" }
        return "Week “\(PrintableText.quoted(week.name.string))”"
    }

    /// When something shines, and how: `19:30 to 07:00, Warm amber`.
    static func period(_ period: LightPeriod) -> String {
        let early = period.timeout.map { String(localized: ", \($0) minutes at most") } ?? ""
        return String(localized: "\("\(period.on)") to \("\(period.off)"), \(period.color.word)") + early
    }

    /// When something of a night shines.
    static func span(_ span: LampNight.Span, _ state: LampState?) -> String {
        guard let wall = state?.wall else { return "" }
        let (from, to) = (wall.time(at: span.from).minuteOfDay, wall.time(at: span.to).minuteOfDay)
        return String(localized: "\("\(from)") to \("\(to)"), \(span.color.word)")
    }

    /// What of the night a marker moves.
    static func marker(_ marker: LampModel.BandMarker) -> String {
        switch marker.part {
        case .whole: String(localized: "\(marker.color.word), all of it")
        case .begin: String(localized: "\(marker.color.word) goes on")
        case .end: String(localized: "\(marker.color.word) goes off")
        }
    }

    /// When that is.
    static func times(_ marker: LampModel.BandMarker) -> String {
        let times = marker.minutes.map { "\($0)" }
        return times.count > 1 ? String(localized: "\(times[0]) to \(times[1])") : times.joined()
    }

    static func source(_ source: LightSource) -> LocalizedStringKey {
        switch source {
        case .week: "Week"
        case .day: "Tonight only"
        case .button: "Child button"
        case .proof: "Colour test"
        default: "Another reason"
        }
    }

    static func battery(_ values: NightlightValues?) -> String? {
        guard let percent = values?.batteryPercent else { return nil }
        return values?.isCharging == true
            ? String(localized: "\(Int(percent))%, charging") : "\(percent)%"
    }

    /// That the battery will not last; `nil` when it will.
    static func lowBattery(_ values: NightlightValues?) -> String? {
        guard let percent = values?.batteryPercent, percent <= 20, values?.isCharging != true else {
            return nil
        }
        let how = percent > 10 ? String(localized: "low") : String(localized: "almost empty")
        return String(
            localized: "Battery \(how): \(Int(percent))%. Charge the lamp, so that it shines all night.")
    }

    /// How far the clock is off, in a few words.
    static func clock(_ state: LampState) -> String {
        guard state.values[.currentTime] != nil else { return String(localized: "None") }
        guard state.clock != nil, let difference = state.difference else {
            return String(localized: "Never set")
        }
        return state.action == .none ? String(localized: "In step") : LampStateText.apart(difference)
    }

    /// That the clock is far off.
    static func clockWarning(_ state: LampState) -> String {
        guard state.clock != nil, let difference = state.difference else {
            return String(localized: "The lamp’s clock was never set, so its schedules do nothing.")
        }
        let apart = LampStateText.apart(difference)
        return String(localized: "The lamp’s clock is \(apart). Nothing was changed.")
    }

    /// What to think of before it is set.
    static func clockQuestion(_ state: LampState) -> String {
        guard let clock = state.clock, let difference = state.difference else {
            return String(localized: "It was never set, so its schedules do nothing.")
        }
        let (date, time) = ("\(clock.time.date)", "\(clock.time.minuteOfDay)")
        let apart = LampStateText.apart(difference)
        return String(localized: "It shows \(date), \(time): \(apart). Its schedules go by this clock.")
    }
}
