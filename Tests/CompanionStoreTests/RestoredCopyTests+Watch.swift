// SPDX-License-Identifier: Apache-2.0

import Companion
import FlockFinder
import Foundation
import GRDB
import Synchronization
import Testing

@testable import CompanionStore

/// What a copy is read with, and what ends that.
extension RestoredCopyTests {
    // MARK: The file

    /// A number that a statement answers on a connection to a stranger's file.
    private static func number(_ statement: String, _ source: UntrustedDatabase) throws -> Int64? {
        var number: Int64?
        try source.each(statement) { number = try $0.integer(0, in: .min ... .max) }
        return number
    }

    @Test(
        arguments: [
            ("trusted_schema", 0), ("cell_size_check", 1), ("query_only", 1), ("ignore_check_constraints", 1),
            ("mmap_size", 0),
        ] as [(String, Int64)])
    func aStrangersFileIsReadWithThis(setting: String, value: Int64) async throws {
        let source = try UntrustedDatabase.open(path: try await copied(), watch: ReadingWatch())
        let found = try Self.number("PRAGMA \(setting)", source)
        // Without memory that is mapped, some builds of SQLite answer nothing.
        #expect(found == value || setting == "mmap_size" && found == nil)
    }

    @Test(arguments: [
        "SELECT * FROM evil", "SELECT * FROM dbstat", "INSERT INTO setting VALUES ('a', '1')",
        "ATTACH ':memory:' AS more", "DELETE FROM detection",
    ])
    func whatIsNoReadingOfATableIsRefused(statement: String) async throws {
        let copy = try await copied()
        try Self.change(copy, "CREATE VIEW evil AS SELECT 1")
        let source = try UntrustedDatabase.open(path: copy, watch: ReadingWatch())
        #expect(throws: StoreError.self) { try source.each(statement) { _ in } }
    }

    // MARK: Indexes of the copy

    /// NOT INDEXED rules out nothing where a table has no numbers of rows; the index covers what is read, and is a lie.
    @Test(arguments: [
        ("setting", "name, value", "upper(name), value"),
        ("revision", "name, number", "name, number + 1000"),
        (
            "drive_point", "drive, time, latitude, longitude, altitude, accuracy, speed",
            "drive, time + 1000, latitude, longitude, altitude, accuracy, speed"
        ),
        ("bond", "adapter, identity, sealed", "upper(adapter), identity, sealed"),
    ])
    func anIndexThatDoesNotFitItsRowsIsNotRead(
        table: String, columns: String, entries: String
    ) async throws {
        let copy = try await copied()
        let wanted = try await restored(copy)
        try Self.change(
            copy,
            """
            CREATE INDEX evil ON \(table) (\(entries));
            UPDATE sqlite_schema SET sql = 'CREATE INDEX evil ON \(table) (\(columns))' WHERE name = 'evil'
            """)
        let queue = try DatabaseQueue(path: copy)
        let found = try await queue.read { database in
            try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE name = 'evil'")
        }
        try queue.close()
        #expect(found == ["evil"])
        #expect(try await restored(copy) == wanted)
        try await works()
    }

    /// What is restored of a copy, as far as one of these tables is concerned.
    private func restored(_ copy: String) async throws -> [String] {
        let read = try await store.readCopy(copy)
        return try await read.queue.read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT name || value FROM setting UNION ALL SELECT name || number FROM revision
                    UNION ALL SELECT drive || ' ' || time FROM drive_point UNION ALL SELECT adapter || identity FROM bond
                    ORDER BY 1
                    """)
        }
    }

    // MARK: The end

    /// An index of many rows takes long by itself, and so does what is searched.
    @Test(arguments: ["CREATE INDEX", "INSERT INTO detection_text", "INSERT INTO detection_place"])
    func whatIsMadeOfTheRowsEndsWithinAStatement(begin: String) async throws {
        let copy = try await copied(rows: 3000)
        let watch = ReadingWatch()
        let begun = Mutex(0)
        let queue = try DatabaseQueue(
            configuration: DatabaseOpening(path: ":memory:", busyTimeout: 1).configuration)
        try DatabaseMigrator.detections.migrate(queue)
        let source = try UntrustedDatabase.open(path: copy, watch: ReadingWatch())
        let failure = #expect(throws: StoreError.self) {
            try queue.writeWithoutTransaction { database in
                database.trace(options: .statement) { event in
                    guard "\(event)".hasPrefix(begin) else { return }
                    // Who has asked for it goes when the statement begins.
                    watch.cancel()
                    begun.withLock { $0 += 1 }
                }
                try RestoredCopy.fill(database, watch) {
                    try RestoredTables(
                        source: source, target: database, watch: watch,
                        version: DatabaseMigrator.detections.migrations.count, settingsLeftOut: [],
                        unusable: UnusableRows()
                    ).read()
                    while try DerivedTables.advance(database, atMost: 10_000) > 0 {}
                }
            }
        }
        #expect(failure == .cancelled)
        // None was begun after the one within which it ended.
        #expect(begun.withLock { $0 } == 1)
        let kept = try await queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM detection") }
        #expect(kept == 0)
    }
}
