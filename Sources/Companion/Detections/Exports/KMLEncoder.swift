// SPDX-License-Identifier: Apache-2.0

import Companion
import FlockFinder

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
        for type in DetectionType.allCases {
            Self.style("\(type.keyword)", "IconStyle", Self.color(type), "", &octets)
        }
        Self.style("drive", "LineStyle", "ffc07020", "<width>3</width>", &octets)
    }

    private static func style(
        _ name: String, _ kind: String, _ color: String, _ more: String, _ octets: inout [UInt8]
    ) {
        octets.append(
            contentsOf: "<Style id=\"\(name)\"><\(kind)><color>\(color)</color>\(more)</\(kind)></Style>\n"
                .utf8)
    }

    /// The colour of a kind as KML has it: opaque, then blue, green, red.
    private static func color(_ type: DetectionType) -> String {
        switch type {
        case .flockSafety, .raven: "ff2020d0"
        case .penguin, .pigvision: "ff0060e0"
        case .verkada: "ff0090f0"
        case .axis: "ff00c8f0"
        case .lorex, .reolink: "ffd07020"
        case .hikvision, .dahua: "ffb04090"
        case .ring: "ffd0b020"
        case .nest: "ff909010"
        case .arlo, .wyze, .eufy: "ff409030"
        case .unknown: "ff808080"
        }
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
        // The schema wants this order: name, description, time, style, data, geometry.
        XMLText.element(
            "description",
            """
            \(sighting.ssid.map { "Name: \($0), " } ?? "")MAC: \(sighting.mac ?? "unknown"), \
            RSSI: \(sighting.rssi) dBm, confidence: \(confidence)
            """, &octets)
        octets.append(contentsOf: "<TimeStamp>".utf8)
        XMLText.element("when", sighting.received, &octets)
        octets.append(contentsOf: "</TimeStamp>".utf8)
        XMLText.element("styleUrl", "#\(sighting.type.keyword)", &octets)
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

    func beginDrive(_ number: Int64, into octets: inout [UInt8]) {
        octets.append(contentsOf: "<Placemark>".utf8)
        XMLText.element("name", "Drive \(number)", &octets)
        XMLText.element("styleUrl", "#drive", &octets)
        octets.append(contentsOf: "<LineString><tessellate>1</tessellate><coordinates>\n".utf8)
    }

    func append(_ fix: Fix, into octets: inout [UInt8]) {
        let altitude = fix.altitude.map { "," + XMLText.decimal($0) } ?? ""
        octets.append(
            contentsOf: "\(XMLText.decimal(fix.longitude)),\(XMLText.decimal(fix.latitude))\(altitude)\n".utf8
        )
    }

    func endDrive(into octets: inout [UInt8]) {
        octets.append(contentsOf: "</coordinates></LineString></Placemark>\n".utf8)
    }

    func end(into octets: inout [UInt8]) { octets.append(contentsOf: "</Document></kml>\n".utf8) }
}
