// SPDX-License-Identifier: Apache-2.0

import BLEWire
import WireJSON

/// Writes one JSON object the way the firmware writes it: no blanks, text beyond ASCII as UTF-8.
struct ObjectWriter {
    private var writer = JSONOctetWriter()

    init() { writer.open("{") }

    /// The object, closed.
    consuming func finished() -> [UInt8] {
        writer.close("}")
        return writer.octets
    }

    mutating func member(_ key: WireText, _ text: WireText) {
        writer.key(text: key.octets.octetSpan)
        writer.value(text: text.octets.octetSpan)
    }

    mutating func member(_ key: WireText, _ number: Int64) {
        writer.key(text: key.octets.octetSpan)
        writer.value(number)
    }

    mutating func member(_ key: WireText, _ flag: Bool) {
        writer.key(text: key.octets.octetSpan)
        writer.value(flag)
    }

    /// A MAC address in lower case, as real firmware writes it.
    mutating func member(_ key: WireText, mac: UInt64) {
        var text: [UInt8] = []
        for shift in stride(from: 40, through: 0, by: -8) {
            let octet = UInt8(truncatingIfNeeded: mac >> UInt64(shift))
            for nibble in [octet >> 4, octet & 15] {
                text.append(nibble < 10 ? 0x30 + nibble : 0x57 + nibble)
            }
            if shift > 0 { text.append(UInt8(ascii: ":")) }
        }
        member(key, WireText(text))
    }

    /// A number from 0 to 1 in as few digits as distinguish it from its neighbours, at most 15.
    mutating func member(_ key: WireText, proportion: Double) {
        writer.key(text: key.octets.octetSpan)
        writer.value(word: Self.decimal(proportion))
    }

    static func decimal(_ proportion: Double) -> [UInt8] {
        guard proportion > 0, proportion < 1 else {
            return [proportion >= 1 ? UInt8(ascii: "1") : UInt8(ascii: "0")]
        }
        var scale = 1.0
        var scaled: UInt64 = 0
        var places = 0
        repeat {
            scale *= 10
            places += 1
            scaled = UInt64(proportion * scale + 0.5)
        } while places < 15 && Double(scaled) / scale != proportion
        // Rounding may have carried all the way up.
        guard scaled > 0, Double(scaled) < scale else {
            return [scaled > 0 ? UInt8(ascii: "1") : UInt8(ascii: "0")]
        }
        while places > 1, scaled % 10 == 0 {
            scaled /= 10
            places -= 1
        }
        var digits: [UInt8] = []
        while digits.count < places {
            digits.append(0x30 + UInt8(scaled % 10))
            scaled /= 10
        }
        return [UInt8(ascii: "0"), UInt8(ascii: ".")] + digits.reversed()
    }

    /// A value that is JSON already.
    mutating func member(_ key: WireText, json: [UInt8]) {
        writer.key(text: key.octets.octetSpan)
        writer.value(word: json)
    }
}

extension Detection {
    /// Writes the detection as a device sends it; ``raw`` is not looked at.
    ///
    /// The keys come in the order of real firmware: `type`, `mac`, `ssid`, `rssi`, `confidence`, `ts`, then the
    /// extra ones. What is `nil` is left out.
    ///
    /// Spec: Documentation/Protocols/flockfinder.md, Detection.
    ///
    /// - Returns: One JSON object.
    public func encoded() -> [UInt8] {
        var writer = ObjectWriter()
        writer.member("type", label)
        if let mac { writer.member("mac", mac: mac) }
        if let ssid { writer.member("ssid", ssid) }
        writer.member("rssi", Int64(rssi))
        writer.member("confidence", proportion: confidence)
        if let ts { writer.member("ts", ts) }
        for member in extra { writer.member(member.key, json: member.json) }
        return writer.finished()
    }
}
