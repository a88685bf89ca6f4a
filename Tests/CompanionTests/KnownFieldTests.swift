// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import Testing

enum KnownField {
    /// How an answer of Overpass in XML begins, and a camera in JSON and in XML.
    static let begin = "<osm generator='Overpass API 0.7.62'>"
    static let element =
        #"{"type":"node","id":1,"lat":48.1,"lon":11.5,"tags":{"man_made":"surveillance"}}"#
    static let node =
        "<node id='1' lat='48.1' lon='11.5'><tag k='man_made' v='surveillance'/></node>"

    static func read(_ octets: [UInt8], pieces: Int = .max) -> KnownCameraFile {
        var file = KnownCameraFile()
        var rest = octets[...]
        while !rest.isEmpty {
            file.receive(Array(rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
        }
        file.finish()
        return file
    }

    /// A file that was read whole, after it came to the same octet by octet.
    static func read(_ name: String) throws -> KnownCameraFile {
        let octets = try FieldCase.octets(name)
        let (whole, cut) = (read(octets), read(octets, pieces: 1))
        #expect(whole.cameras == cut.cameras && whole.faults == cut.faults && whole.passed == cut.passed)
        return whole
    }
}

extension KnownCameraFile {
    /// What is wrong, each kind once: `LINE: REASON (ROWS)`.
    var told: [String] { faults.map { "\($0.fault.line): \($0.fault.reason) (\($0.rows))" } }
}

/// Cameras as DeFlock, Overpass, JOSM and GDAL write them.
@Suite struct KnownFieldTests {
    @Test func directionsAreAllKept() throws {
        let file = try KnownField.read("known-directions.geojson")
        #expect(file.broken == nil && file.refused == 0)
        #expect(
            file.cameras.map(\.directions) == [
                [45], [0], [0, 180], [45, 90, 135, 0], [0.5], [270], [270], [200], [270], [120],
            ])
        #expect(file.cameras.map(\.reference) == (1...10).map { "node/\($0)" })
    }

    @Test(
        arguments: [
            ("north", [0]), ("North-West", [315]), ("southsouthwest", [202.5]), ("n-e", [45]), ("S-E", [315]),
            ("-360", [0]), ("360°", [360]), ("45 ; 90 ", [45, 90]), ("45;forward", [45]), ("both", []),
            ("1-2-3", []),
            ("N/S", [0, 180]), ("n, s", [0, 180]), ("45,90", [45, 90]), ("45 / 90|135", [45, 90, 135]),
            ("90,5", []),
            ("90 deg", [90]), ("90º", [90]), ("45 °; 90 degrees", [45, 90]), ("deg", []),
            ("northnorthnorth", []), ("N;;S", [0, 180]), ("350°-10°", [0]),
            ("0-360", []), ("-90-90", [0]), ("-45--15", [330]), ("-", []),
        ] as [(String, [Double])])
    func directionsAsPeopleWriteThem(text: String, degrees: [Double]) {
        #expect(ListedCamera.directions(inTags: #"{"direction":"\#(text)"}"#) == degrees)
    }

    @Test func severalDirectionsMayBeAList() {
        let point = #""geometry":{"type":"Point","coordinates":[11.5,48.1]}"#
        let file = Self.features([
            #"{"properties":{"man_made":"surveillance","direction":[45,"NW"]},\#(point)}"#,
            #"{"properties":{"man_made":"surveillance","direction":[{}],"camera:direction":7},\#(point)}"#,
        ])
        #expect(file.cameras.map(\.directions) == [[45, 315], [7]])
    }

    /// The number of a feature may stand beside its tags.
    @Test func theNumberOfDeFlockMayStandBesideItsTags() {
        let point = #""geometry":{"type":"Point","coordinates":[11.5,48.1]}"#
        let file = Self.features([
            #"{"id":1,"properties":{"direction":"92","manufacturer":"Flock Safety"},\#(point)}"#,
            #"{"id":2,"properties":{"camera:direction":"92","operator":"A"},\#(point)}"#,
            #"{"id":3,"properties":{"operator":"A"},\#(point)}"#,
            #"{"id":4,"properties":{"direction":"92","highway":"stop"},\#(point)}"#,
            #"{"properties":{"id":5,"osm_type":"way","directions":[92]},\#(point)}"#,
        ])
        #expect(file.cameras.map(\.reference) == ["node/1", "node/2", "way/5"])
        #expect(file.passed == 2 && file.refused == 0)
    }

    @Test func regionsOfDeFlockAreLists() throws {
        let file = try KnownField.read("deflock-region.json")
        let camera = try #require(file.cameras.first)
        #expect(file.broken == nil && camera.reference == "node/7000000001" && camera.directions == [92])
        #expect(camera.position == Position(latitude: 48.100201, longitude: 11.500201))
        #expect(camera.name == "Flock Safety camera")
    }

    /// `all_alpr.geojson`: a number, and of the tags only a few.
    @Test func theListOfDeFlockHasNoTagThatSaysCamera() {
        let point = #""geometry":{"type":"Point","coordinates":[11.5,48.1]}"#
        let features = [
            #""properties":{"id":1}"#,
            #""properties":{"id":2,"manufacturer":"Flock Safety","camera:direction":"90"}"#,
            #""properties":{"id":3,"amenity":"cafe"}"#, #""properties":{"brand":"Flock Safety"}"#,
        ].map { "{\"type\":\"Feature\",\(point),\($0)}" }.joined(separator: ",")
        let file = KnownField.read(Array("{\"type\":\"FeatureCollection\",\"features\":[\(features)]}".utf8))
        #expect(
            file.cameras.map(\.reference) == ["node/1", "node/2"] && file.passed == 2 && file.refused == 0)
    }

    @Test func jsonOfOverpassIsRead() throws {
        let file = try KnownField.read("overpass.json")
        #expect(file.broken == nil && file.origin == "Overpass API 0.7.62")
        #expect(file.cameras.map(\.reference) == ["node/7000000001", "way/8"])
        #expect(file.cameras[0].directions == [45, 90, 135, 0])
        #expect(file.cameras[1].position == Position(latitude: 48.100501, longitude: 11.500501))
    }

    /// What `out geom`, `out bb` and a recursion down give.
    @Test(arguments: [
        #"{"type":"way","id":8,"geometry":[{"lat":48,"lon":11},null,{"lat":50,"lon":13}],TAGS}"#,
        #"{"type":"way","id":8,"bounds":{"minlat":48,"minlon":11,"maxlat":50,"maxlon":13},TAGS}"#,
        #"{"type":"way","id":8,"nodes":[1,2],TAGS},{"type":"node","id":1,"lat":48,"lon":11},"#
            + #"{"type":"node","id":2,"lat":50,"lon":13}"#,
        #"{"type":"way","id":7,"geometry":[{"lat":48,"lon":11},{"lat":50,"lon":13}]},{"type":"relation","id":8,"#
            + #""members":[{"type":"way","ref":7,"role":"outer"}],TAGS}"#,
        #"{"type":"relation","id":8,"members":[{"type":"node","ref":7,"lat":49,"lon":12}],TAGS}"#,
        #"{"type":"relation","id":8,"members":[{"type":"way","ref":7,"geometry":[{"lat":49,"lon":12}]}],TAGS}"#,
    ])
    func elementsSayInManyWaysWhereTheyAre(elements: String) {
        let tagged = elements.replacing("TAGS", with: #""tags":{"man_made":"surveillance"}"#)
        let file = KnownField.read(Array(#"{"elements":[\#(tagged)]}"#.utf8))
        #expect(file.broken == nil && file.faults == [])
        #expect(file.cameras.map(\.position) == [Position(latitude: 49, longitude: 12)])
        #expect(file.cameras.first?.reference.hasSuffix("/8") == true)
    }

    @Test func geometryInXMLIsRead() throws {
        let file = try KnownField.read("overpass-augmented.osm")
        let camera = try #require(file.cameras.first)
        #expect(camera.reference == "way/20" && camera.position.latitude == 48.2)
        #expect(abs(camera.position.longitude - 11.55) < 1e-9)
    }

    @Test func whatJOSMHasDeletedIsGone() throws {
        let file = try KnownField.read("known.osm")
        #expect(file.broken == nil && file.faults == [])
        #expect(file.cameras.map(\.reference) == ["node/-1", "relation/32", "relation/30"])
        #expect(abs(file.cameras[2].position.longitude - 11.55) < 1e-9)
        let change = try KnownField.read("known.osc")
        #expect(change.cameras.map(\.reference) == ["node/1"])
        let deleted =
            "<osmChange><delete><node id=\"1\" lat=\"48\" lon=\"11\"><tag k=\"man_made\" v=\"surveillance\"/></node></delete></osmChange>"
        #expect(KnownField.read(Array(deleted.utf8)).cameras.isEmpty)
    }

    @Test(arguments: [("known-geojsonseq.geojsons", 1), ("known-lines.geojsonl", 2)])
    func featuresMayFollowEachOther(name: String, count: Int) throws {
        let file = try KnownField.read(name)
        #expect(file.broken == nil && file.cameras.count == count)
    }

    @Test func twoAtOnePoleAreTwo() throws {
        let file = try KnownField.read("known-same-pole.geojson")
        #expect(file.cameras.map(\.name) == ["A", "B"] && file.passed == 0)
        #expect(Set(file.cameras.map(\.reference)).count == 2)
    }

    @Test func shapesOfAllKinds() throws {
        let file = try KnownField.read("known-shapes.geojson")
        #expect(file.broken == nil)
        #expect(file.cameras.map(\.name).suffix(2) == ["A", "B"])
        #expect(file.faults.map(\.fault.line) == [2, 14])
        #expect(file.faults[0].fault.reason == "it has no geometry; give it its place, or take it out")
        #expect(file.faults[1].fault.reason.contains("EPSG:4326"))
        // Several points, an area of areas, a collection, hstore, two spellings, a type alone, coordinates as text.
        #expect(
            file.cameras.contains {
                abs($0.position.latitude - 48.15) < 1e-9 && abs($0.position.longitude - 11.55) < 1e-9
            })
        #expect(file.cameras.contains { $0.directions == [90] })
        #expect(file.cameras.contains { $0.name == "ALPR" })
        #expect(file.cameras.contains { $0.position == Position(latitude: 48.1, longitude: 11.6) })
        let multipoint = try KnownField.read("known-multipoint-only.geojson")
        #expect(multipoint.cameras.map(\.position) == [Position(latitude: 48.1, longitude: 11.5)])
    }

    @Test func whatWasRefusedIsNotNone() {
        let bad = #"{"type":"Feature","properties":{"man_made":"surveillance"},"geometry":null}"#
        let file = KnownField.read(Array(#"{"features":[\#(bad),\#(bad)]}"#.utf8))
        #expect(file.cameras.isEmpty)
        #expect(
            file.emptiness
                == "has 2 cameras, of which none can be used: line 1, it has no geometry; give it its place, or take it out"
        )
        #expect(file.told == ["1: it has no geometry; give it its place, or take it out (2)"])
        let none = KnownField.read(
            Array(#"{"features":[{"properties":{"highway":"stop"},"geometry":null}]}"#.utf8))
        #expect(none.emptiness?.contains("has no camera") == true)
    }

    @Test(arguments: [
        #"{"features":[{"properties":{"man_made":"surveillance"},"geometry":{"type":"Point","coordinates":[0,0]}}]}"#,
        #"[{"id":1,"lat":0,"lon":0,"tags":{"direction":"1"}}]"#,
        "<osm><node id=\"1\" lat=\"0.0\" lon=\"0.0\"><tag k=\"man_made\" v=\"surveillance\"/></node></osm>",
    ])
    func nowhereIsNoPlaceOfACamera(text: String) {
        let file = KnownField.read(Array(text.utf8))
        #expect(file.cameras.isEmpty && file.refused == 1)
        #expect(file.faults.first?.fault.reason.contains("0,0") == true)
        #expect(file.faults.first?.fault.reason.contains("give it its place, or take it out") == true)
    }

    private static func features(_ features: [String]) -> KnownCameraFile {
        KnownField.read(Array(#"{"features":[\#(features.joined(separator: ",\n"))]}"#.utf8))
    }

    @Test func eachKindOfFaultIsToldOnce() {
        let camera = { (place: String) in
            #"{"properties":{"man_made":"surveillance"},"geometry":{"type":"Point","coordinates":\#(place)}}"#
        }
        let places = ["[11,48]"] + Array(repeating: "[0,0]", count: 59) + ["[200,1]", "[201,1]", #"["x",1]"#]
        let file = Self.features(places.map(camera))
        #expect((file.cameras.count, file.refused) == (1, 62))
        #expect(file.faults.map(\.fault.line) == [2, 61, 63] && file.faults.map(\.rows) == [59, 2, 1])
        // No more kinds than a person reads.
        let many = Self.features(
            (0..<40).map { String(repeating: "x", count: $0 + 1) }.map { "{\"a\":\($0)}" })
        #expect(many.refused == 40 && many.faults.count == ImportFaults.mostKinds)
    }

    /// As QuickOSM, ogr2ogr, Nominatim and people name what is of OpenStreetMap.
    @Test(arguments: [
        (#""properties":{"full_id":"n82","osm_id":"82","osm_type":"node",TAG}"#, "node/82"),
        (#""properties":{"osm_id":83,"osm_type":"way",TAG}"#, "way/83"),
        (#""id":1,"properties":{"osm_id":"84","osm_type":"R",TAG}"#, "relation/84"),
        (#""properties":{"osm_id":null,"osm_way_id":"85",TAG}"#, "way/85"),
        (#""properties":{"osm_id":86,"fid":1,TAG}"#, "node/86"),
        (#""id":"https://www.openstreetmap.org/node/77","properties":{TAG}"#, "node/77"),
        (#""properties":{"@id":"http://osm.org/way/5#map=19/48.1/11.5",TAG}"#, "way/5"),
        (#""id":"N78","properties":{TAG}"#, "node/78"), (#""id":"w9","properties":{TAG}"#, "way/9"),
        (#""id":"r10","properties":{TAG}"#, "relation/10"),
        (#""id":"Node/11","properties":{TAG}"#, "node/11"),
        (#""id":"node/-1","properties":{TAG}"#, "node/-1"), (#""id":"n","properties":{TAG}"#, "n"),
        (#""id":"north/7","properties":{TAG}"#, "north/7"), (#""id":"-","properties":{TAG}"#, "-"),
    ])
    func referencesAreThoseOfOpenStreetMap(members: String, reference: String) {
        let tagged = members.replacing("TAG", with: #""man_made":"surveillance""#)
        let file = Self.features([#"{\#(tagged),"geometry":{"type":"Point","coordinates":[11.5,48.1]}}"#])
        #expect(file.cameras.map(\.reference) == [reference])
    }

    /// Overpass gives what was asked for first, and then what that is made of.
    @Test(arguments: [
        "<osm><way id='3'><nd ref='10'/><nd ref='11'/>TAG</way><relation id='4'><member type='way' ref='3'/>TAG</relation>"
            + "<node id='10' lat='48.5' lon='11.5'/><node id='11' lat='48.7' lon='11.5'/></osm>",
        #"{"elements":[{"type":"way","id":3,"nodes":[10,11],TAG},"#
            + #"{"type":"relation","id":4,"members":[{"type":"way","ref":3,"role":"outer"}],TAG},"#
            + #"{"type":"node","id":10,"lat":48.5,"lon":11.5},{"type":"node","id":11,"lat":48.7,"lon":11.5}]}"#,
    ])
    func nodesMayComeBehindTheWaysOfARelation(text: String) {
        let tag =
            text.hasPrefix("<")
            ? "<tag k='man_made' v='surveillance'/>" : #""tags":{"man_made":"surveillance"}"#
        let file = KnownField.read(Array(text.replacing("TAG", with: tag).utf8))
        #expect(file.broken == nil && file.faults.isEmpty)
        #expect(file.cameras.map(\.reference) == ["way/3", "relation/4"])
        for camera in file.cameras { #expect(abs(camera.position.latitude - 48.6) < 1e-6) }
    }

    @Test func whatAnAugmentedDiffHadBeforeIsGone() {
        let node = { (id: Int, latitude: Double) in
            "<node id='\(id)' lat='\(latitude)' lon='11.5'><tag k='man_made' v='surveillance'/></node>"
        }
        let text =
            "<osm><action type='create'>\(node(1, 48.1))</action><action type='modify'><old>\(node(2, 48.2))</old>"
            + "<new>\(node(2, 48.3))</new></action><action type='delete'><old>\(node(3, 48.4))</old>"
            + "<new><node id='3' visible='false'/></new></action><action type='delete'>\(node(4, 48.4))</action>"
            + "<action type='create'>\(node(5, 48.5))</action></osm>"
        let file = KnownField.read(Array(text.utf8))
        #expect(file.broken == nil && file.faults.isEmpty)
        #expect(file.cameras.map(\.reference) == ["node/1", "node/2", "node/5"])
        #expect(file.cameras.map(\.position.latitude) == [48.1, 48.3, 48.5])
    }

    /// What Overpass has given until it gave up, or until the link broke.
    @Test(
        arguments: [
            (
                #"{"elements":[\#(KnownField.element)],"remark":"runtime error: Query timed out in \"query\" at line 3 after 26 seconds."}"#,
                "runtime error: Query timed out in query at line 3 after 26 seconds"
            ),
            (
                #"{"elements":[\#(KnownField.element)],"remark":"runtime error: out of memory"#,
                "it ends too early"
            ),
            (
                "<osm><note>x</note>\(KnownField.node)<remark> runtime error: Query timed out\u{202E}.\n</remark></osm>",
                #"runtime error: Query timed out\u{202e}"#
            ),
            (#"{"elements":[\#(KnownField.element),{"type":"node","id":2,"lat"#, "it ends too early"),
            (#"{"generator":"Overpass API","elements":[\#(KnownField.element)"#, "it ends too early"),
            ("\(KnownField.begin)\(KnownField.node)<node id='2' lat='48", "it ends too early"),
            ("\(KnownField.begin)\(KnownField.node)<node id='2' lat='48' lon='1'>", "it ends too early"),
            ("\(KnownField.begin)\(KnownField.node)<remark>runtime error: a", "runtime error: a"),
        ] as [(String, String)])
    func whatOverpassHasGivenIsUsed(text: String, reason: String) {
        for pieces in [1, 7, Int.max] {
            let file = KnownField.read(Array(text.utf8), pieces: pieces)
            #expect(file.broken == nil && file.emptiness == nil && file.refused == 0)
            #expect(file.cameras.map(\.reference) == ["node/1"])
            let note = "The answer of Overpass is incomplete: \(reason). Ask it again for a smaller area."
            #expect(file.note == note, "\(text)")
        }
    }

    @Test(
        arguments: [
            #"{"elements":[\#(KnownField.element)],"remark":"runtime remark: Timeout is 180 and maxsize is 0."}"#,
            #"{"generator":"Overpass API 0.7.62","elements":[\#(KnownField.element)]}"#,
            "\(KnownField.begin)\(KnownField.node)</osm>",
            #"{"remark":"by hand","features":[{"properties":{"man_made":"surveillance"},"#
                + #""geometry":{"type":"Point","coordinates":[11.5,48.1]}}]}"#,
        ] as [String])
    func whatIsWholeHasNoNote(text: String) {
        let file = KnownField.read(Array(text.utf8))
        #expect(file.broken == nil && file.cameras.count == 1 && file.note == nil)
    }

    /// Nobody knows what is missing.
    @Test(
        arguments: [
            #"{"features":[{"properties":{"man_made":"surveillance"},"#
                + #""geometry":{"type":"Point","coordinates":[11.5,48.1]}},"#,
            "<osm generator='JOSM'>\(KnownField.node)", #"{"elements":["#, KnownField.begin,
            "\(KnownField.begin)\(KnownField.node)</node></osm>",
        ] as [String])
    func whatElseIsCutOrBrokenIsRefused(text: String) {
        let file = KnownField.read(Array(text.utf8))
        #expect(file.broken != nil && file.note == nil)
    }

    @Test(arguments: [
        #"{"version":0.6,"elements":[],"remark":"runtime error: Query timed out\u202e"}"#,
        "<osm><meta osm_base='2026-05-02T11:00:00Z'/><remark> runtime error: Query timed out&#x202e;\n</remark></osm>",
    ])
    func thatOverpassGaveUpIsSaid(text: String) {
        let emptiness = KnownField.read(Array(text.utf8), pieces: 7).emptiness ?? ""
        #expect(emptiness.contains("Overpass gave up: runtime error: Query timed out"), "\(emptiness)")
        #expect(!emptiness.contains("\u{202E}"))
    }
}
