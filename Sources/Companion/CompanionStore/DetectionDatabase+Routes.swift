// SPDX-License-Identifier: Apache-2.0

public import Companion
public import Detections
import Foundation
import GRDB

extension DetectionDatabase {
    /// Points of ways that are drawn at once, at most.
    public static let mostRoutePoints = DrawnRoutes.mostPoints
    /// Points that are read for that, at most.
    private static let mostPointsRead = 100_000
    /// To look for one point takes as long as to read so many in their order.
    private static let costOfLook = 4
    /// A drive of so many points is always read wholly.
    private static let smallDrive: Int64 = 1000

    /// The ways of drives within a part of the map, as fine as they can be seen: the newest drives, as many as have room.
    ///
    /// - Parameters:
    ///   - box: The part of the map.
    ///   - zoom: How large the world is: 256 pixels, doubled so many times.
    ///   - limit: Points that there may be, at most.
    /// - Returns: The ways, the newest drive last; one that leaves the part and comes back is there more than once.
    /// - Throws: ``StoreError``.
    public func routes(
        in box: MapBox, zoom: Double, limit: Int = mostRoutePoints
    ) async throws(StoreError) -> [DriveRoute] {
        let request = SQLRequest<Row>(
            literal: """
                SELECT id, "begin", "end", metres, fix_source FROM drive
                WHERE \(box.area()) ORDER BY "begin" DESC, id DESC
                """)
        return try await read { [unusable] database in
            var drawn = DrawnRoutes(in: box, zoom: zoom, limit: limit)
            var unread = Self.mostPointsRead
            let drives = try request.fetchCursor(database)
            while drawn.hasRoom, unread > 0, let row = try drives.next() {
                guard let drive = try unusable.usable(row, Self.drive) else { continue }
                drawn.add(drive, try Self.points(of: drive, in: box, zoom: zoom, &unread, database, unusable))
            }
            return drawn.routes
        }
    }

    /// The points of a drive, or some of them where it is so small on the map that nobody could tell.
    static func points(
        of drive: Drive, in box: MapBox, zoom: Double, _ unread: inout Int, _ database: Database,
        _ unusable: UnusableRows
    ) throws -> [DrivePoint] {
        let latitude = max(box.south, -max(0, -box.north), min(box.north, 0)).magnitude
        let metresOfPixel = 156_543 * cos(min(latitude, 85) * .pi / 180) / pow(2, zoom)
        // Two for each pixel of its way; a receiver tells one each second.
        let wanted = Int(max(64, min(1e6, 2 * drive.metres / metresOfPixel)))
        let length = drive.end.milliseconds - drive.begin.milliseconds
        guard length / 1000 > max(smallDrive, Int64(wanted * costOfLook)) else {
            let points = try points(of: drive.id, database, unusable)
            unread -= points.count
            return points
        }
        unread -= wanted * costOfLook
        let request = SQLRequest<Row>(
            literal: """
                WITH RECURSIVE step (number) AS (
                    SELECT 0 UNION ALL SELECT number + 1 FROM step WHERE number < \(wanted)
                )
                SELECT DISTINCT time, latitude, longitude FROM step CROSS JOIN drive_point ON drive = \(drive.id) AND time = (
                    SELECT MIN(time) FROM drive_point
                    WHERE drive = \(drive.id) AND time >= \(drive.begin.milliseconds) + \(length) * number / \(wanted)
                ) ORDER BY time
                """)
        return try unusable.usable(request.fetchCursor(database), point)
    }
}
