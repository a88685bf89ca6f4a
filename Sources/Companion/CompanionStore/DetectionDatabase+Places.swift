// SPDX-License-Identifier: Apache-2.0

public import Companion
public import Detections
import GRDB

extension DetectionDatabase {
    /// Fills in where detections were that have no place, in one commit.
    ///
    /// One that has a place meanwhile, or was deleted, stays as it is.
    ///
    /// - Parameter places: The places; at most ``largestBatch``.
    /// - Returns: Those that were filled in, each with the number of its source, in rising order of the detections.
    /// - Throws: ``StoreError``; nothing has changed then.
    public func fill(_ places: [LatePlace]) async throws(StoreError) -> [DetectionPlaced] {
        guard places.count <= Self.largestBatch else {
            throw .tooMuch(
                reason: "\(places.count) places are more than the \(Self.largestBatch) of one commit")
        }
        guard !places.isEmpty else { return [] }
        return try await writer.perform(rows: places.count) { database in
            var placed: [DetectionPlaced] = []
            for place in places.sorted(by: { $0.id < $1.id }) {
                if let one = try Self.fill(place, database) { placed.append(one) }
            }
            guard !placed.isEmpty else { return [] }
            try MapUpkeep.count(placed.map(\.place.id), by: 1, database)
            try Self.advance("places", database)
            return placed
        }
    }

    private static func fill(_ place: LatePlace, _ database: Database) throws -> DetectionPlaced? {
        let (position, fix) = (place.position, place.fix)
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT source_id, rssi FROM detection
                    WHERE id = ? AND received = ? AND latitude IS NULL AND id NOT IN (SELECT id FROM deleted)
                    """), arguments: [place.id, place.received.milliseconds])
        guard let row, let source: Int64 = row.stored(0), let rssi: Int64 = row.stored(1) else { return nil }
        try database.cachedStatement(
            sql: """
                UPDATE detection SET latitude = ?, longitude = ?, fix_source = ?, fix_age = ?, accuracy = ?, altitude = ?
                WHERE id = ?
                """
        ).execute(arguments: [
            position.latitude, position.longitude, fix.source?.keyword.description, fix.age, fix.accuracy,
            fix.altitude, place.id,
        ])
        // Those that are not derived yet get it with the rest.
        try database.cachedStatement(
            sql: """
                INSERT INTO detection_place
                SELECT id, latitude, latitude, longitude, longitude FROM detection
                WHERE id = ? AND id <= (SELECT up_to FROM derived)
                """
        ).execute(arguments: [place.id])
        try database.cachedStatement(
            sql: """
                UPDATE source SET unplaced = 1,
                    latitude = IIF(?1 > IFNULL(place_rssi, -128), ?2, latitude),
                    longitude = IIF(?1 > IFNULL(place_rssi, -128), ?3, longitude),
                    place_rssi = IIF(?1 > IFNULL(place_rssi, -128), ?1, place_rssi)
                WHERE id = ?4
                """
        ).execute(arguments: [rssi, position.latitude, position.longitude, source])
        return DetectionPlaced(place, source: source)
    }
}
