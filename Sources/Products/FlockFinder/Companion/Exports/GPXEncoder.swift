// SPDX-License-Identifier: Apache-2.0

/// Detections with a position as waypoints of GPX 1.1; the schema fixes the order of the elements.
///
/// Characters that XML 1.0 cannot hold become U+FFFD.
struct GPXEncoder: Sendable {
    func begin(_ heading: ExportHeading, into octets: inout [UInt8]) {
        octets.append(contentsOf: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
        octets.append(contentsOf: "<gpx version=\"1.1\" creator=\"Lantern ".utf8)
        XMLText.escape(heading.appVersion, &octets)
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
        let head = "<wpt lat=\"\(XMLText.decimal(position.latitude))\" lon=\"\(XMLText.decimal(longitude))\">"
        octets.append(contentsOf: head.utf8)
        XMLText.element("time", sighting.received.description, &octets)
        XMLText.element("name", sighting.label, &octets)
        let confidence = XMLText.decimal(sighting.confidence)
        XMLText.element(
            "desc",
            "MAC: \(sighting.mac ?? "unknown"), RSSI: \(sighting.rssi) dBm, confidence: \(confidence)",
            &octets)
        XMLText.element("type", sighting.label, &octets)
        octets.append(contentsOf: "</wpt>\n".utf8)
        return true
    }

    func end(into octets: inout [UInt8]) { octets.append(contentsOf: "</gpx>\n".utf8) }
}
