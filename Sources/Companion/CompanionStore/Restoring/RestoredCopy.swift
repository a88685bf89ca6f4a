// SPDX-License-Identifier: Apache-2.0

public import Companion
import FlockFinder
import Foundation
import GRDB

/// What could be read of a copy, in a new database of our own that waits to take the place of what is stored.
///
/// The copy may be a stranger's work: it has given rows, and nothing else.
public final class RestoredCopy: Sendable {
    let queue: DatabaseQueue
    private let path: String

    /// Reads a copy, which blocks while it lasts.
    ///
    /// - Parameters:
    ///   - copy: The copy, which nobody writes meanwhile.
    ///   - pageSize: Octets of the pages of the database for which it is.
    ///   - settings: The names of settings that are not taken.
    ///   - unusable: Told of what is left out.
    ///   - watch: Ends the work.
    /// - Throws: ``StoreError``; then nothing is left of it.
    init(
        of copy: String, pageSize: Int, leavingOut settings: Set<String>,
        unusable: UnusableRows = UnusableRows(), watch: ReadingWatch
    ) throws {
        path = copy + "-restored"
        Self.remove(path)
        DatabaseOpening.makeFile(path)
        do {
            queue = try DatabaseQueue(
                path: path, configuration: DatabaseOpening(path: path, busyTimeout: 5).configuration)
            try queue.writeWithoutTransaction { database in
                // If this process or the machine ends, the file is worth nothing anyway.
                try database.execute(
                    sql: "PRAGMA page_size = \(pageSize); PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF"
                )
            }
            try DatabaseMigrator.detections.migrate(queue)
            let source = try UntrustedDatabase.open(path: copy, watch: watch)
            let version = try Self.version(of: source, path: copy)
            try queue.writeWithoutTransaction { database in
                try Self.fill(database, watch) {
                    try RestoredTables(
                        source: source, target: database, watch: watch, version: version,
                        settingsLeftOut: settings, unusable: unusable
                    ).read()
                    try Self.derive(database, watch)
                }
            }
        } catch {
            Self.remove(path)
            throw error
        }
    }

    deinit {
        try? queue.close()
        Self.remove(path)
    }

    /// Writes into a database what is read, all at once, which the watch ends also within a statement: an index of many rows
    /// takes long by itself.
    ///
    /// - Throws: What the body throws; what the watch says when it has ended a statement.
    static func fill(_ database: Database, _ watch: ReadingWatch, _ body: () throws -> Void) throws {
        do {
            try database.watched(by: watch) {
                try database.inTransaction {
                    try body()
                    return .commit
                }
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            throw watch.reason
        }
    }

    private static func remove(_ path: String) {
        for end in ["", "-journal", "-wal", "-shm"] { unlink(path + end) }
    }

    /// The version of a copy: how many of our steps have made its tables.
    private static func version(of source: UntrustedDatabase, path: String) throws -> Int {
        var owner: Int64 = 0
        try source.each("PRAGMA application_id") { owner = try $0.integer(0, in: .min ... .max) }
        guard owner == DatabaseOpening.applicationID,
            try source.columns(of: "grdb_migrations") == ["identifier"]
        else { throw StoreError.foreign(path: path) }
        var steps: Set<String> = []
        try source.each("SELECT identifier FROM \(source.rows(of: "grdb_migrations"))") { row in
            steps.insert(try row.text(0, atMost: 1000))
        }
        let known = DatabaseMigrator.detections.migrations
        guard steps.isSubset(of: known) else { throw StoreError.newer(path: path) }
        guard !steps.isEmpty, steps == Set(known.prefix(steps.count)) else {
            throw StoreError.foreign(path: path)
        }
        return steps.count
    }

    /// Makes what follows from the rows; where sources stand is judged afterwards, while the database is in use.
    private static func derive(_ database: Database, _ watch: ReadingWatch) throws {
        while try SourceRow.removeEmpty(database) { try watch.check() }
        while try DerivedTables.advance(database, atMost: 10_000) > 0 { try watch.check() }
        while try MapUpkeep.advance(database) > 0 { try watch.check() }
    }
}

extension DetectionDatabase {
    /// Reads a copy of any version into a database of its own, while this one is used as ever.
    ///
    /// When the task is cancelled, it ends soon.
    ///
    /// - Parameters:
    ///   - path: The copy, which nobody writes meanwhile; there has to be room beside it for as much again.
    ///   - settings: The names of settings that are not taken from it.
    /// - Returns: What ``replaceContent(with:keeping:)`` puts in place.
    /// - Throws: ``StoreError``: ``StoreError/unfit(reason:)`` for what may not be, ``StoreError/damaged(path:)``,
    ///   ``StoreError/foreign(path:)``, ``StoreError/newer(path:)``, ``StoreError/cancelled``.
    public func readCopy(
        _ path: String, leavingOut settings: Set<String> = []
    ) async throws(StoreError) -> RestoredCopy {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let octets = (attributes?[.size] as? NSNumber)?.intValue ?? 0
        let watch = ReadingWatch(until: .now + .seconds(60 + octets / Self.slowestReading))
        let pageSize = try await read { try Int.fetchOne($0, sql: "PRAGMA page_size") ?? 4096 }
        return try await StoreError.catching(path: path) {
            try await withTaskCancellationHandler {
                try await blocking { [unusable] in
                    try RestoredCopy(
                        of: path, pageSize: pageSize, leavingOut: settings, unusable: unusable, watch: watch)
                }
            } onCancel: {
                watch.cancel()
            }
        }
    }

    /// Octets of a copy that are read in a second even on a small machine.
    private static let slowestReading = 1_000_000

    /// Puts what was read of a copy in the place of everything, in one commit.
    ///
    /// Who reads meanwhile sees either the old or the new; what is stored meanwhile comes after it. Sealed bonds of now stay,
    /// as far as there are any, and so do some settings, in the same commit.
    ///
    /// - Parameters:
    ///   - copy: The copy.
    ///   - settings: The names of settings that stay as they are.
    /// - Throws: ``StoreError``; nothing has changed then.
    public func replaceContent(
        with copy: RestoredCopy, keeping settings: Set<String> = []
    ) async throws(StoreError) {
        let target = connections
        try await StoreError.catching(path: path) {
            try await blocking {
                try target.writeWithoutTransaction { now in
                    try copy.queue.write { try Self.settle(now, in: $0, keeping: settings) }
                    try copy.queue.read { try $0.backup(to: now) }
                }
            }
        }
        await writer.repair()
    }

    /// Writes into a copy what stays as it is now.
    private static func settle(_ now: Database, in copy: Database, keeping settings: Set<String>) throws {
        // A database that is damaged can be replaced, too; what cannot be read of it is not there.
        let bonds = (try? sealedBonds(now)) ?? []
        if !bonds.isEmpty {
            try copy.execute(sql: "DELETE FROM bond")
            for bond in bonds { try keep(bond, copy) }
        }
        for name in settings.sorted() {
            try copy.execute(literal: "DELETE FROM setting WHERE name = \(name)")
            let value = try? String.fetchOne(
                now, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name])
            if let value {
                try copy.execute(literal: "INSERT INTO setting (name, value) VALUES (\(name), \(value))")
            }
        }
        // Whoever looks at these numbers is to see that all has changed.
        for row in (try? Row.fetchAll(now, sql: "SELECT name, number FROM revision")) ?? [] {
            guard let name = String.fromDatabaseValue(row[0]), let number = Int64.fromDatabaseValue(row[1]),
                UntrustedRow.usual.contains(number)
            else { continue }
            try copy.execute(
                literal: "UPDATE revision SET number = MAX(number, \(number)) + 1 WHERE name = \(name)")
        }
    }
}
