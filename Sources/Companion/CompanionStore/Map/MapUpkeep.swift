// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import GRDB

/// Brings up to date what the map shows: squares with their sightings, and where sources stand.
///
/// Both follow the rows, a piece at a time and in one transaction with what they note of how far they are; a process that was
/// killed leaves nothing to repair but that work.
enum MapUpkeep {
    /// Sightings of one piece, at most: many at once write each page of squares once, where it lay in many pieces before.
    static let pieceSize = 4000
    /// Squares of one piece, about: each may be a page of the log, which would be as large as a piece that is all over the world.
    static let squaresAtOnce = 6000
    /// So many sightings are worth a piece; fewer are added up by whoever asks.
    static let leastPiece = 1500
    /// Sources that are placed in one piece.
    static let sourcesAtOnce = 200
    /// So many sightings of a source, the newest ones, say where it stands, with the strongest of all.
    static let sightingsLookedAt = 1000

    /// Forgets all squares: sightings are counted and sources placed from the first one on.
    ///
    /// - Throws: What GRDB throws.
    static func beginAnew(_ database: Database) throws {
        try database.execute(
            sql: """
                DELETE FROM cell;
                UPDATE map_progress SET up_to = 0;
                UPDATE source SET square = NULL, shown_latitude = NULL, shown_longitude = NULL, shown_type = NULL,
                    radius = NULL, spots = NULL, unplaced = 1;
                """)
    }

    // MARK: Sightings

    /// Counts the next piece of sightings.
    ///
    /// - Parameters:
    ///   - database: The database, in a transaction.
    ///   - limit: Rows of the piece; it has fewer where they lie in many squares.
    /// - Returns: How many rows it had; 0 when none are left.
    /// - Throws: What GRDB throws.
    static func advance(_ database: Database, atMost limit: Int = pieceSize) throws -> Int {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT id, type, latitude, longitude, received,
                        latitude IS NOT NULL AND NOT EXISTS (SELECT 1 FROM deleted WHERE deleted.id = detection.id)
                    FROM detection WHERE id > ? ORDER BY id LIMIT ?
                    """),
            arguments: [try upTo(database), limit])
        var changes = CellChanges()
        var (count, last) = (0, Int64?.none)
        while changes.count < squaresAtOnce, let row = try rows.next() {
            count += 1
            last = row.stored(0) ?? last
            guard row.stored(5) == true else { continue }
            changes.addSighting(row, at: 1, by: 1)
        }
        guard let last else { return 0 }
        try database.cachedStatement(sql: "UPDATE map_progress SET up_to = ?").execute(arguments: [last])
        // Last, since it may begin the map anew.
        try changes.write(database)
        return count
    }

    /// Takes sightings out of their squares, or puts them back; those that were not counted yet will be, or not, in their turn.
    ///
    /// - Parameters:
    ///   - ids: Their numbers.
    ///   - step: 1 or -1.
    ///   - database: The database, in the transaction in which they go or come back.
    /// - Throws: What GRDB throws.
    static func count(_ ids: [Int64], by step: Int64, _ database: Database) throws {
        let rows = try SQLRequest<Row>(
            literal: """
                SELECT type, latitude, longitude, received FROM detection
                WHERE id IN \(ids) AND id <= \(try upTo(database)) AND latitude IS NOT NULL
                """
        ).fetchCursor(database)
        var changes = CellChanges()
        while let row = try rows.next() {
            changes.addSighting(row, at: 0, by: step)
        }
        try changes.write(database)
    }

    /// The last row that is counted.
    static func upTo(_ database: Database) throws -> Int64 {
        try Int64.fetchOne(database.cachedStatement(sql: "SELECT up_to FROM map_progress")) ?? 0
    }

    /// How many rows are not counted yet.
    static func backlog(_ database: Database) throws -> Int {
        try Int.fetchOne(
            database, sql: "SELECT COUNT(*) FROM detection WHERE id > (SELECT up_to FROM map_progress)") ?? 0
    }

    // MARK: Sources

    /// Judges where the next sources stand; it only reads, and takes some milliseconds for each.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - known: What was judged before of sources that were received once.
    ///   - deadline: When no further one is begun.
    /// - Returns: The numbers of the sources, those that were new last first, and whether those are all.
    /// - Throws: What GRDB throws.
    static func judge(
        _ database: Database, _ known: inout LoneSightings, until deadline: ContinuousClock.Instant
    ) throws -> (judged: [JudgedSource], isAll: Bool) {
        let sources = try Row.fetchAll(
            database.cachedStatement(
                sql:
                    "SELECT id, type, count FROM source WHERE unplaced ORDER BY id DESC LIMIT \(sourcesAtOnce)"
            ))
        var judged: [JudgedSource] = []
        for row in sources {
            guard let id: Int64 = row.stored(0) else { continue }
            let (type, count): (String, Int) = (row.stored(1) ?? "", row.stored(2) ?? 0)
            let place = count > 0 ? try place(of: id, type: type, database, &known) : nil
            judged.append(JudgedSource(id: id, count: count, place: place))
            if clock.now >= deadline { break }
        }
        return (judged, judged.count == sources.count && sources.count < sourcesAtOnce)
    }

    private static let clock = ContinuousClock()

    /// Writes where sources stand.
    ///
    /// - Parameters:
    ///   - judged: What ``judge(_:)`` has found.
    ///   - database: The database, in a transaction.
    /// - Throws: What GRDB throws.
    static func move(_ judged: [JudgedSource], _ database: Database) throws {
        var changes = CellChanges()
        // Where another program has stored more of it meanwhile, it is placed once more.
        let forget = try database.cachedStatement(
            sql: "UPDATE source SET unplaced = 0 WHERE id = ? AND count = ?")
        for source in judged {
            try move(source.id, to: source.place, &changes, database)
            try forget.execute(arguments: [source.id, source.count])
        }
        try changes.write(database)
    }

    /// Takes sources from the map that are no more.
    static func remove(_ ids: [Int64], _ database: Database) throws {
        var changes = CellChanges()
        for id in ids { try move(id, to: nil, &changes, database) }
        try changes.write(database)
    }

    /// Where a source stands, judged by its sightings.
    private static func place(
        of id: Int64, type: String, _ database: Database, _ known: inout LoneSightings
    ) throws -> SourcePlace? {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT latitude, longitude, accuracy, rssi FROM detection
                    WHERE source_id = ? AND latitude IS NOT NULL
                        AND NOT EXISTS (SELECT 1 FROM deleted WHERE deleted.id = detection.id)
                    ORDER BY id DESC LIMIT \(sightingsLookedAt)
                    """),
            arguments: [id])
        var sightings: [CameraEstimate.Sighting] = []
        while let row = try rows.next() {
            // One that cannot be says nothing of where it stands.
            guard let place = row.position(0), let rssi = try? row.number(3, "rssi", in: -127...20) else {
                continue
            }
            sightings.append(
                CameraEstimate.Sighting(
                    latitude: place.latitude, longitude: place.longitude,
                    accuracy: row.finite(2).flatMap { $0 >= 0 ? $0 : nil }, rssi: Int(rssi)))
        }
        if sightings.count == sightingsLookedAt, let strongest = try strongest(of: id, database) {
            sightings.append(strongest)
        }
        if sightings.count == 1, let only = sightings.first, let radius = known.radius(of: only) {
            return SourcePlace(
                id: id, type: type, latitude: WholeDegrees.whole(only.latitude),
                longitude: WholeDegrees.whole(only.longitude), radius: radius, spots: 1)
        }
        guard let estimate = CameraEstimate(sightings) else { return nil }
        return SourcePlace(
            id: id, type: type, latitude: WholeDegrees.whole(estimate.latitude),
            longitude: WholeDegrees.whole(estimate.longitude), radius: estimate.radius,
            spots: estimate.placeCount)
    }

    private static func strongest(of id: Int64, _ database: Database) throws -> CameraEstimate.Sighting? {
        try Row.fetchOne(
            database.cachedStatement(
                sql:
                    "SELECT latitude, longitude, place_rssi FROM source WHERE id = ? AND latitude IS NOT NULL"
            ),
            arguments: [id]
        ).flatMap { row in
            guard let place = row.position(0), let rssi = try? row.number(2, "rssi", in: -127...20) else {
                return nil
            }
            return CameraEstimate.Sighting(
                latitude: place.latitude, longitude: place.longitude, rssi: Int(rssi))
        }
    }

    /// Shows a source somewhere else, or nowhere any more.
    private static func move(
        _ id: Int64, to place: SourcePlace?, _ changes: inout CellChanges, _ database: Database
    ) throws {
        let found = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT shown_type, shown_latitude, shown_longitude, radius, spots FROM source
                    WHERE id = ? AND square IS NOT NULL
                    """),
            arguments: [id])
        let last = found.flatMap { SourcePlace(id: id, $0) }
        guard last != place else { return }
        if let last { changes.addSource(last, by: -1) }
        if let place { changes.addSource(place, by: 1) }
        let square = place.map { place in
            ZOrder.number(
                latitude: WholeDegrees.degrees(place.latitude),
                longitude: WholeDegrees.degrees(place.longitude))
        }
        try database.cachedStatement(
            sql: """
                UPDATE source SET shown_type = ?, shown_latitude = ?, shown_longitude = ?, radius = ?, spots = ?, square = ?
                WHERE id = ?
                """
        ).execute(arguments: [
            place?.type, place?.latitude, place?.longitude, place?.radius, place?.spots, square, id,
        ])
    }
}

/// Where a source stands, as far as was known when it had so many detections.
struct JudgedSource {
    let id: Int64
    let count: Int
    /// The place; `nil` where it has none any more.
    let place: SourcePlace?
}
