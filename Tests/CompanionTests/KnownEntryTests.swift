// SPDX-License-Identifier: Apache-2.0

import Detections
import Testing

/// Entries of lists of cameras that are not what they should be, and such as come twice.
@Suite struct KnownEntryTests {
    /// A camera in each list that is read, and what one of it is called.
    private static let lists: [(begin: String, camera: String, end: String, name: String)] = [
        (
            #"{"features":["#,
            #"{"properties":{"man_made":"surveillance"},"geometry":{"type":"Point","coordinates":[11.5,48.1]}}"#,
            "]}", "a feature"
        ), (#"{"elements":["#, KnownField.element, "]}", "an element"),
        ("[", #"{"id":1,"lat":48.1,"lon":11.5,"tags":{"direction":"92"}}"#, "]", "an entry"),
    ]

    private static let strays = [
        "null", "7", "-1.5e3", "true", #""a text""#, #""a, \"b\" ] } {""#, "[]", #"[{"a":[1]},2]"#,
    ]

    @Test(arguments: strays)
    func whatIsNoObjectSpoilsItselfAlone(stray: String) {
        for (begin, camera, end, name) in Self.lists {
            for entries in [
                [stray, camera], [camera, stray], [camera, " \(stray)\n"], [stray, camera, stray, stray],
            ] {
                let octets = Array((begin + entries.joined(separator: ",") + end).utf8)
                let (file, cut) = (KnownField.read(octets), KnownField.read(octets, pieces: 1))
                #expect(file.broken == nil && file.cameras.count == 1 && file.passed == 0)
                #expect(file.refused == entries.count - 1 && file.faults == cut.faults)
                #expect(file.faults.map(\.fault.reason) == ["\(name) must be an object; take it out"])
                #expect(file.faults.map(\.rows) == [entries.count - 1])
            }
            let none = KnownField.read(Array((begin + stray + end).utf8))
            #expect(none.broken == nil && none.refused == 1)
            #expect(none.emptiness?.hasSuffix("line 1, \(name) must be an object; take it out") == true)
        }
    }

    @Test func whereAStrayEntryIsIsSaid() {
        let file = KnownField.read(Array("{\"features\":[\n {\"a\":1},\n  null, 8]}".utf8))
        #expect(file.faults.map { [$0.fault.line, $0.fault.column, $0.rows] } == [[3, 3, 2]])
    }

    /// A feature in each line, with and without the marks of RFC 8142.
    @Test(arguments: [
        "null", "7", "-1.5e3", "true", #""a text""#, #""a, \"b\" ] } {""#, #""not closed"#, "what, is: this",
        "{}",
        #"{"a":{"b":[1]}}"#,
    ])
    func aStrayLineOfASequenceSpoilsItselfAlone(stray: String) {
        let camera = Self.lists[0].camera
        for mark in ["", "\u{1E}"] {
            for lines in [[camera, stray, camera], [camera, stray], [camera, stray, stray, camera]] {
                for end in ["", "\n", "\r\n"] {
                    let octets = Array((mark + lines.joined(separator: "\n" + mark) + end).utf8)
                    let (file, cut) = (KnownField.read(octets), KnownField.read(octets, pieces: 1))
                    #expect(file.broken == nil && file.cameras.count + file.refused == lines.count)
                    #expect(file.cameras.count == lines.count { $0 == camera })
                    #expect(file.faults == cut.faults && file.faults.map(\.fault.line) == [2])
                    #expect(file.faults.allSatisfy { $0.fault.reason.hasSuffix("; take it out") })
                }
            }
        }
    }

    @Test func aStrayWordBesideAFeatureIsPassedOver() {
        let camera = Self.lists[0].camera
        let file = KnownField.read(Array("\(camera) null \(camera)null\(camera)".utf8))
        #expect(file.broken == nil && file.cameras.count == 3 && file.refused == 2)
    }

    @Test func aFileThatBeginsWithAWordIsNone() {
        let file = KnownField.read(Array("null\n\(Self.lists[0].camera)".utf8))
        #expect(file.broken != nil && file.cameras.isEmpty)
    }

    @Test(arguments: strays) func detectionsAreReadSo(stray: String) throws {
        let row = #"{"device_type":"Ring","rssi":-60,"confidence":1,"timestamp":"2026-05-02"}"#
        let rows = try FieldCase.rows(Array("{\"detections\":[\(stray),\(row), \(stray) ]}".utf8))
        #expect(rows.sightings.count == 1)
        #expect(
            rows.faults == Array(repeating: "1: a detection must be an object; take it out", count: 2))
    }

    /// What else a feature has beside its geometry makes no element of OpenStreetMap of it.
    @Test func aFeatureMayNameALatitudeOfItsOwn() {
        let feature =
            #"{"type":"Feature","lat":null,"properties":{"man_made":"surveillance"},"geometry":{"type":"Point","coordinates":[11.5,48.1]}}"#
        #expect(KnownField.read(Array(feature.utf8)).cameras.count == 1)
        #expect(KnownField.read(Array("[\(feature)]".utf8)).cameras.count == 1)
    }

    @Test(arguments: [
        #""lat":null,"lon":11.5"#, #""lat":48.1,"lon":null"#, #""lat":null,"lon":null"#, #""lat":48.1"#,
        #""lat":"","lon":"""#, #""lat":"north","lon":11.5"#, #""lat":98,"lon":11.5"#, #""lat":0,"lon":0"#, "",
    ])
    func anEntryOfDeFlockWithoutAPlaceIsRefused(place: String) {
        let members = [#""id":7"#, place, #""tags":{"direction":"92"}"#].filter { !$0.isEmpty }
        let good = #"{"id":8,"lat":48.1,"lon":11.5,"tags":{}}"#
        let file = KnownField.read(Array("[{\(members.joined(separator: ","))},\(good)]".utf8))
        #expect(file.cameras.map(\.reference) == ["node/8"] && file.broken == nil && file.passed == 0)
        #expect(
            file.told == [
                "1: its latitude or longitude is missing, 0,0 or out of range; give it its place, or take it out (1)"
            ])
    }

    @Test func whatIsNothingOfDeFlockIsPassed() {
        let feature = #"{"type":"Feature","properties":{"highway":"stop"},"geometry":null,"tags":{}}"#
        let file = KnownField.read(Array("[{\"a\":1},\(feature),{}]".utf8))
        #expect(file.passed == 3 && file.refused == 0)
    }

    private static func camera(_ tags: String, _ members: String = "") -> String {
        #"{"properties":{"man_made":"surveillance",\#(tags)},\#(members)"#
            + #""geometry":{"type":"Point","coordinates":[11.5,48.1]}}"#
    }

    private static func counts(_ entries: [String]) -> [Int] {
        let file = KnownField.read(Array(#"{"features":[\#(entries.joined(separator: ","))]}"#.utf8))
        #expect(Set(file.cameras.map(\.reference)).count == file.cameras.count)
        return [file.cameras.count, file.passed, file.refused]
    }

    /// Nobody writes the same entry twice in a row for one camera, and a pole may have two of which no more is known.
    @Test func twoThatFollowEachOtherAreTwoAlsoWhenTheSameIsSaidOfThem() {
        let (north, south) = (Self.camera(#""direction":0"#), Self.camera(#""direction":180"#))
        #expect(Self.counts([north, north]) == [2, 0, 0])
        #expect(Self.counts([north, south]) == [2, 0, 0])
        #expect(Self.counts([north, south, south, south]) == [4, 0, 0])
    }

    /// Files that overlap are put together often; their cameras would all count twice.
    @Test func whatComesAgainLaterIsTheSameOfAJoinedFile() {
        let (north, south) = (Self.camera(#""direction":0"#), Self.camera(#""direction":180"#))
        let named = Self.camera(#""direction":0"#, #""id":"node/1","#)
        #expect(Self.counts([north, south, north, south]) == [2, 2, 0])
        #expect(Self.counts([north, north, south, north, north, south]) == [3, 3, 0])
        #expect(Self.counts([north, named, north, named]) == [2, 2, 0])
        // Those with numbers are known by them.
        #expect(Self.counts([named, named]) == [1, 1, 0])
    }
}
