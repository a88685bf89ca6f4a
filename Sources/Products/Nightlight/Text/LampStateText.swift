// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Nightlight

/// What a lamp has, for a person: the dashboard.
struct NightlightStateText {
    private let state: NightlightState
    private let terminal: Terminal

    /// Makes a renderer.
    ///
    /// - Parameters:
    ///   - state: What the lamp has.
    ///   - terminal: Where it is shown.
    init(_ state: NightlightState, on terminal: Terminal) {
        self.state = state
        self.terminal = terminal
    }

    private var values: NightlightValues { state.values }

    /// All of it.
    var lines: [String] {
        var lines = [headline, ""]
        lines.append(row("now", now))
        lines.append(row("week", values.week.map { Self.name(of: $0) } ?? "–"))
        lines.append(row("tonight", tonight))
        lines.append(row("button", button))
        lines.append(row("LEDs", leds))
        lines.append(row("battery", battery))
        lines.append(row("clock", clock))
        lines.append(row("lamp", information))
        guard let plan = state.plan else { return lines }
        // The lamp decides by its own clock.
        let reading = state.clock ?? state.host
        let wall = WallClock(reading.zone, next: reading.next)
        let timeline = NightlightTimelineText(plan, on: wall, terminal: terminal)
        lines.append("")
        return lines + timeline.lines(of: reading.time.date, now: wall.moment(of: reading.time))
    }

    /// The button's settings, a line each.
    var buttonLines: [String] {
        func text(_ flag: Bool?) -> String { flag.map { $0 ? "on" : "off" } ?? "–" }
        return [
            row("enabled", text(values.isButtonEnabled)),
            row("light", values.buttonOnSeconds.map { NightlightText.duration(seconds: Int($0)) } ?? "–"),
            row("presses", presses ?? "–"), row("never", window ?? "–"), row("shake", text(values.isShakeOn)),
            row("colour", values.buttonColor.map { shown($0) } ?? "–"),
        ]
    }

    private var headline: String {
        let name = state.childName.map { TerminalText.escaped($0) }
        return terminal.styled(name.map { "\($0)’s nightlight" } ?? "A nightlight without a name", .bold)
            + (name == nil ? ": give it one with `nightlight name`" : "")
    }

    private func row(_ title: String, _ text: String) -> String {
        "  " + terminal.styled(TerminalText.padded(title, columns: 9), .dim) + text
    }

    private func shown(_ color: RGBColor) -> String {
        terminal.swatch(red: color.red, green: color.green, blue: color.blue) + color.description
    }

    private static func name(of week: WeekSchedule) -> String {
        week.name.isEmpty ? "without a name" : "“\(TerminalText.escaped(week.name.string))”"
    }

    private var now: String {
        guard let source = values.source else { return "–" }
        let what = source.color == .black ? "dark" : shown(source.color)
        let change =
            source.minutesToNextChange.map {
                "; changes in \(NightlightText.duration(minutes: Int($0)))"
            } ?? ""
        return "\(what): \(NightlightText.reason(source.source))\(change)"
    }

    private var tonight: String {
        guard let day = values.day else { return values[.day] == nil ? "–" : "as the week says" }
        let times = day.periods.isEmpty ? "dark" : day.periods.map(\.description).joined(separator: ", ")
        return "\(times); " + (day.daysLeft == 1 ? "today is its last day" : "\(day.daysLeft) days left")
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

    private var button: String {
        guard let isEnabled = values.isButtonEnabled else { return "–" }
        guard isEnabled else { return "off" }
        var parts = ["on"]
        if let seconds = values.buttonOnSeconds {
            parts.append("\(NightlightText.duration(seconds: Int(seconds))) a press")
        }
        if let presses { parts.append("\(presses)") }
        if let window = values.buttonDeactivation, !window.isNone {
            parts.append("never \(window.from)–\(window.to)")
        }
        if let isShakeOn = values.isShakeOn {
            parts.append(isShakeOn ? "shaking turns the colours" : "no shaking")
        }
        return parts.joined(separator: ", ") + (values.buttonColor.map { "; " + shown($0) } ?? "")
    }

    private var leds: String {
        let colors = (1...NightlightLimit.leds).compactMap { values.led($0) }
        var parts: [String] = []
        if let isPowered = values.isPowered { parts.append(isPowered ? "power on" : "power off") }
        if let isLinked = values.isLinked { parts.append(isLinked ? "linked" : "each by itself") }
        return parts.joined(separator: ", ") + "; " + colors.map { shown($0) }.joined(separator: " ")
    }

    private var battery: String {
        guard let percent = values.batteryPercent else { return "–" }
        let charging = values.isCharging.map { $0 ? ", charging" : ", not charging" } ?? ""
        let text = "\(percent) %"
        return (percent <= 20 ? terminal.styled(text, .red) : text) + charging
    }

    private var clock: String {
        guard values[.currentTime] != nil else { return "–" }
        guard let clock = state.clock, let difference = state.difference else {
            return "was never set: do it with `nightlight clock`"
        }
        let time = "\(clock.time)"
        switch state.action {
        case .none: return time + ", right"
        case .set: return time + ", \(Self.apart(difference)): `nightlight clock` sets it"
        case .setAndReport, .ask:
            return time + terminal.styled(", \(Self.apart(difference))", .yellow)
                + ": `nightlight clock` sets it"
        }
    }

    /// How far a clock is from this computer's.
    static func apart(_ difference: Int64) -> String {
        guard difference != 0 else { return "its time zone or its change of DST differs" }
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
            text.map { "\(title) \(TerminalText.escaped($0.string))" }
        }
        return shown.isEmpty ? "–" : shown.joined(separator: ", ")
    }
}
