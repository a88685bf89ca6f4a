// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Companion
import OverflowArea

extension OverflowMapHeard: EventText {
    /// What it says to a person.
    public var line: EventLine { EventLine(.quiet, "\(sighting.peer.title) \(map)") }
}

extension OverflowPayloadHeard: EventText {
    /// What it says to a person.
    public var line: EventLine {
        let how = message.codec == .v1 ? "v1, position \(message.position.rawValue)" : "v2"
        let strength = sighting.rssi.map { ", \($0) dBm" } ?? ""
        return EventLine(.good, "\(sighting.peer.title) says \(message.payload) (\(how)\(strength))")
    }
}

extension OverflowMapIgnored: EventText {
    /// What it says to a person.
    public var line: EventLine { EventLine(.warning, "\(sighting.peer.title) ignored: \(reason)") }
}

extension OverflowAdvertising: EventText {
    /// What it says to a person.
    public var line: EventLine {
        var text = "advertising \(transmission.map)"
        if let codec {
            text += codec == .v1 ? " (v1, position \(transmission.position?.rawValue ?? 0))" : " (v2)"
        } else {
            let bits = transmission.uuids.map { "\($0): bit \(OverflowBit(of: $0).number)" }
            text += " (\(bits.joined(separator: ", ")))"
        }
        return EventLine(.outgoing, text)
    }
}

extension PhoneInBackground: EventText {
    /// What it says to a person.
    public var line: EventLine { EventLine(.outgoing, "background: \(map)") }
}

extension PhoneInForeground: EventText {
    /// What it says to a person.
    public var line: EventLine {
        let others = map.map { ", and \($0)" } ?? ""
        return EventLine(.arrival, "foreground: \(uuid?.description ?? "no service")\(others)")
    }
}
