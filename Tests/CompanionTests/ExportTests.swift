// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
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
        let (octets, summary) = try ExportFormat.csv.file([full, bare])
        #expect(
            String(decoding: octets, as: UTF8.self) == """
                id,device_type,mac_address,ssid,rssi,confidence,latitude,longitude,speed,heading,activity,timestamp
                1,Flock Safety,3C:71:BF:12:34:56,"FLOCK, ""1\""",-62,0.9,52.52,13.405,12.5,270.0,driving,\
                2024-01-03T18:40:00.000Z
                2,Ring,,,-71,1.0,,,,,,1970-01-01T00:00:00.000Z

                """)
        #expect(summary.written == 2)
        #expect(summary.withoutPosition == 0)
    }

    @Test(
        arguments: [
            (nil, ""), ("", "\"\""), ("=1+1", "'=1+1"), ("+", "'+"), ("-62", "'-62"), ("@x", "'@x"),
            ("\tx", "'\tx"),
            ("\rx", "\"'\rx\""), ("'", "'"), ("'x", "'x"), ("''=x", "''=x"), ("x=1", "x=1"),
            (" =", "\" =\""), ("a\nb", "\"a\nb\""), ("a,b", "\"a,b\""),
        ] as [(String?, String)])
    func guardsCells(ssid: String?, cell: String) throws {
        var sighting = bare
        sighting.ssid = ssid
        let (octets, _) = try ExportFormat.csv.file([sighting])
        #expect(
            String(decoding: octets, as: UTF8.self).hasSuffix(
                "\n1,Ring,,\(cell),-71,1.0,,,,,,1970-01-01T00:00:00.000Z\n"))
        var back: [Sighting] = []
        try DetectionImport.csv(octets) { back.append($0) }
        #expect(back.map(exact) == [exact(sighting)])
    }

    @Test func anApostropheOfItsOwnIsTheOneThingThatImportTakesAway() throws {
        var sighting = bare
        sighting.ssid = "'=x"
        let (octets, _) = try ExportFormat.csv.file([sighting])
        #expect(String(decoding: octets, as: UTF8.self).contains(",'=x,"))
        var back: [Sighting] = []
        try DetectionImport.csv(octets) { back.append($0) }
        #expect(back.map(\.ssid) == ["=x"])
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func readsEveryLineEndAndAnyOrderOfColumns(end: String) throws {
        let text = [
            "\u{FEFF}timestamp,confidence,rssi,colour,device_type", "2024-01-03T18:40Z,0.5,-60,red,Raven", "",
            "2024-01-03,1,20,,\"a\"\"b\"",
        ].joined(separator: end)
        var back: [Sighting] = []
        #expect(try DetectionImport.csv(text.utf8) { back.append($0) } == 2)
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
        "device_type,rssi,confidence,timestamp\n\"Ring,1,1,2024-01-01\n",
        "device_type,rssi,confidence,timestamp\n\"Ring\"x,1,1,2024-01-01\n",
        "device_type,rssi,confidence,timestamp,latitude,longitude\nRing,1,1,2024-01-01,91,0\n",
        "device_type,rssi,confidence,timestamp,mac_address\nRing,1,1,2024-01-01,zz\n",
    ])
    func refusesWhatCannotBeUsed(text: String) {
        #expect(throws: BadInput.self) { try DetectionImport.csv(text.utf8) { _ in } }
    }

    @Test func refusesTextThatIsNotUTF8() {
        let octets =
            Array("device_type,rssi,confidence,timestamp\n".utf8) + [0xFF] + Array(",1,1,2024-01-01\n".utf8)
        #expect(throws: BadInput("Line 2 cannot be used: its device_type is not UTF-8.")) {
            try DetectionImport.csv(octets) { _ in }
        }
    }

    @Test func saysTheLineAfterCellsWithLineFeeds() throws {
        let text = "device_type,rssi,confidence,timestamp\n\"a\nb\",1,1,2024-01-01\nRing,1,2,2024-01-01\n"
        #expect(throws: BadInput("Line 4 cannot be used: the confidence 2.0 is not between 0 and 1.")) {
            try DetectionImport.csv(text.utf8) { _ in }
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
            do {
                try DetectionImport.csv(header + octets) { _ in }
            } catch {
                #expect(error is BadInput)
            }
        }
    }
}

@Suite struct JSONFileTests {
    @Test func nestsPlaceAndMotion() throws {
        let (octets, _) = try ExportFormat.json.file([full, bare])
        #expect(
            String(decoding: octets, as: UTF8.self) == """
                {"export_date":"2024-11-21T14:03:32.123Z","app_version":"0.1 <&\\">","total_detections":2,"detections":[
                {"id":1,"device_type":"Flock Safety","mac_address":"3C:71:BF:12:34:56","ssid":"FLOCK, \\"1\\"",\
                "rssi":-62,"confidence":0.9,"location":{"latitude":52.52,"longitude":13.405},\
                "motion":{"speed":12.5,"heading":270.0,"activity":"driving"},"timestamp":"2024-01-03T18:40:00.000Z"},
                {"id":2,"device_type":"Ring","mac_address":null,"ssid":null,"rssi":-71,"confidence":1.0,\
                "location":{"latitude":null,"longitude":null},\
                "motion":{"speed":null,"heading":null,"activity":null},"timestamp":"1970-01-01T00:00:00.000Z"}
                ]}

                """)
    }

    @Test func isReadableWhenEmpty() throws {
        let (octets, summary) = try ExportFormat.json.file([])
        #expect(try DetectionImport.json(Data(octets)) { _ in } == 0)
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
        #expect(throws: BadInput.self) { try DetectionImport.json(Data(text.utf8)) { _ in } }
    }

    @Test func readsRowsWithoutPlaceAndMotion() throws {
        let text =
            #"{"detections":[{"device_type":"a","rssi":1,"confidence":1,"timestamp":"2024-01-01","location":null}]}"#
        var back: [Sighting] = []
        try DetectionImport.json(Data(text.utf8)) { back.append($0) }
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
        let (octets, summary) = try ExportFormat.gpx.file([full, bare, east])
        let text = String(decoding: octets, as: UTF8.self)
        #expect(text.contains("<gpx version=\"1.1\" creator=\"Lantern 0.1 &lt;&amp;&quot;&gt;\" xmlns="))
        #expect(
            text.hasSuffix(
                """
                <metadata><time>2024-11-21T14:03:32.123Z</time></metadata>
                <wpt lat="52.52" lon="13.405"><time>2024-01-03T18:40:00.000Z</time><name>Flock Safety</name>\
                <desc>MAC: 3C:71:BF:12:34:56, RSSI: -62 dBm, confidence: 0.9</desc><type>Flock Safety</type></wpt>
                <wpt lat="0.0000001" lon="-180.0"><time>2024-01-03T18:40:00.000Z</time>\
                <name>a&lt;&amp;&gt;&quot;\u{FFFD}\u{FFFD}&#13;</name>\
                <desc>MAC: unknown, RSSI: -62 dBm, confidence: 0.0000125</desc>\
                <type>a&lt;&amp;&gt;&quot;\u{FFFD}\u{FFFD}&#13;</type></wpt>
                </gpx>

                """))
        #expect(summary.written == 2)
        #expect(summary.withoutPosition == 1)
    }
}

@Suite struct HostileExportTests {
    private let sightings: [Sighting] = {
        var hostile = HostileSightings(seed: 2)
        return hostile.take(500)
    }()

    @Test func comeBackFromCSV() throws {
        let sightings = sightings.filter { sighting in
            ![sighting.label, sighting.ssid, sighting.motion.activity].contains { Self.looksGuarded($0) }
        }
        #expect(sightings.count > 400)
        var back: [Sighting] = []
        try DetectionImport.csv(try ExportFormat.csv.file(sightings).octets) { back.append($0) }
        #expect(back.map(exact) == sightings.map(exact))
        #expect(back == sightings)
    }

    /// Whether text begins as a cell does that export has guarded: import takes its apostrophe away.
    private static func looksGuarded(_ text: String?) -> Bool {
        guard let octets = text?.utf8, octets.first == UInt8(ascii: "'") else { return false }
        return octets.dropFirst().first.map { Array("=+-@\t\r".utf8).contains($0) } ?? false
    }

    @Test func comeBackFromJSON() throws {
        var back: [Sighting] = []
        try DetectionImport.json(Data(try ExportFormat.json.file(sightings).octets)) { back.append($0) }
        #expect(back.map(exact) == sightings.map(exact))
        #expect(back == sightings)
    }

    @Test func noCellStartsAFormula() throws {
        for sighting in sightings {
            var bare = bare
            bare.ssid = sighting.ssid ?? sighting.label
            let text = String(decoding: try ExportFormat.csv.file([bare]).octets, as: UTF8.self)
            let start = try #require(text.range(of: "\n1,Ring,,", options: .literal)).upperBound
            var cell = text[start...].unicodeScalars
            if cell.first == "\"" { cell.removeFirst() }
            #expect(cell.first.map { "=+-@\t\r".unicodeScalars.contains($0) } == false)
        }
    }

    @Test func giveXMLWithoutForbiddenCharacters() throws {
        let (octets, summary) = try ExportFormat.gpx.file(sightings)
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
