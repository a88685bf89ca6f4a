// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Detections
import FlockFinder
import Foundation
import Testing

/// What a file has in one point is bounded, however it comes.
@Suite("Readers of files are bounded", .timeLimit(.minutes(5)), .ownThread)
struct BoundedReadersTests {
    private static let limit = 1 << 18
    private static let begin = #"<gpx><wpt lat="1" lon="1">"#

    /// A text of so many octets at least, in pieces of eight.
    private static func pieces(_ octets: Int) -> String {
        String(repeating: "aaaaaaaa<!---->", count: octets / 8 + 1)
    }

    private func fault(_ text: String, pieces: Int = 65_536) throws -> ImportError {
        let found = rows(text.utf8, pieces: pieces)
        guard found.count == 1, case .broken(let fault) = found[0] else {
            Issue.record("\(found.count) rows")
            throw BadInput("no fault")
        }
        return fault
    }

    @Test(arguments: [65_536, 1000, Int.max])
    func aPointHasNoMoreThanARow(pieces: Int) throws {
        let text = Self.pieces(Self.limit)
        #expect(
            try fault(Self.begin + "\n<name>" + text, pieces: pieces)
                == ImportError(1, "a point has more than 262144 octets"))
        let elements = (0..<2000).map { "<e\($0)/>" }.joined()
        #expect(
            try fault(Self.begin + elements, pieces: pieces).reason == "a point has more than 1000 values")
        let same = String(repeating: "<name>" + String(repeating: "a", count: 999) + "</name>", count: 300)
        #expect(
            try fault(Self.begin + same, pieces: pieces).reason == "a point has more than 262144 octets")
    }

    @Test func eachPointHasItsOwnLimits() throws {
        let text = Self.pieces(100_000)
        let point = #"<wpt lat="1" lon="1"><name>"# + text + "</name></wpt>\n"
        let found = rows(("<gpx>" + String(repeating: point, count: 5) + "</gpx>").utf8, pieces: 65_536)
        #expect(found.count == 5)
        for row in found { guard case .passed = row else { throw BadInput("\(row)") } }
    }

    @Test func whatIsOfNoPointIsNotKept() throws {
        let text = Self.pieces(2 * Self.limit)
        let found = rows("<gpx><metadata><desc>\(text)</desc></metadata></gpx>".utf8, pieces: 65_536)
        #expect(found.isEmpty)
    }

    @Test func tagsAndNamesAreBounded() throws {
        let attributes = (0..<300).map { "a\($0)='1' " }.joined()
        #expect(try fault("<gpx><wpt \(attributes)/>").reason == "a tag has more than 256 attributes")
        let long = String(repeating: "n", count: 1025)
        #expect(try fault("<gpx><\(long)/>").reason == "a name has more than 1024 octets")
        for begin in ["<gpx a='", "<!--", "<![CDATA[", "<?", "<!DOCTYPE ["] {
            let text = begin + String(repeating: "x", count: 2 * Self.limit)
            #expect(try fault(text).reason == "a part of it has more than 262144 octets", "\(begin)")
        }
    }

    /// Wherever it is cut, a document is the same.
    @Test(arguments: [
        "<gpx><!-- > -- -> --><wpt lat='1>' lon=\"2'\">&lt;</wpt></gpx>", "<gpx><!----></gpx>",
        "<gpx><!--></gpx>-->",
        "<!DOCTYPE a [ <!ENTITY b '>'> ]><gpx/>", "<?a > ?><gpx><![CDATA[]]]]></gpx>",
        "<gpx><?></gpx>?></gpx>",
        "<gpx><a b='<!--'/></gpx>", "<gpx><![CDATA[ ]] ]>]]>", "<!a", "<", "<gpx>a", "<gpx></gpx>b", "< gpx>",
        "<gpx a=>",
        "<gpx><wpt lat='1' lon='1'><name>a<!-- -->b</name></wpt></gpx>", "<gpx\n><a:b c:d='1'\n/></gpx>",
    ])
    func itDoesNotMatterWhereADocumentIsCut(text: String) {
        let whole = rows(text.utf8)
        for pieces in 1...9 { #expect(rows(text.utf8, pieces: pieces) == whole, "\(pieces)") }
    }

    @Test func aTrackIsReadWithTextsOfAnyLength() throws {
        let long = Self.pieces(100_000)
        let text =
            "<gpx><trk><name>\(long)</name><trkseg><trkpt lat='1' lon='2'><desc>\(long)</desc><time>2026-01-01T00:0<!-- -->0:00Z</time>"
            + "</trkpt></trkseg></trk></gpx>"
        let track = try GPXTrack(Array(text.utf8))
        #expect(track.fixes.map(\.time) == [Timestamp("2026-01-01T00:00:00Z")?.milliseconds])
    }

    /// As one that is imported: what is played has the same limits, also for points that come to nothing.
    @Test(arguments: ["<trkpt lat='1' lon='2'>", "<trkpt>"])
    func aPointOfATrackThatIsPlayedHasNoMoreThanARow(point: String) {
        let elements = (0..<2000).map { "<e\($0)/>" }.joined()
        let same = String(repeating: "<name>" + String(repeating: "a", count: 999) + "</name>", count: 300)
        for (text, reason) in [
            ("<desc>" + Self.pieces(Self.limit), "262144 octets"),
            (
                "<desc>" + String(repeating: "<![CDATA[aaaaaaaa]]>", count: Self.limit / 8 + 1),
                "262144 octets"
            ),
            (elements, "1000 values"), (same, "262144 octets"),
        ] {
            let error = #expect(throws: BadInput.self) {
                try GPXTrack(Array("<gpx><trk><trkseg>\n\(point)\(text)".utf8))
            }
            #expect(error?.description == "line 2: a point has more than \(reason)")
        }
    }

    @Test func eachPointOfATrackThatIsPlayedHasItsOwnLimits() throws {
        let text = Self.pieces(100_000) + (0..<900).map { "<e\($0)/>" }.joined()
        let point =
            "<trkpt lat='1' lon='2'><time>2026-01-01T00:00:00Z</time><extensions>\(text)</extensions></trkpt>"
        let track = try GPXTrack(
            Array("<gpx><trk><trkseg>\(String(repeating: point, count: 5))</trkseg></trk></gpx>".utf8))
        #expect(track.fixes.count == 5)
    }

    @Test func camerasAreBoundedTogether() throws {
        var file = KnownCameraFile()
        file.receive(Array("<osm>".utf8))
        let tags = (0..<30).map { "<tag k='k\($0)' v='\(String(repeating: "v", count: 900))'/>" }.joined()
        var number = 0
        while file.broken == nil, number < 5000 {
            number += 1
            let node =
                "<node id='\(number)' lat='1' lon='1'><tag k='man_made' v='surveillance'/>\(tags)</node>"
            file.receive(Array(node.utf8))
        }
        #expect(file.broken?.reason == "its cameras have more than 33554432 octets of names and tags")
        #expect((1000..<2000).contains(number))
    }

    @Test func anElementOfASetIsBounded() throws {
        for (one, reason) in [
            (
                "<tag k='k%' v='\(String(repeating: "v", count: 900))'/>",
                "an element has more than 262144 octets of tags"
            )
        ] {
            var file = KnownCameraFile()
            file.receive(Array("<osm><node id='1' lat='1' lon='1'>".utf8))
            for number in 0..<400 { file.receive(Array(one.replacing("%", with: "\(number)").utf8)) }
            #expect(file.broken?.reason == reason)
        }
        // What names it is its number, not whatever stands there.
        var file = KnownCameraFile()
        let tag = "<tag k='man_made' v='surveillance'/>"
        let long = String(repeating: "0", count: 5000) + "7"
        file.receive(
            Array(
                "<osm><node id='\(long)' lat='1' lon='1'>\(tag)</node><node id='x' lat='2' lon='1'>\(tag)</node></osm>"
                    .utf8))
        file.finish()
        #expect(file.cameras.map(\.reference) == ["node/7", "2.0,1.0"])
    }

    @Test func aCameraOfLongTextsIsKeptWithoutThem() throws {
        var file = KnownCameraFile()
        let long = String(repeating: "n", count: 5000)
        file.receive(
            Array(
                "<osm><node id='1' lat='1' lon='1'><tag k='man_made' v='surveillance'/><tag k='name' v='\(long)'/><tag k='\(long)' v='a'/></node></osm>"
                    .utf8))
        file.finish()
        let camera = try #require(file.cameras.first)
        #expect(camera.name == "camera" && camera.tags == #"{"man_made":"surveillance"}"#)
    }

    /// What a detection has beside its columns stands within something else in every file that it is written to.
    @Test func whatIsNestedDeeperThanFilesMayBeIsNoDetection() {
        let brackets = String(repeating: "[", count: 200)
        let cases: [(String, Bool)] = [
            (String(repeating: "[", count: 55) + String(repeating: "]", count: 55), true),
            (String(repeating: "[", count: 56) + String(repeating: "]", count: 56), false),
            (String(repeating: #"{"b":"#, count: 56) + "1" + String(repeating: "}", count: 56), false),
            ("[" + String(repeating: "[],", count: 200) + "1]", true),
            (#""\#(brackets)\"\#(brackets)\\""#, true),
            (#"["\\",\#(brackets)"#, false),
        ]
        for (extra, isFit) in cases {
            let sighting = Sighting(
                type: .ring, label: "Ring", rssi: -60, confidence: 1, received: Timestamp(milliseconds: 1),
                extra: #"{"a":\#(extra)}"#)
            #expect(
                sighting.fault == (isFit ? nil : "its extra values are nested more than 56 deep"), "\(extra)")
        }
    }
}
