// SPDX-License-Identifier: Apache-2.0

import Companion
import GRDB

/// How many detections sources have: set right where somebody has written, or removed, something else by hand.
enum SourceCounts {
    /// Whether there is anything to set right, as sums tell: 20 ms for a million detections of 100 000 sources.
    ///
    /// A detection whose source is another one than it was, or is missing among those that are there, is not found by that; the
    /// latter is left out of lists, and told.
    private static let isOff = """
        SELECT counted.total <> (SELECT COUNT(*) FROM detection) - (SELECT COUNT(*) FROM deleted) OR counted.least < 0
            OR (SELECT MAX(source_id) FROM detection) > counted.last OR (SELECT MIN(source_id) FROM detection) < 1
        FROM (SELECT TOTAL(count) AS total, MIN(count) AS least, MAX(id) AS last FROM source) AS counted
        """
    private static let isWithoutSource =
        "NOT EXISTS (SELECT 1 FROM source WHERE source.id = detection.source_id)"
    private static let kept = """
        (SELECT COUNT(*) FROM detection WHERE detection.source_id = source.id
            AND NOT EXISTS (SELECT 1 FROM deleted WHERE deleted.id = detection.id))
        """

    /// Gives detections without a source one, and counts the detections of each source.
    ///
    /// - Parameters:
    ///   - connections: The database.
    ///   - unusable: Told of what was wrong.
    /// - Throws: What GRDB throws.
    static func mend(_ connections: some DatabaseWriter, _ unusable: UnusableRows) throws {
        guard try connections.read({ try Bool.fetchOne($0, sql: isOff) }) == true else { return }
        try connections.write { database in
            try database.execute(
                sql:
                    "DELETE FROM deleted WHERE NOT EXISTS (SELECT 1 FROM detection WHERE detection.id = deleted.id)"
            )
            try giveSources(database, unusable)
            try count(database, unusable)
        }
    }

    private static func giveSources(_ database: Database, _ unusable: UnusableRows) throws {
        let ids = try Int64.fetchAll(database, sql: "SELECT id FROM detection WHERE \(isWithoutSource)")
        guard !ids.isEmpty else { return }
        let new = try database.makeStatement(
            sql: """
                INSERT INTO source (key, mac, ssid, type, label, first_seen, last_seen, count, strongest)
                SELECT source_key(type, label, mac, ssid), mac, IIF(mac IS NULL, ssid, NULL), type, label, received, received, 0,
                    rssi
                FROM detection WHERE id = ?1
                    AND NOT EXISTS (
                        SELECT 1 FROM source WHERE source.key = source_key(
                            detection.type, detection.label, detection.mac, detection.ssid)
                    )
                """)
        let update = try database.makeStatement(
            sql: """
                UPDATE detection SET source_id = (
                    SELECT source.id FROM source WHERE source.key = source_key(
                        detection.type, detection.label, detection.mac, detection.ssid)
                ) WHERE id = ?1
                """)
        var given = 0
        for id in ids {
            // A row that cannot be stays as it is, and is left out of what is read.
            let isGiven = try isAllowed {
                for statement in [new, update] { try statement.execute(arguments: [id]) }
            }
            if isGiven { given += 1 }
        }
        guard given > 0 else { return }
        unusable.say(
            given == 1
                ? "1 detection of the database had no source, and has one again."
                : "\(given) detections of the database had no source, and have one again.")
        // Squares have counted the sources that are gone.
        _ = try isAllowed {
            try database.inSavepoint {
                try MapUpkeep.beginAnew(database)
                return .commit
            }
        }
    }

    private static func count(_ database: Database, _ unusable: UnusableRows) throws {
        let ids = try Int64.fetchAll(database, sql: "SELECT id FROM source WHERE count IS NOT \(kept)")
        let update = try database.makeStatement(
            sql: "UPDATE source SET count = \(kept), stale = 1, unplaced = 1 WHERE id = ?")
        var counted = 0
        for id in ids {
            let isCounted = try isAllowed { try update.execute(arguments: [id]) }
            if isCounted { counted += 1 }
        }
        guard counted > 0 else { return }
        unusable.say(
            "How many detections \(counted == 1 ? "a source has" : "\(counted) sources have") was wrong in the database, and is counted again."
        )
        _ = try isAllowed { while try SourceRow.refresh(database) {} }
    }

    /// Does something, unless a rule of the tables forbids it.
    private static func isAllowed(_ body: () throws -> Void) throws -> Bool {
        do {
            try body()
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            return false
        }
    }
}
