// SPDX-License-Identifier: Apache-2.0

import GRDB
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
