// SPDX-License-Identifier: Apache-2.0

public import Companion
public import Detections
import GRDB

extension DetectionDatabase {
    /// Drives that are listed at once, at most.
    public static let mostDrives = 1000

    /// Stores what was added to a drive; when this returns, it is durable.
    ///
    /// - Parameter piece: The new points; a drive that was deleted meanwhile begins anew with them.
    /// - Returns: The drive as it is now.
    /// - Throws: ``StoreError``.
    public func save(_ piece: DrivePiece) async throws(StoreError) -> Drive {
        guard let first = piece.points.first, let last = piece.points.last else {
            throw .refused(reason: "a piece of a drive has no points")
        }
        return try await writer.perform(rows: piece.points.count) { [unusable] database in
            let box = RouteBox(of: piece.points)
            var id = piece.drive
            if let known = id {
                try database.execute(
                    literal: """
                        UPDATE drive SET "end" = MAX("end", \(last.time)), metres = \(piece.metres),
                            south = MIN(south, \(box.south)), north = MAX(north, \(box.north)),
                            west = MIN(west, \(box.west)), east = MAX(east, \(box.east)) WHERE id = \(known)
                        """)
                if database.changesCount == 0 { id = nil }
            }
            if id == nil {
                try database.execute(
                    literal: """
                        INSERT INTO drive ("begin", "end", metres, fix_source, south, north, west, east) VALUES
                        (\(first.time), \(max(first.time, last.time)), \(piece.metres), \(piece.source.keyword.description),
                        \(box.south), \(box.north), \(box.west), \(box.east))
                        """)
                id = database.lastInsertedRowID
                try Self.advance("drives", database)
            }
            let number = id ?? 0
            try Self.insert(piece.points, into: number, database)
            guard let drive = try Self.drive(number, database, unusable) else {
                throw StoreError.refused(reason: "the drive is gone")
            }
            // However long it takes: what was driven is to be stored.
            return try DriveSources.counted([drive], in: database).first ?? drive
        }
    }

    /// Lists drives, the newest first.
    ///
    /// - Parameters:
    ///   - after: The drive behind which the list goes on.
    ///   - limit: At most so many, up to ``mostDrives``.
    /// - Returns: The drives.
    /// - Throws: ``StoreError``; ``StoreError/tooMuch(reason:)`` when counting what they have met takes too long.
    public func drives(after: Drive? = nil, limit: Int = mostDrives) async throws(StoreError) -> [Drive] {
        var condition: SQL = "TRUE"
        if let after { condition = #"("begin", id) < (\#(after.begin.milliseconds), \#(after.id))"# }
        let request = SQLRequest<Row>(
            literal: """
                SELECT \(Self.driveColumns) FROM drive WHERE \(condition)
                ORDER BY "begin" DESC, id DESC LIMIT \(min(max(0, limit), Self.mostDrives))
                """)
        return try await read { [unusable] database in
            try DriveSources.counted(unusable.usable(request.fetchCursor(database), Self.drive), database)
        }
    }

    /// Finds a drive.
    ///
    /// - Parameter id: Its number.
    /// - Returns: The drive and its points, the oldest first; `nil` when there is none.
    /// - Throws: ``StoreError``.
    public func drive(id: Int64) async throws(StoreError) -> (drive: Drive, points: [DrivePoint])? {
        try await read { [unusable] database in
            guard let drive = try Self.drive(id, database, unusable) else { return nil }
            let counted = try DriveSources.counted([drive], database).first
            return (counted ?? drive, try Self.points(of: id, database, unusable))
        }
    }

    /// Deletes drives for good; detections stay.
    ///
    /// - Parameter ids: Their numbers.
    /// - Returns: Those that there were, in rising order.
    /// - Throws: ``StoreError``.
    public func deleteDrives(_ ids: [Int64]) async throws(StoreError) -> [Int64] {
        var gone: [Int64] = []
        for piece in Self.pieces(ids) {
            gone += try await deleteDrives(where: "id IN \(piece)", points: piece.count)
        }
        return gone
    }

    /// Deletes drives that ended before a moment, for good.
    ///
    /// - Parameter moment: The moment.
    /// - Returns: Their numbers, in rising order.
    /// - Throws: ``StoreError``.
    public func deleteDrives(endedBefore moment: Timestamp) async throws(StoreError) -> [Int64] {
        var gone: [Int64] = []
        while true {
            // Each may have tens of thousands of points, and others store in between.
            let piece = try await deleteDrives(
                where: #"id IN (SELECT id FROM drive WHERE "end" < \#(moment.milliseconds) LIMIT 8)"#,
                points: 8)
            guard !piece.isEmpty else { return gone.sorted() }
            gone += piece
        }
    }

    private func deleteDrives(where condition: SQL, points rows: Int) async throws(StoreError) -> [Int64] {
        try await writer.perform(rows: rows) { database in
            let ids = try SQLRequest<Int64>(literal: "SELECT id FROM drive WHERE \(condition) ORDER BY id")
                .fetchAll(database)
            guard !ids.isEmpty else { return [] }
            try database.execute(literal: "DELETE FROM drive WHERE id IN \(ids)")
            try Self.advance("drives", database)
            return ids
        }
    }

    // MARK: Rows

    /// The columns of a query, in the order that ``drive(_:)`` reads.
    private static let driveColumns: SQL = #"id, "begin", "end", metres, fix_source"#

    private static func drive(
        _ id: Int64, _ database: Database, _ unusable: UnusableRows
    ) throws -> Drive? {
        try SQLRequest<Row>(literal: "SELECT \(driveColumns) FROM drive WHERE id = \(id)").fetchOne(database)
            .flatMap { try unusable.usable($0, drive) }
    }

    /// Reads a row that has the ``driveColumns``; what it has met is counted by ``DriveSources``.
    ///
    /// - Throws: ``BadValue`` where a value cannot be.
    static func drive(_ row: Row) throws -> Drive {
        do {
            let (begin, end) = (try row.time(1, "beginning"), try row.time(2, "end"))
            guard begin <= end, let metres = row.finite(3), metres >= 0 else {
                throw BadValue("its end or length cannot be")
            }
            return Drive(
                id: try row.number(0, "number"), begin: begin, end: end, metres: metres,
                source: (row.stored(4) as String?).flatMap(Fix.Source.init(keyword:)))
        } catch let bad as BadValue {
            throw BadValue(
                "drive \((row.stored(0) as Int64?)?.description ?? "without a number"): \(bad.reason)")
        }
    }

    /// Reads a row that begins with time, latitude and longitude, and may go on with altitude, accuracy and speed.
    ///
    /// - Throws: ``BadValue`` where a value cannot be.
    static func point(_ row: Row) throws -> DrivePoint {
        guard let time = try? row.time(0, "time"), let place = row.position(1) else {
            throw BadValue("a point of a drive has no time or place that can be")
        }
        let rest = (3...5).map { $0 < row.count ? row.finite($0) : nil }
        return DrivePoint(
            time: time.milliseconds, latitude: place.latitude, longitude: place.longitude, altitude: rest[0],
            accuracy: rest[1], speed: rest[2])
    }

    /// Adds points to a drive; of one time the later counts.
    static func insert(_ points: [DrivePoint], into drive: Int64, _ database: Database) throws {
        let insert = try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO drive_point (drive, time, latitude, longitude, altitude, accuracy, speed)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """)
        for point in points {
            try insert.execute(arguments: [
                drive, point.time, point.latitude, point.longitude, point.altitude, point.accuracy,
                point.speed,
            ])
        }
    }

    static func points(
        of drive: Int64, _ database: Database, _ unusable: UnusableRows
    ) throws -> [DrivePoint] {
        let request = SQLRequest<Row>(
            literal: """
                SELECT time, latitude, longitude, altitude, accuracy, speed FROM drive_point
                WHERE drive = \(drive) ORDER BY time
                """)
        return try unusable.usable(request.fetchCursor(database), point)
    }
}

/// The part of the map that points are in; all around the globe where they cross the date line.
struct RouteBox {
    let south: Double
    let north: Double
    let west: Double
    let east: Double

    init(of points: [DrivePoint]) {
        let latitudes = points.map(\.latitude)
        let longitudes = points.map(\.longitude)
        (south, north) = (latitudes.min() ?? 0, latitudes.max() ?? 0)
        let (least, most) = (longitudes.min() ?? 0, longitudes.max() ?? 0)
        let isAcross = zip(longitudes, longitudes.dropFirst()).contains { abs($0 - $1) > 180 }
        (west, east) = isAcross ? (-180, 180) : (least, most)
    }
}
