// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import CompanionText
import Nightlight

/// The values of a lamp in words: the dashboard.
public struct LampStateText {
    /// A value and what it is.
    public typealias Row = (title: String, text: StyledText)

    let state: LampState

    /// Makes words of a state.
    public init(_ state: LampState) { self.state = state }

    var values: NightlightValues { state.values }

    /// Whose lamp it is.
    public var headline: StyledText {
        guard let name = state.childName else {
            return StyledText(
                .strong("A nightlight without a name"), .plain(": give it one with `nightlight name`"))
        }
        return StyledText(.strong("\(name)’s nightlight"))
    }

    /// All of it, a row for each subject.
    public var rows: [Row] {
        var rows: [Row] = [("now", now)]
        if let difference { rows.append(("but", difference)) }
        return rows + [
            ("week", StyledText(values.week.map { Self.name(of: $0) } ?? "–")), ("tonight", tonight),
            ("button", button), ("LEDs", leds), ("battery", battery), ("clock", clock),
            ("lamp", StyledText(information)),
        ]
    }

    /// The button's settings.
    public var buttonRows: [Row] {
        func text(_ flag: Bool?) -> StyledText { StyledText(flag.map { $0 ? "on" : "off" } ?? "–") }
        return [
            ("enabled", text(values.isButtonEnabled)),
            (
                "light",
                StyledText(values.buttonOnSeconds.map { NightlightText.duration(seconds: Int($0)) } ?? "–")
            ),
            ("presses", StyledText(presses ?? "–")), ("never", StyledText(window ?? "–")),
            ("shake", text(values.isShakeOn)),
            ("colour", values.buttonColor.map { StyledText(.color($0)) } ?? StyledText("–")),
        ]
    }

    /// What stands at the present moment of the day: `now, 20:13`, and what the lamp does then, where it is not what is
    /// planned.
    public func nowMark(_ day: LampDayText) -> StyledText {
        let mark = "now, \(day.minute(state.moment))"
        if values.isPowered == false {
            return StyledText(.plain("\(mark): "), .warning("dark, without power"))
        }
        guard state.differsFromPlan, let source = values.source, let planned = state.planned,
            source.source != planned.source || source.color != planned.color
        else { return StyledText(mark) }
        if source.source == planned.source, source.color == .black {
            return StyledText(.plain("\(mark): "), .warning("dark"))
        }
        return StyledText(
            .plain("\(mark): "),
            .warning("the lamp does something else, \(NightlightText.reason(source.source))"))
    }

    /// Where the lamp does something else than its schedules say.
    private var difference: StyledText? {
        guard state.differsFromPlan, let planned = state.planned else { return nil }
        let what =
            planned.source == .off
            ? StyledText("the schedules say dark")
            : StyledText(
                .plain("the schedules say "), .color(planned.color),
                .plain(": \(NightlightText.reason(planned.source))"))
        let change =
            planned.until.map {
                "; a change in \(NightlightText.duration(minutes: state.moment.minutes(until: $0)))"
            } ?? "; no change"
        let remedy = values.isPowered == false ? "; `nightlight power on` lets it shine" : ""
        return what + change + remedy
    }

    private static func name(of week: WeekSchedule) -> String {
        week.name.isEmpty ? "without a name" : "“\(week.name.string)”"
    }

    /// What it does now, and why.
    public var now: StyledText {
        // What is due does not matter then, nor when it changes.
        if values.isPowered == false { return StyledText("dark: the LEDs have no power") }
        guard let source = values.source else { return StyledText("–") }
        let what = source.color == .black ? StyledText("dark") : StyledText(.color(source.color))
        let change =
            source.minutesToNextChange.map {
                "; changes in \(NightlightText.duration(minutes: Int($0)))"
            } ?? ""
        return what + ": \(NightlightText.reason(source.source))\(change)"
    }

    private var tonight: StyledText {
        guard let day = values.day else {
            return StyledText(values[.day] == nil ? "–" : "as the week says")
        }
        let times = day.periods.isEmpty ? "dark" : day.periods.map { $0.description }.joined(separator: ", ")
        return StyledText(
            "\(times); " + (day.daysLeft == 1 ? "today is its last day" : "\(day.daysLeft) days left"))
    }

    private var presses: String? {
        values.buttonDailyPresses.map {
            switch $0 {
            case 0: "none a day"
            case ButtonSettings.unlimitedPresses: "as many as the child likes"
            default: "\($0) a day"
            }
        }
    }

    private var window: String? {
        values.buttonDeactivation.map { $0.isNone ? "none" : "\($0.from)–\($0.to)" }
    }

    private var button: StyledText {
        guard let isEnabled = values.isButtonEnabled else { return StyledText("–") }
        guard isEnabled else { return StyledText("off") }
        var parts = ["on"]
        if let seconds = values.buttonOnSeconds {
            parts.append("\(NightlightText.duration(seconds: Int(seconds))) a press")
        }
        if let presses { parts.append(presses) }
        if let window = values.buttonDeactivation, !window.isNone {
            parts.append("never \(window.from)–\(window.to)")
        }
        if let isShakeOn = values.isShakeOn {
            parts.append(isShakeOn ? "shaking turns the colours" : "no shaking")
        }
        let text = StyledText(parts.joined(separator: ", "))
        return values.buttonColor.map { text + StyledText(.plain("; "), .color($0)) } ?? text
    }

    private var leds: StyledText {
        var parts: [String] = []
        if let isPowered = values.isPowered { parts.append(isPowered ? "power on" : "power off") }
        if let isLinked = values.isLinked { parts.append(isLinked ? "linked" : "each by itself") }
        var text = StyledText(parts.joined(separator: ", ") + ";")
        for color in values.ledColors { text = text + StyledText(.plain(" "), .color(color)) }
        return text
    }

    private var battery: StyledText {
        guard let percent = values.batteryPercent else { return StyledText("–") }
        let charging = values.isCharging.map { $0 ? ", charging" : ", not charging" } ?? ""
        let text = "\(percent)%"
        return StyledText(percent <= 20 ? .warning(text) : .plain(text), .plain(charging))
    }

    private var clock: StyledText {
        guard values[.currentTime] != nil else { return StyledText("–") }
        guard let clock = state.clock, let difference = state.difference else {
            return StyledText("was never set: set it with `nightlight clock`")
        }
        let time = "\(clock.time)"
        switch state.action {
        case .none: return StyledText(time + ", right")
        case .set: return StyledText(time + ", \(Self.apart(difference)): `nightlight clock` sets it")
        case .setAndReport, .ask:
            return StyledText(
                .plain("\(time), "), .warning(Self.apart(difference)), .plain(": `nightlight clock` sets it"))
        }
    }

    /// How far a clock is from this computer's.
    public static func apart(_ difference: Int64) -> String {
        guard difference != 0 else { return "its time zone or its daylight-saving date differs" }
        let words = NightlightText.duration(seconds: Int(clamping: difference.magnitude))
        return "\(words) \(difference > 0 ? "fast" : "slow")"
    }

    private var information: String {
        let information = values.deviceInformation
        let parts: [(String, WireText?)] = [
            ("model", information.modelNumber), ("serial", information.serialNumber),
            ("hardware", information.hardwareRevision), ("firmware", information.firmwareRevision),
            ("software", information.softwareRevision),
        ]
        let shown = parts.compactMap { title, text in
            text.map { "\(title) \($0.string)" }
        }
        return shown.isEmpty ? "–" : shown.joined(separator: ", ")
    }

    /// What was done about the clock; nothing where nothing is to be said.
    ///
    /// - Parameter isSet: Whether it was set.
    /// - Returns: The sentence.
    public func clockSentence(isSet: Bool) -> String? {
        switch state.action {
        case .none: return "The lamp's clock is right."
        case .set: return nil
        case .setAndReport, .ask:
            guard let difference = state.difference else {
                return "The lamp's clock had never been set; it is right now."
            }
            let apart = Self.apart(difference)
            guard isSet else { return "The lamp's clock stays \(apart)." }
            return difference == 0
                ? "The lamp's time zone and daylight saving are those of this computer now."
                : "The lamp's clock was \(apart); it is right now."
        }
    }
}
