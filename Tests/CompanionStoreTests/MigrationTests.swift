// SPDX-License-Identifier: Apache-2.0

import Detections
import GRDB
import Synchronization
import Testing

@testable import CompanionStore

@Suite struct MigrationTests {
    private static let columns = [
        "received": "1000", "type": "'ring'", "label": "'Ring'", "rssi": "-60", "confidence": "0.5",
        "extra": "'{}'",
        "raw": "x'7B7D'",
    ]
    private static let newColumns = ["source_id": "1", "key": "zeroblob(16)", "search": "'ring'"]

    @Test func migrationsAreInOrder() {
        #expect(
            DatabaseMigrator.detections.migrations == [
                "001 detections", "002 derived tables", "003 sources", "004 places", "005 last detections",
                "006 places in sources", "007 saved devices", "008 bonds",
            ])
    }

    @Test(arguments: DatabaseMigrator.detections.migrations)
    func eachStepWorksOnAnEmptyFileAndTheRestOnRowsWrittenThen(step: String) throws {
        let queue = try DatabaseQueue(
            configuration: DatabaseOpening(path: ":memory:", busyTimeout: 1).configuration)
        try DatabaseMigrator.detections.migrate(queue, upTo: step)
        try queue.write { try Self.insert(step >= "003" ? Self.newColumns : [:], $0) }
        try DatabaseMigrator.detections.migrate(queue)
        try queue.write { database in
            try Self.insert(
                Self.newColumns.merging(["label": "'Ringo'", "key": "randomblob(16)"]) { $1 }, database)
            #expect(try DerivedTables.advance(database) > 0)
            let count = try Int.fetchOne(
                database,
                sql: "SELECT COUNT(*) FROM detection_text WHERE detection_text MATCH '\"rin\" AND \"ing\"'")
            #expect(count == 2)
            #expect(try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok")
        }
    }

    /// What an older version knew of where sources stand is taken along, and said in steps.
    @Test func placesOfSourcesMoveIntoThem() throws {
        let queue = try DatabaseQueue(
            configuration: DatabaseOpening(path: ":memory:", busyTimeout: 1).configuration)
        try DatabaseMigrator.detections.migrate(queue, upTo: "005 last detections")
        try queue.write { database in
            try database.execute(
                sql: """
                    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 25000)
                    INSERT INTO source (id, key, type, label, first_seen, last_seen, count, strongest, note)
                        SELECT n, 'k' || n, 'ring', 'Ring', 1, 2, 1, -60, 'n' || n FROM number;
                    INSERT INTO source_place (id, type, latitude, longitude, radius, places)
                        SELECT id, 'axis', 520000000 + id, -100000000 - id, 12.5, 3 FROM source WHERE id % 5 > 0;
                    """)
        }
        let steps = Mutex<[MigrationProgress]>([])
        try DatabaseMigrator.detections(progress: { step in steps.withLock { $0.append(step) } }).migrate(
            queue)
        #expect(steps.withLock { $0.map(\.done) } == [0, 10_000])
        try queue.read { database in
            let row = try #require(
                try Row.fetchOne(
                    database,
                    sql: """
                        SELECT shown_type, shown_latitude, shown_longitude, radius, spots, square, note FROM source
                        WHERE id = 24999
                        """))
            #expect(
                (row[0] as String, row[1] as Int64, row[2] as Int64) == ("axis", 520_024_999, -100_024_999))
            #expect((row[3] as Double, row[4] as Int, row[6] as String) == (12.5, 3, "n24999"))
            #expect(row[5] as Int64 == ZOrder.number(latitude: 52.0024999, longitude: -10.0024999))
            let counts = try Row.fetchOne(
                database, sql: "SELECT COUNT(square), COUNT(shown_type), COUNT(*) FROM source")
            #expect(
                counts?[0] as Int? == 20_000 && counts?[1] as Int? == 20_000 && counts?[2] as Int? == 25_000)
            #expect(try !database.tableExists("source_place") && !database.tableExists("source_area"))
            #expect(try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok")
        }
    }

    @Test(arguments: [
        ("received", "NULL"), ("received", "'soon'"), ("type", "NULL"), ("type", "''"), ("label", "NULL"),
        ("label", "5"), ("mac", "'AA:BB'"), ("mac", "'aa:bb:cc:dd:ee:ff'"), ("ssid", "5"), ("rssi", "NULL"),
        ("rssi", "-128"), ("rssi", "21"), ("rssi", "0.5"), ("confidence", "NULL"), ("confidence", "-0.01"),
        ("confidence", "1.01"), ("latitude", "1"), ("longitude", "1"), ("latitude, longitude", "91, 0"),
        ("latitude, longitude", "0, -180.1"), ("speed", "-1"), ("heading", "361"), ("activity", "1"),
        ("extra", "NULL"), ("extra", "'[]'"), ("extra", "'{'"), ("raw", "NULL"), ("raw", "'text'"),
        ("device_time, device_uptime", "1, 1"), ("source_id", "NULL"), ("key", "x'00'"), ("key", "NULL"),
        ("search", "NULL"),
    ])
    func constraintsRefuseBadRows(column: String, value: String) throws {
        let queue = try DatabaseQueue(
            configuration: DatabaseOpening(path: ":memory:", busyTimeout: 1).configuration)
        try DatabaseMigrator.detections.migrate(queue)
        let error = #expect(throws: DatabaseError.self) {
            try queue.write { try Self.insert(Self.newColumns.merging([column: value]) { $1 }, $0) }
        }
        #expect(error?.resultCode == .SQLITE_CONSTRAINT)
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM detection") } == 0)
    }

    /// Adds a row of which some columns are changed; the values are written into the statement, as a test
    /// may.
    private static func insert(_ changes: [String: String], _ database: Database) throws {
        let row = columns.merging(changes) { $1 }
        let names = row.keys.sorted()
        let values = names.map { row[$0] ?? "NULL" }
        try database.execute(
            sql:
                "INSERT INTO detection (\(names.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))"
        )
    }
}
