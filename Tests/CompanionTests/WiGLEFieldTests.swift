// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import Testing

/// WiGLE's CSV as apps, boards, Kismet and the site write it.
@Suite struct WiGLEFieldTests {
    private static let app = """
        WigleWifi-1.4,appRelease=2.53
        MAC,SSID,AuthMode,FirstSeen,Channel,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,Type

        """
    private static let tail = "[ESS],2026-05-02 10:00:00,6,-71,48.1,11.5,510,5,WIFI"

    private static func read(_ rows: String) throws -> [DetectionFile.Row] {
        try FieldCase.rows(Array((app + rows).utf8))
    }

    @Test func commasAndReturnsBelongToTheName() throws {
        let rows = try FieldCase.rows("wigle-comma-and-cr.csv")
        #expect(rows.faults == [])
        #expect(rows.sightings.map(\.ssid) == ["Speaker, left", "RearCam_0E42\r", "FS Ext Battery"])
        #expect(rows.sightings.map(\.rssi) == [-71, -82, -60])
        #expect(rows.sightings.allSatisfy { $0.position != nil })
    }

    @Test(arguments: [
        ("\"Foo", "\"Foo"), ("\"Foo\"bar", "\"Foo\"bar"), ("5\" disk", "5\" disk"), ("\"", "\""),
        ("\"a, b", "\"a, b"), ("a,,b,", "a,,b,"), ("\"Home, \"\"x\"\"\"", "Home, \"x\""),
    ])
    func aStrayQuoteConcernsItsRow(written: String, name: String) throws {
        let others = ["first", "last"]
        for end in ["\n", "\r\n"] {
            let text = [others[0], written, others[1]].enumerated().map { number, name in
                "d0:11:22:33:44:0\(number),\(name),\(Self.tail)\(end)"
            }.joined()
            let rows = try Self.read(text)
            #expect(rows.faults == [])
            #expect(rows.sightings.map(\.ssid) == [others[0], name, others[1]])
        }
    }

    @Test func aStrayQuoteBeforeQuotedNamesConcernsItsRow() throws {
        let rows = try Self.read(
            "d0:11:22:33:44:01,\"open,\(Self.tail)\nd0:11:22:33:44:02,\"Home, sweet\",\(Self.tail)\n"
                + "d0:11:22:33:44:03,end\",\(Self.tail)\nd0:11:22:33:44:04,\"a\nb\",\(Self.tail)\n")
        #expect(rows.faults == [])
        #expect(rows.sightings.map(\.ssid) == ["\"open", "Home, sweet", "end\"", "a\nb"])
    }

    @Test func rowsOfKismetLackTwoCells() throws {
        let rows = try FieldCase.rows("kismet-wifi-12-of-14.wiglecsv")
        #expect(rows.faults == [])
        #expect(rows.sightings.map(\.ssid) == ["Flock-0A0B0C", "café , upstairs", "FS Ext Battery"])
        #expect(rows.sightings.map(\.rssi) == [-66, -70, -61])
        #expect(rows.sightings[0].extra.contains(#""kind":"WIFI""#))
        #expect(rows.sightings[0].extra.contains(#""channel":6,"frequency":2437"#))
        #expect(rows.sightings[2].extra.contains(#""kind":"BLE""#))
        #expect(rows.sightings[0].fix == FixDetails(source: nil, altitude: 510))
    }

    /// Rows of 12 cells under a heading of 14.
    private static func kismet(_ names: String...) throws -> [DetectionFile.Row] {
        let head =
            "WigleWifi-1.6,appRelease=Kismet202600-1\nMAC,SSID,AuthMode,FirstSeen,Channel,Frequency,RSSI,"
            + "CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,RCOIs,MfgrId,Type\n"
        let rows = names.enumerated().map { number, name in
            "D0:11:22:33:44:0\(number),\(name),[ESS],2026-05-02 09:08:07,6,2437000,-66,48.1,11.5,510,0,WIFI\n"
        }
        return try FieldCase.rows(Array((head + rows.joined()).utf8))
    }

    @Test(arguments: [
        ["\"q", "ok", "end\"", "fin"], ["\"q, r", "\"ok", "fin"], ["\"", "say \"hi\"", "end\"", "a"],
    ])
    func aStrayQuoteOfKismetConcernsItsRow(names: [String]) throws {
        let rows = try Self.kismet(names[0], names[1], names[2], names.last ?? "")
        #expect(rows.faults == [])
        #expect(rows.sightings.map(\.ssid) == [names[0], names[1], names[2], names.last])
    }

    @Test(arguments: ["a, b", "a, b, c", "one \"two\", three, four", "a,b,c,d", ",,", "a,,,,"])
    func commasOfKismetBelongToTheName(name: String) throws {
        let rows = try Self.kismet(name, "ok")
        #expect(rows.faults == [])
        #expect(rows.sightings.map(\.ssid) == [name, "ok"])
        #expect(rows.sightings.allSatisfy { $0.rssi == -66 && $0.position != nil })
    }

    @Test func namesEndBeforeTheirNULs() throws {
        let rows = try Self.kismet("cam\\000\\000", "\\000\\000", "a\\000b", "")
        #expect(rows.sightings.map(\.ssid) == ["cam", nil, "a\0b", nil])
        let plain = try Self.read(
            "d0:11:22:33:44:01,cam\0\0,\(Self.tail)\nd0:11:22:33:44:02,\0,\(Self.tail)\n")
        #expect(plain.sightings.map(\.ssid) == ["cam", nil])
    }

    @Test func semicolonsBelongToTheName() throws {
        let text = Self.app + "d0:11:22:33:44:01,\"a;b\",\(Self.tail)\nd0:11:22:33:44:02,a;b;c,\(Self.tail)\n"
        let turned = text.map { $0 == "," ? ";" : $0 == ";" ? "," : $0 }
        #expect(try FieldCase.rows(Array(text.utf8)).sightings.map(\.ssid) == ["a;b", "a;b;c"])
        #expect(try FieldCase.rows(Array(String(turned).utf8)).sightings.map(\.ssid) == ["a,b", "a,b,c"])
        let head = Self.app.replacing(",", with: ";")
        let tail = Self.tail.replacing(",", with: ";")
        let rows = try FieldCase.rows(
            Array(
                (head + "d0:11:22:33:44:01;\"a;b\";\(tail)\nd0:11:22:33:44:02;a;b;\(tail)\n"
                    + "d0:11:22:33:44:03;a,b;\(tail)\n").utf8))
        #expect(rows.sightings.map(\.ssid) == ["a;b", "a;b", "a,b"])
    }

    @Test func whatIsUnknownIsNoStrength() throws {
        let rows = try FieldCase.rows("wigle-odd-cells.csv")
        #expect(
            rows.faults == [
                "9: its FirstSeen is not a time such as 2018-08-03 18:14:12",
                "10: its FirstSeen is not a time such as 2018-08-03 18:14:12",
            ])
        // The cell tower.
        #expect(rows.passed == 1)
        let found = rows.sightings
        #expect(found.map(\.rssi) == [-127, -71, -127, -71, -71, -71, -71, -71, -127])
        #expect(found[3].fix == nil && found[3].position != nil)
        #expect(found[4].position == nil)
        #expect(found[5].mac == "D0:11:22:33:44:07")
        #expect(found[6].received == Timestamp("2026-05-02T10:00:00Z"))
        #expect(found[7].extra.contains(#""kind":"WIFI""#))
    }

    @Test(arguments: ["wigle-month-name.csv", "wigle-unpadded-date.csv"]) func datesAreReadAsBoardsWriteThem(
        name: String
    ) throws {
        let rows = try FieldCase.rows(name)
        #expect(rows.sightings.map(\.received) == [Timestamp("2026-05-02T09:08:07Z")])
    }

    @Test(
        arguments: [
            ("2023-7-20 18:12:10", "2023-07-20T18:12:10Z"), ("2019-Mar-04", "2019-03-04"),
            ("2019-OCT-4 9:00:00", "2019-10-04T09:00:00Z"), ("2019-13-04", nil), ("2019-Foo-04", nil),
            ("2023-7-20 18:2:9", "2023-07-20T18:02:09Z"), ("2019-Mar-04 9:1", "2019-03-04T09:01:00Z"),
            ("2023-7-20T8:2:9.5Z", "2023-07-20T08:02:09.5Z"), ("2019-March-04", "2019-03-04"),
            ("2023/07/20 18:12:10", "2023-07-20T18:12:10Z"),
            ("2023-07-20 18:12:10 UTC", "2023-07-20T18:12:10Z"),
            ("2023-7-20 18:2:9 +0200", "2023-07-20T16:02:09Z"), ("2023-07-20 6:12:10 PM", nil),
            ("20/07/2023 18:12:10", nil), ("2019-Ma-04", nil),
            ("04.03.2019", nil),
        ] as [(String, String?)])
    func momentsOfFiles(written: String, meant: String?) throws {
        let rows = try Self.read("d0:11:22:33:44:01,a,[ESS],\(written),6,-71,48.1,11.5,510,5,WIFI\n")
        #expect(rows.sightings.map(\.received) == (meant.map { [Timestamp($0)] } ?? []))
        #expect(rows.faults.count == (meant == nil ? 1 : 0))
    }

    @Test func placesHaveOtherNames() throws {
        let rows = try FieldCase.rows("wigle-latitude-columns.csv")
        #expect(rows.sightings.first?.position == Position(latitude: 48.100201, longitude: 11.500201))
        #expect(rows.sightings.first?.fix == FixDetails(source: nil, accuracy: 1.2, altitude: 510))
        #expect(rows.notes == [])
    }

    /// Whoever cleans a file, or a spreadsheet, may take away the line that says whose it is.
    @Test func aTableThatHasLostItsFirstLineIsStillWiGLEs() throws {
        let bare = Self.app.split(separator: "\n")[1]
        let tower = "310260_1_2,T,LTE;us,2026-05-02 10:00:00,0,-91,48.1,11.5,0,0,LTE\n"
        let rows = try FieldCase.rows(Array("\(bare)\n\(tower)d0:11:22:33:44:01,a,\(Self.tail)\n".utf8))
        #expect(rows.faults == [] && rows.passed == 1 && rows.sightings.map(\.ssid) == ["a"])
        #expect(rows.sightings[0].extra.contains(#""origin":"wigle""#))
    }

    @Test(arguments: [
        "Lat,Lng,Alt,Acc", "latitude,LONGITUDE,altitude,accuracy", "Lat,Long,AltitudeMeters,AccuracyMeters",
    ])
    func placesHaveShortNames(names: String) throws {
        let long = "CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters"
        let text = Self.app.replacing(long, with: names) + "d0:11:22:33:44:01,a,\(Self.tail)\n"
        let rows = try FieldCase.rows(Array(text.utf8))
        #expect(rows.sightings.map(\.position) == [Position(latitude: 48.1, longitude: 11.5)])
        #expect(rows.sightings[0].fix == FixDetails(source: nil, accuracy: 5, altitude: 510))
        #expect(rows.notes == [] && rows.faults == [])
    }

    @Test func aFileWithoutPlacesSaysSo() throws {
        let text =
            "WigleWifi-1.4,a=b\nMAC,SSID,FirstSeen,RSSI,Type\nd0:11:22:33:44:01,a,2026-05-02 10:00:00,-71,WIFI\n"
        let rows = try FieldCase.rows(Array(text.utf8))
        #expect(rows.sightings.count == 1 && rows.notes.count == 1)
        #expect(rows.notes[0].hasPrefix("2: no column says where it was"))
    }

    @Test func filesThatWerePutTogetherAreAllRead() throws {
        let rows = try FieldCase.rows("wigle-concatenated.csv")
        #expect(rows.faults == [])
        #expect(rows.sightings.map(\.ssid) == ["Flock-0A0B01", "Flock-0A0B02"])
        #expect(rows.sightings[1].extra.contains("2437"))
        // Without the line that says so, the heading alone stands between them.
        let file = Self.app + "d0:11:22:33:44:01,a,\(Self.tail)\n"
        let twice = file + file.split(separator: "\n").dropFirst().joined(separator: "\n")
        #expect(try FieldCase.rows(Array(twice.utf8)).sightings.count == 2)
    }

    /// Several programs write a byte order mark in front of each file.
    @Test(arguments: ["", "\u{FEFF}"], ["\n", "\r\n", "\r"])
    func filesThatWerePutTogetherMayHaveTheirByteOrderMarks(mark: String, end: String) throws {
        let other =
            "WigleWifi-1.6,appRelease=2.90\nMAC,SSID,AuthMode,FirstSeen,Channel,Frequency,RSSI,CurrentLatitude,"
            + "CurrentLongitude,AltitudeMeters,AccuracyMeters,RCOIs,MfgrId,Type\n"
            + "d0:11:22:33:44:02,b,[ESS],2026-05-02 10:00:00,6,2437,-71,48.1,11.5,510,1.2,,,WIFI\n"
        // An open quote at the end of a file reaches no further than that.
        let files = [
            Self.app + "d0:11:22:33:44:01,\"a,\(Self.tail)\n", other,
            Self.app + "d0:11:22:33:44:03,c,\(Self.tail)\n",
        ]
        let text = files.map { mark + $0 }.joined().replacing("\n", with: end)
        let rows = try FieldCase.rows(Array(text.utf8))
        #expect(rows.faults == [])
        #expect(rows.sightings.map(\.ssid) == ["\"a", "b", "c"])
        #expect(rows.sightings.map { $0.extra.contains("2437") } == [false, true, false])
    }

    /// `cat` puts no line end between two files.
    @Test(arguments: ["", "\u{FEFF}"]) func aFileMayFollowALineThatDoesNotEnd(mark: String) throws {
        let name = "WigleWifi-1.6 and, appRelease=no"
        let text =
            Self.app + "d0:11:22:33:44:01,\(name),\(Self.tail)\n" + "d0:11:22:33:44:02,b,\(Self.tail)" + mark
            + Self.app.replacing("1.4", with: "1.6") + "d0:11:22:33:44:03,c,\(Self.tail)\n"
            + "d0:11:22:33:44:04,d,x\n"
        let rows = try FieldCase.rows(Array(text.utf8))
        #expect(rows.sightings.map(\.ssid) == [name, "b", "c"])
        #expect(rows.sightings.map { $0.extra.contains(#""kind":"WIFI""#) } == [true, true, true])
        #expect(rows.faults.map { $0.prefix(2) } == ["7:"])
    }

    @Test func aFileThatEndsBehindItsFirstLineSaysSo() throws {
        let text = Self.app + "d0:11:22:33:44:01,a,\(Self.tail)\nWigleWifi-1.6,appRelease=2.90\n"
        for text in [text, String(text.dropLast())] {
            let rows = try FieldCase.rows(Array(text.utf8))
            #expect(rows.sightings.count == 1)
            #expect(
                rows.faults == [
                    "4: the names of the columns are missing behind this line; the file seems to be cut off, so export it again"
                ])
        }
        #expect(try FieldCase.rows(Array("WigleWifi-1.6,a=b".utf8)).faults.first?.hasPrefix("1: ") == true)
    }

    @Test func latin1KeepsItsRow() throws {
        let rows = try FieldCase.rows("wigle-latin1-ssid.csv")
        #expect(rows.sightings.map(\.ssid) == ["Flock café"])
    }

    @Test func theSitesOwnSearchIsRead() throws {
        let rows = try FieldCase.rows("wigle-site-search.csv")
        let found = try #require(rows.sightings.first)
        #expect(found.mac == "70:C9:4E:0A:0B:0C" && found.ssid == "Flock-0A0B0C" && found.rssi == -127)
        #expect(found.position == Position(latitude: 48.1, longitude: 11.5))
        #expect(found.received == Timestamp("2026-05-02T10:00:00Z"))
        #expect(found.extra.hasPrefix(#"{"origin":"wigle","kind":"WIFI""#))
    }

    /// A list of one kind alone need not say which it is.
    @Test func theSitesListWithoutKindsIsRead() throws {
        let row = "70:C9:4E:0A:0B:0C,a,48.1,11.5,2026-05-02T10:00:00.000Z,6\n"
        let rows = try FieldCase.rows(Array("netid,ssid,trilat,trilong,lasttime,channel\n\(row)".utf8))
        #expect(rows.faults == [] && rows.passed == 0 && rows.sightings.map(\.ssid) == ["a"])
        #expect(rows.sightings.first?.extra.hasPrefix(#"{"origin":"wigle","kind":null"#) == true)
    }

    @Test func blanksAroundCellsSayNothing() throws {
        let spaced = Self.tail.replacing(",", with: " , ")
        let rows = try Self.read(
            " d0:11:22:33:44:01 ,a, \(spaced) \n   \nd0:11:22:33:44:02,b,\(Self.tail)\n\t\n")
        #expect(rows.faults == [] && rows.passed == 0 && rows.sightings.map(\.ssid) == ["a", "b"])
        #expect(rows.sightings.map(\.rssi) == [-71, -71])
        #expect(rows.sightings[0].position == rows.sightings[1].position && rows.sightings[0].position != nil)
        #expect(rows.sightings[0].received == rows.sightings[1].received)
    }

    @Test(arguments: ["wigle-same-14.csv", "wigle-same-16.csv"]) func versionsSayTheSame(name: String) throws
    {
        let rows = try FieldCase.rows(name)
        #expect(rows.sightings.map(\.ssid) == ["Flock-0A0B02"])
        #expect(rows.sightings.map(\.rssi) == [-71])
    }

    @Test func kindsAreJudgedByTheBuiltInTable() throws {
        let rows = try FieldCase.rows("wigle-signatures.csv")
        #expect(rows.faults == [] && rows.sightings.count == 7)
    }
}
