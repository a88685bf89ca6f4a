// SPDX-License-Identifier: Apache-2.0

public import Companion
import Foundation
import GRDB

/// How large a store is and what is in it.
public struct StoreFigures: Hashable, Sendable {
    /// Octets of the file, without its log.
    public var octets: Int64
    /// Octets that its disk has left; `nil` when it lies on none.
    public var diskOctets: Int64?
    /// Octets of the file that are not used.
    public var freeOctets: Int64
    /// How many detections there are.
    public var detections: Int
    /// How many sources there are.
    public var sources: Int
    /// How many sources raise no alert.
    public var quietSources: Int
    /// When the last detection was received.
    public var lastDetection: Timestamp?
}

extension DetectionDatabase {
    /// How large the store is and what is in it.
    ///
    /// - Returns: The figures.
    /// - Throws: ``StoreError``.
    public func figures() async throws(StoreError) -> StoreFigures {
        var figures = try await read { database in
            let size = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
            let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            let free = try Int64.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT TOTAL(IIF(count BETWEEN 0 AND \(UntrustedRow.counted.upperBound), count, 0)), IFNULL(SUM(count > 0), 0), IFNULL(SUM(mark <> 'none'), 0),
                        MAX(IIF(count > 0 AND last_seen BETWEEN 0 AND \(Timestamp.storable.upperBound), last_seen, NULL))
                    FROM source
                    """)
            return StoreFigures(
                octets: pages * size, freeOctets: free * size,
                detections: Int(min(row?.finite(0) ?? 0, Double(UntrustedRow.usual.upperBound))),
                sources: row?.stored(1) ?? 0, quietSources: row?.stored(2) ?? 0,
                lastDetection: (row?.stored(3) as Int64?).map { Timestamp(milliseconds: $0) })
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        if log != nil,
            let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder),
            let left = attributes[.systemFreeSize] as? NSNumber
        {
            figures.diskOctets = left.int64Value
        }
        return figures
    }

    /// How many octets of the file the tables for searching and places have; all of them are read for that.
    ///
    /// - Returns: The octets.
    /// - Throws: ``StoreError``, also where SQLite was built without a measure of its pages.
    public func derivedOctets() async throws(StoreError) -> Int64 {
        try await octets(of: ["detection_text*", "detection_place*", "source_on_map", "cell"])
    }

    /// How many octets of the file drives have; all of them are read for that.
    ///
    /// - Returns: The octets.
    /// - Throws: ``StoreError`` as ``derivedOctets()``.
    public func driveOctets() async throws(StoreError) -> Int64 {
        try await octets(of: ["drive", "drive_point"])
    }

    /// The octets of tables with their indexes, and of single indexes.
    private func octets(of tables: [String]) async throws(StoreError) -> Int64 {
        try await read { database in
            var sum: Int64 = 0
            for table in tables {
                let names = try String.fetchAll(
                    database, sql: "SELECT name FROM sqlite_schema WHERE tbl_name GLOB ?1 OR name = ?1",
                    arguments: [table])
                for name in names {
                    sum +=
                        try Int64.fetchOne(
                            database, sql: "SELECT pgsize FROM dbstat WHERE name = ? AND aggregate = TRUE",
                            arguments: [name]) ?? 0
                }
            }
            return sum
        }
    }

    /// The numbers of the detections that a deletion has taken and that were not purged.
    ///
    /// - Parameters:
    ///   - deletion: The deletion.
    ///   - limit: At most so many, the lowest.
    /// - Returns: The numbers, in rising order.
    /// - Throws: ``StoreError``.
    public func deletedIDs(_ deletion: Int64, limit: Int) async throws(StoreError) -> [Int64] {
        try await read { database in
            try Int64.fetchAll(
                database, sql: "SELECT id FROM deleted WHERE deletion = ? ORDER BY id LIMIT ?",
                arguments: [deletion, limit])
        }
    }

    /// Takes the deletion of one detection back.
    ///
    /// - Parameter id: Its number.
    /// - Returns: 1, or 0 when it is not deleted, or for good.
    /// - Throws: ``StoreError``.
    public func restore(detection id: Int64) async throws(StoreError) -> Int {
        try await writer.perform { database in
            try database.execute(literal: "DELETE FROM deleted WHERE id = \(id)")
            guard database.changesCount == 1 else { return 0 }
            try SourceRow.count([id], by: 1, database)
            try Self.advance("deletions", database)
            _ = try SourceRow.refresh(database)
            return 1
        }
    }
}
