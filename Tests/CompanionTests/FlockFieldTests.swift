// SPDX-License-Identifier: Apache-2.0

import Companion
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

    @Test func whereNoFormFitsTheFormsAreNamed() throws {
        let faults = try FieldCase.rows(Array("name,phone\nA,1\n".utf8)).faults
        #expect(faults.count == 1)
        for word in ["device_type", "FlockFinder's app", "flock-you", "Kismet", "WiGLE"] {
            #expect(faults[0].contains(word), "\(faults[0])")
        }
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
