// SPDX-License-Identifier: Apache-2.0

import Companion
import GRDB

/// The numbers from which a database counts on: where somebody has written one that leaves no room, nothing more could be stored.
enum LastNumbers {
    /// A number beyond that is none that counting has come to.
    private static let largest = UntrustedRow.usual.upperBound / 2
    private static let tables = [
        "detection", "source", "parse_error", "drive", "known_set", "known_camera", "saved_device", "bond",
    ]

    /// Sets back what cannot be.
    ///
    /// - Parameters:
    ///   - connections: The database.
    ///   - unusable: Told of each.
    /// - Throws: What GRDB throws.
    static func mend(_ connections: some DatabaseWriter, _ unusable: UnusableRows) throws {
        do {
            try mendNumbers(connections, unusable)
            // Some may be gone with their numbers.
            try SourceCounts.mend(connections, unusable)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            // Whatever else needs the damaged page says so, and what does not goes on.
        }
    }

    private static func mendNumbers(_ connections: some DatabaseWriter, _ unusable: UnusableRows) throws {
        let sql = """
            SELECT EXISTS (SELECT 1 FROM sqlite_sequence WHERE seq NOT BETWEEN 0 AND \(largest))
                OR EXISTS (SELECT 1 FROM derived, map_progress WHERE derived.up_to NOT BETWEEN 0 AND \(largest)
                    OR map_progress.up_to NOT BETWEEN 0 AND \(largest))
                OR EXISTS (SELECT 1 FROM revision WHERE number NOT BETWEEN 0 AND \(largest))
                OR EXISTS (SELECT 1 FROM detection WHERE id > \(largest)) OR EXISTS (SELECT 1 FROM detection WHERE id < 1)
                OR EXISTS (SELECT 1 FROM source WHERE id > \(largest)) OR EXISTS (SELECT 1 FROM source WHERE id < 1)
            """
        // Looked up in the order of the tables, so that it costs nothing.
        guard try connections.read({ try Bool.fetchOne($0, sql: sql) }) == true else { return }
        try connections.write { try mend($0, unusable) }
    }

    /// Gives sources whose number cannot be another one, with which their detections go.
    private static func renumberSources(_ database: Database, _ unusable: UnusableRows) throws {
        let usable = "id BETWEEN 1 AND \(largest)"
        let ids = try Int64.fetchAll(database, sql: "SELECT id FROM source WHERE NOT \(usable)")
        // Squares add up the numbers of their sources.
        if !ids.isEmpty { try MapUpkeep.beginAnew(database) }
        for id in ids {
            let last = try Int64.fetchOne(
                database, sql: "SELECT IFNULL(MAX(id), 0) FROM source WHERE \(usable)")
            let new = (last ?? 0) + 1
            guard new <= largest else { return }
            try database.execute(sql: "UPDATE source SET id = ? WHERE id = ?", arguments: [new, id])
            try database.execute(
                sql: "UPDATE detection SET source_id = ? WHERE source_id = ?", arguments: [new, id])
            unusable.note("source \(id), which has the number \(new) now")
        }
    }

    private static func mend(_ database: Database, _ unusable: UnusableRows) throws {
        try renumberSources(database, unusable)
        for table in tables {
            // The names are those above.
            try database.execute(sql: "DELETE FROM \(table) WHERE id NOT BETWEEN 1 AND \(largest)")
            if database.changesCount > 0 {
                unusable.note(
                    "\(database.changesCount) of \(table) with a number that leaves none for what comes")
            }
            let last = try Int64.fetchOne(database, sql: "SELECT IFNULL(MAX(id), 0) FROM \(table)") ?? 0
            try database.execute(
                sql: "UPDATE sqlite_sequence SET seq = ? WHERE name = ? AND seq NOT BETWEEN 0 AND \(largest)",
                arguments: [last, table])
            if database.changesCount > 0 {
                unusable.note("the last number of \(table), which is set back to \(last)")
            }
        }
        try database.execute(
            sql: "UPDATE revision SET number = 0 WHERE number NOT BETWEEN 0 AND \(largest)")
        if database.changesCount > 0 { unusable.note("the number of the last change, which starts again") }
        try database.execute(
            sql: "UPDATE source SET revision = 0 WHERE revision NOT BETWEEN 0 AND \(largest)")
        if database.changesCount > 0 {
            unusable.note("the last change of \(database.changesCount) sources, which start again")
        }
        let last = try DetectionDatabase.lastID(database)
        for table in ["derived", "map_progress"] {
            try database.execute(
                sql:
                    "UPDATE \(table) SET up_to = MIN(MAX(up_to, 0), ?) WHERE up_to NOT BETWEEN 0 AND \(largest)",
                arguments: [last])
            if database.changesCount > 0 { unusable.note("the last number of \(table), which is set back") }
        }
    }
}
