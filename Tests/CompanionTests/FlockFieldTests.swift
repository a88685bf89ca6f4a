// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import FlockFinder
import Foundation
import Testing

/// What FlockFinder's app and flock-you have ever exported.
@Suite struct FlockFieldTests {
    private static let place = Position(latitude: 48.100201, longitude: 11.500201)

    @Test func theListOfHistoryComesOver() throws {
        let rows = try FieldCase.rows("flockfinder-app-history.csv")
        #expect(rows.faults == [])
        let found = rows.sightings
        try #require(found.count == 2)
        #expect(found[0].type == .flockSafety && found[0].mac == "D0:11:22:33:44:03")
        #expect(found[0].confidence == 0.9 && found[0].rssi == -60 && found[0].position == Self.place)
        #expect(found[0].fix == FixDetails(source: nil, accuracy: 4.8, altitude: 510))
        #expect(abs((found[0].motion.speed ?? 0) - 5.4984) < 0.001 && found[0].motion.heading == 271)
        #expect(found[0].received == Timestamp("2026-05-02T10:00:09Z"))
        #expect(found[1].position == nil && found[1].fix == nil && found[1].motion == Sighting.Motion())
        #expect(found[1].ssid == nil && found[1].confidence == 0.85)
    }

    private static let history =
        "ID,Timestamp,Device Type,MAC Address,SSID,RSSI (dBm),Confidence (%),Latitude,Longitude,Altitude (m),"
        + "GPS Accuracy (m),Speed (mph),Heading (°),Location Valid\n"

    @Test func whatTheAppDoesNotKnowIsUnknown() throws {
        let place = "48.1,11.5,510.0,4.8,12.3,271"
        let rows = try FieldCase.rows(
            Array(
                (Self.history + "1,2026-05-02T10:00:09Z,Ring,,,-60,90%,\(place),YES\n"
                    + "2,2026-05-02T10:00:19Z,Ring,,,-71,85,\(place),false\n"
                    + "3,2026-05-02T10:00:19Z,Ring,,a\0\0,-71,85 %,nan,NaN,nan,-1.0,nan,-1,Yes\n"
                    + "4,2026-05-02T10:00:29Z,Ring,,\0,-71,nan,\(place),Yes\n"
                    + "5,2026-05-02T10:00:29Z,Ring,,\0,-71,sure,\(place),Yes\n"
                    + "6,2026-05-02T10:00:29Z,Ring,,\0,loud,85,\(place),Yes\n"
                    + "7,1714640400,Ring,,\0,-71,85,\(place),No\n").utf8))
        #expect(
            rows.faults == [
                "5: its Confidence (%) is not a number", "6: its Confidence (%) is not a number",
                "7: its RSSI (dBm) is not a whole number",
            ])
        let found = rows.sightings
        try #require(found.count == 4)
        #expect(found.map(\.confidence) == [0.9, 0.85, 0.85, 0.85])
        #expect(found.map { $0.position == nil } == [false, true, true, true])
        #expect(found.map(\.ssid) == [nil, nil, "a", nil])
        #expect(found[2].motion == Sighting.Motion())
        #expect(found[3].received == Timestamp(milliseconds: 1_714_640_400_000))
    }

    @Test func theDatabaseOfTheAppComesOver() throws {
        let rows = try FieldCase.rows("flockfinder-app-database.csv")
        #expect(rows.faults == [])
        let found = rows.sightings
        try #require(found.count == 4)
        #expect(found.map(\.ssid) == ["FS Ext Battery", nil, "Ring, attic", "HIK-1"])
        #expect(found.map(\.mac) == ["D0:11:22:33:44:03", nil, "A4:83:E7:00:00:02", "4C:BD:8F:00:00:01"])
        #expect(found.map { $0.position == nil } == [false, true, false, false])
        #expect(found.map(\.motion.heading) == [271, nil, 0, nil])
        #expect(found.map(\.motion.speed) == [5.5, nil, 0, 0])
    }

    /// A name is written as it was heard, with whatever quotes and commas it has.
    @Test(arguments: [
        ["\"open", "ok"], ["5\" disk", "ok"], ["a, \"b\", c", "ok"], ["\"", "end\""], ["a\rb", "ok"],
    ])
    func aStrayQuoteOfTheAppConcernsItsRow(names: [String]) throws {
        let table = String(decoding: try FieldCase.octets("flockfinder-app-database.csv"), as: UTF8.self)
        let lines = table.split(separator: "\n")
        for (line, name) in [(lines[1], "FS Ext Battery"), (lines[3], "Ring, attic")] {
            let rows = names.map { line.replacing(name, with: $0) }
            let text = ([lines[0]] + rows).map { $0 + "\n" }.joined()
            let found = try FieldCase.rows(Array(text.utf8))
            #expect(found.faults == [] && found.sightings.map(\.ssid) == names)
        }
        let history =
            Self.history
            + names.enumerated().map { number, name in
                "\(number),2026-05-02T10:00:0\(number)Z,Ring,a4:83:e7:00:00:02,\(name),-60, 90 ,48.1,11.5,510.0,4.8,12.3,271,Yes\n"
            }.joined()
        let found = try FieldCase.rows(Array(history.utf8))
        #expect(found.faults == [] && found.sightings.map(\.ssid) == names)
    }

    @Test func bothFormsOfJSONComeOver() throws {
        let camel = try FieldCase.rows("flockfinder-app-history.json")
        #expect(camel.faults == [])
        let found = camel.sightings
        try #require(found.count == 2)
        #expect(found[0].label == "Flock Safety" && found[0].ssid == "FS Ext Battery")
        #expect(found[0].motion == Sighting.Motion(speed: 5.5, heading: 271))
        #expect(found[0].fix == FixDetails(source: nil, accuracy: 4.8, altitude: 510))
        #expect(found[1].position == nil && found[1].motion == Sighting.Motion() && found[1].mac == nil)
        let document = try FieldCase.rows("json-doc-lowercase.json")
        #expect(document.faults == [])
        #expect(document.sightings.map(\.mac) == ["3C:71:BF:00:00:01", "A4:83:E7:00:00:02"])
        #expect(document.sightings.map { $0.position == nil } == [false, true])
        #expect(document.sightings[1].motion == Sighting.Motion(activity: "unknown"))
    }

    @Test func itsGPXComesOver() throws {
        let rows = try FieldCase.rows("flockfinder-doc.gpx")
        #expect(rows.faults == [])
        let found = try #require(rows.sightings.first)
        #expect(found.type == .flockSafety && found.mac == "D0:11:22:33:44:03" && found.rssi == -60)
        #expect(found.confidence == 0.9 && found.position == Self.place && found.fix == nil)
        #expect(found.received == Timestamp("2026-05-02T10:00:09Z"))
    }

    @Test(arguments: ["unknown", "N/A", "nil", "(null)", "None", "-", ""])
    func whatIsWrittenForNoAddressIsNone(word: String) throws {
        let point = String(decoding: try FieldCase.octets("flockfinder-doc.gpx"), as: UTF8.self)
        let table = String(decoding: try FieldCase.octets("flockfinder-app-database.csv"), as: UTF8.self)
        for text in [point, table] {
            let rows = try FieldCase.rows(Array(text.replacing("D0:11:22:33:44:03", with: word).utf8))
            #expect(rows.faults == [] && rows.sightings.first?.mac == nil)
            #expect(rows.sightings.first?.position == Self.place)
        }
        let motion = table.replacing(",5.5,271.0,", with: ",\(word),\(word),")
        let rows = try FieldCase.rows(Array(motion.utf8))
        #expect(rows.faults == [] && rows.sightings.first?.motion == Sighting.Motion())
    }

    /// Programs between drop what they do not know.
    @Test func ourGPXIsReadWithoutItsExtensions() throws {
        let sighting = Sighting(
            type: .ring, label: "Ring", mac: "A4:83:E7:36:3C:A5", rssi: -71, confidence: 0.5,
            received: Timestamp(milliseconds: 1_704_307_200_000), position: Self.place)
        let text = String(decoding: ExportFormat.gpx.file([sighting]).octets, as: UTF8.self)
        let bare = text.replacing(#/<extensions>.*<\/extensions>/#, with: "")
        #expect(bare != text)
        #expect(try FieldCase.rows(Array(bare.utf8)).sightings == [sighting])
    }

    @Test func unknownMotionIsUnknown() throws {
        let found = try FieldCase.rows("csv-invalid-motion.csv").sightings
        try #require(found.count == 2)
        #expect(found[0].motion == Sighting.Motion(activity: "unknown"))
        #expect(found[1].mac == "3C:71:BF:00:00:02" && found[1].motion.speed == 0)
    }

    @Test func flockYouOnADesktop() throws {
        let rows = try FieldCase.rows("flockyou-desktop.csv")
        #expect(rows.faults == [] && rows.notes == [])
        let found = try #require(rows.sightings.first)
        #expect(found.ssid == "FS Ext Battery" && found.mac == "58:8E:81:00:00:02" && found.rssi == -61)
        #expect(found.received == Timestamp("2026-05-02T10:00:00.123Z"))
        #expect(found.position == Position(latitude: 48.1, longitude: 11.5))
        #expect(found.type == .flockSafety && found.confidence > 0)
        #expect(found.extra.hasPrefix(#"{"origin":"flock-you","kind":"BLE""#))
    }

    /// Its rows have no time but that since it was switched on.
    @Test func flockYouOnItsDevice() throws {
        let rows = try FieldCase.rows("flockyou-dashboard.csv")
        #expect(
            rows.faults == [] && rows.notes.count == 1 && rows.notes[0].contains("the time of the import"))
        let found = rows.sightings
        try #require(found.count == 2)
        #expect(found.allSatisfy { $0.received == FieldCase.imported })
        #expect(found.map(\.deviceTime) == [.uptime(milliseconds: 822_249), .uptime(milliseconds: 901_000)])
        #expect(found.map(\.ssid) == ["ResMed 000001", "FS Ext Battery"])
        #expect(found[0].position == nil && found[1].fix == FixDetails(source: nil, accuracy: 5))
        let keys = rows.compactMap { if case .detection(let one) = $0 { one.key } else { nil } }
        #expect(Set(keys).count == 2)
        let again = try FieldCase.rows("flockyou-dashboard.csv")
        #expect(again == rows, "it is known by its keys when it is imported again")
    }

    private static let device =
        "mac,name,rssi,method,first_seen_ms,last_seen_ms,count,is_raven,raven_fw,latitude,longitude,gps_accuracy\n"

    /// Its rows may lack the cells at their end, so that nothing but the next row says where one is over.
    @Test(arguments: [
        ["\"open", "ok", "end\""], ["\"open", "end\"", "ok"], ["ok", "\"open", "ok"], ["\"a", "\"b", "\"c"],
        ["\"", "say \"hi\"", "\""], ["ok", "ok", "\"open"],
    ])
    func aStrayQuoteOfFlockYouConcernsItsRow(names: [String]) throws {
        for (end, tail) in [("\n", ""), ("\r\n", ""), ("\r", ""), ("\n", ",,,,")] {
            let text =
                Self.device.replacing("\n", with: end)
                + names.enumerated().map { number, name in
                    "b4:e3:f9:00:00:0\(number),\(name),-86,mac_prefix,1,2,3,false\(tail)\(end)"
                }.joined()
            let rows = try FieldCase.rows(Array(text.utf8))
            #expect(rows.faults == [])
            #expect(rows.sightings.map { $0.ssid ?? "" } == names, "\(names)")
            // A quoted name may have a line end all the same.
            let quoted = text + "\"b4:e3:f9:00:00:09\",\"a\nb\",-86,mac_prefix,1,2,3,false\(tail)\(end)"
            #expect(try FieldCase.rows(Array(quoted.utf8)).sightings.last?.ssid?.hasSuffix("b") == true)
        }
    }

    @Test func unixTimeIsATime() throws {
        let text = """
            timestamp,mac_address,ssid,rssi,channel,detection_method,latitude,longitude
            1714640400,58:8e:81:00:00:02,a,-61,6,probe_request,48.1,11.5
            1714640400123,58:8e:81:00:00:03,b,-61,6,probe_request,48.1,11.5
            1714640400.5,58:8e:81:00:00:04,c,-61,6,probe_request,48.1,11.5
            2026-05-02 10:00:00,58:8e:81:00:00:05,d,-61,6,probe_request,48.1,11.5

            """
        let rows = try FieldCase.rows(Array(text.utf8))
        #expect(rows.faults == [] && rows.notes == [])
        #expect(
            rows.sightings.map(\.received.milliseconds) == [
                1_714_640_400_000, 1_714_640_400_123, 1_714_640_400_500, 1_777_716_000_000,
            ])
        #expect(rows.sightings.allSatisfy { $0.deviceTime == nil })
        let device = Self.device + "b4:e3:f9:00:00:01,a,-86,mac_prefix,1,1714640400123,3,false,,,,\n"
        let found = try FieldCase.rows(Array(device.utf8))
        #expect(found.notes == [])
        #expect(found.sightings.map(\.received.milliseconds) == [1_714_640_400_123])
    }

    /// The columns of times are there, and some rows have nothing in them.
    @Test func rowsWithoutATimeAreNoted() throws {
        let text = """
            timestamp,server_timestamp,mac_address,device_name,rssi,detection_method,latitude,longitude
            81234,,58:8e:81:00:00:02,FS Ext Battery,-61,device_name,48.1,11.5
            81235,2026-05-02T10:00:00Z,58:8e:81:00:00:02,FS Ext Battery,-61,device_name,48.1,11.5
            81236,,58:8e:81:00:00:02,FS Ext Battery,-61,device_name,48.1,11.5
            soon,,58:8e:81:00:00:02,FS Ext Battery,-61,device_name,48.1,11.5

            """
        let rows = try FieldCase.rows(Array(text.utf8))
        #expect(
            rows.notes == [
                "2: this row and 1 more have only the time since the device was switched on, "
                    + "so they get the time of the import"
            ])
        #expect(rows.faults == ["5: its timestamp is not a time such as 2018-08-03 18:14:12"])
        let found = rows.sightings
        #expect(found.map { $0.received == FieldCase.imported } == [true, false, true])
        #expect(found.first?.deviceTime == .uptime(milliseconds: 81_234))
        let keys = rows.compactMap { if case .detection(let one) = $0 { one.key } else { nil } }
        #expect(Set(keys).count == 2, "rows that differ in their time alone are two")
        let first = text.split(separator: "\n").prefix(2).joined(separator: "\n") + "\n"
        #expect(
            try FieldCase.rows(Array(first.utf8)).notes == [
                "2: this row has only the time since the device was switched on, so it gets the time of the import"
            ])
    }

    @Test(arguments: [
        "mac,name,protocol,method,rssi,channel,count,first_ms,last_ms,is_raven,raven_fw,lat,lon\n"
            + "\"58:8e:81:00:00:02\",\"FS Ext Battery\",bluetooth_le,\"ble_name\",-61,0,2,10,20,false,\"\",48.1,11.5\n",
        "timestamp,protocol,detection_method,mac_address,rssi,ssid,device_name,gps_lat,gps_lon\n"
            + "2026-05-02T10:00:00Z,bluetooth_le,device_name,58:8e:81:00:00:02,-61,,FS Ext Battery,48.1,11.5\n",
        "timestamp,type,mac,ssid,rssi,method,latitude,longitude\n"
            + "2026-05-02T10:00:00Z,Flock Safety,58:8E:81:00:00:02,FS Ext Battery,-61,ble_name,48.1,11.5\n",
    ])
    func flockYouOfOtherVersions(text: String) throws {
        let rows = try FieldCase.rows(Array(text.utf8))
        #expect(rows.faults == [])
        let found = try #require(rows.sightings.first)
        #expect(
            found.mac == "58:8E:81:00:00:02" && found.ssid == "FS Ext Battery" && found.type == .flockSafety)
        #expect(found.position == Position(latitude: 48.1, longitude: 11.5) && found.rssi == -61)
        #expect(found.extra.contains(#""kind":"BLE""#))
    }

    @Test(arguments: [
        ("1", true), ("TRUE", true), ("yes", true), ("0", false), ("false", false), ("", false),
    ])
    func whatFlockYouCallsARavenIsOne(word: String, isRaven: Bool) throws {
        let text =
            "mac,name,rssi,method,last_seen_ms,is_raven,lat,lng,acc\nb4e3f9000002,x,-86,a,20,\(word),48.1,11.5,4\n"
        let rows = try FieldCase.rows(Array(text.utf8))
        let found = try #require(rows.sightings.first)
        #expect((found.type == .raven) == isRaven && rows.faults == [])
        #expect(found.position == Position(latitude: 48.1, longitude: 11.5) && found.fix?.accuracy == 4)
    }

    @Test func whereNoFormFitsTheFormsAreNamed() throws {
        let faults = try FieldCase.rows(Array("name,phone\nA,1\n".utf8)).faults
        #expect(faults.count == 1)
        for word in ["device_type", "FlockFinder's app", "flock-you", "Kismet", "WiGLE"] {
            #expect(faults[0].contains(word), "\(faults[0])")
        }
    }

    @Test(arguments: [
        (#"{"foo":1}"#, "1: there is no list \"detections\" in it"),
        ("\n{\"foo\":1}\n\n", "2: there is no list \"detections\" in it"),
        ("{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n", "2: it has one object per line (JSON Lines)"),
        (#"[{"mac":"aa:bb:cc:dd:ee:ff","rssi":-70}]"#, "1: it is a list"),
    ])
    func whereNoJSONFitsTheFormsAreNamed(text: String, begin: String) throws {
        let faults = try FieldCase.rows(Array(text.utf8)).faults
        #expect(faults.count == 1 && faults[0].hasPrefix(begin), "\(faults)")
        for word in ["Lantern", "FlockFinder's app", "flock-you", "Kismet", "WiGLE", "\"detections\""] {
            #expect(faults[0].contains(word), "\(faults[0])")
        }
    }

    @Test func payloadsInLinesAreNamed() throws {
        let faults = try FieldCase.rows("flockfinder-odd-payloads.jsonl").faults
        #expect(faults.count == 1 && faults[0].contains("JSON Lines"), "\(faults)")
    }

    /// What Lantern has kept with its NULs comes back with them.
    @Test func onlyNamesOfOthersEndBeforeTheirNULs() throws {
        let row = #""device_type":"Ring","rssi":-60,"confidence":1,"timestamp":"2026-05-02","ssid":"a\u0000""#
        let file = { (more: String) in Array("{\"detections\":[{\(row)\(more)}]}".utf8) }
        #expect(try FieldCase.rows(file("")).sightings.map(\.ssid) == ["a"])
        #expect(try FieldCase.rows(file(#","key":null"#)).sightings.map(\.ssid) == ["a\0"])
    }

    @Test func nowhereIsNoPlaceInEveryForm() throws {
        let head = "id,device_type,rssi,confidence,latitude,longitude,timestamp\n"
        for place in ["0,0", "0.0,0.000000", "0.00001,-0.00001"] {
            let rows = try FieldCase.rows(Array((head + "1,Ring,-60,1,\(place),2026-05-02\n").utf8))
            #expect(rows.sightings.map { $0.position == nil } == [true], "\(place)")
        }
        let json =
            #"{"detections":[{"device_type":"Ring","rssi":-60,"confidence":1,"timestamp":"2026-05-02","#
            + #""location":{"latitude":0,"longitude":0}}]}"#
        #expect(try FieldCase.rows(Array(json.utf8)).sightings.map { $0.position == nil } == [true])
    }
}
