// SPDX-License-Identifier: Apache-2.0

import Detections
import GRDB

extension DatabaseMigrator {
    /// Where a source is shown stands beside the source, and is found by an index in the order of the map.
    ///
    /// `shown_latitude` and `shown_longitude` are in ten-millionths of a degree, `radius` in metres, `spots` from how many places
    /// it was judged, `shown_type` the kind under which squares count it. `square` is where that is in ``ZOrder``; nothing in all
    /// of them where the source has no place. `source_on_map` holds what a screen of the map asks for, neighbours together: two
    /// tables that were read at as many places as there are sources are no more.
    mutating func registerPlacesInSources(progress: @escaping @Sendable (MigrationProgress) -> Void) {
        registerMigration("006 places in sources") { database in
            for column in [
                "shown_type TEXT", "shown_latitude INTEGER", "shown_longitude INTEGER", "radius REAL",
                "spots INTEGER", "square INTEGER",
            ] {
                try database.execute(sql: "ALTER TABLE source ADD COLUMN \(column)")
            }
            let total = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM source_place") ?? 0
            let fill = try database.makeStatement(
                sql: """
                    UPDATE source SET shown_type = place.type, shown_latitude = place.latitude,
                        shown_longitude = place.longitude, radius = place.radius, spots = place.places,
                        square = map_square(place.latitude, place.longitude)
                    FROM source_place AS place WHERE place.id = source.id AND place.id > ? AND place.id <= ?
                    """)
            var (last, done): (Int64, Int) = (0, 0)
            while done < total {
                progress(MigrationProgress(step: "moving the places of sources", done: done, total: total))
                let next = try Int64.fetchOne(
                    database,
                    sql:
                        "SELECT MAX(id) FROM (SELECT id FROM source_place WHERE id > ? ORDER BY id LIMIT 10000)",
                    arguments: [last])
                guard let next else { break }
                try fill.execute(arguments: [last, next])
                done += database.changesCount
                last = next
            }
            try database.execute(
                sql: """
                    CREATE INDEX source_on_map ON source (
                        square, shown_type, shown_latitude, shown_longitude, radius, spots
                    ) WHERE square IS NOT NULL;
                    DROP TABLE source_place;
                    DROP TABLE source_area;
                    """)
        }
    }
}
