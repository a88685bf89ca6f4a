// SPDX-License-Identifier: Apache-2.0

import Detections
import GRDB

extension DatabaseMigrator {
    /// Every change of the tables, in order; one that was released is never edited.
    static var detections: DatabaseMigrator { detections { _ in } }

    /// Every change of the tables, in order; those that rewrite much report how far they are.
    static func detections(
        progress: @escaping @Sendable (MigrationProgress) -> Void
    ) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerDetections()
        migrator.registerDerivedTables()
        migrator.registerSources(progress: progress)
        migrator.registerPlaces()
        migrator.registerLastDetections(progress: progress)
        migrator.registerPlacesInSources(progress: progress)
        migrator.registerSavedDevices()
        migrator.registerBonds()
        return migrator
    }
}
