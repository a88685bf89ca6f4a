// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import FlockFinderCompanion
import Foundation
import GRDB
import Synchronization
import Testing

@testable import CompanionStore

/// Whole files in, and out again with their drives.
@Suite struct FileImportTests {
    private static func exported(
        _ store: DetectionDatabase, _ format: ExportFormat, _ filter: DetectionFilter = DetectionFilter()
    ) async throws -> (text: String, summary: ExportSummary) {
        let octets = Mutex<[UInt8]>([])
        let heading = ExportHeading(date: Timestamp(milliseconds: 0), appVersion: "1")
        let summary = try await store.export(matching: filter, as: format, heading: heading) { piece in
            octets.withLock { $0 += piece }
        }
        return (octets.withLock { String(decoding: $0, as: UTF8.self) }, summary)
    }

    private static func imported(
        _ text: String, into store: DetectionDatabase, isTrial: Bool = false, pieces: Int = 20_000,
        longestDrive: Int = ImportedDrive.longest
    ) async throws -> (ImportSummary, [ImportError], ImportError?) {
        var work = FileImport(
            into: store, isTrial: isTrial, reader: DetectionFile(longestDrive: longestDrive))
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            try await work.receive(Array(rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
        }
        try await work.finish()
        return (work.counts, work.faults.map { $0.fault }, work.broken)
    }

    /// A place, and a drive past it.
    private static func filled() async throws -> DetectionDatabase {
        let store = try DetectionDatabase()
        _ = try await store.save(
            (0..<3).map {
                .sample(
                    $0, mac: "AA:BB:CC:DD:EE:0\($0)", received: 1_000_000 + Int64($0) * 1000, at: (52, 13))
            })
        for begin in [0, 500_000, 1_000_500, 2_000_000] as [Int64] {
            let fixes = (0..<1100).map { number in
                Fix(
                    time: begin + Int64(number) * 20, latitude: 52 + Double(number) / 1e6, longitude: 13,
                    altitude: 30, accuracy: 4.5, speed: 1, source: .track)
            }
            let drive = try #require(ImportedDrive(line: 1, fixes: fixes))
            #expect(try await store.importing(drive, isTrial: false))
            #expect(try await !store.importing(drive, isTrial: false))
        }
        return store
    }

    @Test func gpxHasTheDrivesOfTheSameTime() async throws {
        let store = try await Self.filled()
        let all = try await Self.exported(store, .gpx)
        #expect((all.summary.written, all.summary.drives) == (3, 4))
        #expect(all.text.ranges(of: "<trkpt ").count == 4400)
        let time = { (value: Int64) in Timestamp(milliseconds: value) }
        for (filter, drives) in [
            (DetectionFilter(since: time(500_000), until: time(1_000_501)), "Drive 2, Drive 3"),
            (DetectionFilter(since: time(521_981), until: time(1_000_500)), ""),
            (DetectionFilter(since: time(521_980), until: time(522_000)), "Drive 2"),
            // What was chosen otherwise has the drives of its own time.
            (DetectionFilter(text: "aa:bb:cc:dd:ee:00"), ""),
            (DetectionFilter(text: "aa:bb:cc:dd:ee:01"), "Drive 3"),
            (DetectionFilter(text: "nothing"), ""),
        ] {
            let text = try await Self.exported(store, .gpx, filter).text
            let names = text.matches(of: #/<name>(Drive \d+)<\/name>/#).map { String($0.output.1) }
            #expect(names.joined(separator: ", ") == drives, "\(filter)")
        }
        let map = try await Self.exported(store, .kml)
        #expect(map.summary.drives == 4 && map.text.ranges(of: "<LineString>").count == 4)
    }

    @Test func gpxComesBackAndIsKnownTheSecondTime() async throws {
        let (first, second) = (try await Self.filled(), try DetectionDatabase())
        let file = try await Self.exported(first, .gpx).text
        var wanted = ImportSummary()
        (wanted.imported, wanted.drives) = (3, 4)
        #expect(try await Self.imported(file, into: second, isTrial: true).0 == wanted)
        #expect(try await second.count() == 0)
        #expect(try await Self.imported(file, into: second).0 == wanted)
        #expect(try await Self.exported(second, .gpx).text == file)
        (wanted.imported, wanted.drives, wanted.known, wanted.knownDrives) = (0, 0, 3, 4)
        for store in [first, second] {
            #expect(try await Self.imported(file, into: store, isTrial: true).0 == wanted)
            #expect(try await Self.imported(file, into: store).0 == wanted)
        }
    }

    @Test(arguments: [ExportFormat.csv, .json])
    func whatIsKnownOfAFixComesBackByteForByte(format: ExportFormat) async throws {
        let (first, second) = (try DetectionDatabase(), try DetectionDatabase())
        let fixes = [
            FixDetails(source: .receiver, age: 1200, accuracy: 4.5, altitude: 30),
            FixDetails(source: nil, age: -12_000), nil,
            FixDetails(source: .fixed, accuracy: 0.1 + 0.2),
        ]
        _ = try await first.save(
            fixes.enumerated().map { number, fix in
                var sighting = Sighting.sample(
                    number, at: (52, 13), extra: #"{"ch":6,"n":12345678901234567890}"#)
                sighting.fix = fix
                sighting.raw = []
                return sighting
            })
        let file = try await Self.exported(first, format).text
        #expect(file.contains("-12000"))
        #expect(try await Self.imported(file, into: second).0.imported == 4)
        #expect(try await Self.exported(second, format).text == file)
    }

    @Test func whatCannotBeUsedIsNamedAndTheRestStored() async throws {
        let store = try DetectionDatabase()
        let head = "device_type;rssi;confidence;timestamp\r\n"
        let good = "Ring;-60;1;2024-01-01\r\n"
        let (counts, faults, broken) = try await Self.imported(
            head + good + "Ring;x;1;2024-01-01\r\n" + "Ring;-61;1;2024-01-01\r\n"
                + "Ring;-62;0,5;2024-01-01\r\n" + good,
            into: store)
        #expect((counts.imported, counts.refused) == (2, 1))
        #expect(faults.map(\.line) == [3] && broken?.line == 5)
        #expect(try await store.count() == 2)
    }

    /// As of compressed data that end too early.
    @Test func whatEndsAFileIsToldWithTheLineThatWasReached() async throws {
        let row = "Ring,-60,1,2024-01-01\n"
        let fault = ImportError(1, "its compressed data end too early")
        var work = FileImport(into: try DetectionDatabase())
        try await work.receive(Array(("device_type,rssi,confidence,timestamp\n" + row + row).utf8))
        work.end(fault)
        try await work.stop()
        #expect(work.broken == ImportError(4, fault.reason) && work.counts.imported == 2)
        // What is to be known of the rows before it is told, too.
        var other = FileImport(into: try DetectionDatabase())
        let text = "mac,name,rssi,method,last_seen_ms\n58:8e:81:00:00:02,FS Ext Battery,-61,ble_name,2\n"
        try await other.receive(Array(text.utf8))
        other.end(fault)
        try await other.stop()
        try await other.stop()
        #expect(other.broken?.line == 3 && other.counts.imported == 1)
        // That there are no places, and that the row has no time.
        #expect(other.notes.map(\.line) == [1, 2])
        var nothing = FileImport(into: nil)
        nothing.end(fault)
        #expect(nothing.broken == fault)
    }

    /// As with Control-C, or in a hub that is to stop.
    @Test func whatWasStoredStaysWhenTheTaskIsCancelled() async throws {
        let store = try DetectionDatabase()
        let text =
            "device_type,rssi,confidence,timestamp\n"
            + String(repeating: "Ring,-60,1,2024-01-01\n", count: 700)
        let (found, counts, failure) = await Task { () -> (Int, ImportSummary, StoreError?) in
            var work = FileImport(into: store)
            do throws(StoreError) {
                try await work.receive(Array(text.utf8))
                withUnsafeCurrentTask { $0?.cancel() }
                try await work.receive(Array(text.utf8))
                return (work.found, work.counts, nil)
            } catch {
                return (work.found, work.counts, error)
            }
        }.value
        #expect(failure == .cancelled && found == 700)
        #expect(counts.imported == 500 && counts.rows == 500)
        #expect(try await store.count() == 500)
        // Another import brings the rest.
        let rest = try await Self.imported(text, into: store).0
        #expect((rest.imported, rest.known) == (200, 500))
    }

    @Test func wiGLEIsImportedOnce() async throws {
        let store = try DetectionDatabase()
        let rows = (0..<1200).map { number in
            "1a:9f:ee:5c:71:\(String(format: "%02x", number % 200)),n\(number),[ESS],2018-08-05 18:14:\(10 + number % 50),1,2412,-43,37.7,-122.4,104,4,,,WIFI\n"
        }
        let file =
            "WigleWifi-1.6,a=b\n" + "MAC,SSID,AuthMode,FirstSeen,Channel,Frequency,RSSI,CurrentLatitude,"
            + "CurrentLongitude,AltitudeMeters,AccuracyMeters,RCOIs,MfgrId,Type\n" + rows.joined()
        #expect(try await Self.imported(file, into: store).0.imported == 1200)
        let again = try await Self.imported(file, into: store).0
        #expect((again.imported, again.known) == (0, 1200))
    }

    /// The index and the R*Tree are no further behind than for what comes over the air.
    @Test func whatIsDerivedFollows() async throws {
        let folder = try Folder()
        let path = folder.file()
        let store = try DetectionDatabase(path: path, createIfMissing: true)
        let text = "device_type,mac_address,rssi,confidence,timestamp,latitude,longitude,note\n"
        let padding = String(repeating: "x", count: 60)
        for part in 0..<10 {
            let rows = (0..<3000).map { number in
                "Ring \(padding),AA:BB:CC:00:\(String(format: "%02X:%02X", part, number % 256)),-60,1,"
                    + "2024-01-01T00:\(10 + part):\(10 + number % 50).\(100 + number / 50)Z,52,13,\n"
            }
            #expect(try await Self.imported(text + rows.joined(), into: store).0.imported == 3000)
        }
        let backlog = try await store.read { try DerivedTables.backlog($0) }
        #expect(backlog <= DetectionWriter.longestBacklog + 3000, "\(backlog)")
        try await store.close()
    }

    /// A day on the road at ten fixes a second: it becomes two drives, of which the second begins where the first ends.
    @Test func aTrackOfMorePointsThanADriveIsImported() async throws {
        let store = try DetectionDatabase()
        let (longest, count) = (500, 700)
        let points = (0..<count).map { number in
            "<trkpt lat=\"\(50 + Double(number) / 1e6)\" lon=\"8\"><time>\(Timestamp(milliseconds: Int64(number) * 100))</time></trkpt>"
        }
        let file = "<gpx><trk><trkseg>\(points.joined(separator: "\n"))</trkseg></trk></gpx>"
        let trial = try await Self.imported(file, into: store, isTrial: true, longestDrive: longest)
        #expect(trial.0.drives == 2 && trial.2 == nil)
        #expect(try await store.drives().isEmpty)
        let done = try await Self.imported(file, into: store, longestDrive: longest)
        #expect((done.0.drives, done.0.knownDrives, done.1.count) == (2, 0, 0))
        let again = try await Self.imported(file, into: store, longestDrive: longest)
        #expect((again.0.drives, again.0.knownDrives) == (0, 2))
        let stored = try await store.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT COUNT(*), MIN(time), MAX(time) FROM drive_point GROUP BY drive ORDER BY drive"
            ).map { row in [row[0] as Int64, row[1], row[2]] }
        }
        let last = Int64(longest - 1) * 100
        #expect(
            stored == [
                [Int64(longest), 0, last], [201, last, Int64(count - 1) * 100],
            ])
        // Out again it is the same way.
        let out = try await Self.exported(store, .gpx)
        #expect(out.summary.drives == 2 && out.text.components(separatedBy: "<trkpt ").count == count + 2)
    }
}
