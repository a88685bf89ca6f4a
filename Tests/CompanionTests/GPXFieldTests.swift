// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import Testing

/// GPX as recorders of all kinds write it.
@Suite struct GPXFieldTests {
    private static func file(_ body: String) -> [UInt8] { Array("<gpx>\n\(body)\n</gpx>".utf8) }

    private static func point(_ number: Int, _ time: String) -> String {
        "<trkpt lat=\"48.\(number)\" lon=\"11.5\"><time>\(time)</time></trkpt>\n"
    }

    @Test func waypointsBesideATrackArePassedOver() throws {
        let rows = try FieldCase.rows("gpx-track-and-waypoints.gpx")
        #expect(rows.faults == [] && rows.passed == 2 && rows.drives.map(\.fixes.count) == [2])
    }

    @Test func aRouteIsNoDrive() throws {
        let rows = try FieldCase.rows("gpx-route-only.gpx")
        #expect(rows.faults == [] && rows.passed == 1 && rows.drives.isEmpty)
        #expect(rows.notes.count == 1 && rows.notes[0].contains("a route is a plan"))
        let error = #expect(throws: BadInput.self) {
            try GPXTrack(try FieldCase.octets("gpx-route-only.gpx"))
        }
        #expect(error?.description.contains("a route and no track") == true)
    }

    @Test(arguments: [
        ("gpx-time-null.gpx", "3: all 3 points of a track have a time that cannot be read, such as \"null\""),
        (
            "gpx-12h.gpx",
            "3: all 2 points of a track have a time that cannot be read, such as \"2026-05-02 10:00:00 AM\""
        ),
        ("gpx-no-times.gpx", "3: all 5 points of a track have no time"),
    ])
    func timesThatAreNoneAreToldOnceATrack(name: String, fault: String) throws {
        let rows = try FieldCase.rows(name)
        #expect(rows.faults == [fault] && rows.drives.isEmpty)
        let error = #expect(throws: BadInput.self) { try GPXTrack(try FieldCase.octets(name)) }
        #expect(error?.description.contains(fault.contains("read") ? "cannot be read" : "no times") == true)
    }

    @Test func pointsWithoutTimesAtItsEndsDoNotSpoilATrack() throws {
        let rows = try FieldCase.rows("gpx-untimed-ends.gpx")
        #expect(rows.faults == ["3: 2 points of a track have no time"])
        #expect(rows.drives.map(\.fixes.count) == [3])
    }

    /// A recorder whose battery was empty ends no tag.
    @Test func whatWasRecordedBeforeTheEndIsADrive() throws {
        let body =
            "<trk><trkseg>" + Self.point(1, "2026-05-02T10:00:00Z") + Self.point(2, "never")
            + Self.point(3, "2026-05-02T10:00:10Z") + "<trkpt lat=\"48.4\" lon=\"11"
        let octets = Self.file(body).dropLast("\n</gpx>".utf8.count)
        let rows = try FieldCase.rows(Array(octets))
        #expect(rows.drives.map(\.fixes.count) == [2])
        #expect(rows.faults.count == 2 && rows.faults[0].contains("\"never\""), "\(rows.faults)")
        guard case .broken? = rows.last else {
            Issue.record("the file is not whole")
            return
        }
        // The same where what is compressed has no end.
        var file = DetectionFile()
        file.receive(Array(octets))
        file.stop()
        guard case .drive(let drive)? = file.next() else {
            Issue.record("the track is lost")
            return
        }
        #expect(drive.fixes.count == 2 && file.hasUse)
        file.stop()
        while let row = file.next() { if case .drive = row { Issue.record("it comes twice") } }
    }

    @Test func segmentsOfOnePointArePassedOver() throws {
        let rows = try FieldCase.rows("gpx-one-point-segments.gpx")
        #expect(rows.faults == [] && rows.passed == 2 && rows.drives.map(\.fixes.count) == [2, 2])
    }

    @Test(
        arguments: [
            ("gpx-zone-colon.gpx", "2026-05-02T04:30:00Z", 5162),
            ("gpx-zone-hours-only.gpx", "2026-05-02T08:00:00Z", 5000),
            ("gpx-comma-fraction.gpx", "2026-05-02T10:00:00.500Z", 5000),
            ("gpx-no-zone.gpx", "2026-05-02T10:00:00Z", 5000),
            ("gpx-leap-second.gpx", "2016-12-31T23:59:59Z", 1000),
        ] as [(String, String, Int64)])
    func timesAreReadAsTheyAreWritten(name: String, begin: String, length: Int64) throws {
        let rows = try FieldCase.rows(name)
        #expect(rows.faults == [])
        let drive = try #require(rows.drives.first)
        #expect(drive.fixes.first?.time == Timestamp(begin)?.milliseconds)
        #expect((drive.fixes.last?.time ?? 0) - (drive.fixes.first?.time ?? 0) == length)
        let track = try GPXTrack(try FieldCase.octets(name))
        #expect(track.fixes.map(\.time) == drive.fixes.map(\.time))
    }

    @Test func aLeapSecondIsAMomentOfItsOwn() throws {
        #expect(try FieldCase.rows("gpx-leap-second.gpx").drives.map(\.fixes.count) == [3])
    }

    /// A drive of 5 462 km came of it.
    @Test func nowhereIsNoPointOfATrack() throws {
        let body =
            "<trk><trkseg><trkpt lat=\"0\" lon=\"0\"><time>2026-05-02T09:59:59Z</time></trkpt>"
            + Self.point(1, "2026-05-02T10:00:00Z") + Self.point(2, "2026-05-02T10:00:10Z")
            + "</trkseg></trk>"
        let rows = try FieldCase.rows(Self.file(body))
        #expect(rows.faults == [] && rows.passed == 1)
        #expect(rows.drives.map(\.fixes.count) == [2] && rows.drives[0].metres < 20_000)
        #expect(try GPXTrack(Self.file(body)).fixes.count == 2)
    }

    @Test func eachKindIsToldWithItsFirstLine() throws {
        let body =
            "<trk><trkseg>\n" + Self.point(1, "2026-05-02T10:00:00Z") + Self.point(2, "soon")
            + Self.point(3, "later") + Self.point(4, "2026-05-02T10:00:10Z")
            + "<trkpt lat=\"99\" lon=\"1\"/>\n"
            + "<trkpt lat=\"48\" lon=\"11\"/></trkseg></trk>"
        #expect(
            try FieldCase.rows(Self.file(body)).faults == [
                "4: 2 points of a track have a time that cannot be read, such as \"soon\"",
                "7: a point of a track has a latitude or longitude that is missing or out of range",
                "8: a point of a track has no time",
            ])
    }
}
