// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import FlockFinder
import GRDB

/// The table of sources: what identifies one, and how it follows the rows.
enum SourceRow {
    /// How a query begins of which ``source(_:)`` reads the rows; conditions on the table `source` follow.
    static let select: SQL = """
        SELECT source.id, mac, ssid, source.type, label, first_seen, last_seen, count, strongest, place_rssi, \
        source.latitude, source.longitude, mark, note, revision, shown_latitude, shown_longitude, radius, spots, \
        last_confidence, last_ssid
        FROM source
        """

    /// Counts a change of mark or note, also where somebody has written the largest number.
    static let nextRevision: SQL = "revision = MIN(revision, \(UntrustedRow.usual.upperBound - 1)) + 1"

    /// Reads a row of ``select``.
    ///
    /// - Throws: ``BadValue`` where a value cannot be.
    static func source(_ row: Row) throws -> DetectionSource { try row.named("source", checkedSource) }

    private static func checkedSource(_ row: Row) throws -> DetectionSource {
        let text = { (index: Int) in (row.stored(index) as StoredText?)?.text }
        var place: DetectionSource.StrongestPlace?
        if let position = row.position(10), let rssi = try? row.number(9, "strength", in: -127...20) {
            place = .init(position: position, rssi: Int(rssi))
        }
        var estimate: DetectionSource.Estimate?
        if let shown = SourcePlace.shown(row, 15), let spots = try? row.number(18, "number of spots") {
            estimate = .init(position: shown, radius: row.finite(17), spots: Int(spots))
        }
        let name = text(2).map { DetectionSource.Identity.name($0) }
        return DetectionSource(
            id: try row.number(0, "number"),
            identity: (row.stored(1) as String?).map { .address($0) } ?? name ?? .kind,
            type: DetectionType(keyword: try row.needed(3, "type")) ?? .unknown, label: text(4) ?? "",
            firstSeen: try row.time(5, "first time"), lastSeen: try row.time(6, "last time"),
            count: Int(try row.number(7, "count")),
            strongest: Int(try row.number(8, "strength", in: -127...20)),
            strongestPlace: place, estimate: estimate,
            mark: (row.stored(12) as String?).flatMap(SourceMark.init(rawValue:)) ?? .none,
            note: row.stored(13) ?? "", revision: try row.number(14, "revision"))
    }

    /// `source_key(type, label, mac, ssid)`: what identifies a source.
    static let keyFunction = DatabaseFunction("source_key", argumentCount: 4, pure: true) { values in
        StoredText(
            DetectionSource.key(
                type: String.fromDatabaseValue(values[0]) ?? "",
                label: StoredText.fromDatabaseValue(values[1])?.text ?? "",
                mac: String.fromDatabaseValue(values[2]),
                ssid: StoredText.fromDatabaseValue(values[3])?.text))
    }

    /// Counts a sighting for its source, which is made when it is new.
    ///
    /// - Returns: The source's number, when it was received first, its mark and note.
    static func count(
        _ sighting: Sighting, _ database: Database
    ) throws -> (Int64, Timestamp, SourceMark, String) {
        let type = sighting.type.keywordString
        let key = StoredText(
            DetectionSource.key(
                type: type, label: sighting.label, mac: sighting.mac, ssid: sighting.ssid))
        let received = sighting.received.milliseconds
        // Inserting first would use up a number each time.
        let known = try database.cachedStatement(
            sql: """
                UPDATE source SET type = ?1, label = ?2, count = MIN(MAX(count, 0), \(UntrustedRow.usual.upperBound)) + 1, last_confidence = ?9, last_ssid = ?10,
                    first_seen = MIN(first_seen, ?3), last_seen = MAX(last_seen, ?3),
                    strongest = MAX(strongest, ?4),
                    unplaced = unplaced OR ?6 IS NOT NULL OR (latitude IS NOT NULL AND type <> ?1),
                    latitude = IIF(?5 > IFNULL(place_rssi, -128), ?6, latitude),
                    longitude = IIF(?5 > IFNULL(place_rssi, -128), ?7, longitude),
                    place_rssi = IIF(?5 > IFNULL(place_rssi, -128), ?5, place_rssi)
                WHERE key = ?8 RETURNING id, mark, note, first_seen
                """)
        let values: [(any DatabaseValueConvertible)?] = [
            type, StoredText(sighting.label), received, sighting.rssi,
            sighting.position == nil ? nil : sighting.rssi, sighting.position?.latitude,
            sighting.position?.longitude, key, sighting.confidence, sighting.ssid.map(StoredText.init),
        ]
        if let row = try Row.fetchAll(known, arguments: StatementArguments(values)).first,
            let id: Int64 = row.stored(0)
        {
            return (
                id, (try? row.time(3, "first time")) ?? sighting.received,
                (row.stored(1) as String?).flatMap(SourceMark.init(rawValue:)) ?? .none, row.stored(2) ?? ""
            )
        }
        let new = try database.cachedStatement(
            sql: """
                INSERT INTO source (
                    key, mac, ssid, type, label, first_seen, last_seen, count, strongest, place_rssi, latitude, longitude,
                    unplaced, last_confidence, last_ssid
                ) VALUES (?8, ?11, ?12, ?1, ?2, ?3, ?3, 1, ?4, ?5, ?6, ?7, ?6 IS NOT NULL, ?9, ?10)
                """)
        let name = sighting.mac == nil ? sighting.ssid.map(StoredText.init) : nil
        try new.execute(
            arguments: StatementArguments(values + [sighting.mac, name]))
        return (database.lastInsertedRowID, sighting.received, .none, "")
    }

    /// Removes rows from their sources, or puts them back; what a row may have changed but the count is read again later.
    static func count(_ ids: [Int64], by step: Int, _ database: Database) throws {
        try database.execute(
            literal: """
                UPDATE source SET count = MAX(0, MIN(MAX(count, 0), \(UntrustedRow.usual.upperBound)) + found.rows * \(step)),
                    unplaced = unplaced OR found.place > -128,
                    stale = stale OR \(step) > 0 OR found.first <= first_seen OR found.last >= last_seen
                        OR found.strongest >= source.strongest OR found.place >= IFNULL(place_rssi, 128)
                        OR NOT EXISTS (
                            SELECT 1 FROM detection WHERE source_id = source.id AND id > found.newest AND \(DetectionQuery.isKept)
                        )
                FROM (
                    SELECT source_id, COUNT(*) AS rows, MAX(id) AS newest, MIN(received) AS first, MAX(received) AS last,
                        MAX(rssi) AS strongest, MAX(IIF(latitude IS NULL, -128, rssi)) AS place
                    FROM detection WHERE id IN \(ids) GROUP BY source_id
                ) AS found WHERE source.id = found.source_id
                """)
    }

    /// Sources that are read again in one commit.
    static let refreshedAtOnce = 200

    /// Reads again from the rows what some stale sources add up to.
    ///
    /// - Returns: Whether any may be left.
    static func refresh(_ database: Database) throws -> Bool {
        let ids = try Int64.fetchAll(
            database, sql: "SELECT id FROM source WHERE stale LIMIT \(refreshedAtOnce)")
        let isKept = "NOT EXISTS (SELECT 1 FROM deleted WHERE deleted.id = detection.id)"
        let update = try database.cachedStatement(
            sql: """
                UPDATE source SET stale = 0, (first_seen, last_seen, strongest) = (
                    SELECT IFNULL(MIN(received), first_seen), IFNULL(MAX(received), last_seen),
                        IFNULL(MAX(rssi), strongest)
                    FROM detection WHERE source_id = ?1 AND \(isKept)
                ), (place_rssi, latitude, longitude) = (
                    SELECT rssi, latitude, longitude
                    FROM detection WHERE source_id = ?1 AND latitude IS NOT NULL AND \(isKept)
                    ORDER BY rssi DESC, id LIMIT 1
                ), (last_confidence, last_ssid) = (
                    SELECT confidence, ssid FROM detection WHERE source_id = ?1 AND \(isKept)
                    ORDER BY id DESC LIMIT 1
                ) WHERE id = ?1
                """)
        for id in ids { try update.execute(arguments: [id]) }
        return ids.count == refreshedAtOnce
    }

    /// Forgets some sources that have no row any more and of which nobody has said anything.
    ///
    /// - Returns: Whether any may be left.
    static func removeEmpty(_ database: Database) throws -> Bool {
        let ids = try Int64.fetchAll(
            database,
            sql: """
                SELECT id FROM source WHERE count = 0 AND mark = 'none' AND note = ''
                AND NOT EXISTS (SELECT 1 FROM detection WHERE source_id = source.id) LIMIT \(refreshedAtOnce)
                """)
        try MapUpkeep.remove(ids, database)
        try database.execute(literal: "DELETE FROM source WHERE id IN \(ids)")
        return ids.count == refreshedAtOnce
    }
}
