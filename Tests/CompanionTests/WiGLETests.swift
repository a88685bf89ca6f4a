// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Detections
import FlockFinder
import Foundation
import Testing

/// The example of the format's page is the first row.
@Suite struct WiGLETests {
    private static let heading = """
        WigleWifi-1.6,appRelease=2.78,model=X-37B,release=11.0.0,device=felgercarb,display=D,board=b,"brand=Moog, LLC",star=Sol,body=4,subBody=0
        MAC,SSID,AuthMode,FirstSeen,Channel,Frequency,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,RCOIs,MfgrId,Type

        """

    @Test func whatIsHeardBecomesDetections() throws {
        let file =
            Self.heading + #"""
                63:56:ac:c4:d4:30,,Misc [LE],2018-08-03 18:14:12,0,,-67,37.76090571,-122.44877987,104,49.3,,72,BLE
                1a:9f:ee:5c:71:c6,"Home, ""sweet""",[WPA2-PSK-CCMP-128][ESS],2018-08-05 18:14:12,11,2462,-43,0,0,,0,,,WIFI
                310260_36495_15245,Carrier,LTE;310260,2018-08-05 18:14:12,,,-90,37.7,-122.4,104,49.3,,,LTE
                b4:1e:52:00:00:01,FS Ext Battery,Misc [LE],2018-08-05 18:14:12,0,,-50,37.7,-122.4,104,4,,2504,BLE
                zz,,Misc [LE],2018-08-03 18:14:12,0,,-67,37.7,-122.4,104,49.3,,,BLE
                1a:9f:ee:5c:71:c6,,[ESS],1970-01-01 00:00:00,11,2462,-43,37.7,-122.4,104,49.3,,,WIFI

                """#
        let found = rows(file.utf8)
        try #require(found.count == 6)
        guard case .detection(let first) = found[0], case .detection(let second) = found[1],
            case .detection(let camera) = found[3]
        else {
            Issue.record("\(found)")
            return
        }
        let seen = first.sighting
        #expect((seen.mac, seen.ssid, seen.rssi, seen.type) == ("63:56:AC:C4:D4:30", nil, -67, .unknown))
        #expect(seen.received == Timestamp("2018-08-03T18:14:12Z") && seen.confidence == 0)
        #expect(seen.position == Position(latitude: 37.76090571, longitude: -122.44877987))
        #expect(seen.fix == FixDetails(source: nil, accuracy: 49.3, altitude: 104))
        #expect(seen.extra == #"{"origin":"wigle","kind":"BLE","capabilities":"Misc [LE]","maker":72}"#)
        #expect(second.sighting.ssid == "Home, \"sweet\"" && second.sighting.position == nil)
        #expect(second.sighting.extra.contains(#""channel":11,"frequency":2462"#))
        #expect(found[2] == .passed)
        #expect(camera.sighting.type == .flockSafety && camera.sighting.confidence > 0.8)
        #expect(camera.sighting.label == "Flock Safety")
        #expect(found[4] == .bad(ImportError(7, "its MAC is not six pairs of hex digits with colons")))
        #expect(found[5] == .bad(ImportError(8, "its FirstSeen is not a time such as 2018-08-03 18:14:12")))
        // What it says beside goes with the detection, into JSON and back.
        let json = ExportFormat.json.file([seen, second.sighting]).octets
        #expect(try readBack(json) == [seen, second.sighting])
    }

    @Test func anOlderFileHasFewerColumns() throws {
        let file = """
            WigleWifi-1.4,appRelease=2.53
            MAC,SSID,AuthMode,FirstSeen,Channel,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,Type
            1a:9f:ee:5c:71:c6,a,[ESS],2018-08-05 18:14:12,11,-43,37.7,-122.4,104,49.3,WIFI

            """
        #expect(try readBack(file.utf8).map(\.ssid) == ["a"])
        #expect(
            rows("WigleWifi-1.6,a=b\nMAC,SSID\n".utf8)
                == [
                    .broken(
                        ImportError(
                            2,
                            "no column is named FirstSeen, RSSI, Type; export the file again, or give its columns these names"
                        ))
                ])
    }

    @Test func theExportIsOneOfTheFormat() throws {
        let place = Position(latitude: 52.5, longitude: 1e-7)
        var sighting = Sighting(
            type: .ring, label: "Ring", mac: "A4:83:E7:36:3C:A5", ssid: "a,\"b\"", rssi: -71,
            confidence: 0.85,
            received: Timestamp(milliseconds: 1_704_307_200_999), position: place,
            fix: FixDetails(source: .receiver, accuracy: 3.5, altitude: -2))
        var wifi = sighting
        wifi.extra = #"{"ch":6}"#
        (wifi.ssid, wifi.fix) = ("=x", nil)
        var homeless = sighting
        homeless.position = nil
        var nameless = sighting
        nameless.mac = nil
        let (octets, summary) = ExportFormat.wigle.file([sighting, wifi, homeless, nameless])
        #expect((summary.written, summary.withoutPosition, summary.withoutAddress) == (2, 1, 1))
        #expect(
            String(decoding: octets, as: UTF8.self) == #"""
                WigleWifi-1.6,"appRelease=Lantern 0.1 <&"">",model=Lantern,release=,device=Lantern,display=,board=,brand=,star=Sol,body=3,subBody=0
                MAC,SSID,AuthMode,FirstSeen,Channel,Frequency,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,RCOIs,MfgrId,Type
                a4:83:e7:36:3c:a5,"a,""b""",Misc [LE],2024-01-03 18:40:00,0,,-71,52.5,0.0000001,-2.0,3.5,,,BLE
                a4:83:e7:36:3c:a5,'=x,[ESS],2024-01-03 18:40:00,6,,-71,52.5,0.0000001,,,,,WIFI

                """#)
        let back = try readBack(octets)
        #expect(back.map(\.ssid) == ["a,\"b\"", "=x"] && back.map(\.mac) == [sighting.mac, sighting.mac])
        sighting = back[0]
        #expect(sighting.position == place && sighting.received.milliseconds == 1_704_307_200_000)
        // Once more it is the same file.
        #expect(ExportFormat.wigle.file(back).octets == octets)
    }

    /// What is heard may look like a formula, whoever opens the file.
    @Test(arguments: [
        "=HYPERLINK(\"http://evil.example\")", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1",
        "\u{FF1D}1", "\u{FF0B}1",
        "\u{FF0D}1", "\u{FF20}a", "\u{0}=1", "\u{B}=1", "\u{7F}=1", "\u{85}=1", "\u{A0}=1", "\u{1680}=1",
        "\u{200B} =1",
        "\u{2028}@a", "\u{2060}+1", "\u{3000}-1", "\u{FEFF}=1", "\u{A0}\u{FEFF} \u{FF1D}1",
    ])
    func whatLooksLikeAFormulaGetsAnApostrophe(text: String) throws {
        let sighting = Sighting(
            type: .ring, label: text, mac: "A4:83:E7:36:3C:A5", ssid: text, rssi: -71, confidence: 0.5,
            received: Timestamp(milliseconds: 1_704_307_200_000),
            position: Position(latitude: 52.5, longitude: 1),
            extra: #"{"origin":"wigle","kind":"WIFI","capabilities":"=1+1"}"#)
        for format in [ExportFormat.wigle, .csv] {
            let octets = format.file([sighting]).octets
            let file = String(decoding: octets, as: UTF8.self)
            #expect(file.contains("'" + text.replacing("\"", with: "\"\"")), "\(format)")
            for cell in [",=", ",+", ",@", "\"=", "\"+", "\"@", "\"\t", "\"\r"] where !text.contains(cell) {
                #expect(!file.dropFirst(60).contains(cell), "\(format) has \(cell)")
            }
            #expect(try readBack(octets).map(\.ssid) == [text])
        }
    }

    /// A name that ends a line would look like a row of its own.
    @Test(arguments: [ExportFormat.csv, .gpx, .kml, .wigle, .json, .geojson])
    func onATerminalNoNameEndsALine(format: ExportFormat) {
        func lines(_ text: String) -> Int {
            var encoder = DetectionEncoder(
                format, heading: ExportHeading(date: Timestamp(milliseconds: 0), appVersion: "1"),
                isSeen: true)
            let sighting = Sighting(
                type: .ring, label: text, mac: "A4:83:E7:36:3C:A5", ssid: text, rssi: -71, confidence: 0.5,
                received: Timestamp(milliseconds: 0), position: Position(latitude: 52.5, longitude: 1),
                motion: Sighting.Motion(activity: text),
                extra: #"{"origin":"wigle","kind":"WIFI\n","capabilities":"a\nb"}"#)
            encoder.append(DetectionRecord(id: 1, sighting: sighting, note: text))
            encoder.finish()
            let octets = encoder.removeAll()
            #expect(!String(decoding: octets, as: UTF8.self).unicodeScalars.contains("\u{202E}"))
            return octets.count { $0 == 0x0A }
        }
        #expect(lines("a\nb\u{202E}\r\u{1B}[2J") == lines("ab"))
    }

    @Test(
        arguments: [
            ("a.csv", ExportFormat.csv), ("a.wigle.csv", .wigle), ("A.GPX", .gpx), ("a.geojson", .geojson),
            ("csv", nil),
            ("wigle.csv", .csv),
        ] as [(String, ExportFormat?)])
    func theEndingOfANameChoosesTheForm(name: String, format: ExportFormat?) {
        #expect(ExportFormat(endingOf: name) == format)
    }
}
