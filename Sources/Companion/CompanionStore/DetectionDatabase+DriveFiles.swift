// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import GRDB

/// Which drives a file of detections has: those of its time.
struct DriveSpan: Sendable {
    var since: Timestamp?
    var until: Timestamp?
    /// Whether nothing fits.
    var isEmpty = false
}

extension DetectionDatabase {
    /// The next drive that overlaps a span, in the order in which they began.
    ///
    /// - Parameters:
    ///   - span: The span.
    ///   - last: The beginning and number of the one before.
    /// - Returns: The beginning and number of the drive.
    /// - Throws: ``StoreError``.
    func drive(
        in span: DriveSpan, after last: (begin: Int64, id: Int64)?
    ) async throws(StoreError) -> (begin: Int64, id: Int64)? {
        guard !span.isEmpty else { return nil }
        var terms: [SQL] = ["TRUE"]
        if let since = span.since { terms.append("end >= \(since.milliseconds)") }
        if let until = span.until { terms.append("begin < \(until.milliseconds)") }
        if let last { terms.append("(begin, id) > (\(last.begin), \(last.id))") }
        let request = SQLRequest<Row>(
            literal: """
                SELECT begin, id FROM drive WHERE \(terms.joined(separator: " AND ")) ORDER BY begin, id LIMIT 1
                """)
        return try await read { database in
            guard let row = try request.fetchOne(database), let begin: Int64 = row.stored(0),
                let id: Int64 = row.stored(1)
            else { return nil }
            return (begin, id)
        }
    }

    /// Points of a drive, in order.
    ///
    /// - Parameters:
    ///   - drive: Its number.
    ///   - time: The time of the last point that is known already.
    ///   - limit: How many at most.
    /// - Returns: The points.
    /// - Throws: ``StoreError``.
    func fixes(
        of drive: Int64, after time: Int64?, atMost limit: Int
    ) async throws(StoreError) -> [Fix] {
        let all: SQL = """
            SELECT time, drive_point.latitude, drive_point.longitude, altitude, accuracy, speed, fix_source
            FROM drive_point JOIN drive ON drive.id = drive_point.drive
            WHERE drive = \(drive) AND time > \(time ?? .min) ORDER BY time
            """
        return try await read { [unusable] database in
            try unusable.page(of: limit, database, query: { "\(all) LIMIT \(limit + $0)" }) { row in
                let point = try Self.point(row)
                return Fix(
                    time: point.time, latitude: point.latitude, longitude: point.longitude,
                    altitude: point.altitude, accuracy: point.accuracy, speed: point.speed,
                    source: (row.stored(6) as String?).flatMap(Fix.Source.init(keyword:)) ?? .track)
            }
        }
    }

    /// Stores a drive out of a file, unless one of the same beginning and end is there.
    ///
    /// - Parameters:
    ///   - drive: The drive.
    ///   - isTrial: Whether to store nothing.
    /// - Returns: Whether it is new.
    /// - Throws: ``StoreError``.
    func importing(_ drive: ImportedDrive, isTrial: Bool) async throws(StoreError) -> Bool {
        guard drive.fixes.allSatisfy({ Timestamp.storable.contains($0.time) }) else {
            throw .refused(reason: "a point of a track has a time that is not between 1970 and 9999")
        }
        if isTrial { return try await read { try Self.isNew(drive, $0) } }
        return try await writer.perform(rows: drive.fixes.count) { database in
            guard try Self.isNew(drive, database) else { return false }
            try Self.insert(drive, database)
            return true
        }
    }

    private static func isNew(_ drive: ImportedDrive, _ database: Database) throws -> Bool {
        guard let first = drive.fixes.first, let last = drive.fixes.last else { return false }
        return try SQLRequest<Int>(
            literal: "SELECT 1 FROM drive WHERE begin = \(first.time) AND end = \(last.time)"
        ).fetchOne(database) == nil
    }

    private static func insert(_ drive: ImportedDrive, _ database: Database) throws {
        let points = drive.points
        let (first, last, box) = (drive.fixes[0], drive.fixes[drive.fixes.count - 1], RouteBox(of: points))
        try database.execute(
            literal: """
                INSERT INTO drive (begin, end, metres, fix_source, south, north, west, east)
                VALUES (\(first.time), \(last.time), \(drive.metres), \(first.source.keyword.description),
                    \(box.south), \(box.north), \(box.west), \(box.east))
                """)
        try insert(points, into: database.lastInsertedRowID, database)
    }
}
