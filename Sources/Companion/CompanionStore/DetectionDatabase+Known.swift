// SPDX-License-Identifier: Apache-2.0

public import Companion
public import Detections
import GRDB

/// What others know: sets of cameras that the user has brought.
extension DetectionDatabase {
    /// Stores a set in the place of the one of its name, in one commit, which ends without a trace when the task is cancelled.
    ///
    /// - Parameters:
    ///   - set: The set; how many cameras it has follows from them.
    ///   - cameras: Its cameras, each with a reference of its own.
    /// - Returns: How many cameras the one of its name had; `nil` when there was none.
    /// - Throws: ``StoreError``, ``StoreError/cancelled`` among them; nothing has changed then.
    public func replace(
        known set: ReferenceCameras, with cameras: [ListedCamera]
    ) async throws(StoreError) -> Int? {
        try Self.check(
            [set.name, set.origin, set.version] + cameras.flatMap { [$0.reference, $0.name, $0.tags] },
            "The set of cameras")
        let watch = ReadingWatch()
        return try await StoreError.catching(path: path) {
            try await withTaskCancellationHandler {
                try await writer.perform(rows: cameras.count) { database in
                    try Self.store(known: set, with: cameras, database, watch)
                }
            } onCancel: {
                watch.cancel()
            }
        }
    }

    private static func store(
        known set: ReferenceCameras, with cameras: [ListedCamera], _ database: Database, _ watch: ReadingWatch
    ) throws -> Int? {
        let before = try removeKnown(set.name, database)
        try database.execute(
            literal: """
                INSERT INTO known_set (name, origin, version, imported)
                VALUES (\(set.name), \(set.origin), \(set.version), \(set.imported.milliseconds))
                """)
        let number = database.lastInsertedRowID
        let insert = try database.cachedStatement(
            sql: """
                INSERT INTO known_camera (known_set, reference, name, latitude, longitude, direction, tags)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """)
        let area = try database.cachedStatement(
            sql: "INSERT INTO known_camera_area (id, south, north, west, east) VALUES (?1, ?2, ?2, ?3, ?3)")
        for camera in cameras {
            try watch.check()
            let (latitude, longitude) = (camera.position.latitude, camera.position.longitude)
            try insert.execute(arguments: [
                number, camera.reference, camera.name, latitude, longitude, camera.directions.first,
                camera.tags,
            ])
            try area.execute(arguments: [database.lastInsertedRowID, latitude, longitude])
        }
        return before
    }

    /// Lists the sets by name.
    ///
    /// - Returns: The sets.
    /// - Throws: ``StoreError``.
    public func knownSets() async throws(StoreError) -> [ReferenceCameras] {
        let request = SQLRequest<Row>(
            literal: """
                SELECT name, origin, version, imported,
                    (SELECT COUNT(*) FROM known_camera WHERE known_set = known_set.id)
                FROM known_set ORDER BY name
                """)
        return try await read { [unusable] database in
            try unusable.usable(request.fetchCursor(database)) { row in
                ReferenceCameras(
                    name: try row.needed(0, "name"), cameras: row.stored(4) ?? 0, origin: row.stored(1) ?? "",
                    version: row.stored(2) ?? "", imported: try row.time(3, "time"))
            }
        }
    }

    /// Removes a set with its cameras.
    ///
    /// - Parameter name: Its name.
    /// - Returns: How many cameras it had; `nil` when there is none of this name.
    /// - Throws: ``StoreError``.
    public func remove(known name: String) async throws(StoreError) -> Int? {
        try Self.check([name], "The name")
        return try await writer.perform { try Self.removeKnown(name, $0) }
    }

    private static func removeKnown(_ name: String, _ database: Database) throws -> Int? {
        let found = SQLRequest<Int64>(literal: "SELECT id FROM known_set WHERE name = \(name)")
        guard let id = try found.fetchOne(database) else { return nil }
        let count = try SQLRequest<Int>(
            literal: "SELECT COUNT(*) FROM known_camera WHERE known_set = \(id)"
        ).fetchOne(database)
        try database.execute(literal: "DELETE FROM known_set WHERE id = \(id)")
        return count
    }

    /// Finds the cameras of all sets in a part of the map.
    ///
    /// - Parameters:
    ///   - box: The part of the map.
    ///   - limit: How many at most, 1 to 10 000.
    /// - Returns: The cameras in order of their numbers, and whether there are more.
    /// - Throws: ``StoreError``.
    public func knownCameras(
        in box: MapBox, limit: Int = 500
    ) async throws(StoreError) -> (cameras: [KnownCamera], more: Bool) {
        let limit = min(max(1, limit), DetectionPage.largest)
        let request = SQLRequest<Row>(
            literal: """
                SELECT \(Self.columns) WHERE \(box.area(in: "known_camera_area"))
                    AND \(box.places(in: "known_camera"))
                ORDER BY known_camera.id LIMIT \(limit + 1)
                """)
        let found = try await read { [unusable] in try unusable.usable(request.fetchCursor($0), Self.camera) }
        return (Array(found.prefix(limit)), found.count > limit)
    }

    /// Finds the camera of all sets that is nearest to a place.
    ///
    /// - Parameters:
    ///   - position: The place.
    ///   - reach: How far away it may be, in metres.
    /// - Returns: The camera; `nil` when there is none so near.
    /// - Throws: ``StoreError``.
    public func knownCamera(
        near position: Position, within reach: Double = KnownNearby.reach
    ) async throws(StoreError) -> KnownNearby? {
        guard let circle = Vicinity(center: position, metres: reach) else { return nil }
        let request = SQLRequest<Row>(
            literal:
                "SELECT \(Self.columns) WHERE \(MapBox.area(of: circle.mapBoxes, in: "known_camera_area"))")
        let cameras = try await read { [unusable] in try unusable.usable(request.fetchCursor($0), Self.camera)
        }
        let near = cameras.map { KnownNearby($0, metres: position.distance(to: $0.position)) }
        return near.filter { $0.metres <= reach }.min {
            ($0.metres, $0.camera.id) < ($1.metres, $1.camera.id)
        }
    }

    private static let columns: SQL = """
        known_camera.id, known_set.name, known_camera.name, known_camera.latitude, known_camera.longitude, direction,
        reference, tags FROM known_camera_area CROSS JOIN known_camera ON known_camera.id = known_camera_area.id
        JOIN known_set ON known_set.id = known_camera.known_set
        """

    private static func camera(_ row: Row) throws -> KnownCamera {
        guard let position = row.position(3) else {
            throw BadValue("a known camera has no place that can be")
        }
        // One column holds the first; the tags say all of them.
        let first: [Double] = row.finite(5).map { [$0] } ?? []
        let all = ListedCamera.directions(inTags: row.stored(7) ?? "")
        return KnownCamera(
            id: try row.number(0, "number"), set: row.stored(1) ?? "", name: row.stored(2) ?? "",
            position: position, directions: all.isEmpty ? first : all, reference: row.stored(6) ?? "")
    }
}
