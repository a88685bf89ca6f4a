// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import Foundation
import GRDB
import Synchronization
import Testing

@testable import CompanionStore

@Suite struct OpeningTests {
    private let folder: Folder
    init() throws { folder = try Folder() }

    @Test func aMissingFileIsAnErrorAndIsNotMade() {
        let path = folder.file()
        #expect(throws: StoreError.missing(path: path)) {
            try DetectionDatabase(path: path, createIfMissing: false)
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func aMissingFolderIsAnError() {
        let path = folder.file("nowhere/lantern.sqlite")
        guard case .cannotOpen = failure(path) else {
            Issue.record("\(String(describing: failure(path)))")
            return
        }
    }

    @Test func aFolderIsNoDatabase() {
        guard case .notAFile(_, isFolder: true) = failure(folder.path) else {
            Issue.record("\(String(describing: failure(folder.path)))")
            return
        }
    }

    @Test func textIsNoDatabaseAndStaysAsItIs() throws {
        let path = folder.file("notes.txt")
        let text = String(repeating: "These are not the octets you look for.\n", count: 50)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        #expect(failure(path) == .notADatabase(path: path))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test func aDatabaseOfAnotherProgramStaysAsItIs() throws {
        let path = folder.file("places.sqlite")
        let other = try DatabaseQueue(path: path)
        try other.write { try $0.execute(sql: "CREATE TABLE places (name TEXT)") }
        try other.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(failure(path) == .foreign(path: path))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func aFileThatWasKilledWhileItWasMadeIsMadeAnew() async throws {
        let path = folder.file()
        // What is there when the migrator has written its table and nothing else.
        let begun = try DatabaseQueue(path: path)
        try DatabaseMigrator().migrate(begun)
        try await begun.write {
            try $0.execute(
                sql: "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        }
        try begun.close()
        let store = try DetectionDatabase(path: path, createIfMissing: false)
        #expect(try await store.count() == 0)
        try await store.close()
    }

    @Test func aFileThatIsMadeWhileItIsLookedAtIsOurs() throws {
        let path = folder.file()
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { database in
            let isMade = Mutex(false)
            // The other program commits just before it is asked which tables there are.
            database.trace(options: .statement) { event in
                guard "\(event)".contains("sqlite_master"), !isMade.withLock({ $0 }) else { return }
                isMade.withLock { $0 = true }
                _ = try? DetectionDatabase(path: path, createIfMissing: true)
            }
            try DatabaseOpening.checkOwner(database, path: path)
            #expect(isMade.withLock { $0 })
            #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM detection") == 0)
        }
    }

    @Test func aFileOfANewerVersionIsRefused() async throws {
        let path = folder.file()
        let store = try DetectionDatabase(path: path, createIfMissing: true)
        try await store.connections.write {
            try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('999 wonders')")
        }
        try await store.close()
        #expect(failure(path) == .newer(path: path))
    }

    @Test func aLockedFileIsReported() throws {
        let path = folder.file()
        let holder = try DatabaseQueue(path: path)
        try holder.inDatabase { database in
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE t (x)")
            #expect(throws: StoreError.busy(path: path)) {
                try DetectionDatabase(path: path, createIfMissing: true, busyTimeout: 0.01)
            }
            try database.execute(sql: "ROLLBACK")
        }
    }

    @Test func aDamagedFileIsReported() async throws {
        let path = folder.file()
        let store = try DetectionDatabase(path: path, createIfMissing: true)
        _ = try await store.save((0..<200).map { .sample($0) })
        try await store.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["lantern.sqlite"])
        var octets = try Data(contentsOf: URL(fileURLWithPath: path))
        octets.replaceSubrange(4096..<octets.count, with: Data(repeating: 0xA5, count: octets.count - 4096))
        try octets.write(to: URL(fileURLWithPath: path))
        await #expect(throws: StoreError.damaged(path: path)) {
            let store = try DetectionDatabase(path: path, createIfMissing: false)
            _ = try await store.records()
        }
    }

    @Test func aNewFileIsForItsOwnerOnly() async throws {
        let path = folder.file()
        let store = try await DetectionDatabase.open(path: path, createIfMissing: true)
        _ = try await store.save(.sample())
        for name in [path, path + "-wal", path + "-shm"] {
            let mode = try FileManager.default.attributesOfItem(atPath: name)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o600)
        }
    }

    @Test func manyMayMakeOneFileAtOnce() async throws {
        let path = folder.file()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<24 {
                group.addTask {
                    let store = try await DetectionDatabase.open(path: path, createIfMissing: true)
                    _ = try await store.save(.sample(number))
                    try await store.close()
                }
            }
            try await group.waitForAll()
        }
        let store = try DetectionDatabase(path: path, createIfMissing: false)
        #expect(try await store.count() == 24)
        try await store.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["lantern.sqlite"])
    }

    @Test(.timeLimit(.minutes(5))) func whatIsBehindIsBroughtUpToDateWhenTheFileIsOpened() async throws {
        let path = folder.file()
        let first = try DetectionDatabase(path: path, createIfMissing: true)
        _ = try await first.save((0..<1500).map { .sample($0) })
        try await first.close()
        let other = try OtherProgram(path: path)
        try other.execute("DELETE FROM detection_place; UPDATE derived SET up_to = 0")
        try other.execute("INSERT INTO detection_text (detection_text) VALUES ('delete-all')")
        try other.execute("UPDATE sqlite_sequence SET seq = 1000000000 WHERE name = 'detection'")
        let store = try DetectionDatabase(path: path, createIfMissing: false)
        // A gap in the numbers is no work.
        _ = try await store.save((0..<300).map { .sample($0) })
        while try await store.connections.read({ try DerivedTables.backlog($0) }) >= DerivedTables.leastPiece
        {
            await Task.yield()
        }
        try await store.deriveAll()
        #expect(try await store.derivedTablesFit())
    }

    @Test func anOldFileIsCopiedAndBroughtUpToDate() async throws {
        let path = folder.file()
        let opening = DatabaseOpening(path: path, busyTimeout: 1)
        let old = try DatabaseQueue(path: path, configuration: opening.configuration)
        try DatabaseMigrator.detections.migrate(old, upTo: "002 derived tables")
        let count = DatabaseOpening.rowsWorthACopy
        try await old.write { database in
            try database.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                    INSERT INTO detection (id, received, type, label, mac, ssid, rssi, confidence, latitude, longitude,
                        extra, raw)
                    SELECT i * 2, 1000 + i, 'ring', x'52696E6700', iif(i % 2, 'AA:BB:CC:DD:EE:FF', NULL), 'Éclair ' || i,
                        -100 + i % 50, 0.5, 1, 2, '{"a":"\\u00e9' || i || '"}', x'7B7D' FROM n
                    """)
            try database.execute(sql: "DELETE FROM detection WHERE id = \(2 * count)")
            try database.execute(
                sql: """
                    INSERT INTO detection (id, received, type, label, rssi, confidence, extra, raw)
                    VALUES (\(2 * count - 1), 1, 'ring', 'Ring', 0, 1, '{}', x'')
                    """)
        }
        try old.close()
        let steps = Mutex<[String]>([])
        let store = try await DetectionDatabase.open(path: path, createIfMissing: false) { progress in
            steps.withLock { if $0.last != progress.step { $0.append(progress.step) } }
        }
        #expect(
            steps.withLock { $0 } == [
                "keeping a copy", "rewriting the detections", "building the index",
                "noting the last detections",
            ])
        #expect(try await store.count() == count)
        let last = try #require(try await store.records(page: DetectionPage(limit: 2)).last)
        #expect(last.id == Int64(2 * count - 2))
        #expect(last.sighting.label == "Ring\u{0}")
        #expect(last.key != nil)
        let sources = try await store.sources(SourcePage(limit: 10_000))
        #expect(sources.count == count / 2 + 1)
        #expect(sources.map(\.count).reduce(0, +) == count)
        let busy = try #require(sources.first { $0.identity == .address("AA:BB:CC:DD:EE:FF") })
        #expect((busy.count, busy.strongest, busy.strongestPlace?.rssi) == (count / 2, -51, -51))
        let listed = try #require(try await store.listedSource(id: busy.id))
        #expect((listed.confidence, listed.ssid) == (0.5, "Éclair \(count - 1)"))
        #expect((busy.firstSeen.milliseconds, busy.lastSeen.milliseconds) == (1001, Int64(1000 + count - 1)))
        #expect(try await store.count(matching: DetectionFilter(text: "é77")) == 111)
        #expect(try await store.count(matching: DetectionFilter(text: "éclair 77")) == 111)
        #expect(try await store.derivedTablesFit())
        #expect(try await store.save(.sample()).id == Int64(2 * count + 1), "A number is never used twice.")
        let copy = try DatabaseQueue(path: path + ".before-008")
        #expect(try await copy.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM detection") } == count)
    }

    /// SQLite says so when the index of the log cannot grow; that has no room of its own for `SQLITE_FULL`.
    @Test func anIndexWithoutRoomIsAFullDisk() {
        let error = DatabaseError(resultCode: .SQLITE_IOERR_SHMSIZE, message: "disk I/O error")
        #expect(StoreError(error, path: "p") == .full(path: "p"))
        let other = DatabaseError(resultCode: .SQLITE_IOERR_READ, message: "disk I/O error")
        #expect(StoreError(other, path: "p") == .diskFailed(path: "p", reason: "disk I/O error"))
    }

    /// What is tried again; anything else ends a watch.
    @Test func aLogThatVeryManyBeginToUseIsBusy() {
        #expect(StoreError(DatabaseError(resultCode: .SQLITE_PROTOCOL), path: "p") == .busy(path: "p"))
    }

    @Test func whoMayOnlyReadSeesWhatIsWrittenAfterTheLogWasEmptied() async throws {
        let path = folder.file()
        let store = try DetectionDatabase(path: path, createIfMissing: true)
        _ = try await store.save(.sample(1))
        _ = try await store.connections.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        let log = try FileManager.default.attributesOfItem(atPath: path + "-wal")
        #expect((log[.size] as? NSNumber)?.intValue == 0)
        let reader = try DetectionDatabase(unwritable: path)
        #expect(try await reader.count() == 1)
        _ = try await store.save(.sample(2))
        #expect(try await reader.count() == 2)
        try await reader.close()
        try await store.close()
    }

    @Test func everyErrorIsASentenceAndAnAdvice() {
        let errors: [StoreError] = [
            .missing(path: "p"), .cannotOpen(path: "p", reason: "r"), .notADatabase(path: "p"),
            .foreign(path: "p"), .altered(path: "p", table: "t"), .gone(path: "p"), .overwritten(path: "p"),
            .newer(path: "p"), .busy(path: "p"), .readOnly(path: "p"), .full(path: "p"), .damaged(path: "p"),
            .refused(reason: "r"), .tooMuch(reason: "r"), .conflict, .diskFailed(path: "p", reason: "r"),
            .closed, .cancelled, .failed(path: "p", reason: "r"), .unfitMap(path: "p", reason: "r"),
        ]
        for error in errors {
            #expect(error.description.hasSuffix("."))
            #expect(!error.description.contains("\n"))
        }
    }

    private static let endless = """
        WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n AS id, n AS identifier FROM r
        """

    /// What holds no rows itself may give rows without end.
    @Test(
        .timeLimit(.minutes(5)),
        arguments: ["detection", "parse_error", "setting", "source", "grdb_migrations"])
    func aViewInThePlaceOfATableIsRefused(table: String) async throws {
        let path = folder.file()
        try await DetectionDatabase(path: path, createIfMissing: true).close()
        for statement in [
            "CREATE VIEW \(table.uppercased()) AS \(Self.endless)",
            "CREATE VIRTUAL TABLE \(table) USING fts5 (identifier)",
        ] {
            let queue = try DatabaseQueue(path: path)
            try await queue.write { database in
                let kind = try String.fetchOne(
                    database, sql: "SELECT type FROM sqlite_master WHERE lower(name) = ?", arguments: [table])
                try database.execute(sql: "DROP \(kind ?? "table") \(table)")
                try database.execute(sql: statement)
            }
            try queue.close()
            #expect(failure(path) == .altered(path: path, table: table))
            #expect(throws: StoreError.altered(path: path, table: table)) {
                try DetectionDatabase(unwritable: path)
            }
        }
    }

    /// Of tables that SQLite makes up when it is asked for them a view takes the place.
    @Test(.timeLimit(.minutes(5)), arguments: ["pragma_application_id", "PRAGMA_page_count", "dbstat"])
    func aViewInThePlaceOfATableOfSQLiteIsRefused(name: String) async throws {
        let path = folder.file()
        try await DetectionDatabase(path: path, createIfMissing: true).close()
        let aside = SpillFile(path: path)
        #expect(try aside.write([.rows([.sample(ssid: "kept")], [])]) == 1)
        let file = try #require(aside.files.first)
        for file in [path, file] {
            let queue = try DatabaseQueue(path: file)
            try await queue.write { database in
                try database.execute(
                    sql:
                        "CREATE VIEW \(name) AS SELECT id AS application_id FROM (\(Self.endless)) WHERE id < 0"
                )
            }
            try queue.close()
        }
        #expect(failure(path) == .altered(path: path, table: name.lowercased()))
        #expect(throws: StoreError.altered(path: path, table: name.lowercased())) {
            try DetectionDatabase(unwritable: path)
        }
        let other = try DetectionDatabase(path: folder.file("other.sqlite"), createIfMissing: true)
        let link = folder.file("other.sqlite") + ".unsaved-1.sqlite"
        try FileManager.default.copyItem(atPath: file, toPath: link)
        try await other.close()
        let again = try DetectionDatabase(path: folder.file("other.sqlite"), createIfMissing: false)
        #expect(again.unusableFiles.count == 1)
        #expect(try await again.count() == 0)
        try await again.close()
    }

    @Test(.timeLimit(.minutes(5)))
    func aViewInAnOlderFileIsRefusedBeforeThatIsBroughtUpToDate() async throws {
        let path = folder.file()
        let opening = DatabaseOpening(path: path, busyTimeout: 1)
        let old = try DatabaseQueue(path: path, configuration: opening.configuration)
        try DatabaseMigrator.detections.migrate(old, upTo: "002 derived tables")
        try await old.write { database in
            try database.execute(sql: "DROP TABLE detection; CREATE VIEW detection AS \(Self.endless)")
        }
        try old.close()
        #expect(failure(path) == .altered(path: path, table: "detection"))
    }

    @Test func commitsAreDurable() async throws {
        let store = try DetectionDatabase(path: folder.file(), createIfMissing: true)
        let (mode, level) = try await store.connections.writeWithoutTransaction { database in
            (
                try String.fetchOne(database, sql: "PRAGMA journal_mode"),
                try Int.fetchOne(database, sql: "PRAGMA synchronous")
            )
        }
        #expect(mode == "wal")
        #expect(level == 2, "2 is FULL.")
    }

    @Test func rowsAreThereWhenTheFileIsOpenedWithoutHavingBeenClosed() async throws {
        let path = folder.file()
        let first = try DetectionDatabase(path: path, createIfMissing: true)
        let saved = try await first.save((0..<1000).map { .sample($0) })
        // The file and its log as a killed process leaves them.
        let copy = folder.file("copy.sqlite")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        try FileManager.default.copyItem(atPath: path + "-wal", toPath: copy + "-wal")
        let second = try DetectionDatabase(path: copy, createIfMissing: false)
        #expect(try await second.records(page: DetectionPage(order: .oldestFirst)) == saved)
        let next = try await second.save(.sample())
        #expect(next.id == 1001)
    }

    @Test func anotherProcessMayReadWhileOneWrites() async throws {
        let path = folder.file()
        let writer = try DetectionDatabase(path: path, createIfMissing: true)
        _ = try await writer.save(.sample(1))
        try await writer.connections.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN IMMEDIATE")
            // What holds the write lock here is what another process would meet.
            let reader = try DetectionDatabase(path: path, createIfMissing: false, busyTimeout: 0.01)
            #expect(
                try reader.connections.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM detection") }
                    == 1)
            try database.execute(sql: "ROLLBACK")
        }
    }

    @Test func aClosedStoreSaysSo() async throws {
        let store = try DetectionDatabase(path: folder.file(), createIfMissing: true)
        _ = try await store.save(.sample())
        try await store.close()
        await #expect(throws: StoreError.closed) { try await store.save(.sample()) }
        await #expect(throws: StoreError.closed) { try await store.records() }
    }

    private func failure(_ path: String) -> StoreError? {
        do throws(StoreError) {
            _ = try DetectionDatabase(path: path, createIfMissing: true)
            return nil
        } catch { return error }
    }
}
