// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import LEDBulb

/// Shows what happens to a bulb, and its colour.
struct BulbDevicePrinter: Sendable {
    /// Something to show.
    enum News: Hashable, Sendable {
        /// The bulb is on the air.
        case advertising(WireText)
        /// The bulb tells something.
        case event(LEDBulbDevice.Event)
    }

    let output: Output
    let isJSON: Bool
    let dialect: BulbDialect

    /// Shows news.
    ///
    /// - Parameters:
    ///   - news: What there is.
    ///   - now: The moment.
    /// - Throws: ``OutputError``.
    func show(_ news: News, at now: Timestamp = .now()) throws(OutputError) {
        guard isJSON else {
            try output.line(text(news, at: now))
            return
        }
        // Scripts know it from the write before.
        if case .event(.told) = news { return }
        try output.line(json(news, at: now))
    }

    /// The news as one JSON object.
    func json(_ news: News, at now: Timestamp) -> String {
        var json = JSONWriter()
        json.object { json in
            switch news {
            case .advertising(let name): json.advertising(name.string)
            case .event(let event): fields(of: event, &json)
            }
            json.field("time", now)
        }
        return json.text
    }

    private func fields(of event: LEDBulbDevice.Event, _ json: inout JSONWriter) {
        func begin(_ name: String, _ link: LinkID) {
            json.field("event", name)
            json.field("link", link.rawValue)
        }
        func place(_ handle: AttributeHandle, _ uuid: BluetoothUUID?) {
            json.field("handle", handle.rawValue)
            json.field("uuid", uuid?.description)
        }
        switch event {
        case .connected(let link, let peer): json.connected(link, peer)
        case .disconnected(let link): json.disconnected(link)
        case .subscribed(let link, let handle, let subscription):
            begin(subscription.isEmpty ? "unsubscribed" : "subscribed", link)
            place(handle, dialect.reports?.characteristic)
            json.field("notify", subscription.contains(.notify))
            json.field("indicate", subscription.contains(.indicate))
        case .written(let link, let handle, let octets, let command):
            begin("write", link)
            place(handle, dialect.control.characteristic)
            json.field("value", octets.hexadecimal)
            json.field("error", command == nil ? "not understood" : nil as String?)
        case .shines(let state):
            json.field("event", "color")
            json.field("color", state.shown?.description)
        case .told(let link, _): begin("told", link)
        }
    }

    /// The news as a readable line.
    func text(_ news: News, at now: Timestamp) -> String {
        let terminal = output.terminal
        var swatch = ""
        let (mark, style, text): (String, Terminal.Style, String) =
            switch news {
            case .advertising(let name):
                (
                    "●", .green,
                    "advertising as \(name), which speaks \(dialect.name.string); Control-C ends it"
                )
            case .event(.connected(_, let peer)): ("●", .cyan, "\(peer.plain) has connected")
            case .event(.disconnected): ("○", .dim, "a client has gone; advertising again")
            case .event(.subscribed(_, _, let subscription)):
                (
                    "○", .dim,
                    !subscription.isEmpty
                        ? "a client wants to be told the state" : "a client has left the state"
                )
            case .event(.written(_, let handle, let octets, let command)):
                (
                    "←", command == nil ? .red : .yellow,
                    "\(octets.isEmpty ? "nothing" : octets.hexadecimal) written to \(handle.text)"
                        + (command == nil ? ", which means nothing to this bulb" : "")
                )
            case .event(.told(_, let state)): ("→", .blue, "told that it \(BulbText.sentence(state))")
            case .event(.shines(let state)):
                ("■", .green, state.isOn ? BulbText.name(state.light) : "switched off")
            }
        if case .event(.shines(let state)) = news {
            // Wide enough to be seen across a room.
            let shown = state.shown ?? .white
            let patch = terminal.painted("            ", red: shown.red, green: shown.green, blue: shown.blue)
            swatch = terminal.hasColor ? patch + " " : ""
        }
        let room = max(20, terminal.columns - min(swatch.isEmpty ? 12 : 25, terminal.columns))
        let fitted = TerminalText.fitted(TerminalText.escaped(text), columns: room)
        return terminal.styled(now.clock, .dim) + "  " + terminal.styled(mark, style) + " " + swatch + fitted
    }
}
