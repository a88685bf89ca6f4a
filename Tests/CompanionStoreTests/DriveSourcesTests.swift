// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import GRDB
import Testing

@testable import CompanionStore

@Suite("Sources that drives have met", .timeLimit(.minutes(5)))
struct DriveSourcesTests {
    @Test func manyDrivesHaveMetWhatEachHasAlone() async throws {
        var dice = SeededGenerator(state: 7)
        let store = try DetectionDatabase()
        var sightings: [Sighting] = []
        for _ in 0..<400 {
            let name = "n\(Int.random(in: 0..<60, using: &dice))"
            sightings.append(.sample(ssid: name, received: Int64.random(in: 0..<1000, using: &dice)))
        }
        _ = try await store.save(sightings)
        _ = try await store.discard(ids: [3, 50, 200], at: Timestamp(milliseconds: 0))
        var spans: [ClosedRange<Int64>] = []
        for _ in 0..<60 {
            let begin = Int64.random(in: 0..<1000, using: &dice)
            spans.append(begin...begin + Int64.random(in: 0..<300, using: &dice))
        }
        let drawn = spans
        try await store.connections.write { database in
            for span in drawn {
                try database.execute(
                    literal: """
                        INSERT INTO drive (begin, end, metres, fix_source, south, north, west, east)
                        VALUES (\(span.lowerBound), \(span.upperBound), 1, 'gpx', 0, 0, 0, 0)
                        """)
            }
        }
        let drives = try await store.drives()
        #expect(drives.count == 60 && drives.contains { $0.newSources > 0 && $0.knownSources > 0 })
        for drive in drives {
            let (begin, end) = (drive.begin.milliseconds, drive.end.milliseconds)
            let counts = try await store.read { database in
                let row = try Row.fetchOne(
                    database,
                    sql: """
                        SELECT COUNT(*), IFNULL(SUM(first_seen >= ?1), 0) FROM source WHERE id IN (
                            SELECT source_id FROM detection WHERE received BETWEEN ?1 AND ?2
                                AND NOT EXISTS (SELECT 1 FROM deleted WHERE deleted.id = detection.id)
                        )
                        """, arguments: [begin, end])
                let (all, new): (Int?, Int?) = (row?.stored(0), row?.stored(1))
                return [all, new]
            }
            #expect(counts == [drive.newSources + drive.knownSources, drive.newSources])
            #expect(try await store.drive(id: drive.id)?.drive == drive)
        }
    }

    @Test func whatCannotBeCountedInTimeIsRefused() async throws {
        let store = try DetectionDatabase()
        _ = try await store.save((0..<3000).map { .sample($0) })
        let points = [Int64(0), 9000].map { DrivePoint(time: $0, latitude: 52, longitude: 13) }
        let drive = try await store.save(
            DrivePiece(drive: nil, source: .receiver, points: points, metres: 5))
        let fault = await #expect(throws: StoreError.self) {
            _ = try await store.read { try DriveSources.counted([drive], $0, within: .zero) }
        }
        #expect(fault?.description.contains("more detections than can be counted") == true)
        #expect(try await store.drives() == [drive])
    }
}
