// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import FlockFinder
import Testing

/// What leaves for WiGLE and for Google Earth.
@Suite struct ExportFieldTests {
    private static func sighting(_ confidence: Double, extra: String = "{}") -> Sighting {
        Sighting(
            type: .ring, label: "Ring", mac: "A4:83:E7:36:3C:A5", ssid: "a", rssi: -71,
            confidence: confidence,
            received: Timestamp(milliseconds: 1_704_307_200_000),
            position: Position(latitude: 52.5, longitude: 1),
            extra: extra)
    }

    /// A FlockFinder is 0.9 sure of Wi-Fi and 0.85 of Bluetooth; what nothing tells is not made up.
    @Test(
        arguments: [
            (0.9, "{}", "WIFI"), (0.85, "{}", "BLE"), (0.5, "{}", nil),
            (0.9, #"{"origin":"this_radio"}"#, "BLE"),
            (0.5, #"{"ch":6}"#, "WIFI"), (0.9, #"{"origin":"flock-you","kind":"BLE"}"#, "BLE"),
            (0.9, #"{"origin":"flock-you","kind":null}"#, nil),
        ] as [(Double, String, String?)])
    func theRadioIsSaidWhereItIsKnown(confidence: Double, extra: String, kind: String?) {
        let (octets, summary) = ExportFormat.wigle.file([Self.sighting(confidence, extra: extra)])
        let row = String(decoding: octets, as: UTF8.self).split(separator: "\n").dropFirst(2).first
        #expect(row?.split(separator: ",").last.map(String.init) == kind)
        #expect((summary.written, summary.withoutRadio) == (kind == nil ? 0 : 1, kind == nil ? 1 : 0))
    }

    @Test func placesOfKMLHaveTheStyleOfTheirKind() {
        let text = String(decoding: ExportFormat.kml.file([Self.sighting(0.9)]).octets, as: UTF8.self)
        #expect(text.contains("<styleUrl>#ring</styleUrl>"))
        for type in DetectionType.allCases {
            #expect(text.contains("<Style id=\"\(type.keyword)\">"), "\(type)")
        }
    }

    @Test func drivesOfKMLAreLines() {
        var encoder = DetectionEncoder(
            .kml, heading: ExportHeading(date: Timestamp(milliseconds: 0), appVersion: "1"))
        #expect(encoder.takesDrives)
        encoder.beginDrive(7)
        encoder.append(Fix(time: 1, latitude: 52.5, longitude: 13.4, altitude: 30, source: .track))
        encoder.append(Fix(time: 2, latitude: 52.6, longitude: 1e-7, source: .track))
        encoder.endDrive()
        encoder.finish()
        let text = String(decoding: encoder.removeAll(), as: UTF8.self)
        #expect(encoder.summary.drives == 1)
        #expect(text.contains("<name>Drive 7</name><styleUrl>#drive</styleUrl><LineString>"))
        #expect(text.contains("13.4,52.5,30.0\n0.0000001,52.6\n</coordinates></LineString></Placemark>"))
    }
}
