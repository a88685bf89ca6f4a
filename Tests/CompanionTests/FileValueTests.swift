// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import Testing

/// Values that programs write each in their way, and those that cannot be, which spoil nothing beside them.
@Suite struct FileValueTests {
    private static let place = Position(latitude: 48.1, longitude: 11.5)

    private static func json(_ members: String) throws -> [DetectionFile.Row] {
        let row = #""device_type":"Ring","rssi":-60,"timestamp":"2026-05-02""#
        return try FieldCase.rows(Array("{\"detections\":[{\(row),\(members)}]}".utf8))
    }

    @Test(arguments: [
        #""latitude":48.1,"longitude":11.5"#, #""lat":48.1,"lon":11.5"#, #""lat":"48.1","lng":"11.5""#,
        #""location":{"lat":48.1,"long":11.5}"#, #""location":null,"latitude":48.1,"longitude":11.5"#,
        #""location":{"latitude":"48.1","longitude":" 11.5"}"#,
    ])
    func aPlaceNeedNotBeNested(members: String) throws {
        let rows = try Self.json(#""confidence":1,\#(members)"#)
        #expect(rows.faults == [] && rows.sightings.map(\.position) == [Self.place])
    }

    @Test func whatIsSaidOfAPlaceComesWithIt() throws {
        let members =
            #""confidence":1,"lat":48.1,"lon":11.5,"accuracy":4.8,"altitude":510,"speed":5.5,"heading":271,"#
            + #""activity":"driving""#
        let found = try #require(try Self.json(members).sightings.first)
        #expect(found.fix == FixDetails(source: nil, accuracy: 4.8, altitude: 510))
        #expect(found.motion == Sighting.Motion(speed: 5.5, heading: 271, activity: "driving"))
    }

    @Test(arguments: [
        #""latitude":0,"longitude":0"#, #""latitude":null,"longitude":11.5"#, #""lat":48.1"#,
        #""isValid":false,"latitude":48.1,"longitude":11.5"#, #""location":{"latitude":"unknown"}"#,
        // What others mean by these words does no harm.
        #""lat":"north","lon":{},"accuracy":"high","altitude":[],"speed":"fast","heading":"NW","activity":7"#,
        #""lat":true,"accuracy":true,"speed":false"#,
    ])
    func aDetectionIsKeptWithoutAPlace(members: String) throws {
        let rows = try Self.json(#""confidence":1,\#(members)"#)
        #expect(rows.faults == [] && rows.sightings.count == 1)
        #expect(rows.sightings.allSatisfy { $0.position == nil && $0.motion == Sighting.Motion() })
    }

    @Test(
        arguments: [
            (#""motion":{"speedMPH":22.37}"#, 10), (#""motion":{"speed_mph":"22.37","speed":null}"#, 10),
            (#""speed_mph":22.37"#, 10), (#""motion":{"speed":5,"speedMPH":22.37}"#, 5),
            (#""motion":{"speed":-1,"speedMPH":-2.237}"#, nil), (#""motion":{"speed":-1,"speedMPH":0}"#, 0),
        ] as [(String, Double?)])
    func milesAnHourAreASpeed(members: String, speed: Double?) throws {
        let rows = try Self.json(#""confidence":1,\#(members)"#)
        #expect(rows.faults == [])
        let found = try #require(rows.sightings.first).motion.speed
        #expect(found.map { ($0 * 1e6).rounded() / 1e6 } == speed)
    }

    @Test(
        arguments: [
            ("0", 0), ("360", 360), ("361", nil), ("-1", nil), ("-90", nil), ("1e9", nil), ("270.5", 270.5),
        ] as [(String, Double?)])
    func aHeadingThatIsNoneIsUnknown(text: String, degrees: Double?) throws {
        let nested = try Self.json(#""confidence":1,"motion":{"heading":\#(text)}"#)
        let table = try FieldCase.rows(
            Array("device_type,rssi,confidence,timestamp,heading\nRing,1,1,2024-01-01,\(text)\n".utf8))
        for rows in [nested, table] {
            #expect(rows.faults == [] && rows.sightings.map(\.motion.heading) == [degrees], "\(rows)")
        }
    }

    @Test func theAppsTableKeepsRowsWithAHeadingThatIsNone() throws {
        let text = String(decoding: try FieldCase.octets("flockfinder-app-database.csv"), as: UTF8.self)
        for word in ["361", "NaN", "-1"] {
            let rows = try FieldCase.rows(
                Array(text.replacing(",5.5,271.0,", with: ",5.5,\(word),").utf8))
            #expect(rows.faults == [] && rows.sightings.count == 4)
            #expect(rows.sightings.first?.motion == Sighting.Motion(speed: 5.5))
        }
    }

    /// Files that people bring may count to 100; a payload of the air does not (`RepairedDetectionTests`).
    @Test(
        arguments: [
            ("90", 0.9), ("100", 1), ("85.5", 0.855), ("10", 0.1), ("1", 1), ("0", 0), ("0.9", 0.9),
            // A slip or rounding rather than hardly sure.
            ("1.0001", nil), ("2", nil), ("100.5", nil), ("-1", nil),
        ] as [(String, Double?)])
    func aConfidenceMayBePercent(text: String, confidence: Double?) throws {
        let object = try Self.json(#""confidence":\#(text)"#)
        let table = try FieldCase.rows(
            Array("device_type,rssi,confidence,timestamp\nRing,1,\(text),2024-01-01\n".utf8))
        for rows in [object, table] {
            #expect(rows.sightings.map(\.confidence) == (confidence.map { [$0] } ?? []), "\(rows)")
            #expect(rows.faults.count == (confidence == nil ? 1 : 0))
        }
    }

    @Test func anAddressMayBeInEitherCase() throws {
        let table = { (mac: String) in
            Array("device_type,rssi,confidence,timestamp,mac_address\nRing,1,1,2024-01-01,\(mac)\n".utf8)
        }
        #expect(try FieldCase.rows(table("a4:83:e7:00:00:02")).sightings.first?.mac == "A4:83:E7:00:00:02")
        #expect(
            try FieldCase.rows(table("a4:83")).faults == [
                "2: the MAC address \"a4:83\" is not six pairs of hex digits with colons"
            ])
    }
}
