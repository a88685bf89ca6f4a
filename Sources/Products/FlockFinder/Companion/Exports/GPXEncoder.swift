// SPDX-License-Identifier: Apache-2.0

/// Detections with a position as waypoints of GPX 1.1; the schema fixes the order of the elements.
///
/// Characters that XML 1.0 cannot hold become U+FFFD.
struct GPXEncoder: Sendable {
    func begin(_ heading: ExportHeading, into octets: inout [UInt8]) {
        octets.append(contentsOf: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
        octets.append(contentsOf: "<gpx version=\"1.1\" creator=\"Lantern ".utf8)
        escape(heading.appVersion, &octets)
        octets.append(
            contentsOf: """
                " xmlns="http://www.topografix.com/GPX/1/1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
                xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd">
                <metadata><time>\(heading.date)</time></metadata>

                """.utf8)
    }

    func append(_ record: DetectionRecord, into octets: inout [UInt8]) -> Bool {
        let sighting = record.sighting
        guard let position = sighting.position else { return false }
        // The schema wants a longitude below 180, which is the same meridian as -180.
        let longitude = position.longitude == 180 ? -180 : position.longitude
        let head = "<wpt lat=\"\(decimal(position.latitude))\" lon=\"\(decimal(longitude))\">"
        octets.append(contentsOf: head.utf8)
        element("time", sighting.received.description, &octets)
        element("name", sighting.label, &octets)
        let confidence = decimal(sighting.confidence)
        element(
            "desc",
            "MAC: \(sighting.mac ?? "unknown"), RSSI: \(sighting.rssi) dBm, confidence: \(confidence)",
            &octets)
        element("type", sighting.label, &octets)
        octets.append(contentsOf: "</wpt>\n".utf8)
        return true
    }

    func end(into octets: inout [UInt8]) { octets.append(contentsOf: "</gpx>\n".utf8) }

    private func element(_ name: String, _ text: String, _ octets: inout [UInt8]) {
        octets.append(contentsOf: "<\(name)>".utf8)
        escape(text, &octets)
        octets.append(contentsOf: "</\(name)>".utf8)
    }

    private func escape(_ text: String, _ octets: inout [UInt8]) {
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x26: octets.append(contentsOf: "&amp;".utf8)
            case 0x3C: octets.append(contentsOf: "&lt;".utf8)
            case 0x3E: octets.append(contentsOf: "&gt;".utf8)
            case 0x22: octets.append(contentsOf: "&quot;".utf8)
            // Left as it is, a reader would turn it into a line feed.
            case 0x0D: octets.append(contentsOf: "&#13;".utf8)
            case 0x09, 0x0A, 0x20..<0xFFFE, 0x1_0000...:
                octets.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            default: octets.append(contentsOf: UTF8.encodedReplacementCharacter)
            }
        }
    }

    /// A number without an exponent, which XML Schema's decimals do not have.
    private func decimal(_ value: Double) -> String {
        let text = Array(value.description.utf8)
        guard let mark = text.firstIndex(of: UInt8(ascii: "e")),
            let exponent = Int(String(decoding: text[(mark + 1)...], as: UTF8.self)), exponent < 0
        else { return value.description }
        var digits = text[..<mark].filter { (0x30...0x39).contains($0) }
        if digits.count > 1, digits.last == 0x30 { digits.removeLast() }
        let zeros = [UInt8](repeating: 0x30, count: -exponent - 1)
        return (value < 0 ? "-0." : "0.") + String(decoding: zeros + digits, as: UTF8.self)
    }
}
