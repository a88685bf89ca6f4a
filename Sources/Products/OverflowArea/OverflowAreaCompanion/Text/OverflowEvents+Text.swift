// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
public import CompanionText
public import OverflowArea

extension OverflowMapHeard: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.quiet, "\(sighting.peer.title) \(map)") }
}

extension OverflowPayloadHeard: EventText {
    /// The event in one line.
    public var line: EventLine {
        let how = message.codec == .v1 ? "v1, position \(message.position.rawValue)" : "v2"
        let strength = sighting.rssi.map { ", \($0) dBm" } ?? ""
        return EventLine(.good, "\(sighting.peer.title) says \(message.payload) (\(how)\(strength))")
    }
}

extension OverflowMapIgnored: EventText {
    /// The event in one line.
    public var line: EventLine {
        // Every message of v1 begins so.
        let kind: EventLine.Tone = reason == .unknownPosition ? .quiet : .warning
        return EventLine(kind, "\(sighting.peer.title) \(reason.words ?? "ignored: \(reason)")")
    }
}

extension OverflowAdvertising: EventText {
    /// The event in one line.
    public var line: EventLine {
        var text = "advertising \(transmission.map)"
        if let codec {
            text += codec == .v1 ? " (v1, position \(transmission.position?.rawValue ?? 0))" : " (v2)"
        } else {
            let bits = transmission.uuids.map { "\($0): \(OverflowBit(of: $0).words)" }
            text += " (\(bits.joined(separator: ", ")))"
        }
        return EventLine(.outgoing, text)
    }
}

extension PhoneInBackground: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.outgoing, "background: \(map)") }
}

extension PhoneInForeground: EventText {
    /// The event in one line.
    public var line: EventLine {
        let others = map.map { ", and \($0)" } ?? ""
        return EventLine(.arrival, "foreground: \(uuid?.description ?? "no service")\(others)")
    }
}

extension OverflowReceiver.Output {
    /// That the sender has fallen silent.
    public var silence: EventLine { EventLine(.quiet, "\(Peer(address).title) is silent") }
}

extension OverflowBit {
    /// What it is called: `bit 66 (table index 69)`.
    var words: String { "bit \(number) (table index \(tableIndex))" }
}

extension OverflowBitFound {
    /// The bit as a line of its own.
    public var styledLine: StyledText {
        let place = "\(bit.words), octet \(bit.octet), mask \(bit.maskText)"
        let names = bit.names.isEmpty ? "none known" : bit.names.joined(separator: ", ")
        return StyledText(uuid.description, .bold) + "  \(place)  " + StyledText(names, .cyan)
    }
}

extension OverflowMapMade {
    /// The map, the services and a picture.
    public var lines: [StyledText] {
        [
            StyledText("map   ") + StyledText(map.description, .bold),
            StyledText("AD    \(map.structure.hexadecimal)"),
        ] + uuids.map { StyledText("UUID  \($0)  \(OverflowBit(of: $0).words)") }
            + [StyledText()] + map.picture
    }
}

extension OverflowMapRead {
    /// The map, its messages, what may have set its bits, and a picture.
    public var lines: [StyledText] {
        [StyledText("map      ") + StyledText(map.description, .bold)] + payloads.map { $0.line }
            + map.map(line) + [StyledText()] + map.picture
    }

    private func line(_ bit: OverflowBit) -> StyledText {
        let names = bit.names
        var text = names.isEmpty ? "none known" : names.joined(separator: ", ")
        if names.count > 1 { text += " (these collide)" }
        // As wide as the widest, bit 127 (table index 120).
        let place = FixedWidthText.padded(bit.words, columns: 25)
        return StyledText("\(place)  ") + StyledText(text, names.isEmpty ? .dim : .cyan)
    }
}

extension OverflowMapRead.Payload {
    fileprivate var line: StyledText {
        var words = "\(message.codec)"
        if message.codec == .v1 { words += ", position \(message.position.rawValue)" }
        if message.correctedBits > 0 { words += ", one bit corrected" }
        if isPolluted { words += ", other bits in the other half" }
        return StyledText("payload  ") + StyledText(message.payload.description, .green) + "  \(words)"
    }
}
