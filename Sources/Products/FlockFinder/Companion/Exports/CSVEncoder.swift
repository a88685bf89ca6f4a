// SPDX-License-Identifier: Apache-2.0

/// Detections as comma-separated values.
///
/// RFC 4180, except that lines end in LF alone. Three rules beyond it:
///
/// | value | cell |
/// |-------|------|
/// | nothing | empty, without quotes |
/// | empty text | `""` |
/// | text that begins with one of `= + - @`, their wide forms, a control character | an apostrophe in front, which import removes |
///
/// Blanks, and what cannot be seen, before it make no difference. The last keeps spreadsheets from taking a name for a formula. Numbers are never changed: -62 stays -62. Only
/// text that itself begins with an apostrophe and one of these does not come back as it was; JSON keeps it.
enum CSV {
    /// The names of the columns, in order.
    static let columns = [
        "id", "device_type", "mac_address", "ssid", "rssi", "confidence", "latitude", "longitude", "speed",
        "heading", "activity", "timestamp", "key", "mark", "note", "fix_source", "fix_age_ms", "accuracy",
        "altitude",
    ]

    /// Whether a spreadsheet would take the text for a formula, also one that leaves out blanks and what cannot be seen before it.
    static func looksLikeFormula(_ octets: some Sequence<UInt8>) -> Bool {
        var octets = octets.makeIterator()
        while let octet = octets.next() {
            switch octet {
            case 0x20: continue
            case ...0x1F, 0x7F, UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"):
                return true
            case ...0x7F: return false
            default:
                guard let second = octets.next() else { return false }
                if octet == 0xC2, second <= 0xA0 || second == 0xAD { continue }
                guard octet >= 0xE0, let third = octets.next() else { return false }
                switch (octet, second, third) {
                // U+1680, U+180E, U+2000 to U+200F, U+2028 to U+202F, U+205F to U+206F, U+3000, U+FEFF.
                case (0xE1, 0x9A, 0x80), (0xE1, 0xA0, 0x8E), (0xE2, 0x80, 0x80...0x8F),
                    (0xE2, 0x80, 0xA8...0xAF),
                    (0xE2, 0x81, 0x9F...0xAF), (0xE3, 0x80, 0x80), (0xEF, 0xBB, 0xBF):
                    continue
                // U+FF0B, U+FF0D, U+FF1D and U+FF20, which some take for the others.
                case (0xEF, 0xBC, 0x8B), (0xEF, 0xBC, 0x8D), (0xEF, 0xBC, 0x9D), (0xEF, 0xBC, 0xA0):
                    return true
                default: return false
                }
            }
        }
        return false
    }
}

struct CSVEncoder: Sendable {
    func begin(into octets: inout [UInt8]) {
        octets.append(contentsOf: CSV.columns.joined(separator: ",").utf8)
        octets.append(UInt8(ascii: "\n"))
    }

    func append(_ record: DetectionRecord, into octets: inout [UInt8]) {
        let sighting = record.sighting
        octets.append(contentsOf: record.id.description.utf8)
        text(sighting.label, &octets)
        text(sighting.mac, &octets)
        text(sighting.ssid, &octets)
        number(sighting.rssi, &octets)
        number(sighting.confidence, &octets)
        number(sighting.position?.latitude, &octets)
        number(sighting.position?.longitude, &octets)
        number(sighting.motion.speed, &octets)
        number(sighting.motion.heading, &octets)
        text(sighting.motion.activity, &octets)
        octets.append(UInt8(ascii: ","))
        sighting.received.write(to: &octets)
        octets.append(UInt8(ascii: ","))
        record.key?.write(to: &octets)
        text(record.mark == .none ? nil : record.mark.rawValue, &octets)
        text(record.note.isEmpty ? nil : record.note, &octets)
        let fix = sighting.knownFix
        text(fix?.sourceWord, &octets)
        number(fix?.age, &octets)
        number(fix?.accuracy, &octets)
        number(fix?.altitude, &octets)
        octets.append(UInt8(ascii: "\n"))
    }

    private func number(_ value: (some CustomStringConvertible)?, _ octets: inout [UInt8]) {
        octets.append(UInt8(ascii: ","))
        if let value { octets.append(contentsOf: value.description.utf8) }
    }

    private func text(_ value: String?, _ octets: inout [UInt8]) {
        octets.append(UInt8(ascii: ","))
        guard var value else { return }
        value.withUTF8 { text in
            let isGuarded = CSV.looksLikeFormula(text)
            let isQuoted = Self.needsQuotes(text)
            if isQuoted { octets.append(UInt8(ascii: "\"")) }
            if isGuarded { octets.append(UInt8(ascii: "'")) }
            if isQuoted {
                for octet in text {
                    if octet == UInt8(ascii: "\"") { octets.append(octet) }
                    octets.append(octet)
                }
                octets.append(UInt8(ascii: "\""))
            } else {
                octets.append(contentsOf: text)
            }
        }
    }

    /// Whether the text would be misread without quotes; blanks at the ends count, since some readers drop
    /// them.
    private static func needsQuotes(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = text.first, let last = text.last, last != 0x20, first != 0x20 else {
            return true
        }
        return text.contains {
            $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D
        }
    }
}
