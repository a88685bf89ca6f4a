// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import Foundation
import Testing

@Suite struct KnownCameraFileTests {
    private static func read(_ text: String, pieces: Int = .max) -> KnownCameraFile {
        var file = KnownCameraFile()
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            file.receive(Array(rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
        }
        file.finish()
        return file
    }

    private static let osm = """
        <?xml version="1.0" encoding="UTF-8"?>
        <osm version="0.6" generator="Overpass API 0.7.62">
          <note>The data included in this document is from www.openstreetmap.org.</note>
          <meta osm_base="2026-11-20T10:00:00Z"/>
          <node id="1" lat="48.8584" lon="2.2945"><tag k="man_made" v="surveillance"/>
            <tag k="surveillance:type" v="ALPR"/><tag k="manufacturer" v="Flock &amp; Safety"/>
            <tag k="direction" v="350-20"/></node>
          <node id="2" lat="48.8" lon="2.2"><tag k="highway" v="stop"/></node>
          <node id="3" lat="48.8" lon="2.2"/>
          <node id="4" lat="98.8" lon="2.2"><tag k="man_made" v="surveillance"/></node>
          <node id="1" lat="1" lon="2"><tag k="man_made" v="surveillance"/></node>
          <way id="9"><nd ref="1"/><tag k="man_made" v="surveillance"/></way>
        </osm>
        """

    @Test func nodesAndWaysOfOSMAreRead() throws {
        for pieces in [Int.max, 1, 100] {
            let file = Self.read(Self.osm, pieces: pieces)
            #expect(file.broken == nil && file.origin == "Overpass API 0.7.62")
            #expect(file.version == "2026-11-20T10:00:00Z")
            #expect((file.cameras.count, file.passed, file.refused) == (2, 2, 1))
            let camera = try #require(file.cameras.first)
            #expect(camera.reference == "node/1" && camera.name == "Flock & Safety ALPR")
            #expect(camera.position == Position(latitude: 48.8584, longitude: 2.2945))
            #expect(camera.directions == [5])
            #expect(camera.tags.hasPrefix(#"{"direction":"350-20","man_made":"surveillance""#))
            #expect(file.cameras[1].reference == "way/9" && file.cameras[1].position == camera.position)
            #expect(
                file.told == [
                    "10: its latitude or longitude is missing, 0,0 or out of range; give it its place, or take it out (1)"
                ])
        }
    }

    /// A ring counts its first point once; nodes may come behind the way, may be missing, and lie on both sides of the date line.
    @Test func aWayStandsInTheMiddleOfItsNodes() throws {
        let tag = "<tag k=\"man_made\" v=\"surveillance\"/>"
        let text = """
            <osm>
            <way id="1"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="4"/><nd ref="1"/>\(tag)</way>
            <way id="2"><center lat="5" lon="6"/><nd ref="1"/>\(tag)</way>
            <way id="3"><nd ref="77"/><nd ref="2"/>\(tag)</way>
            <way id="4"><nd ref="77"/>\(tag)</way>
            <way id="5">\(tag)</way>
            <way id="6"><nd ref="5"/><nd ref="6"/>\(tag)</way>
            <way id="7"><nd ref="1"/><tag k="highway" v="residential"/></way>
            <way id="8"><nd ref="1"/></way>
            <way id="1"><nd ref="2"/>\(tag)</way>
            <node id="1" lat="0" lon="4"/><node id="2" lat="0" lon="6"/><node id="3" lat="2" lon="6"/>
            <node id="4" lat="2" lon="4"/><node id="5" lat="10" lon="179.5"/><node id="6" lat="10" lon="-179.1"/>
            <node id="1" lat="80" lon="80"/>
            </osm>
            """
        for pieces in [Int.max, 1, 33] {
            let file = Self.read(text, pieces: pieces)
            #expect(file.broken == nil)
            #expect(
                file.told == [
                    "5: none of its nodes is in the file with a place; take them along, or ask Overpass with out center (2)"
                ])
            // The street, and the way that comes a second time.
            #expect((file.passed, file.refused) == (2, 2))
            let found = Dictionary(uniqueKeysWithValues: file.cameras.map { ($0.reference, $0.position) })
            #expect(found.count == 4)
            #expect(found["way/1"] == Position(latitude: 1, longitude: 5))
            #expect(found["way/2"] == Position(latitude: 5, longitude: 6))
            #expect(found["way/3"] == Position(latitude: 0, longitude: 6))
            let east = try #require(found["way/6"])
            #expect(east.latitude == 10 && abs(east.longitude + 179.8) < 1e-6)
        }
    }

    private static let geojson = #"""
        {"type":"FeatureCollection","generator":"overpass-ide","timestamp":"2026-11-21T00:00:00Z","features":[
        {"type":"Feature","id":"node/7","properties":{"@id":"node/7","man_made":"surveillance","name":"Gate",
        "camera:direction":"NNE"},"geometry":{"type":"Point","coordinates":[2.2945,48.8584]}},
        {"type":"Feature","properties":{"type":"node","id":8,"tags":{"man_made":"surveillance","direction":"90;270"}},
        "geometry":{"type":"Point","coordinates":[-2,1,30]}},
        {"type":"Feature","properties":{"man_made":"surveillance"},"geometry":{"type":"LineString","coordinates":[]}},
        {"type":"Feature","properties":{"man_made":"surveillance"},"geometry":{"type":"Point","coordinates":[200,1]}},
        {"type":"Feature","properties":null,"geometry":null},
        {"id":"way/3","properties":{"man_made":"surveillance"},"geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}},
        {"id":"way/4","properties":{"man_made":"surveillance"},"geometry":{"type":"Polygon","coordinates":
        [[[10,0],[14,0],[14,2],[10,2],[10,0]],[[11,1],[11,1]]]}},
        {"properties":{"man_made":"surveillance"},"geometry":{"type":"MultiPolygon","coordinates":[]}},
        {"type":"Feature","properties":{"man_made":"surveillance"},"geometry":{"type":"Point","coordinates":[3,4]}}
        ]}
        """#

    @Test func pointsLinesAndAreasOfGeoJSONAreRead() throws {
        for pieces in [Int.max, 1, 100] {
            let file = Self.read(Self.geojson, pieces: pieces)
            #expect(file.broken == nil)
            #expect((file.origin, file.version) == ("overpass-ide", "2026-11-21T00:00:00Z"))
            #expect(file.cameras.map(\.reference) == ["node/7", "node/8", "way/3", "way/4", "4.0,3.0"])
            #expect(file.cameras.map(\.name) == ["Gate", "camera", "camera", "camera", "camera"])
            #expect(
                file.cameras[2...3].map(\.position) == [
                    Position(latitude: 3, longitude: 2), Position(latitude: 1, longitude: 12),
                ])
            #expect(file.cameras.map(\.directions) == [[22.5], [90, 270], [], [], []])
            #expect((file.passed, file.refused) == (1, 3))
            #expect(
                file.told == [
                    "6: its geometry has no coordinates; give it its place, or take it out (2)",
                    "7: its longitude, which comes first, must be a number from -180 to 180 (1)",
                ])
        }
    }

    @Test(arguments: [
        ("", "the file is empty"), (" \n", "the file is empty"),
        ("<rss/>", "it is not OSM XML; export the cameras as OSM XML or GeoJSON"),
        ("<!-- nothing -->", "it is not OSM XML; export the cameras as OSM XML or GeoJSON"),
        (
            "{}",
            "there is no list \"features\" in it; what is read is GeoJSON, JSON of Overpass, OSM XML and regions of DeFlock, which are a list"
        ),
        (#"{"features":[7"#, "it ends too early"),
        (#"{"features":[{"#, "it ends too early"), ("<osm>", "it ends inside <osm>"),
    ])
    func whatIsNeitherIsRefused(text: String, reason: String) {
        #expect(Self.read(text).broken?.reason == reason)
    }

    @Test(
        arguments: [
            ("0", 0), ("360", 360), ("w", 270), ("361", nil), ("-5", 355), ("", nil), ("northern", nil),
            ("10-", nil), ("1-2-3", nil),
            ("350-10", 0), ("forward", nil), ("90.5", 90.5), (";", nil), ("nan", nil), ("90,5", nil),
            ("90º", 90),
        ] as [(String, Double?)])
    func directionsAreReadAsTheyAreWritten(text: String, degrees: Double?) {
        let tags = #"{"man_made":"surveillance","direction":"\#(text)"}"#
        let file = Self.read(
            #"{"features":[{"properties":\#(tags),"geometry":{"type":"Point","coordinates":[1,1]}}]}"#)
        #expect(file.cameras.map(\.directions) == [degrees.map { [$0] } ?? []], "\(text)")
    }

    @Test func aSetHasALimit() {
        let feature = { (number: Int) in
            #"{"id":\#(number),"properties":{"man_made":"surveillance"},"geometry":{"type":"Point","coordinates":[1,1]}}"#
        }
        var file = KnownCameraFile()
        file.receive(Array(#"{"features":["#.utf8))
        for start in stride(from: 0, through: KnownCameraFile.limit, by: 1000) {
            file.receive(Array((start..<start + 1000).map { feature($0) + "," }.joined().utf8))
        }
        #expect(file.broken?.reason == "it has more than 250000 cameras")
    }
}
