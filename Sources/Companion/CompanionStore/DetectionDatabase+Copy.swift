// SPDX-License-Identifier: Apache-2.0

public import Companion
import Foundation
import GRDB

extension DetectionDatabase {
    /// Writes a copy of the database as it is at one moment, while others go on reading and writing.
    ///
    /// - Parameter path: The file, which must not be there yet; it is for its owner only.
    /// - Throws: ``StoreError``.
    public func copy(to path: String) async throws(StoreError) {
        let source = connections
        let configuration = DatabaseOpening(path: self.path, busyTimeout: 5).configuration
        try await StoreError.catching(path: path) {
            try await blocking {
                let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
                guard descriptor >= 0 else {
                    throw StoreError.cannotOpen(path: path, reason: "it cannot be made")
                }
                Foundation.close(descriptor)
                do {
                    // A connection of its own: those of the pool are for short work.
                    let isInMemory = self.path == ":memory:"
                    let reader =
                        isInMemory ? source : try DatabaseQueue(path: self.path, configuration: configuration)
                    try reader.writeWithoutTransaction {
                        try $0.execute(sql: "VACUUM INTO ?", arguments: [path])
                    }
                    if !isInMemory { try reader.close() }
                } catch {
                    unlink(path)
                    throw error
                }
            }
        }
    }

    /// Reads the whole file and refuses it when it is damaged, or has other tables, triggers or views than ours.
    ///
    /// - Throws: ``StoreError/damaged(path:)``, ``StoreError/foreign(path:)`` and what else reading throws.
    public func checkIntegrity() async throws(StoreError) {
        let (path, own) = (path, try await StoreError.catching(path: path) { try await Self.schema() })
        try await read { database in
            guard try Self.schema(of: database) == own else { throw StoreError.foreign(path: path) }
            // Only now: how rows are checked stands in the tables.
            let answer = try String.fetchAll(database, sql: "PRAGMA integrity_check(1)")
            guard answer == ["ok"] else { throw StoreError.damaged(path: path) }
        }
    }

    /// What a new database has.
    private static func schema() async throws -> Set<String> {
        try await blocking {
            let empty = try DatabaseQueue(
                configuration: DatabaseOpening(path: ":memory:", busyTimeout: 5).configuration)
            try DatabaseMigrator.detections.migrate(empty)
            return try empty.read { try schema(of: $0) }
        }
    }

    /// The statements that would make the tables, indices, triggers and views of a database.
    private static func schema(of database: Database) throws -> Set<String> {
        let parts = try String.fetchAll(
            database,
            sql: "SELECT type || ' ' || name || ' ' || tbl_name || ': ' || ifnull(sql, '') FROM sqlite_schema"
        )
        return Set(parts.filter { !$0.contains(" sqlite_") })
    }

    /// Puts what another file of the same version holds in the place of everything, in one commit.
    ///
    /// Who reads meanwhile sees either the old or the new; what is stored meanwhile comes after it.
    ///
    /// - Parameter path: The other file.
    /// - Throws: ``StoreError``; nothing has changed then.
    public func replaceContent(with path: String) async throws(StoreError) {
        let target = connections
        let configuration = DatabaseOpening(path: path, busyTimeout: 5).configuration
        try await StoreError.catching(path: self.path) {
            try await blocking {
                let source = try DatabaseQueue(path: path, configuration: configuration)
                try source.backup(to: target)
                try source.close()
            }
        }
        await writer.repair()
    }
}
