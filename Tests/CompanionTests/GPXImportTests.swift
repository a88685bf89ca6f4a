// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Detections
import FlockFinder
import Foundation
import Testing

@Suite struct GPXImportTests {
    private static let full = Sighting(
        type: .flockSafety, label: " Flock <Safety> & Ä ", mac: "3C:71:BF:12:34:56", ssid: " '=1+1\t\r\n]]>",
        rssi: -62,
        confidence: 1e-7, received: Timestamp(milliseconds: 1_704_307_200_123),
        position: Position(latitude: -89.5, longitude: 1e-7),
        motion: Sighting.Motion(speed: 12.5, heading: 270, activity: "driving"),
        fix: FixDetails(source: .browser, age: -12_000, accuracy: 1e-9, altitude: -3.25))
    private static let bare = Sighting(
        type: .ring, label: "Ring", ssid: "", rssi: -71, confidence: 1, received: Timestamp(milliseconds: 0),
        position: Position(latitude: 1, longitude: 2))

    private static func file(_ body: String) -> [UInt8] {
        Array(
            "<?xml version=\"1.0\"?>\n<gpx xmlns=\"http://www.topografix.com/GPX/1/1\">\n\(body)</gpx>\n".utf8
        )
    }

    @Test func ourWaypointsAreDetectionsAgain() throws {
        let key = try #require(DetectionKey("0123456789abcdef0123456789ABCDEF"))
        var encoder = DetectionEncoder(
            .gpx, heading: ExportHeading(date: Timestamp(milliseconds: 0), appVersion: "1"))
        var full = Self.full
        full.type = .unknown
        encoder.append(DetectionRecord(id: 1, sighting: full, key: key, mark: .mine, note: "=a <b>\n"))
        encoder.append(DetectionRecord(id: 2, sighting: Self.bare))
        encoder.finish()
        let octets = encoder.removeAll()
        let wanted: [DetectionFile.Row] = [
            .detection(ImportedDetection(full, key: key, mark: .mine, note: "=a <b>\n")),
            .detection(ImportedDetection(Self.bare)),
        ]
        for pieces in [Int.max, 1, 7, 1000] { #expect(rows(octets, pieces: pieces) == wanted) }
    }

    @Test func tracksAreDrivesAndComeBack() throws {
        let start: Int64 = 1_704_307_200_000
        var fixes = (0..<5).map { number -> Fix in
            let north = 52.5 + Double(number) / 1000
            return Fix(time: start + Int64(number * 1000), latitude: north, longitude: 13.4, source: .track)
        }
        fixes[1].altitude = 30
        fixes[2].accuracy = 4.5
        fixes[3].speed = 1e-7
        var encoder = DetectionEncoder(
            .gpx, heading: ExportHeading(date: Timestamp(milliseconds: 0), appVersion: "1"))
        #expect(encoder.takesDrives)
        encoder.beginDrive(7)
        for fix in fixes { encoder.append(fix) }
        encoder.endDrive()
        encoder.finish()
        #expect(encoder.summary.drives == 1)
        let found = rows(encoder.removeAll(), pieces: 10)
        guard found.count == 1, case .drive(let drive) = found[0] else {
            Issue.record("\(found)")
            return
        }
        #expect(drive.fixes == fixes && abs(drive.metres - 444.8) < 1)
        // What others record is read, too: each segment is a drive, in the order of time.
        let body = """
            <wpt lat="1" lon="2"><name>Home</name></wpt>
            <trk><trkseg>
            <trkpt lat="1" lon="2"><time>2024-01-01T00:00:02Z</time></trkpt>
            <trkpt lat="1.1" lon="2"><ele> 5 </ele><time>2024-01-01T00:00:01Z</time>
              <extensions><g:speed>3</g:speed></extensions></trkpt>
            <trkpt lat="99" lon="2"><time>2024-01-01T00:00:03Z</time></trkpt>
            <trkpt lat="1" lon="2"/>
            </trkseg><trkseg>
            <trkpt lat="1" lon="2"><time>2024-01-01T01:00:00Z</time></trkpt>
            </trkseg><trkseg/></trk>

            """
        let others = rows(Self.file(body))
        #expect(
            others.map { row in
                switch row {
                case .drive(let drive): "drive \(drive.line) \(drive.fixes.map(\.latitude))"
                case .bad(let fault): "\(fault.line): \(fault.reason)"
                default: "\(row)"
                }
            } == [
                "passed", "drive 4 [1.1, 1.0]", "passed",
                "8: a point of a track has a latitude or longitude that is missing or out of range",
                "9: a point of a track has no time",
            ])
    }

    @Test func aLongTrackIsSeveralDrives() throws {
        let points = (0..<(ImportedDrive.longest + 10)).map { number in
            "<trkpt lat=\"1\" lon=\"2\"><time>\(Timestamp(milliseconds: Int64(number) * 1000))</time></trkpt>"
        }
        let found = rows(Self.file("<trk><trkseg>\(points.joined())</trkseg></trk>"), pieces: 65_536)
        let counts = found.map { if case .drive(let drive) = $0 { drive.fixes.count } else { -1 } }
        // The second begins where the first ends.
        #expect(counts == [ImportedDrive.longest, 11])
    }

    @Test(arguments: [
        ("<rss/>", "it is not GPX; export detections as CSV or JSON, and drives as GPX"),
        ("<gpx><wpt lat=\"1\" lon=\"2\">", "it ends inside <wpt>"),
        ("<gpx></wpt>", "</wpt> closes what is not open"), ("<", "a name is missing"),
        ("<!-- nothing -->", "it is not GPX; export detections as CSV or JSON, and drives as GPX"),
        ("<gpx a=\"" + String(repeating: "x", count: 1 << 20), "a part of it has more than 262144 octets"),
        (String(repeating: "<gpx>", count: 100), "it is nested more than 64 deep"),
    ])
    func whatIsNoGPXIsRefused(text: String, reason: String) {
        let found = rows(text.utf8, pieces: 4096)
        #expect(found == [.broken(ImportError(1, reason))])
    }

    @Test func anyCutOfAFileIsReadOrRefused() {
        let whole = ExportFormat.gpx.file([Self.full, Self.bare]).octets
        for count in stride(from: 1, to: whole.count - 1, by: 3) {
            let found = rows(whole[..<count], pieces: 50)
            guard case .broken? = found.last else {
                Issue.record("\(count)")
                continue
            }
        }
    }

    @Test(arguments: [
        ("a&amp;&lt;&gt;&quot;&apos;b", "a&<>\"'b"), ("&#65;&#x42;&#x1F4F7;", "AB📷"),
        ("&unknown; & &;", "&unknown; & &;"),
        ("&#xD800;&#99999999999;", "\u{FFFD}&#99999999999;"), ("<![CDATA[<&amp;>]]>x", "<&amp;>x"),
    ])
    func entitiesAreRead(text: String, meant: String) throws {
        let body = """
            <wpt lat="1" lon="2"><time>2024-01-01</time><type>\(text)</type><extensions><l:detection>
            <l:rssi>1</l:rssi><l:confidence>1</l:confidence></l:detection></extensions></wpt>
            """
        #expect(try readBack(Self.file(body)).map(\.label) == [meant])
    }
}
