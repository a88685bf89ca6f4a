// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Nightlight

/// What a lamp does now, in the words of a page.
public struct LampNowText {
    private let state: LampState
    private let plan: LightPlan?

    /// Makes words of a state.
    public init(_ state: LampState, _ plan: LightPlan?) {
        self.state = state
        self.plan = plan
    }

    private var source: ActiveSource? { state.values.source }
    private var isDark: Bool { source?.color == .black || state.values.isPowered == false }

    /// When what is shown changes.
    private var until: UnixTime? {
        source?.minutesToNextChange.map { minutes in
            // Planned to the second; the lamp says whole minutes.
            let said = state.moment.advanced(bySeconds: Int64(minutes) * 60)
            guard let plan, let planned = plan.light(at: state.moment, on: state.wall).until,
                abs(planned.seconds - said.seconds) <= 120
            else { return said }
            return planned
        }
    }

    private func time(_ moment: UnixTime) -> String {
        let time = state.wall.time(at: moment)
        let days = time.date.days(since: state.time.date)
        // Tonight's end is tomorrow morning; what is further away needs its day.
        let isNear = days == 0 || (days == 1 && time.minuteOfDay.hour < 12)
        return (isNear ? "" : "\(time.date.dayOfWeek) ") + "\(time.minuteOfDay)"
    }

    /// What shines until when: `Pink until 21:50`.
    public var title: String {
        if state.values.isPowered == false { return "Dark, the LEDs have no power" }
        guard let source else { return "Lantern does not know what shines" }
        let what = isDark ? "Dark" : source.color.word
        return what + (until.map { " until " + time($0) } ?? "")
    }

    /// Why, and what comes then.
    public var reason: String {
        guard let source else { return "This lamp does not say what it shows." }
        let why =
            switch source.source {
            case .off:
                if plan?.daySchedule(on: state.time.date) == nil {
                    "Nothing is due."
                } else if let until, plan?.light(at: until, on: state.wall).source == .day {
                    "Tonight’s own schedule."
                } else {
                    "Dark for tonight."
                }
            case .week:
                state.values.week.map { $0.name.isEmpty ? "The week." : "The week “\($0.name.string)”." }
                    ?? "The week."
            case .day: "Tonight’s own schedule."
            case .button: "The button was pressed."
            case .proof: "A colour is being tried out."
            default: "A reason that this version does not know."
            }
        guard let until, let plan else { return why }
        let then = plan.light(at: until, on: state.wall)
        let end = then.until.map { " until " + time($0) } ?? ""
        let what = then.source == .off ? "dark" : then.color.word.lowercased()
        return "\(why) Then \(what)\(end)."
    }

    /// What was done about the clock; `nil` where nothing is to be said.
    ///
    /// - Parameter isSet: Whether it was set.
    /// - Returns: The sentence.
    public func clockNote(isSet: Bool) -> String? {
        state.action == .none || state.action == .set ? nil : LampStateText(state).clockSentence(isSet: isSet)
    }
}

extension NightlightText {
    /// What is wrong with a schedule, as an editor says it where it is.
    ///
    /// - Parameter fault: What is wrong.
    /// - Returns: A conflict.
    public static func conflict(_ fault: ScheduleError) -> LampConflict {
        let plain = LampConflict(fault, "\(fault).")
        guard let minutes = plain.minutes else { return plain }
        let length = minutes == 60 ? "an hour" : duration(minutes: minutes)
        switch fault {
        case .overlap(let day, _, let next, let other):
            let whose = day == next ? "" : "\(next)’s "
            return LampConflict(fault, "Overlaps with \(whose)\(other.on) to \(other.off) for \(length).")
        case .dayOverlap(_, let other, let isNext):
            let whose = isNext ? "the next day’s " : ""
            return LampConflict(fault, "Overlaps with \(whose)\(other.on) to \(other.off) for \(length).")
        default: return plain
        }
    }
}
