// SPDX-License-Identifier: Apache-2.0

import Companion

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
            let isGuarded = Spreadsheet.looksLikeFormula(text)
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
