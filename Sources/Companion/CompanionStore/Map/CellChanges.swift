// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import GRDB

/// What is to be added to the squares of the map, put together before it is written.
struct CellChanges {
    /// A square and a kind in one number, in the order of the table.
    private struct Key: Hashable, Comparable {
        let packed: UInt64

        init(_ cell: MapCell, type: Int) {
            packed =
                UInt64(cell.level) << 56 | UInt64(cell.y) << 36 | UInt64(cell.x) << 16 | UInt64(type & 0xFFFF)
        }

        var level: Int { Int(packed >> 56) }
        var y: Int { Int(packed >> 36 & 0xF_FFFF) }
        var x: Int { Int(packed >> 16 & 0xF_FFFF) }
        var type: Int { Int(packed & 0xFFFF) }

        static func < (one: Key, other: Key) -> Bool { one.packed < other.packed }
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
    /// The words of the kinds; their places here stand for them.
    private var types: [String] = []
    private var numbers: [String: Int] = [:]

    /// How many squares and kinds are changed.
    var count: Int { changes.count }

    /// Adds a sighting of a row, or takes it away again: its type, latitude, longitude and time; one that cannot be is passed
    /// over.
    mutating func addSighting(_ row: Row, at index: Int, by step: Int64) {
        guard let type: String = row.stored(index), let place = row.position(index + 1),
            let received = try? row.time(index + 3, "time")
        else { return }
        addSighting(
            type: type, latitude: place.latitude, longitude: place.longitude, received: received.milliseconds,
            by: step)
    }

    private mutating func addSighting(
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
            // A number that is none of ours may be too large to be added up.
            change.sources += step
            change.numbers &+= step &* place.id
            change.latitudes += step * place.latitude
            change.longitudes += step * place.longitude
        }
    }

    private mutating func each(
        _ type: String, _ latitude: Double, _ longitude: Double, _ body: (inout Change) -> Void
    ) {
        let number = number(of: type)
        let deepest = MapCell(latitude: latitude, longitude: longitude)
        for level in 0...MapCell.deepestLevel {
            body(&changes[Key(deepest.at(level), type: number), default: Change()])
        }
    }

    private mutating func number(of type: String) -> Int {
        if let number = numbers[type] { return number }
        numbers[type] = types.count
        types.append(type)
        return types.count - 1
    }

    /// Writes the changes, and drops the squares that have become empty.
    ///
    /// Sums that were written by hand may be too large for it; then the map is begun anew, and all is counted in its turn.
    ///
    /// - Throws: What GRDB throws.
    func write(_ database: Database) throws {
        do {
            try database.inSavepoint {
                try add(database)
                return .commit
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            try MapUpkeep.beginAnew(database)
        }
    }

    private func add(_ database: Database) throws {
        let add = try database.cachedStatement(
            sql: """
                INSERT INTO cell (level, y, x, type, sources, numbers, latitudes, longitudes, sightings, newest)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET sources = sources + excluded.sources, numbers = numbers + excluded.numbers,
                    latitudes = latitudes + excluded.latitudes, longitudes = longitudes + excluded.longitudes,
                    sightings = sightings + excluded.sightings, newest = MAX(newest, excluded.newest)
                """)
        // What is taken away was there.
        let take = try database.cachedStatement(
            sql: """
                UPDATE cell SET sources = sources + ?, numbers = numbers + ?, latitudes = latitudes + ?,
                    longitudes = longitudes + ?, sightings = sightings + ?, newest = MAX(newest, ?)
                WHERE level = ? AND y = ? AND x = ? AND type = ? RETURNING sources = 0 AND sightings = 0
                """)
        let drop = try database.cachedStatement(
            sql: "DELETE FROM cell WHERE level = ? AND y = ? AND x = ? AND type = ?")
        // In the order of the table, so that each of its pages is looked up once.
        for (key, change) in changes.filter({ !$0.value.isNothing }).sorted(by: { $0.key < $1.key }) {
            let square: StatementArguments = [key.level, key.y, key.x, types[key.type]]
            let values: StatementArguments = [
                change.sources, change.numbers, change.latitudes, change.longitudes, change.sightings,
                change.newest,
            ]
            if change.sources > 0 || change.sightings > 0 {
                try add.execute(arguments: square + values)
            } else if try Bool.fetchAll(take, arguments: values + square).first == true {
                try drop.execute(arguments: square)
            }
        }
    }
}

/// Where a source is shown.
struct SourcePlace: Equatable {
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

extension SourcePlace {
    /// Reads a row of type, latitude, longitude, radius and number of spots; nothing where that is no place.
    init?(id: Int64, _ row: Row) {
        guard let type: String = row.stored(0), Self.shown(row, 1) != nil,
            let latitude: Int64 = row.stored(1),
            let longitude: Int64 = row.stored(2)
        else { return nil }
        self.init(
            id: id, type: type, latitude: latitude, longitude: longitude, radius: row.finite(3),
            spots: row.stored(4) ?? 0)
    }

    /// Where the whole degrees of two columns are; nothing where that is nowhere on Earth.
    static func shown(_ row: Row, _ index: Int) -> Position? {
        guard let latitude: Int64 = row.stored(index), let longitude: Int64 = row.stored(index + 1) else {
            return nil
        }
        return Position(latitude: WholeDegrees.degrees(latitude), longitude: WholeDegrees.degrees(longitude))
    }
}
