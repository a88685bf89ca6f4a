// SPDX-License-Identifier: Apache-2.0

/// Detections with a position as placemarks of KML 2.2 with their times.
///
/// Spec: OGC 07-147r2, 9.14.
struct KMLEncoder: Sendable {
    func begin(into octets: inout [UInt8]) {
        octets.append(
            contentsOf: """
                <?xml version="1.0" encoding="UTF-8"?>
                <kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Lantern</name>

                """.utf8)
    }

    func append(_ record: DetectionRecord, into octets: inout [UInt8]) -> Bool {
        let sighting = record.sighting
        guard let position = sighting.position else { return false }
        let (longitude, latitude) = (
            XMLText.decimal(position.longitude), XMLText.decimal(position.latitude)
        )
        let confidence = XMLText.decimal(sighting.confidence)
        octets.append(contentsOf: "<Placemark>".utf8)
        XMLText.element("name", sighting.label, &octets)
        XMLText.element(
            "description",
            """
            \(sighting.ssid.map { "Name: \($0), " } ?? "")MAC: \(sighting.mac ?? "unknown"), \
            RSSI: \(sighting.rssi) dBm, confidence: \(confidence)
            """, &octets)
        octets.append(contentsOf: "<TimeStamp>".utf8)
        XMLText.element("when", sighting.received, &octets)
        octets.append(contentsOf: "</TimeStamp>".utf8)
        let fix = sighting.knownFix
        Self.data(fix, &octets)
        octets.append(contentsOf: "<Point>".utf8)
        let altitude = fix?.altitude.map { "," + XMLText.decimal($0) } ?? ""
        XMLText.element("coordinates", "\(longitude),\(latitude)\(altitude)", &octets)
        octets.append(contentsOf: "</Point></Placemark>\n".utf8)
        return true
    }

    /// What KML has no element of its own for.
    private static func data(_ fix: FixDetails?, _ octets: inout [UInt8]) {
        guard let fix else { return }
        let values = [
            ("fix_source", fix.sourceWord), ("fix_age_ms", fix.age?.description),
            ("accuracy", fix.accuracy.map(XMLText.decimal)),
        ]
        octets.append(contentsOf: "<ExtendedData>".utf8)
        for (name, value) in values {
            guard let value else { continue }
            octets.append(contentsOf: "<Data name=\"\(name)\">".utf8)
            XMLText.element("value", value, &octets)
            octets.append(contentsOf: "</Data>".utf8)
        }
        octets.append(contentsOf: "</ExtendedData>".utf8)
    }

    func end(into octets: inout [UInt8]) { octets.append(contentsOf: "</Document></kml>\n".utf8) }
}
