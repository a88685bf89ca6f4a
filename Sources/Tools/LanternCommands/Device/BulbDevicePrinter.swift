// SPDX-License-Identifier: Apache-2.0

import BLEWire
import HubModel
import LEDBulb

/// Shows what happens to a bulb, and its colour.
struct BulbDevicePrinter: Sendable {
    /// Something to show.
    enum News: Hashable, Sendable {
        /// The bulb is on the air.
        case advertising(WireText, BulbDialect)
        /// The bulb tells something.
        case event(LEDBulbDevice.Event)
    }

    let output: Output
    let isJSON: Bool

    /// Shows news.
    ///
    /// - Parameters:
    ///   - news: What there is.
    ///   - now: The moment.
    /// - Throws: ``OutputError``.
    func show(_ news: News, at now: Timestamp = .now()) throws(OutputError) {
        try output.line(isJSON ? Self.json(news, at: now) : text(news, at: now))
    }

    /// The news as one JSON object.
    static func json(_ news: News, at now: Timestamp) -> String {
        var json = JSONWriter()
        json.object { json in
            func begin(_ name: String, _ link: LinkID? = nil) {
                json.field("event", name)
                if let link { json.field("link", link.rawValue) }
            }
            switch news {
            case .advertising(let name, let dialect):
                begin("advertising")
                json.field("name", name.string)
                json.field("dialect", dialect.slug.string)
            case .event(.connected(let link, let address)):
                begin("connected", link)
                json.field("address", address.description)
            case .event(.disconnected(let link)): begin("disconnected", link)
            case .event(.subscribed(let link, let isOn)): begin(isOn ? "subscribed" : "unsubscribed", link)
            case .event(.written(let link, let handle, let octets, let command)):
                begin("write", link)
                json.field("handle", handle.rawValue)
                json.field("value", octets.hexadecimal)
                BulbJSON.command(command, &json)
            case .event(.shines(let state)):
                begin("color")
                json.field("color", state.shown?.description)
                json.key("state")
                json.object { BulbJSON.fields(of: state, &$0) }
            case .event(.told(let link, let state)):
                begin("told", link)
                BulbJSON.fields(of: state, &json)
            }
            json.field("time", now)
        }
        return json.text
    }

    /// The news as a readable line.
    func text(_ news: News, at now: Timestamp) -> String {
        let terminal = output.terminal
        var swatch = ""
        let (mark, style, text): (String, Terminal.Style, String) =
            switch news {
            case .advertising(let name, let dialect):
                (
                    "●", .green,
                    "advertising as \(name), which speaks \(dialect.name.string); Control-C ends it"
                )
            case .event(.connected(_, let address)): ("●", .cyan, "\(address) has connected")
            case .event(.disconnected): ("○", .dim, "a client has gone; advertising again")
            case .event(.subscribed(_, let isOn)):
                ("○", .dim, isOn ? "a client wants to be told the state" : "a client has left the state")
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
