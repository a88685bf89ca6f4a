// SPDX-License-Identifier: Apache-2.0

import GRDB

/// What is to be added to the squares of the map, put together before it is written.
struct CellChanges {
    private struct Key: Hashable {
        let cell: MapCell
        let type: String
    }

    private struct Change {
        var sources: Int64 = 0
        var numbers: Int64 = 0
        var latitudes: Int64 = 0
        var longitudes: Int64 = 0
        var sightings: Int64 = 0
        var newest: Int64 = 0

        var isNothing: Bool {
            sources == 0 && numbers == 0 && latitudes == 0 && longitudes == 0 && sightings == 0
        }
    }

    private var changes: [Key: Change] = [:]

    /// Adds a sighting, or takes it away again.
    mutating func addSighting(
        type: String, latitude: Double, longitude: Double, received: Int64, by step: Int64
    ) {
        each(type, latitude, longitude) { change in
            change.sightings += step
            if step > 0 { change.newest = max(change.newest, received) }
        }
    }

    /// Adds a source, or takes it away again.
    mutating func addSource(_ place: SourcePlace, by step: Int64) {
        each(
            place.type, WholeDegrees.degrees(place.latitude), WholeDegrees.degrees(place.longitude)
        ) { change in
            change.sources += step
            change.numbers += step * place.id
            change.latitudes += step * place.latitude
            change.longitudes += step * place.longitude
        }
    }

    private mutating func each(
        _ type: String, _ latitude: Double, _ longitude: Double, _ body: (inout Change) -> Void
    ) {
        let deepest = MapCell(latitude: latitude, longitude: longitude)
        for level in 0...MapCell.deepestLevel {
            body(&changes[Key(cell: deepest.at(level), type: type), default: Change()])
        }
    }

    /// Writes the changes, and drops the squares that have become empty.
    ///
    /// - Throws: What GRDB throws.
    func write(_ database: Database) throws {
        let add = try database.cachedStatement(
            sql: """
                INSERT INTO cell (level, y, x, type, sources, numbers, latitudes, longitudes, sightings, newest)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET sources = sources + excluded.sources, numbers = numbers + excluded.numbers,
                    latitudes = latitudes + excluded.latitudes, longitudes = longitudes + excluded.longitudes,
                    sightings = sightings + excluded.sightings, newest = MAX(newest, excluded.newest)
                """)
        let drop = try database.cachedStatement(
            sql: """
                DELETE FROM cell WHERE level = ? AND y = ? AND x = ? AND type = ? AND sources = 0 AND sightings = 0
                """)
        // In the order of the table, so that each of its pages is looked up once.
        let sorted = changes.filter { !$0.value.isNothing }.sorted {
            let (one, other) = ($0.key.cell, $1.key.cell)
            return (one.level, one.y, one.x) < (other.level, other.y, other.x)
        }
        for (key, change) in sorted {
            let cell = key.cell
            try add.execute(arguments: [
                cell.level, cell.y, cell.x, key.type, change.sources, change.numbers, change.latitudes,
                change.longitudes, change.sightings, change.newest,
            ])
            if change.sources < 0 || change.sightings < 0 {
                try drop.execute(arguments: [cell.level, cell.y, cell.x, key.type])
            }
        }
    }
}

/// Where a source is shown.
struct SourcePlace {
    let id: Int64
    let type: String
    /// Degrees north as a whole number, ``WholeDegrees``.
    let latitude: Int64
    /// Degrees east as a whole number, ``WholeDegrees``.
    let longitude: Int64
    /// How far it may be wrong, in metres; `nil` where that is not known.
    let radius: Double?
    /// From how many spots it was judged.
    let spots: Int
}
