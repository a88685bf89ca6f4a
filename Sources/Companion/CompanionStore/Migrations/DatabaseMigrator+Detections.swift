// SPDX-License-Identifier: Apache-2.0

import GRDB

extension DatabaseMigrator {
    /// Every change of the tables, in order; one that was released is never edited.
    static var detections: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerDetections()
        migrator.registerDerivedTables()
        return migrator
    }
}
