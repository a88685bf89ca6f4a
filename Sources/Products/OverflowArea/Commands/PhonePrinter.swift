// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import OverflowArea
import SimulatedDevices

/// Shows what happens at a simulated iPhone.
struct PhonePrinter: Sendable {
    let output: Output
    let isJSON: Bool

    /// Shows that the phone is on the air.
    func showAdvertising(at now: Timestamp = .now()) throws(OutputError) {
        guard isJSON else {
            return try output.line(text("●", .green, "advertising as iPhone; Control-C ends it", now))
        }
        var json = JSONWriter()
        json.object { json in
            json.advertising("iPhone")
            json.field("time", now)
        }
        try output.line(json.text)
    }

    /// Shows an event.
    ///
    /// - Parameters:
    ///   - event: What has happened.
    ///   - now: The moment.
    /// - Throws: ``OutputError``.
    func show(_ event: PhoneApp.Event, at now: Timestamp = .now()) throws(OutputError) {
        try output.line(isJSON ? Self.json(event, at: now) : line(event, at: now))
    }

    /// The event as one JSON object.
    static func json(_ event: PhoneApp.Event, at now: Timestamp) -> String {
        var json = JSONWriter()
        json.object { json in
            switch event {
            case .background(let map):
                json.field("event", "background")
                json.field("map", map.description)
            case .foreground(let uuid, let map):
                json.field("event", "foreground")
                json.field("uuid", uuid?.description)
                json.field("map", map?.description)
            case .connected(let link, let peer): json.connected(link, peer)
            case .disconnected(let link): json.disconnected(link)
            }
            json.field("time", now)
        }
        return json.text
    }

    /// The event as a readable line.
    func line(_ event: PhoneApp.Event, at now: Timestamp) -> String {
        switch event {
        case .background(let map): text("→", .blue, "background: \(map)", now)
        case .foreground(let uuid, let map):
            text(
                "→", .cyan,
                "foreground: \(uuid?.description ?? "no service")" + (map.map { ", and \($0)" } ?? ""), now)
        case .connected(_, let peer): text("●", .cyan, "\(peer.plain) has connected", now)
        case .disconnected: text("○", .dim, "a central has gone; advertising again", now)
        }
    }

    private func text(_ mark: String, _ style: Terminal.Style, _ text: String, _ now: Timestamp) -> String {
        let terminal = output.terminal
        let room = max(20, terminal.columns - min(12, terminal.columns))
        return terminal.styled(now.clock, .dim) + "  " + terminal.styled(mark, style) + " "
            + TerminalText.fitted(text, columns: room)
    }
}
