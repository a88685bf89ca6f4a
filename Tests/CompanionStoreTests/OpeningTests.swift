// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation
import GRDB
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
        guard case .cannotOpen = failure(folder.path) else {
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

    @Test func everyErrorIsASentenceAndAnAdvice() {
        let errors: [StoreError] = [
            .missing(path: "p"), .cannotOpen(path: "p", reason: "r"), .notADatabase(path: "p"),
            .foreign(path: "p"),
            .newer(path: "p"), .busy(path: "p"), .readOnly(path: "p"), .full(path: "p"), .damaged(path: "p"),
            .refused(reason: "r"), .closed, .cancelled, .failed(path: "p", reason: "r"),
        ]
        for error in errors {
            #expect(error.description.hasSuffix("."))
            #expect(!error.description.contains("\n"))
        }
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
        } catch {
            return error
        }
    }
}
