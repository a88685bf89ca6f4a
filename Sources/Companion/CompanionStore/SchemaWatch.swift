// SPDX-License-Identifier: Apache-2.0

import Companion
import GRDB
import Synchronization

/// Notices that a newer version of Lantern has changed the tables while this process has them open.
final class SchemaWatch: Sendable {
    private let path: String
    /// How many changes the tables had when they were looked at last.
    private let known = Mutex(0)

    init(path: String) { self.path = path }

    /// Looks whether the tables are still those that this version knows; called within each write.
    func check(_ database: Database) throws {
        let count =
            try Int.fetchOne(database.cachedStatement(sql: "SELECT COUNT(*) FROM grdb_migrations")) ?? 0
        guard known.withLock({ $0 != count }) else { return }
        if try DatabaseMigrator.detections.hasBeenSuperseded(database) { throw StoreError.newer(path: path) }
        known.withLock { $0 = count }
    }
}
