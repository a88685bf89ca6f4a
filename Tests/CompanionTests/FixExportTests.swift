// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Detections
import FlockFinder
import Foundation
import Testing

/// How the place is known, in each form and back.
@Suite struct FixExportTests {
    private static func sighting(_ fix: FixDetails?, isPlaced: Bool = true) -> Sighting {
        Sighting(
            type: .ring, label: "Ring", rssi: -71, confidence: 1, received: Timestamp(milliseconds: 0),
            position: isPlaced ? Position(latitude: 52.5, longitude: 13.4) : nil, fix: fix)
    }

    private static let whole = FixDetails(source: .receiver, age: 1200, accuracy: 4.5, altitude: 30)
    private static let fixes: [FixDetails?] = [
        nil, whole, FixDetails(source: .fixed), FixDetails(source: nil, age: -12_000),
        FixDetails(source: .browser, accuracy: 0), FixDetails(source: nil, altitude: -3.25),
    ]

    @Test func jsonHasWhatIsKnownAndNothingElse() throws {
        let text = { (fix: FixDetails?) in
            String(decoding: ExportFormat.json.file([Self.sighting(fix)]).octets, as: UTF8.self)
        }
        #expect(
            text(Self.whole).contains(
                #""fix":{"source":"gpsd","age_ms":1200,"accuracy":4.5,"altitude":30.0},"timestamp""#))
        #expect(text(FixDetails(source: nil, age: -5)).contains(#""fix":{"age_ms":-5},"#))
        #expect(!text(nil).contains("\"fix\""))
    }

    @Test(arguments: [ExportFormat.csv, .json]) func comesBack(format: ExportFormat) throws {
        let sightings = Self.fixes.map { Self.sighting($0) }
        #expect(try readBack(format.file(sightings).octets) == sightings)
    }

    /// A fix that says where nothing is would be worth nothing.
    @Test(arguments: ExportFormat.allCases) func isNothingWithoutAPlace(format: ExportFormat) {
        let text = String(
            decoding: format.file([Self.sighting(Self.whole, isPlaced: false)]).octets, as: UTF8.self)
        #expect(!text.contains("gpsd") && !text.contains("1200"))
        let event = DetectionEvent(unstored: Self.sighting(Self.whole, isPlaced: false))
        #expect(String(decoding: event.json, as: UTF8.self).contains("\"fix\":null"))
    }

    @Test func theEventHasIt() {
        let event = DetectionEvent(unstored: Self.sighting(FixDetails(source: .track, age: -5)))
        #expect(
            String(decoding: event.json, as: UTF8.self).contains(
                #""fix":{"source":"gpx","age_ms":-5,"accuracy":null,"altitude":null}"#))
    }

    @Test func mapFilesHaveIt() {
        let kml = String(decoding: ExportFormat.kml.file([Self.sighting(Self.whole)]).octets, as: UTF8.self)
        #expect(kml.contains("<coordinates>13.4,52.5,30.0</coordinates>"))
        #expect(
            kml.contains(
                "</TimeStamp><styleUrl>#ring</styleUrl><ExtendedData><Data name=\"fix_source\"><value>gpsd</value></Data>"
                    + "<Data name=\"fix_age_ms\"><value>1200</value></Data>"
                    + "<Data name=\"accuracy\"><value>4.5</value></Data></ExtendedData><Point>"))
        let features = String(
            decoding: ExportFormat.geojson.file([Self.sighting(Self.whole)]).octets, as: UTF8.self)
        #expect(
            features.contains(
                #""fix_source":"gpsd","fix_age_ms":1200,"accuracy":4.5,"altitude":30.0"#))
        #expect(features.contains(#""coordinates":[13.4,52.5]"#))
    }

    @Test(arguments: [
        ("fix_source", "moon", "its fix_source is not one of fixed, gpsd, gpx, browser"),
        ("fix_age_ms", "1.5", "its fix_age_ms is not a whole number"),
        ("accuracy", "near", "its accuracy is not a number"),
    ])
    func csvSaysWhatIsWrong(column: String, cell: String, reason: String) {
        let text = """
            device_type,rssi,confidence,timestamp,latitude,longitude,\(column)
            Ring,1,1,2024-01-01,1,1,\(cell)

            """
        #expect(throws: ImportError(2, reason)) { try readBack(text.utf8) }
    }

    @Test(arguments: [#"{"source":"moon"}"#, #"{"age_ms":"x"}"#, #"{"accuracy":-1}"#, "7"])
    func jsonSaysWhatIsWrong(fix: String) {
        let text = """
            {"detections":[{"device_type":"a","rssi":1,"confidence":1,"timestamp":"2024-01-01",
            "location":{"latitude":1,"longitude":1},"fix":\(fix)}]}
            """
        #expect(throws: ImportError.self) { try readBack(text.utf8) }
    }

    /// It used to end the program.
    @Test func aSpeedThatIsNoNumberIsRefused() {
        let text =
            #"{"detections":[{"device_type":"a","rssi":1,"confidence":1,"timestamp":"2024-01-01","motion":{"speed":"x"}}]}"#
        #expect(throws: ImportError(1, column: 102, "\"speed\" must be a number")) { try readBack(text.utf8) }
    }

    /// What a FlockFinder has sent stands in the octets; what came otherwise has keys of its own.
    @Test func jsonKeepsDeviceTimeAndExtraWithoutTheOctets() throws {
        for time in [Detection.DeviceTime.unix(seconds: 1_700_000_000), .uptime(milliseconds: 4821)] {
            var sighting = Self.sighting(nil)
            sighting.deviceTime = time
            sighting.extra = #"{"channel":6,"big":12345678901234567890,"a":[0.10,"é"]}"#
            let file = ExportFormat.json.file([sighting]).octets
            #expect(String(decoding: file, as: UTF8.self).contains(#""extra":{"channel":6,"big":"#))
            #expect(try readBack(file) == [sighting])
        }
    }
}
