// SPDX-License-Identifier: Apache-2.0

import Detections
import GRDB

extension DatabaseMigrator {
    /// What the last detection of a source says of it, beside the source: so a map or a list of sources looks for no rows.
    ///
    /// `last_confidence` and `last_ssid` are those of the detection with the highest number that was not deleted; nothing where
    /// there is none. They follow as the source's other sums do.
    mutating func registerLastDetections(progress: @escaping @Sendable (MigrationProgress) -> Void) {
        registerMigration("005 last detections") { database in
            try database.execute(
                sql: """
                    ALTER TABLE source ADD COLUMN last_confidence REAL;
                    ALTER TABLE source ADD COLUMN last_ssid ANY CHECK (typeof(last_ssid) IN ('text', 'blob', 'null'));
                    CREATE INDEX source_with_note ON source (id) WHERE note <> '';
                    """)
            let total = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM source") ?? 0
            let fill = try database.makeStatement(
                sql: """
                    UPDATE source SET (last_confidence, last_ssid) = (
                        SELECT confidence, ssid FROM detection
                        WHERE source_id = source.id AND NOT EXISTS (SELECT 1 FROM deleted WHERE deleted.id = detection.id)
                        ORDER BY detection.id DESC LIMIT 1
                    ) WHERE id > ? AND id <= ?
                    """)
            var (last, done): (Int64, Int) = (0, 0)
            while done < total {
                progress(MigrationProgress(step: "noting the last detections", done: done, total: total))
                let next = try Int64.fetchOne(
                    database,
                    sql: "SELECT MAX(id) FROM (SELECT id FROM source WHERE id > ? ORDER BY id LIMIT 10000)",
                    arguments: [last])
                guard let next else { break }
                try fill.execute(arguments: [last, next])
                done += database.changesCount
                last = next
            }
        }
    }
}
