// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import Testing

/// Files that were given to a reader of something else are named, with what reads them.
@Suite struct ForeignFileTests {
    private static let files: [(name: String, octets: [UInt8])] = [
        ("gzip", [0x1F, 0x8B, 8, 0]), ("zip archive", [0x50, 0x4B, 3, 4, 0]),
        ("zip archive", [0x50, 0x4B, 5, 6, 0]), ("zip archive", [0x50, 0x4B, 7, 8, 0x50, 0x4B, 3, 4]),
        ("7z archive", Array("7z".utf8) + [0xBC, 0xAF, 0x27, 0x1C]),
        ("RAR archive", Array("Rar!".utf8) + [0x1A, 7, 0]),
        ("Microsoft Office", [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]),
        ("web page", Array("<!DOCTYPE html><html lang=en><body>".utf8)),
        ("web page", Array("<HTML><p>".utf8)),
        ("web page", Array("<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC \"a\" \"b\">\n<html><body>".utf8)),
        ("not text", Array("btsnoop\0\0\0\0\u{1}".utf8)), ("not text", [0, 0, 0x27, 0x0A, 0, 0, 0, 0]),
        ("SQLite database", Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 84)),
        ("UTF-16", [0xFF, 0xFE, 0x3C, 0]), ("UTF-16", [0xFE, 0xFF, 0, 0x3C]), ("UTF-16", [0x3C, 0, 0x3F, 0]),
        ("bzip2", Array("BZh91AY&SY".utf8)), ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]),
        ("zstd", [0x28, 0xB5, 0x2F, 0xFD, 4]),
        ("OSM PBF", [0, 0, 0, 0x0D, 0x0A, 9] + Array("OSMHeader".utf8) + [0x18, 0x7C]),
        ("PNG", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), ("JPEG", [0xFF, 0xD8, 0xFF, 0xE0]),
        ("PDF", Array("%PDF-1.7\n".utf8)),
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
        (#"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}"#, "GeoJSON"),
        ("{\"geometry\":{}}\n{\"geometry\":{}}\n", "GeoJSON"), ("\u{1E}{\"type\":\"Feature\"}\n", "GeoJSON"),
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

    @Test(arguments: [
        (#"{"type":"FeatureCollection","name":"a","features":[]}"#, "it is GeoJSON; the cameras"),
        (#" {"type":"Feature","geometry":{"type":"Point"}}"#, "it is GeoJSON; the cameras"),
        (
            #"{"version":0.6,"generator":"\"features\":[","osm3s":{"a":[1]},"elements":[{"id":1}]}"#,
            "JSON of Overpass"
        ),
        ("\u{FEFF}{\"detections\": [{}]}", "JSON of detections; the detections"),
        ("[{\"id\":1}]", "lantern detections known import"), ("{}", "it is JSON, not GPX"),
        ("WigleWifi-1.4,appRelease=2.53\nMAC,SSID\n", "it is a table"),
        ("id;device_type\n", "lantern detections import"),
        ("hello", "it is not GPX; export the track as GPX"), ("<osm></osm>", "it is OSM XML; the cameras"),
        ("<kml></kml>", "take the same as GPX"), ("<TrainingCenterDatabase/>", "it is TCX"),
    ])
    func whatIsNoTrackIsNamed(text: String, words: String) {
        let error = #expect(throws: BadInput.self) { try GPXTrack(Array(text.utf8)) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("GPX, CSV") == false)
    }

    /// Where no form fits, the forms are named.
    @Test(arguments: [
        "{\"type\":\"Topology\",\"objects\":{}}", "{\"a\":1}\n{\"a\":2}\n", "name,phone\nA,1\n",
    ])
    func formsOfCamerasAreNamed(text: String) {
        let reason = KnownField.read(Array(text.utf8)).broken?.reason ?? ""
        for word in ["GeoJSON", "JSON of Overpass", "OSM XML"] {
            #expect(reason.contains(word), "\(reason)")
        }
    }

    @Test(arguments: ["gpx-utf16.gpx", "known-utf16.osm"]) func utf16IsNamed(name: String) throws {
        let octets = try FieldCase.octets(name)
        #expect(try FieldCase.rows(octets).faults == ["1: it is in UTF-16; save it in UTF-8"])
        #expect(KnownField.read(octets).broken?.reason == "it is in UTF-16; save it in UTF-8")
    }
}
