// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Nightlight

/// Shows what happens at a simulated lamp, and its LEDs.
struct LampPrinter: Sendable {
    /// Something to show.
    enum News: Hashable, Sendable {
        /// The lamp is on the air.
        case advertising(WireText)
        /// The lamp tells something.
        case event(NightlightDeviceEvent)
    }

    let output: Output
    let isJSON: Bool

    /// Shows news; what a lamp keeps is nothing to look at.
    ///
    /// - Parameters:
    ///   - news: What there is.
    ///   - now: The moment.
    /// - Throws: ``OutputError``.
    func show(_ news: News, at now: Timestamp = .now()) throws(OutputError) {
        if case .event(.settings) = news { return }
        try output.line(isJSON ? Self.json(news, at: now) : text(news, at: now))
    }

    /// The news as one JSON object.
    static func json(_ news: News, at now: Timestamp) -> String {
        var json = JSONWriter()
        json.object { json in
            switch news {
            case .advertising(let name): json.advertising(name.string)
            case .event(let event): fields(of: event, into: &json)
            }
            json.field("time", now)
        }
        return json.text
    }

    private static func fields(of event: NightlightDeviceEvent, into json: inout JSONWriter) {
        switch event {
        case .connected(let link, let peer): json.connected(link, peer)
        case .disconnected(let link): json.disconnected(link)
        case .shows(let display):
            json.field("event", "leds")
            json.field("source", display.source.description)
            json.key("colors")
            json.array { json in
                for color in display.colors { json.value(color.description) }
            }
        case .pressed(let verdict):
            json.field("event", "press")
            json.field("result", verdict.keyword.description)
            let left: Int? = if case .lit(let presses) = verdict { presses } else { nil }
            json.field("presses_left", left)
        case .shaken(let turns):
            json.field("event", "shake")
            json.field("turns_colors", turns)
        case .battery(let battery):
            json.field("event", "battery")
            json.field("percent", battery.percent)
            json.field("charging", battery.isCharging)
        case .clock(let time):
            json.field("event", "clock")
            json.field("local_time", time.description)
        case .written(let link, let item, let value):
            json.field("event", "written")
            json.field("link", link.rawValue)
            json.field("item", item.keyword.description)
            json.field("value", value.hexadecimal)
        case .refused(let link, let item, let refusal):
            json.field("event", "refused")
            json.field("link", link.rawValue)
            json.field("item", item.keyword.description)
            json.field("error_code", refusal.rawValue)
            json.field("reason", refusal.description)
        case .settings: json.field("event", "settings")
        }
    }

    /// The news as a readable line.
    func text(_ news: News, at now: Timestamp) -> String {
        let terminal = output.terminal
        let (mark, style, text): (String, Terminal.Style, String) =
            switch news {
            case .advertising(let name): ("●", .green, "advertising as \(name); Control-C ends it")
            case .event(.shows(let display)):
                (Self.patches(display, on: terminal), .bold, Self.sentence(display))
            case .event(let event): Self.text(event)
            }
        let room = max(20, terminal.columns - min(30, terminal.columns))
        let fitted = TerminalText.fitted(TerminalText.escaped(text), columns: room)
        let shownMark = mark.hasPrefix("\u{1B}") ? mark : terminal.styled(mark, style)
        return terminal.styled(now.clock, .dim) + "  " + shownMark + " " + fitted
    }

    /// The four LEDs as patches of their colours; on black and white a circle.
    private static func patches(_ display: LampDisplay, on terminal: Terminal) -> String {
        guard terminal.hasColor else { return display.colors.allSatisfy { $0 == .black } ? "○" : "◉" }
        return display.colors.map {
            terminal.painted("   ", red: $0.red, green: $0.green, blue: $0.blue)
        }.joined(separator: " ")
    }

    private static func sentence(_ display: LampDisplay) -> String {
        let colors = display.colors
        let isSame = colors.allSatisfy { $0 == colors.first }
        let shown =
            isSame
            ? colors.first.map { $0 == .black ? "dark" : $0.description } ?? ""
            : colors.map(\.description).joined(separator: " ")
        return "\(shown): \(NightlightText.reason(display.source))"
    }

    private static func text(_ event: NightlightDeviceEvent) -> (String, Terminal.Style, String) {
        switch event {
        case .connected(_, let peer): ("●", .cyan, "\(peer.plain) has connected")
        case .disconnected: ("○", .dim, "a client has gone")
        case .shows: ("◉", .bold, "")
        case .pressed(.lit(let left?)): ("◆", .green, "the button was pressed; \(left) more today")
        case .pressed(.lit(nil)): ("◆", .green, "the button was pressed")
        case .pressed(let verdict):
            ("◇", .yellow, "the button was pressed, but \(NightlightText.reason(verdict))")
        case .shaken(true): ("◆", .green, "the lamp was shaken; its colours turn")
        case .shaken(false): ("◇", .yellow, "the lamp was shaken; its colours stay")
        case .battery(let battery):
            ("▮", .blue, "battery \(battery.percent) %\(battery.isCharging ? ", charging" : "")")
        case .clock(let time): ("◷", .blue, "the clock shows \(time)")
        case .written(_, let item, let value): ("←", .yellow, "\(item.keyword) written: \(value.hexadecimal)")
        case .refused(_, let item, let refusal): ("▲", .red, "\(item.keyword) refused: \(refusal)")
        case .settings: ("·", .dim, "")
        }
    }
}
