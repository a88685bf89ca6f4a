// SPDX-License-Identifier: Apache-2.0

import GRDB

/// Brings the search index and the R*Tree up to date, a piece at a time.
///
/// They cost several times as much as the row itself, and many rows at once cost less than each by itself; so rows are
/// stored without them and they follow. Queries look at the rows that are not in them yet one by one; a process that
/// was killed leaves nothing to repair but that work.
enum DerivedTables {
    /// Rows of one piece: about 20 ms of work.
    static let pieceSize = 500
    /// So many rows are worth a piece; fewer are looked at one by one by whoever asks.
    static let leastPiece = 200

    /// Derives the next piece.
    ///
    /// - Parameters:
    ///   - database: The database, in a transaction.
    ///   - limit: Rows of the piece.
    /// - Returns: How many rows it had; less than the limit when none are left.
    /// - Throws: What GRDB throws.
    static func advance(_ database: Database, atMost limit: Int = pieceSize) throws -> Int {
        let done = try upTo(database)
        let piece = try Row.fetchOne(
            database.cachedStatement(
                sql:
                    "SELECT COUNT(*), MAX(id) FROM (SELECT id FROM detection WHERE id > ? ORDER BY id LIMIT ?)"
            ),
            arguments: [done, limit])
        guard let piece, let count: Int = piece.stored(0), let next: Int64 = piece.stored(1) else { return 0 }
        let texts = try database.cachedStatement(
            sql: """
                INSERT INTO detection_text (rowid, search)
                SELECT id, search FROM detection WHERE id > ? AND id <= ? ORDER BY id
                """)
        try texts.execute(arguments: [done, next])
        let places = try database.cachedStatement(
            sql: """
                INSERT INTO detection_place
                SELECT id, latitude, latitude, longitude, longitude FROM detection
                WHERE id > ? AND id <= ? AND latitude IS NOT NULL ORDER BY id
                """)
        try places.execute(arguments: [done, next])
        try database.cachedStatement(sql: "UPDATE derived SET up_to = ?").execute(arguments: [next])
        return count
    }

    /// The last row that they have.
    static func upTo(_ database: Database) throws -> Int64 {
        try Int64.fetchOne(database.cachedStatement(sql: "SELECT up_to FROM derived")) ?? 0
    }

    /// How many rows they lack.
    static func backlog(_ database: Database) throws -> Int {
        try Int.fetchOne(
            database, sql: "SELECT COUNT(*) FROM detection WHERE id > (SELECT up_to FROM derived)") ?? 0
    }
}
