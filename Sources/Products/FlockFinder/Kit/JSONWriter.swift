// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// Writes one JSON object the way the firmware writes it: no blanks, text beyond ASCII as UTF-8.
struct JSONWriter {
    private(set) var octets: [UInt8] = [UInt8(ascii: "{")]

    /// The object, closed.
    consuming func finished() -> [UInt8] {
        octets.append(UInt8(ascii: "}"))
        return octets
    }

    mutating func member(_ key: WireText, _ text: WireText) {
        begin(key)
        append(text)
    }

    mutating func member(_ key: WireText, _ number: Int64) {
        begin(key)
        if number < 0 { octets.append(UInt8(ascii: "-")) }
        append(digits: number.magnitude)
    }

    mutating func member(_ key: WireText, _ flag: Bool) {
        begin(key)
        octets += (flag ? "true" as WireText : "false").octets
    }

    /// A MAC address in lower case, as real firmware writes it.
    mutating func member(_ key: WireText, mac: UInt64) {
        begin(key)
        octets.append(UInt8(ascii: "\""))
        for shift in stride(from: 40, through: 0, by: -8) {
            let octet = UInt8(truncatingIfNeeded: mac >> UInt64(shift))
            octets += [Self.digit(octet >> 4), Self.digit(octet & 15)]
            octets.append(shift == 0 ? UInt8(ascii: "\"") : UInt8(ascii: ":"))
        }
    }

    /// A number from 0 to 1 in as few digits as tell it from its neighbours, at most 15.
    mutating func member(_ key: WireText, proportion: Double) {
        begin(key)
        guard proportion > 0, proportion < 1 else {
            octets.append(proportion >= 1 ? UInt8(ascii: "1") : UInt8(ascii: "0"))
            return
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
            octets.append(scaled > 0 ? UInt8(ascii: "1") : UInt8(ascii: "0"))
            return
        }
        while places > 1, scaled % 10 == 0 {
            scaled /= 10
            places -= 1
        }
        octets += [UInt8(ascii: "0"), UInt8(ascii: ".")]
        append(digits: scaled, atLeast: places)
    }

    /// A value that is JSON already.
    mutating func member(_ key: WireText, json: [UInt8]) {
        begin(key)
        octets += json
    }

    private mutating func begin(_ key: WireText) {
        if octets.count > 1 { octets.append(UInt8(ascii: ",")) }
        append(key)
        octets.append(UInt8(ascii: ":"))
    }

    private mutating func append(digits number: UInt64, atLeast count: Int = 1) {
        var digits: [UInt8] = []
        var rest = number
        while rest > 0 || digits.count < count {
            digits.append(0x30 + UInt8(rest % 10))
            rest /= 10
        }
        octets += digits.reversed()
    }

    private mutating func append(_ text: WireText) {
        octets.append(UInt8(ascii: "\""))
        let span = text.octets.span
        var scanner = JSONScanner(position: 0)
        while scanner.position < span.count {
            let octet = span[scanner.position]
            if octet >= 0x80 {
                let start = scanner.position
                if (try? scanner.multiOctetCharacter(span)) != nil {
                    for index in start..<scanner.position { octets.append(span[index]) }
                } else {
                    // U+FFFD stands for what is not UTF-8.
                    octets += [0xEF, 0xBF, 0xBD]
                    scanner.position += 1
                }
                continue
            }
            append(character: octet)
            scanner.position += 1
        }
        octets.append(UInt8(ascii: "\""))
    }

    private mutating func append(character: UInt8) {
        let letter: UInt8
        switch character {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): letter = character
        case 0x08: letter = UInt8(ascii: "b")
        case 0x09: letter = UInt8(ascii: "t")
        case 0x0A: letter = UInt8(ascii: "n")
        case 0x0C: letter = UInt8(ascii: "f")
        case 0x0D: letter = UInt8(ascii: "r")
        case 0..<0x20:
            octets += [UInt8(ascii: "\\"), UInt8(ascii: "u"), 0x30, 0x30]
            octets += [Self.digit(character >> 4), Self.digit(character & 15)]
            return
        default:
            octets.append(character)
            return
        }
        octets += [UInt8(ascii: "\\"), letter]
    }

    private static func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x57 + nibble }
}

extension Detection {
    /// Writes the detection as a device sends it; ``raw`` is not looked at.
    ///
    /// The keys come in the order of real firmware: `type`, `mac`, `ssid`, `rssi`, `confidence`, `ts`, then the
    /// extra ones. What is `nil` is left out.
    ///
    /// Spec: flockfinder-ble-protocol.txt, Detection Data Format.
    ///
    /// - Returns: One JSON object.
    public func encoded() -> [UInt8] {
        var writer = JSONWriter()
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
