// SPDX-License-Identifier: Apache-2.0

public import Companion
public import Detections
import GRDB

extension DetectionDatabase {
    /// Rows that are discarded or restored in one commit: with four times as many the log gets half as long, since rows of one
    /// place share squares of the map; others wait a quarter of a second at most.
    private static let piece = 2000
    /// Rows that are purged in one commit, which costs more: what was derived goes, too.
    private static let purgedPiece = 200

    /// Deletes records; ``restore(deletion:)`` undoes it.
    ///
    /// It goes in many small commits, between which others store; what comes after it has begun is not deleted.
    ///
    /// - Parameters:
    ///   - filter: Which.
    ///   - moment: Now.
    /// - Returns: The deletion, to restore or purge.
    /// - Throws: ``StoreError``; what was deleted until then can be purged by its age.
    public func discard(
        matching filter: DetectionFilter, at moment: Timestamp
    ) async throws(StoreError) -> Deletion {
        let last = try await lastID()
        var deletion = try await beginDeletion()
        var query = DetectionQuery(
            filter: filter, page: DetectionPage(order: .oldestFirst, limit: Self.piece))
        try query.check()
        while true {
            let page = query
            let ids = try await read { database in
                try Row.fetchAll(database, SQLRequest<Row>(literal: try page.rows(database))).compactMap {
                    $0.stored(0) as Int64?
                }
            }
            let wanted = ids.filter { $0 <= last }
            deletion.count += try await discard(wanted, as: deletion.id, at: moment)
            guard ids.count == Self.piece, wanted.count == ids.count else { break }
            query.page.after = ids.last
        }
        try await finishSources()
        return deletion
    }

    /// Deletes records; ``restore(deletion:)`` undoes it.
    ///
    /// - Parameters:
    ///   - ids: Their numbers; those that there are not are passed over.
    ///   - moment: Now.
    /// - Returns: The deletion, to restore or purge.
    /// - Throws: ``StoreError``.
    public func discard(ids: [Int64], at moment: Timestamp) async throws(StoreError) -> Deletion {
        var deletion = try await beginDeletion()
        for piece in Self.pieces(ids) {
            deletion.count += try await discard(piece, as: deletion.id, at: moment)
        }
        try await finishSources()
        return deletion
    }

    /// Undoes a deletion, as far as it was not purged.
    ///
    /// - Parameter deletion: Its number.
    /// - Returns: How many records are there again.
    /// - Throws: ``StoreError``.
    public func restore(deletion: Int64) async throws(StoreError) -> Int {
        var total = 0
        while true {
            let count = try await writer.perform(rows: Self.piece) { database in
                let ids = try Int64.fetchAll(
                    database,
                    sql: "SELECT id FROM deleted WHERE deletion = ? ORDER BY id LIMIT \(Self.piece)",
                    arguments: [deletion])
                guard !ids.isEmpty else { return 0 }
                try database.execute(literal: "DELETE FROM deleted WHERE id IN \(ids)")
                try SourceRow.count(ids, by: 1, database)
                try MapUpkeep.count(ids, by: 1, database)
                try Self.advance("deletions", database)
                return ids.count
            }
            total += count
            guard count == Self.piece else { break }
        }
        try await finishSources()
        return total
    }

    /// Purges a deletion: its rows leave the file for good.
    ///
    /// - Parameter deletion: Its number.
    /// - Throws: ``StoreError``.
    public func purge(deletion: Int64) async throws(StoreError) {
        try await purge("deletion = \(deletion)")
    }

    /// Purges what was deleted before a moment: it leaves the file for good.
    ///
    /// - Parameter moment: The moment.
    /// - Throws: ``StoreError``.
    public func purge(deletedBefore moment: Timestamp) async throws(StoreError) {
        try await purge("at < \(moment.milliseconds)")
    }

    /// Deletes records and what was derived from them, for good.
    ///
    /// - Parameter ids: Their numbers.
    /// - Returns: The numbers that there were, in rising order.
    /// - Throws: ``StoreError``.
    public func delete(ids: [Int64]) async throws(StoreError) -> [Int64] {
        let deletion = try await beginDeletion()
        var found: [Int64] = []
        for piece in Self.pieces(ids) {
            found += try await read { database in
                try Int64.fetchAll(
                    database,
                    SQLRequest(
                        literal: """
                            SELECT id FROM detection WHERE id IN \(piece) AND \(DetectionQuery.isKept) ORDER BY id
                            """))
            }
            _ = try await discard(piece, as: deletion.id, at: Timestamp(milliseconds: 0))
        }
        try await finishSources()
        try await purge(deletion: deletion.id)
        return found
    }

    static func pieces(_ ids: [Int64]) -> [[Int64]] {
        let sorted = Set(ids).sorted()
        return stride(from: 0, to: sorted.count, by: piece).map {
            Array(sorted[$0..<min($0 + piece, sorted.count)])
        }
    }

    private func beginDeletion() async throws(StoreError) -> Deletion {
        Deletion(id: try await writer.perform { try Self.advance("deletions", $0) }, count: 0)
    }

    private func discard(_ ids: [Int64], as deletion: Int64, at moment: Timestamp) async throws(StoreError)
        -> Int
    {
        guard !ids.isEmpty else { return 0 }
        return try await writer.perform(rows: ids.count) { database in
            // Somebody else may have been quicker.
            let kept = try SQLRequest<Int64>(
                literal: "SELECT id FROM detection WHERE id IN \(ids) AND \(DetectionQuery.isKept)"
            ).fetchAll(database)
            let statement = try database.cachedStatement(
                sql: "INSERT INTO deleted (id, deletion, at) VALUES (?, ?, ?)")
            for id in kept { try statement.execute(arguments: [id, deletion, moment.milliseconds]) }
            try SourceRow.count(kept, by: -1, database)
            try MapUpkeep.count(kept, by: -1, database)
            // Others who look at the count are told once the rows are gone, not only before.
            if !kept.isEmpty { try Self.advance("deletions", database) }
            return kept.count
        }
    }

    private func purge(_ condition: SQL) async throws(StoreError) {
        while true {
            let count = try await writer.perform(rows: Self.purgedPiece) { database in
                try database.execute(
                    literal: """
                        DELETE FROM detection
                        WHERE id IN (SELECT id FROM deleted WHERE \(condition) LIMIT \(Self.purgedPiece))
                        """)
                return database.changesCount
            }
            guard count == Self.purgedPiece else { break }
        }
        while try await writer.perform(rows: SourceRow.refreshedAtOnce, { try SourceRow.removeEmpty($0) }) {}
    }

    /// Brings up to date what sources add up to.
    private func finishSources() async throws(StoreError) {
        while try await writer.perform(rows: SourceRow.refreshedAtOnce, { try SourceRow.refresh($0) }) {}
    }

    /// Counts a change.
    @discardableResult
    static func advance(_ name: String, _ database: Database) throws -> Int64 {
        try database.cachedStatement(
            sql:
                "UPDATE revision SET number = MIN(MAX(number, 0), \(UntrustedRow.usual.upperBound)) + 1 WHERE name = ?"
        )
        .execute(arguments: [name])
        return try revision(name, database)
    }

    static func revision(_ name: String, _ database: Database) throws -> Int64 {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT number FROM revision WHERE name = ?"), arguments: [name])
        return (row?.stored(0) ?? 0 as Int64).usual
    }
}
