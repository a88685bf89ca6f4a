// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Detections
import FlockFinder
import Foundation
import Testing

private let full = Sighting(
    type: .flockSafety, label: "Flock Safety", mac: "3C:71:BF:12:34:56", ssid: "FLOCK, \"1\"", rssi: -62,
    confidence: 0.9, received: Timestamp(milliseconds: 1_704_307_200_000),
    position: Position(latitude: 52.52, longitude: 13.405),
    motion: Sighting.Motion(speed: 12.5, heading: 270, activity: "driving"))
private let bare = Sighting(
    type: .ring, label: "Ring", rssi: -71, confidence: 1, received: Timestamp(milliseconds: 0))

/// Text as octets: strings are compared without regard to how a character is composed.
private func exact(_ sighting: Sighting) -> [[UInt8]?] {
    [sighting.label, sighting.mac, sighting.ssid, sighting.motion.activity].map { $0.map { Array($0.utf8) } }
}

@Suite struct CSVTests {
    @Test func hasTheColumnsOfTheIssue() throws {
        let (octets, summary) = ExportFormat.csv.file([full, bare])
        #expect(
            String(decoding: octets, as: UTF8.self) == """
                id,device_type,mac_address,ssid,rssi,confidence,latitude,longitude,speed,heading,activity,timestamp,key,mark,note,\
                fix_source,fix_age_ms,accuracy,altitude
                1,Flock Safety,3C:71:BF:12:34:56,"FLOCK, ""1\""",-62,0.9,52.52,13.405,12.5,270.0,driving,\
                2024-01-03T18:40:00.000Z,,,,,,,
                2,Ring,,,-71,1.0,,,,,,1970-01-01T00:00:00.000Z,,,,,,,

                """)
        #expect(summary.written == 2)
        #expect(summary.withoutPosition == 0)
    }

    @Test(
        arguments: [
            (nil, ""), ("", "\"\""), ("=1+1", "'=1+1"), ("+", "'+"), ("-62", "'-62"), ("@x", "'@x"),
            ("\tx", "'\tx"),
            ("\rx", "\"'\rx\""), ("'", "'"), ("'x", "'x"), ("''=x", "''=x"), ("x=1", "x=1"),
            (" =", "\"' =\""), ("a\nb", "\"a\nb\""), ("a,b", "\"a,b\""),
        ] as [(String?, String)])
    func guardsCells(ssid: String?, cell: String) throws {
        var sighting = bare
        sighting.ssid = ssid
        let (octets, _) = ExportFormat.csv.file([sighting])
        #expect(
            String(decoding: octets, as: UTF8.self).hasSuffix(
                "\n1,Ring,,\(cell),-71,1.0,,,,,,1970-01-01T00:00:00.000Z,,,,,,,\n"))
        let back = try readBack(octets)
        #expect(back.map(exact) == [exact(sighting)])
    }

    @Test func anApostropheOfItsOwnIsTheOneThingThatImportTakesAway() throws {
        var sighting = bare
        sighting.ssid = "'=x"
        let (octets, _) = ExportFormat.csv.file([sighting])
        #expect(String(decoding: octets, as: UTF8.self).contains(",'=x,"))
        let back = try readBack(octets)
        #expect(back.map(\.ssid) == ["=x"])
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func readsEveryLineEndAndAnyOrderOfColumns(end: String) throws {
        let text = [
            "\u{FEFF}timestamp,confidence,rssi,colour,device_type", "2024-01-03T18:40Z,0.5,-60,red,Raven", "",
            "2024-01-03,1,20,,\"a\"\"b\"",
        ].joined(separator: end)
        let back = try readBack(text.utf8)
        #expect(back.count == 2)
        #expect(back.map(\.label) == ["Raven", "a\"b"])
        #expect(back.map(\.type) == [.raven, .unknown])
        #expect(back.map(\.rssi) == [-60, 20])
    }

    @Test(arguments: [
        "", "device_type,rssi,confidence\nRing,1,1\n", "device_type,rssi,confidence,timestamp\nRing,1,1\n",
        "device_type,rssi,confidence,timestamp\nRing,1,1,never\n",
        "device_type,rssi,confidence,timestamp\nRing,x,1,2024-01-01\n",
        "device_type,rssi,confidence,timestamp\nRing,-128,1,2024-01-01\n",
        "device_type,rssi,confidence,timestamp\nRing,1,1.1,2024-01-01\n",
        "device_type,rssi,confidence,timestamp\nRing,1,nan,2024-01-01\n",
        "device_type,rssi,confidence,timestamp,latitude,longitude\nRing,1,1,2024-01-01,91,0\n",
        "device_type,rssi,confidence,timestamp,mac_address\nRing,1,1,2024-01-01,zz\n",
        "device_type,rssi,confidence,timestamp,key\nRing,1,1,2024-01-01,zz\n",
        "device_type,rssi,confidence,timestamp,mark\nRing,1,1,2024-01-01,loud\n",
    ])
    func refusesWhatCannotBeUsed(text: String) {
        #expect(throws: ImportError.self) { try readBack(text.utf8) }
    }

    @Test func textThatIsNotUTF8IsLatin1() throws {
        let octets =
            Array("device_type,rssi,confidence,timestamp\n".utf8) + [0xFF] + Array(",1,1,2024-01-01\n".utf8)
        #expect(try readBack(octets).map(\.label) == ["ÿ"])
    }

    @Test func aQuoteThatIsNoneIsACharacter() throws {
        let text = "device_type,rssi,confidence,timestamp\n\"Ring,1,1,2024-01-01\n\"Ring\"x,2,1,2024-01-01\n"
        #expect(try readBack(text.utf8).map(\.label) == ["\"Ring", "\"Ring\"x"])
    }

    @Test func keyMarkAndNoteComeBack() throws {
        let key = try #require(DetectionKey("0123456789abcdef0123456789ABCDEF"))
        var encoder = DetectionEncoder(
            .csv, heading: ExportHeading(date: Timestamp(milliseconds: 0), appVersion: "1"))
        encoder.append(DetectionRecord(id: 1, sighting: bare, key: key, mark: .mine, note: "=ours,"))
        encoder.finish()
        let octets = encoder.removeAll()
        #expect(
            String(decoding: octets, as: UTF8.self).hasSuffix(
                ",0123456789abcdef0123456789abcdef,mine,\"'=ours,\",,,,\n"))
        #expect(rows(octets) == [.detection(ImportedDetection(bare, key: key, mark: .mine, note: "=ours,"))])
    }

    @Test func keysAreInOrderOfTime() throws {
        var random = SplitMix64(seed: 1)
        let keys = [-5, 0, 1, 255, 256, 1_704_307_200_000].map {
            DetectionKey(received: Timestamp(milliseconds: $0), using: &random)
        }
        #expect(keys.dropFirst(2).map(\.description) == keys.dropFirst(2).map(\.description).sorted())
        #expect(Set(keys).count == keys.count)
        for key in keys {
            #expect(DetectionKey(octets: key.octets) == key)
            #expect(DetectionKey(key.description) == key)
        }
        #expect(DetectionKey("xx") == nil && DetectionKey(octets: [1, 2]) == nil)
    }

    @Test func saysTheLineAfterCellsWithLineFeeds() throws {
        let text = "device_type,rssi,confidence,timestamp\n\"a\nb\",1,1,2024-01-01\nRing,1,2,2024-01-01\n"
        #expect(throws: ImportError(4, "the confidence 2.0 is not between 0 and 1")) {
            try readBack(text.utf8)
        }
    }

    @Test func anyOctetsAreReadOrRefused() {
        var random = SplitMix64(seed: 9)
        let header = Array("device_type,rssi,confidence,timestamp\n".utf8)
        for _ in 0..<2000 {
            let count = Int.random(in: 0...60, using: &random)
            let octets = (0..<count).map { _ in
                Array(",\"'\r\n=0a\u{0}é".utf8).randomElement(using: &random) ?? 0
            }
            // In pieces of any size it is the same.
            #expect(rows(header + octets) == rows(header + octets, pieces: 1))
        }
    }
}

@Suite struct JSONFileTests {
    @Test func everythingComesBackButTheNumber() throws {
        var random = SplitMix64(seed: 3)
        let raw = Array(#"{"type":"Ring","rssi":-71,"confidence":1,"ts":123,"ch":[6,"é"]}"#.utf8)
        let received = Timestamp(milliseconds: 1_704_307_200_000)
        let sighting = Sighting(
            try Detection(decoding: raw), received: received,
            device: BluetoothAddress(0xC0FF_EEF1_0C01, kind: .random))
        let key = DetectionKey(received: received, using: &random)
        var encoder = DetectionEncoder(.json, heading: ExportHeading(date: received, appVersion: "1"))
        encoder.append(
            DetectionRecord(
                id: 7, sighting: sighting, key: key, source: 1, mark: .falseAlarm, note: "=\"a\"\n"))
        encoder.finish()
        let wanted = ImportedDetection(sighting, key: key, mark: .falseAlarm, note: "=\"a\"\n")
        #expect(rows(encoder.removeAll()) == [.detection(wanted)])
    }

    @Test(arguments: [
        #""key":"12""#, #""key":7"#, #""mark":"loud""#, #""address":"C0","address_kind":"random""#,
        #""octets":"7""#,
    ])
    func refusesWhatNamesNothing(member: String) throws {
        let text =
            #"{"detections":[{"device_type":"a","rssi":1,"confidence":1,"timestamp":"2024-01-01",\#(member)}]}"#
        #expect(throws: ImportError.self) { try readBack(text.utf8) }
    }

    @Test func nestsPlaceAndMotion() throws {
        let (octets, _) = ExportFormat.json.file([full, bare])
        #expect(
            String(decoding: octets, as: UTF8.self) == """
                {"export_date":"2024-11-21T14:03:32.123Z","app_version":"0.1 <&\\">","detections":[
                {"id":1,"device_type":"Flock Safety","mac_address":"3C:71:BF:12:34:56","ssid":"FLOCK, \\"1\\"",\
                "rssi":-62,"confidence":0.9,"location":{"latitude":52.52,"longitude":13.405},\
                "motion":{"speed":12.5,"heading":270.0,"activity":"driving"},"timestamp":"2024-01-03T18:40:00.000Z",\
                "key":null,"mark":null,"note":null,"address":null,"address_kind":null,"octets":null},
                {"id":2,"device_type":"Ring","mac_address":null,"ssid":null,"rssi":-71,"confidence":1.0,\
                "location":{"latitude":null,"longitude":null},\
                "motion":{"speed":null,"heading":null,"activity":null},"timestamp":"1970-01-01T00:00:00.000Z",\
                "key":null,"mark":null,"note":null,"address":null,"address_kind":null,"octets":null}
                ],"total_detections":2}

                """)
    }

    @Test func isReadableWhenEmpty() throws {
        let (octets, summary) = ExportFormat.json.file([])
        #expect(try readBack(octets).isEmpty)
        #expect(summary == ExportSummary())
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"detections":[{}]}"#, #"{"detections":[1]}"#, #"{"detections":null}"#,
        #"{"detections":[{"device_type":"a","rssi":1,"confidence":1,"timestamp":"never"}]}"#,
        #"{"detections":[{"device_type":"a","rssi":1.5,"confidence":1,"timestamp":"2024-01-01"}]}"#,
        #"{"detections":[{"device_type":"a","rssi":1,"confidence":-1,"timestamp":"2024-01-01"}]}"#,
        #"{"detections":[{"device_type":"a","rssi":1,"confidence":1,"timestamp":"2024-01-01","location":{"latitude":99,"longitude":0}}]}"#,
    ])
    func refusesWhatCannotBeUsed(text: String) {
        #expect(throws: ImportError.self) { try readBack(text.utf8) }
    }

    @Test func readsRowsWithoutPlaceAndMotion() throws {
        let text =
            #"{"detections":[{"device_type":"a","rssi":1,"confidence":1,"timestamp":"2024-01-01","location":null}]}"#
        let back = try readBack(text.utf8)
        #expect(back.map(\.position) == [nil])
    }
}

@Suite struct GPXTests {
    @Test func keepsTheOrderOfTheSchemaAndLeavesOutRowsWithoutAPlace() throws {
        var east = full
        east.label = "a<&>\"\u{0}\u{FFFF}\r"
        east.mac = nil
        east.position = Position(latitude: 1e-7, longitude: 180)
        east.confidence = 1.25e-5
        (east.ssid, east.motion) = ("", Sighting.Motion())
        east.fix = FixDetails(source: nil, altitude: 30.5)
        let (octets, summary) = ExportFormat.gpx.file([full, bare, east])
        let text = String(decoding: octets, as: UTF8.self)
        #expect(text.contains("<gpx version=\"1.1\" creator=\"Lantern 0.1 &lt;&amp;&quot;&gt;\" xmlns="))
        #expect(
            text.hasSuffix(
                """
                <metadata><time>2024-11-21T14:03:32.123Z</time></metadata>
                <wpt lat="52.52" lon="13.405"><time>2024-01-03T18:40:00.000Z</time><name>Flock Safety</name>\
                <desc>MAC: 3C:71:BF:12:34:56, RSSI: -62 dBm, confidence: 0.9</desc><type>Flock Safety</type>\
                <extensions><lantern:detection><lantern:mac_address>3C:71:BF:12:34:56</lantern:mac_address>\
                <lantern:ssid>FLOCK, &quot;1&quot;</lantern:ssid><lantern:rssi>-62</lantern:rssi>\
                <lantern:confidence>0.9</lantern:confidence><lantern:speed>12.5</lantern:speed>\
                <lantern:heading>270.0</lantern:heading><lantern:activity>driving</lantern:activity>\
                </lantern:detection></extensions></wpt>
                <wpt lat="0.0000001" lon="-180.0"><ele>30.5</ele><time>2024-01-03T18:40:00.000Z</time>\
                <name>a&lt;&amp;&gt;&quot;\u{FFFD}\u{FFFD}&#13;</name>\
                <desc>MAC: unknown, RSSI: -62 dBm, confidence: 0.0000125</desc>\
                <type>a&lt;&amp;&gt;&quot;\u{FFFD}\u{FFFD}&#13;</type>\
                <extensions><lantern:detection><lantern:ssid></lantern:ssid><lantern:rssi>-62</lantern:rssi>\
                <lantern:confidence>1.25e-05</lantern:confidence></lantern:detection></extensions></wpt>
                </gpx>

                """))
        #expect(summary.written == 2)
        #expect(summary.withoutPosition == 1)
    }
}

@Suite struct MapFileTests {
    @Test func geoJSONHasAFeatureForEachPlace() throws {
        let (octets, summary) = ExportFormat.geojson.file([full, bare, full])
        #expect((summary.written, summary.withoutPosition) == (2, 1))
        let features = try JSONReader.read(octets).list("features")
        #expect(features.count == 2)
        let geometry = try #require(try features[0].member("geometry"))
        #expect(try geometry.list("coordinates").map(\.value) == [.number(13.405), .number(52.52)])
        let properties = try #require(try features[1].member("properties"))
        #expect(try properties.member("device_type")?.value == .text("Flock Safety"))
        #expect(try properties.member("timestamp")?.value == .text("2024-01-03T18:40:00.000Z"))
        #expect(try JSONReader.read(ExportFormat.geojson.file([]).octets).list("features").isEmpty)
    }

    @Test func kmlHasAPlacemarkForEachPlace() {
        var hostile = full
        hostile.label = "<b>&\u{0}"
        hostile.ssid = nil
        let (octets, summary) = ExportFormat.kml.file([full, bare, hostile])
        #expect((summary.written, summary.withoutPosition) == (2, 1))
        let text = String(decoding: octets, as: UTF8.self)
        #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml "))
        #expect(text.contains("<Placemark><name>Flock Safety</name><description>Name: "))
        #expect(
            text.hasSuffix(
                """
                <Placemark><name>&lt;b&gt;&amp;\u{FFFD}</name><description>MAC: 3C:71:BF:12:34:56, \
                RSSI: -62 dBm, confidence: 0.9</description><TimeStamp><when>2024-01-03T18:40:00.000Z</when>\
                </TimeStamp><styleUrl>#\(full.type.keyword)</styleUrl>\
                <Point><coordinates>13.405,52.52</coordinates></Point></Placemark>
                </Document></kml>

                """))
    }
}

@Suite struct HostileExportTests {
    private let sightings: [Sighting] = {
        var hostile = HostileSightings(seed: 2)
        // 0,0 is no place in a file.
        return hostile.next(500).map { sighting in
            var sighting = sighting
            if let place = sighting.position, Position.isNowhere(place.latitude, place.longitude) {
                (sighting.position, sighting.fix) = (nil, nil)
            }
            return sighting
        }
    }()

    @Test func comeBackFromCSV() throws {
        let sightings = sightings.filter { sighting in
            ![sighting.label, sighting.ssid, sighting.motion.activity].contains { Self.looksGuarded($0) }
        }
        #expect(sightings.count > 400)
        let back = try readBack(ExportFormat.csv.file(sightings).octets)
        #expect(back.map(exact) == sightings.map(exact))
        #expect(back == sightings)
    }

    /// Whether text begins as a cell does that export has guarded: import takes its apostrophe away.
    private static func looksGuarded(_ text: String?) -> Bool {
        guard let text, text.unicodeScalars.first == "'" else { return false }
        let rest = text.unicodeScalars.dropFirst().drop { scalar in
            guard scalar.value >= 0x20, scalar.value != 0x7F else { return false }
            return scalar.properties.isWhitespace
                || [.control, .format].contains(scalar.properties.generalCategory)
        }
        return rest.first.map {
            $0.value < 0x20 || $0.value == 0x7F || "=+-@＝＋－＠".unicodeScalars.contains($0)
        } ?? false
    }

    @Test func comeBackFromJSON() throws {
        let back = try readBack(ExportFormat.json.file(sightings).octets)
        #expect(back.map(exact) == sightings.map(exact))
        #expect(back == sightings)
    }

    @Test func noCellStartsAFormula() throws {
        for sighting in sightings {
            var bare = bare
            bare.ssid = sighting.ssid ?? sighting.label
            let text = String(decoding: ExportFormat.csv.file([bare]).octets, as: UTF8.self)
            let start = try #require(text.range(of: "\n1,Ring,,", options: .literal)).upperBound
            var cell = text[start...].unicodeScalars
            if cell.first == "\"" { cell.removeFirst() }
            #expect(cell.first.map { "=+-@\t\r".unicodeScalars.contains($0) } == false)
        }
    }

    @Test func giveXMLWithoutForbiddenCharacters() throws {
        let (octets, summary) = ExportFormat.gpx.file(sightings)
        #expect(summary.written + summary.withoutPosition == 500)
        #expect(summary.withoutPosition == sightings.count { $0.position == nil })
        let text = String(decoding: octets, as: UTF8.self)
        for scalar in text.unicodeScalars {
            #expect([0x09, 0x0A].contains(scalar.value) || scalar.value >= 0x20)
            #expect(![0xFFFE, 0xFFFF].contains(scalar.value))
        }
        #expect(text.count(of: "<wpt ") == summary.written)
        #expect(!text.contains(#/lat="[^"]*e/#))
    }
}

extension String {
    fileprivate func count(of part: String) -> Int { ranges(of: part).count }
}
