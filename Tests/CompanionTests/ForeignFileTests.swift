// SPDX-License-Identifier: Apache-2.0

import Companion
import Testing

/// Files that were given to a reader of something else are named, with what reads them.
@Suite struct ForeignFileTests {
    private static let files: [(name: String, octets: [UInt8])] = [
        ("gzip", [0x1F, 0x8B, 8, 0]), ("zip archive", [0x50, 0x4B, 3, 4, 0]),
        ("SQLite database", Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 84)),
        ("UTF-16", [0xFF, 0xFE, 0x3C, 0]), ("UTF-16", [0xFE, 0xFF, 0, 0x3C]), ("UTF-16", [0x3C, 0, 0x3F, 0]),
        ("KML", Array("<?xml version=\"1.0\"?>\n<kml><Document></Document></kml>".utf8)),
    ]

    @Test func everyReaderNamesWhatNobodyReads() throws {
        for (name, octets) in Self.files {
            let faults = try FieldCase.rows(octets).faults
            #expect(faults.count == 1 && faults[0].contains(name), "\(faults)")
            let known = KnownField.read(octets).broken?.reason
            #expect(known?.contains(name) == true, "\(name): \(known ?? "")")
            let track = #expect(throws: BadInput.self) { try GPXTrack(octets) }
            #expect(track?.description.contains(name) == true, "\(track?.description ?? "")")
        }
    }

    @Test(arguments: [
        (#"{"type":"FeatureCollection","features":[]}"#, "GeoJSON"),
        (#"{"version":0.6,"elements":[]}"#, "Overpass"),
        ("<osm version=\"0.6\"></osm>", "OSM XML"), ("[{\"id\":1}]", "a list"),
    ])
    func camerasGivenToDetectionsAreNamed(text: String, name: String) throws {
        let faults = try FieldCase.rows(Array(text.utf8)).faults
        #expect(
            faults.count == 1 && faults[0].contains(name)
                && faults[0].contains("lantern detections known import"), "\(faults)")
    }

    @Test(arguments: [
        (#"{"detections":[]}"#, "JSON of detections"), ("<gpx></gpx>", "GPX"),
        ("WigleWifi-1.4,a=b\n", "tables"),
        ("id,device_type\n", "tables"),
    ])
    func detectionsGivenToCamerasAreNamed(text: String, name: String) {
        let reason = KnownField.read(Array(text.utf8)).broken?.reason ?? ""
        #expect(reason.contains(name) && reason.contains("lantern detections import"), "\(reason)")
    }

    @Test(arguments: ["gpx-utf16.gpx", "known-utf16.osm"]) func utf16IsNamed(name: String) throws {
        let octets = try FieldCase.octets(name)
        #expect(try FieldCase.rows(octets).faults == ["1: it is in UTF-16; save it in UTF-8"])
        #expect(KnownField.read(octets).broken?.reason == "it is in UTF-16; save it in UTF-8")
    }
}
