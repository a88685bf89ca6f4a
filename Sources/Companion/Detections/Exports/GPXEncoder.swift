// SPDX-License-Identifier: Apache-2.0

import Companion

/// Detections with a position as waypoints of GPX 1.1, and drives as its tracks; the schema fixes the order of the elements.
///
/// What GPX has no element for stands in extensions, from which import makes the detections again. Characters that XML 1.0
/// cannot hold become U+FFFD.
struct GPXEncoder: Sendable {
    /// The namespace of the extensions.
    static let namespace = "urn:x-lantern:gpx:1"

    func begin(_ heading: ExportHeading, into octets: inout [UInt8]) {
        octets.append(contentsOf: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
        octets.append(contentsOf: "<gpx version=\"1.1\" creator=\"Lantern ".utf8)
        XMLText.escape(heading.appVersion, &octets)
        octets.append(
            contentsOf: """
                " xmlns="http://www.topografix.com/GPX/1/1" xmlns:lantern="\(Self.namespace)" \
                xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
                xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd">
                <metadata><time>\(heading.date)</time></metadata>

                """.utf8)
    }

    func append(_ record: DetectionRecord, into octets: inout [UInt8]) -> Bool {
        let sighting = record.sighting
        guard let position = sighting.position else { return false }
        Self.begin("wpt", position.latitude, position.longitude, &octets)
        let fix = sighting.fix
        if let altitude = fix?.altitude { XMLText.element("ele", XMLText.decimal(altitude), &octets) }
        XMLText.element("time", sighting.received, &octets)
        XMLText.element("name", sighting.label, &octets)
        let confidence = XMLText.decimal(sighting.confidence)
        XMLText.element(
            "desc",
            "MAC: \(sighting.mac ?? "unknown"), RSSI: \(sighting.rssi) dBm, confidence: \(confidence)",
            &octets)
        XMLText.element("type", sighting.label, &octets)
        Self.extensions(
            "lantern:detection",
            [
                ("lantern:mac_address", sighting.mac), ("lantern:ssid", sighting.ssid),
                ("lantern:rssi", "\(sighting.rssi)"),
                ("lantern:confidence", "\(sighting.confidence)"),
                ("lantern:speed", sighting.motion.speed?.description),
                ("lantern:heading", sighting.motion.heading?.description),
                ("lantern:activity", sighting.motion.activity),
                ("lantern:key", record.key?.description),
                ("lantern:mark", record.mark == .none ? nil : record.mark.rawValue),
                ("lantern:note", record.note.isEmpty ? nil : record.note),
                ("lantern:fix_source", fix?.sourceWord),
                ("lantern:fix_age_ms", fix?.age?.description),
                ("lantern:accuracy", fix?.accuracy?.description),
            ], &octets)
        octets.append(contentsOf: "</wpt>\n".utf8)
        return true
    }

    func beginDrive(_ number: Int64, into octets: inout [UInt8]) {
        octets.append(contentsOf: "<trk>".utf8)
        XMLText.element("name", "Drive \(number)", &octets)
        octets.append(contentsOf: "<trkseg>\n".utf8)
    }

    func append(_ fix: Fix, into octets: inout [UInt8]) {
        Self.begin("trkpt", fix.latitude, fix.longitude, &octets)
        if let altitude = fix.altitude { XMLText.element("ele", XMLText.decimal(altitude), &octets) }
        XMLText.element("time", Timestamp(milliseconds: fix.time), &octets)
        if fix.speed != nil || fix.accuracy != nil {
            Self.extensions(
                "lantern:point",
                [("lantern:speed", fix.speed?.description), ("lantern:accuracy", fix.accuracy?.description)],
                &octets)
        }
        octets.append(contentsOf: "</trkpt>\n".utf8)
    }

    func endDrive(into octets: inout [UInt8]) { octets.append(contentsOf: "</trkseg></trk>\n".utf8) }

    func end(into octets: inout [UInt8]) { octets.append(contentsOf: "</gpx>\n".utf8) }

    /// Opens a point.
    private static func begin(
        _ name: String, _ latitude: Double, _ longitude: Double, _ octets: inout [UInt8]
    ) {
        // The schema wants a longitude below 180, which is the same meridian as -180.
        let east = longitude == 180 ? -180 : longitude
        octets.append(UInt8(ascii: "<"))
        octets.append(contentsOf: name.utf8)
        octets.append(contentsOf: " lat=\"".utf8)
        octets.append(contentsOf: XMLText.decimal(latitude).utf8)
        octets.append(contentsOf: "\" lon=\"".utf8)
        octets.append(contentsOf: XMLText.decimal(east).utf8)
        octets.append(contentsOf: "\">".utf8)
    }

    /// Writes the values that there are.
    private static func extensions(
        _ name: String, _ values: [(name: String, text: String?)], _ octets: inout [UInt8]
    ) {
        octets.append(contentsOf: "<extensions><".utf8)
        octets.append(contentsOf: name.utf8)
        octets.append(UInt8(ascii: ">"))
        for (name, text) in values {
            if let text { XMLText.element(name, text, &octets) }
        }
        octets.append(contentsOf: "</".utf8)
        octets.append(contentsOf: name.utf8)
        octets.append(contentsOf: "></extensions>".utf8)
    }
}
