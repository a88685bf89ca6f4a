// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import Foundation
import GRDB
import Testing

@testable import CompanionStore

/// What a stranger's copy of a database may try, and what is left of it when it is put back.
@Suite("Copies that strangers have made", .timeLimit(.minutes(10)))
struct RestoredCopyTests {
    let folder: Folder
    let store: DetectionDatabase

    init() throws {
        folder = try Folder()
        store = try DetectionDatabase(path: folder.file(), createIfMissing: true)
    }

    // MARK: What is right

    @Test func everythingThatIsStoredComesBack() async throws {
        let other = try await Self.filled(folder.file("other.sqlite"))
        try await other.deriveAll()
        let copy = folder.file("copy.sqlite")
        try await other.copy(to: copy)
        let (records, sources) = (try await other.records(), try await other.sources())
        let (settings, drives) = (try await other.settings().values, try await other.drives())
        let (known, saved) = (try await other.knownSets(), try await other.savedDevices())
        try await other.close()
        _ = try await store.save(.sample(7))
        try await store.replaceContent(with: try await store.readCopy(copy))
        #expect(try await store.records() == records)
        let again = try await store.sources()
        #expect(again.map(\.id) == sources.map(\.id) && again.map(\.count) == sources.map(\.count))
        #expect(
            again.map(\.firstSeen) == sources.map(\.firstSeen)
                && again.map(\.lastSeen) == sources.map(\.lastSeen))
        #expect(
            again.map(\.strongest) == sources.map(\.strongest) && again.map(\.note) == sources.map(\.note))
        #expect(again.map(\.mark) == sources.map(\.mark) && again.map(\.label) == sources.map(\.label))
        #expect(try await store.settings().values == settings)
        #expect(try await store.drives() == drives)
        #expect(try await store.drive(id: 1)?.points.count == 3)
        #expect(try await store.knownSets() == known)
        #expect(try await store.savedDevices() == saved)
        #expect(try await store.parseFailureCount() == 1)
        #expect(try await store.sealedBonds().map(\.adapter) == ["adapter"])
        #expect(try await store.restore(deletion: 1) == 1)
        try await store.deriveAll()
        #expect(try await store.derivedTablesFit())
        // Numbers go on where the copy was, and none is given twice.
        #expect(try await store.save(.sample(100)).id == 8)
        #expect(Self.leftovers(folder) == [])
    }

    @Test(arguments: DatabaseMigrator.detections.migrations)
    func aCopyOfEachVersionIsRead(step: String) async throws {
        let copy = folder.file("copy.sqlite")
        let queue = try DatabaseQueue(
            path: copy, configuration: DatabaseOpening(path: copy, busyTimeout: 1).configuration)
        try DatabaseMigrator.detections.migrate(queue, upTo: step)
        try await queue.write { database in
            try database.execute(
                sql: """
                    INSERT INTO detection (received, type, label, mac, ssid, rssi, confidence, extra, raw, latitude, longitude
                        \(step >= "003" ? ", source_id, key, search" : ""))
                    VALUES (5000, 'ring', 'Ring', '00:11:22:33:44:55', 'door', -60, 0.5, '{"a":1}', x'7B7D', 52, 13
                        \(step >= "003" ? ", 9, randomblob(16), 'ring'" : ""))
                    """)
            if step >= "003" {
                try database.execute(
                    sql: """
                        INSERT INTO source (id, key, mac, type, label, first_seen, last_seen, count, strongest, mark)
                        VALUES (9, 'x', '00:11:22:33:44:55', 'ring', 'Ring', 1, 2, 77, 20, 'mine')
                        """)
            }
        }
        try queue.close()
        try await store.replaceContent(with: try await store.readCopy(copy))
        let record = try #require(try await store.records().first)
        #expect(record.sighting.ssid == "door" && record.sighting.position?.latitude == 52)
        let source = try #require(try await store.sources().first)
        #expect(source.count == 1 && source.strongest == -60 && source.firstSeen.milliseconds == 5000)
        #expect(source.mark == (step >= "003" ? .mine : .none) && source.id == (step >= "003" ? 9 : 1))
    }

    @Test(arguments: ["PRAGMA page_size = 512", "PRAGMA page_size = 65536", "PRAGMA encoding = 'UTF-16le'"])
    func copiesOfOtherFormsAreRead(pragma: String) async throws {
        let copy = folder.file("copy.sqlite")
        var configuration = DatabaseOpening(path: copy, busyTimeout: 1).configuration
        configuration.prepareDatabase { try $0.execute(sql: pragma) }
        let queue = try DatabaseQueue(path: copy, configuration: configuration)
        try DatabaseMigrator.detections.migrate(queue)
        try await queue.write { database in
            for number in 0..<20 {
                _ = try DetectionRow.insert(.sample(number, ssid: "Tür \(number)"), into: database)
            }
        }
        try await queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        try queue.close()
        try await store.replaceContent(with: try await store.readCopy(copy))
        #expect(try await store.count() == 20)
        #expect(try await store.count(matching: DetectionFilter(text: "tür 19")) == 1)
        #expect(try await store.save(.sample(1)).id == 21)
    }

    @Test func whatStaysIsSettledInTheSameCommit() async throws {
        let copy = try await copied()
        try Self.change(copy, "INSERT OR REPLACE INTO setting VALUES ('access', '\"theirs\"')")
        _ = try await store.change(settings: ["access": "\"mine\""])
        let commits = CommitCounter(of: "setting")
        try await store.connections.writeWithoutTransaction { $0.add(transactionObserver: commits) }
        try await store.replaceContent(
            with: try await store.readCopy(copy, leavingOut: ["access"]), keeping: ["access"])
        #expect(try await store.settings().values["access"] == "\"mine\"")
        // The commit is that of the copy's pages, of which observers are not told; nothing was written after it.
        #expect(commits.count == 0)
    }

    @Test func aCopyIsNotReadForWhoHasGone() async throws {
        let copy = try await copied(rows: 3000)
        let store = store
        let work = Task { _ = try await store.readCopy(copy) }
        work.cancel()
        await #expect(throws: StoreError.cancelled) { try await work.value }
        #expect(Self.leftovers(folder) == [])
    }

    // MARK: Schemas

    /// Statements with which somebody changes a copy, with all that SQLite lets its owner do.
    static let schemas: [String] = [
        "CREATE TRIGGER evil AFTER INSERT ON setting BEGIN DELETE FROM detection; /* sqlite_ */ END",
        "CREATE TRIGGER evil AFTER INSERT ON detection BEGIN DELETE FROM detection; END",
        "CREATE TRIGGER evil BEFORE UPDATE ON revision BEGIN SELECT RAISE(ABORT, 'no sqlite_'); END",
        "CREATE VIEW evil AS SELECT 1 /* sqlite_ */",
        "CREATE INDEX evil ON detection (label) WHERE label > '' /* sqlite_ */",
        "CREATE INDEX evil ON setting (replace(hex(zeroblob(10)), '0', value))",
        "CREATE TABLE evil (a)",
        "CREATE VIRTUAL TABLE evil USING fts5 (a)",
        "DROP TABLE revision; CREATE VIEW revision AS SELECT 'marks' AS name, 1 AS number",
        """
        DROP TABLE setting; CREATE VIEW setting (name, value) AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT 'a' || i, '1' FROM n
        """,
        """
        DROP TABLE grdb_migrations; CREATE VIEW grdb_migrations AS WITH RECURSIVE n (identifier) AS
            (SELECT '001 detections' UNION ALL SELECT identifier FROM n) SELECT identifier FROM n
        """,
        """
        ALTER TABLE detection RENAME TO rows; CREATE VIEW detection AS SELECT * FROM rows, rows AS b, rows AS c
        """,
        "DROP TABLE setting; CREATE VIRTUAL TABLE setting USING fts5 (name, value)",
        "DROP TABLE deleted; CREATE VIRTUAL TABLE deleted USING rtree (id, deletion, at)",
        "DROP TABLE setting; CREATE TABLE setting (name TEXT PRIMARY KEY, value AS (name || name))",
        """
        DROP TABLE setting; CREATE TABLE setting (name TEXT PRIMARY KEY, value AS (replace(hex(zeroblob(100000)), '00', name))
            STORED)
        """,
        "DROP TABLE deleted; CREATE TABLE deleted (id INTEGER PRIMARY KEY, deletion, at) WITHOUT ROWID",
        "DROP TABLE setting; CREATE TABLE setting (name, value); INSERT INTO setting VALUES ('a', '1'), ('a', '2')",
        "DROP TABLE setting",
        "DROP TABLE detection",
        "ALTER TABLE detection RENAME TO elsewhere",
        "ALTER TABLE detection RENAME COLUMN rssi TO strength",
        "INSERT INTO grdb_migrations VALUES ('999 of another time')",
        "DELETE FROM grdb_migrations WHERE identifier LIKE '003%'",
        "DELETE FROM grdb_migrations",
        "PRAGMA application_id = 7",
        "UPDATE sqlite_schema SET sql = 'CREATE VIEW setting AS SELECT 1' WHERE name = 'setting'",
        "UPDATE sqlite_schema SET sql = 'CREATE TABLE setting (name, value, x AS (1))' WHERE name = 'setting'",
        "UPDATE sqlite_schema SET sql = 'nonsense' WHERE name = 'setting'",
        "UPDATE sqlite_schema SET sql = replace(hex(zeroblob(2000000)), '0', 'a') WHERE name = 'setting'",
        "UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'setting'",
        "UPDATE sqlite_schema SET rootpage = 99999999 WHERE name = 'detection'",
        """
        UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'setting') WHERE name = 'detection'
        """,
        "DELETE FROM sqlite_schema WHERE name = 'source'",
        "INSERT INTO sqlite_schema SELECT * FROM sqlite_schema WHERE name = 'setting'",
    ]

    @Test(arguments: schemas) func noSchemaIsTaken(statements: String) async throws {
        let copy = try await copied()
        try Self.change(copy, statements)
        try await restore(copy)
    }

    @Test func aSchemaWithoutEndIsRefusedSoon() async throws {
        let copy = try await copied()
        let tables = (0..<6000).map { "CREATE TABLE t\($0) (a);" }.joined()
        try Self.change(copy, "BEGIN; \(tables) COMMIT")
        let begin = ContinuousClock.now
        await #expect(throws: StoreError.self) { _ = try await store.readCopy(copy) }
        #expect(ContinuousClock.now - begin < .seconds(20))
        try await works()
    }

    /// What is parsed of a view takes thirty times the memory of its text, for good.
    @Test func aSchemaOfLongTextsIsRefused() async throws {
        let copy = try await copied()
        let list = Array(repeating: "1", count: 3000).joined(separator: ",")
        try Self.change(copy, "CREATE VIEW long AS SELECT 1 IN (\(list))")
        await #expect(throws: StoreError.self) { _ = try await store.readCopy(copy) }
        try await works()
    }

    // MARK: Values

    private static let tables: [(name: String, columns: [String])] = [
        (
            "detection",
            [
                "id", "received", "type", "label", "mac", "ssid", "rssi", "confidence", "device_time",
                "device_uptime",
                "latitude", "longitude", "speed", "heading", "activity", "extra", "raw", "device", "key",
                "fix_source",
                "fix_age", "accuracy", "altitude", "source_id", "search",
            ]
        ),
        (
            "source",
            [
                "id", "key", "mac", "ssid", "type", "label", "first_seen", "last_seen", "count", "strongest",
                "place_rssi",
                "latitude", "longitude", "stale", "mark", "note", "revision", "unplaced", "last_confidence",
                "last_ssid",
                "shown_type", "shown_latitude", "shown_longitude", "radius", "spots", "square",
            ]
        ),
        ("deleted", ["id", "deletion", "at"]),
        ("setting", ["name", "value"]),
        ("revision", ["name", "number"]),
        ("parse_error", ["received", "reason", "raw"]),
        (
            "drive", ["id", #""begin""#, #""end""#, "metres", "fix_source", "south", "north", "west", "east"]
        ),
        ("drive_point", ["drive", "time", "latitude", "longitude", "altitude", "accuracy", "speed"]),
        ("known_set", ["id", "name", "origin", "version", "imported"]),
        (
            "known_camera",
            ["id", "known_set", "reference", "name", "latitude", "longitude", "direction", "tags"]
        ),
        (
            "saved_device",
            [
                "id", "name", "saved", "address", "address_kind", "device_name", "services",
                "characteristics", "readings",
                "file",
            ]
        ),
        ("bond", ["adapter", "identity", "sealed"]),
        ("sqlite_sequence", ["name", "seq"]),
        ("derived", ["up_to"]), ("map_progress", ["up_to"]),
        (
            "cell",
            [
                "level", "y", "x", "type", "sources", "numbers", "latitudes", "longitudes", "sightings",
                "newest",
            ]
        ),
    ]
    /// Values that a column of no kind may have.
    private static let values = [
        "9223372036854775807", "-9223372036854775808", "9e999", "-9e999", "NULL", "'words'", "x'C328'",
        "CAST(x'C328' AS TEXT)", "'a' || char(0) || 'b'", "replace(hex(zeroblob(1000000)), '0', 'a')", "-1",
        "9007199254740991", "4503599627370495", "0",
    ]
    private static let columns = tables.flatMap { table in table.columns.map { "\(table.name).\($0)" } }

    /// All tests take minutes; without this, three values for each column, each value in turn.
    private static let isThorough = ProcessInfo.processInfo.environment["LANTERN_LONG_TESTS"] != nil

    @Test(arguments: columns.indices) func noValueDoesHarm(index: Int) async throws {
        let column = Self.columns[index]
        let parts = column.split(separator: ".").map(String.init)
        let clean = try await copied()
        let few = (0..<3).map { Self.values[(3 * index + 5 * $0) % Self.values.count] }
        for value in Self.isThorough ? Self.values : few {
            let copy = folder.file("changed.sqlite")
            try? FileManager.default.removeItem(atPath: copy)
            try FileManager.default.copyItem(atPath: clean, toPath: copy)
            // A table that takes anything.
            let columns = Self.tables.first { $0.name == parts[0] }?.columns.joined(separator: ", ") ?? ""
            if parts[0] != "sqlite_sequence" {
                try Self.change(
                    copy,
                    """
                    CREATE TABLE loose AS SELECT \(columns) FROM \(parts[0]); DROP TABLE \(parts[0]);
                    ALTER TABLE loose RENAME TO \(parts[0])
                    """)
            }
            try Self.change(
                copy,
                "UPDATE \(parts[0]) SET \(parts[1]) = \(value) WHERE rowid = (SELECT MAX(rowid) FROM \(parts[0]))"
            )
            try await restore(copy, "\(column) = \(value)")
        }
    }

    @Test func namesThatAreOneAndTheSameAreNotTakenTwice() async throws {
        let copy = try await copied()
        try Self.change(
            copy,
            "ALTER TABLE setting RENAME TO s; CREATE TABLE setting AS SELECT * FROM s UNION ALL SELECT * FROM s"
        )
        let fault = await #expect(throws: StoreError.self) { _ = try await store.readCopy(copy) }
        #expect(fault?.description.contains("its name is there twice") == true)
        try await works()
    }

    @Test func aValueThatIsTooLargeIsRefused() async throws {
        let copy = try await copied()
        try Self.change(
            copy, "UPDATE setting SET value = '\"' || replace(hex(zeroblob(6000000)), '0', 'a') || '\"'")
        let fault = await #expect(throws: StoreError.self) { _ = try await store.readCopy(copy) }
        #expect(fault == .unfit(reason: "a value in it is too large"))
    }

    @Test func aTextThatStandsInNoRowIsNotReadForAll() async throws {
        let copy = try await copied(rows: 2000)
        try Self.change(
            copy,
            """
            DROP TABLE detection_text; ALTER TABLE parse_error RENAME TO old;
            CREATE TABLE parse_error (received); WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
                INSERT INTO parse_error SELECT i FROM n;
            """)
        // A default stands once in the schema, and is given for each of the rows.
        let long = String(repeating: "a", count: 4000)
        try Self.change(
            copy,
            "ALTER TABLE parse_error ADD COLUMN reason TEXT DEFAULT '\(long)'; ALTER TABLE parse_error ADD COLUMN raw DEFAULT x'00'"
        )
        await #expect(throws: StoreError.damaged(path: copy)) { _ = try await store.readCopy(copy) }
    }

    // MARK: Pages

    @Test func pagesThatAreThereManyTimesEnd() async throws {
        let copy = try await copied(rows: 5000)
        let root = try Self.root(of: "detection", in: copy)
        try Self.edit(copy) { octets, size in
            // Each part of the tree is the first one.
            let page = (root - 1) * size
            let count = Int(octets[page + 3]) << 8 | Int(octets[page + 4])
            #expect(octets[page] == 5 && count > 2, "the root is to have pages below it")
            let first = Int(octets[page + 12]) << 8 | Int(octets[page + 13])
            let child = Array(octets[(page + first)..<(page + first + 4)])
            for index in 0..<count {
                let cell = Int(octets[page + 12 + 2 * index]) << 8 | Int(octets[page + 13 + 2 * index])
                octets.replaceSubrange((page + cell)..<(page + cell + 4), with: child)
            }
        }
        await #expect(throws: StoreError.self) { _ = try await store.readCopy(copy) }
        try await works()
    }

    @Test func noDamageDoesHarm() async throws {
        let clean = try Data(contentsOf: URL(fileURLWithPath: try await copied(rows: 100)))
        var generator = SeededGenerator(state: 33)
        let copy = folder.file("damaged.sqlite")
        for _ in 0..<(Self.isThorough ? 60 : 15) {
            var octets = [UInt8](clean)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: octets.removeLast(Int.random(in: 1..<octets.count, using: &generator))
            case 1:
                let page = Int.random(in: 0..<(octets.count / 4096), using: &generator) * 4096
                for index in page..<(page + 4096) {
                    octets[index] = UInt8.random(in: 0...255, using: &generator)
                }
            case 2:
                let pages = octets.count / 4096
                let (from, to) = (
                    Int.random(in: 0..<pages, using: &generator), Int.random(in: 1..<pages, using: &generator)
                )
                for index in 0..<4096 { octets[to * 4096 + index] = octets[from * 4096 + index] }
            default:
                for _ in 0..<20 {
                    octets[Int.random(in: 100..<octets.count, using: &generator)] = UInt8.random(
                        in: 0...255, using: &generator)
                }
            }
            try Data(octets).write(to: URL(fileURLWithPath: copy))
            try await restore(copy)
        }
    }

    @Test(arguments: [0, 1, 99, 100, 512, 4096]) func theBeginningOfACopyIsRefused(length: Int) async throws {
        let whole = try Data(contentsOf: URL(fileURLWithPath: try await copied()))
        let copy = folder.file("short.sqlite")
        try whole.prefix(length).write(to: URL(fileURLWithPath: copy))
        await #expect(throws: StoreError.self) { _ = try await store.readCopy(copy) }
        try await works()
    }
}
