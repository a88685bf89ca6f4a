// SPDX-License-Identifier: Apache-2.0

import GRDB

/// Brings the search index and the R*Tree up to date, a piece at a time.
///
/// They cost about six times as much as the row itself (about 85 µs against 15 µs), so a burst is stored
/// without them and they follow. Queries look at the rows that are not in them yet one by one; a process that
/// was killed leaves nothing to repair but that work.
enum DerivedTables {
    /// Rows of one piece: about 20 ms of work.
    static let pieceSize: Int64 = 200

    /// Derives the next piece.
    ///
    /// - Returns: How many numbers of rows are still to do.
    static func advance(_ database: Database) throws -> Int64 {
        let done = try Int64.fetchOne(database.cachedStatement(sql: "SELECT up_to FROM derived")) ?? 0
        let last = try Int64.fetchOne(database.cachedStatement(sql: "SELECT MAX(id) FROM detection")) ?? 0
        guard last > done else { return 0 }
        let next = min(last, done + pieceSize)
        let texts = try database.cachedStatement(
            sql: """
                INSERT INTO detection_text (rowid, label, ssid, mac, extra)
                SELECT id, label, ssid, mac, extra FROM detection WHERE id > ? AND id <= ? ORDER BY id
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
        return last - next
    }
}
