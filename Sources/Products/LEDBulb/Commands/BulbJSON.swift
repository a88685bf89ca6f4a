// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import LEDBulb

/// What bulbs do, as scripts get it: one JSON object each.
enum BulbJSON {
    /// What has come of a command.
    static func result(_ result: BulbResult) -> String {
        object { json in
            peer(result.peer, &json)
            command(result.command, &json)
            json.field("octets", result.octets.hexadecimal)
            json.key("state")
            if let state = result.state {
                json.object { fields(of: state, &$0) }
            } else {
                json.value(String?.none)
            }
        }
    }

    /// The state of a bulb.
    static func state(_ state: BulbState, of bulb: BulbPeer) -> String {
        object { json in
            peer(bulb, &json)
            fields(of: state, &json)
        }
    }

    /// A hue that a bulb has come to.
    static func shown(_ color: BulbColor, at now: Timestamp) -> String {
        object { json in
            json.field("event", "color")
            json.field("color", color.description)
            json.field("time", now)
        }
    }

    /// The end of turns through the hues.
    static func end(colors: Int, isDone: Bool, at now: Timestamp) -> String {
        object { json in
            json.field("event", "cycle_end")
            json.field("reason", isDone ? "done" : "interrupted")
            json.field("colors", colors)
            json.field("time", now)
        }
    }

    /// A row of the table of dialects.
    static func dialect(_ dialect: BulbDialect) -> String {
        object { json in
            json.field("dialect", dialect.keyword.string)
            json.field("name", dialect.name.string)
            json.field("service", dialect.control.service.description)
            json.field("characteristic", dialect.control.characteristic.description)
            json.field("found_out", dialect.isFoundOut)
            json.field("notify_service", dialect.reports?.service.description)
            json.field("notify_characteristic", dialect.reports?.characteristic.description)
            json.field("white", dialect.hasWhite)
            json.field("power", dialect.hasPower)
            json.field("state", dialect.tellsState)
        }
    }

    private static func fields(of state: BulbState, _ json: inout JSONWriter) {
        json.field("power", state.isOn)
        var (mode, color, white, effect) = ("color", BulbColor?.none, UInt8?.none, BulbEffect?.none)
        switch state.light {
        case .color(let value): color = value
        case .white(let level): (mode, white) = ("white", BulbLevel.percent(ofOctet: level))
        case .effect(let value): (mode, effect) = ("effect", value)
        }
        json.field("mode", mode)
        json.field("color", color?.description)
        json.field("white_percent", white)
        json.field("effect", effect?.code)
        json.field("speed", effect?.speed)
        json.field("shown", state.shown?.description)
    }

    private static func command(_ command: BulbCommand, _ json: inout JSONWriter) {
        var (name, color, white) = ("", BulbColor?.none, UInt8?.none)
        switch command {
        case .color(let value): (name, color) = ("color", value)
        case .white(let level): (name, white) = ("white", BulbLevel.percent(ofOctet: level))
        case .power(let isOn): name = isOn ? "on" : "off"
        case .effect: name = "effect"
        case .requestState: name = "state"
        }
        json.field("command", name)
        json.field("color", color?.description)
        json.field("white_percent", white)
    }

    private static func peer(_ peer: BulbPeer, _ json: inout JSONWriter) {
        json.field("address", peer.peer.plain)
        json.field("name", peer.name?.string)
        json.field("dialect", peer.dialect.keyword.string)
    }

    private static func object(_ body: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        json.object { body(&$0) }
        return json.text
    }
}
