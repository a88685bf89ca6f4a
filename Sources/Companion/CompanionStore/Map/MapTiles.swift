// SPDX-License-Identifier: Apache-2.0

public import Companion
public import Foundation
import GRDB
public import HubModel

/// Pictures of the ground in an MBTiles file, which is only read.
///
/// Spec: MBTiles 1.3: tables `metadata` (name, value) and `tiles` (zoom_level, tile_column, tile_row, tile_data), whose rows are
/// counted from the south.
public struct MapTiles: Sendable {
    /// A picture.
    public struct Picture: Sendable {
        /// Its octets.
        public var octets: Data
        /// Its kind, as in `image/png`.
        public var type: String
    }

    /// What the file says of itself.
    public let description: MapFile
    private let connections: DatabasePool
    private let path: String
    /// Ends whatever is read.
    private let end: ReadingWatch
    /// How long the description of the file, and a picture, may take.
    private let patience: Duration

    /// Opens a file.
    ///
    /// - Parameter path: The file.
    /// - Returns: The pictures.
    /// - Throws: ``StoreError/unfitMap(path:reason:)`` with a reason that a person understands, ``StoreError/cancelled``.
    public static func open(_ path: String) async throws(StoreError) -> MapTiles {
        try await open(path, patience: .seconds(5))
    }

    /// Opens a file, of which the description and each picture may take so long.
    static func open(_ path: String, patience: Duration) async throws(StoreError) -> MapTiles {
        guard FileManager.default.fileExists(atPath: path) else {
            throw .unfitMap(path: path, reason: "there is no such file")
        }
        let end = ReadingWatch()
        do {
            // To open a pipe would wait for whoever writes into it.
            try DetectionDatabase.checkKind(of: path)
            return try await withTaskCancellationHandler {
                try await blocking { try MapTiles(path, end, patience) }
            } onCancel: {
                end.cancel()
            }
        } catch {
            throw Self.fault(error, path)
        }
    }

    /// What is wrong with a map, and not with a database.
    private static func fault(_ error: any Error, _ path: String) -> StoreError {
        let error = StoreError(error, path: path)
        return error == .cancelled ? error : .unfitMap(path: path, reason: error.phrase)
    }

    private init(_ path: String, _ end: ReadingWatch, _ patience: Duration) throws {
        self.path = path
        self.end = end
        self.patience = patience
        var configuration = Configuration()
        configuration.readonly = true
        configuration.maximumReaderCount = 2
        // What a stranger has made is data: its views and triggers run no function of ours, and end.
        configuration.prepareDatabase { database in
            try database.execute(
                sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
            database.limit(valuesTo: Self.largest * 4)
        }
        do {
            connections = try DatabasePool(path: path, configuration: configuration)
            description = try connections.read { database in
                try Self.reading(database, until: end, for: patience) {
                    try Self.describe(database, path: path)
                }
            }
        } catch let error as DatabaseError {
            throw StoreError.unfit(
                reason: "it is not an MBTiles file (\(error.message ?? "SQLite cannot read it"))")
        }
    }

    /// Reads for no longer than may be.
    private static func reading<Value>(
        _ database: Database, until end: ReadingWatch, for patience: Duration, _ body: () throws -> Value
    ) throws -> Value {
        let watch = ReadingWatch(until: .now + patience, within: end)
        do {
            return try database.watched(by: watch, body)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            throw watch.reason
        }
    }

    private static func describe(_ database: Database, path: String) throws -> MapFile {
        var values: [String: String] = [:]
        // Only what is used, one by one: a view has values of megabytes at no cost.
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT name, substr(CAST(value AS TEXT), 1, \(longestText)) FROM metadata
                WHERE name IN ('name', 'format', 'attribution', 'bounds') LIMIT 100
                """)
        while let row = try rows.next() {
            guard let name: String = row.stored(0), let value: String = row.stored(1) else { continue }
            values[name] = value
        }
        if values["format"] == "pbf" {
            throw StoreError.unfit(
                reason: "it has drawings (pbf), and only pictures can be shown: PNG, JPEG or WebP")
        }
        let zooms = try Row.fetchOne(database, sql: "SELECT MIN(zoom_level), MAX(zoom_level) FROM tiles")
        guard let low: Int = zooms?.stored(0), let high: Int = zooms?.stored(1), 0...24 ~= low,
            low...24 ~= high
        else {
            throw StoreError.unfit(reason: "it has no pictures")
        }
        let name = values["name"] ?? URL(fileURLWithPath: path).lastPathComponent
        return MapFile(
            name: name, minimumZoom: low, maximumZoom: high, attribution: values["attribution"] ?? "",
            box: values["bounds"].flatMap(box))
    }

    private static func box(_ text: String) -> MapFile.Box? {
        let edges = text.split(separator: ",").compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
        guard edges.count == 4, edges.allSatisfy({ (-180...180).contains($0) }), edges[1] < edges[3] else {
            return nil
        }
        return MapFile.Box(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
    }

    /// Characters of what a file says of itself that are taken.
    private static let longestText = 500

    /// A picture larger than that is none of a map.
    private static let largest = 1 << 20

    /// Reads a picture.
    ///
    /// - Parameters:
    ///   - zoom: The zoom.
    ///   - x: Its column, counted from the west.
    ///   - y: Its row, counted from the north.
    /// - Returns: The picture; `nil` where the file has none.
    /// - Throws: ``StoreError/unfitMap(path:reason:)`` where the file cannot be read any more, ``StoreError/cancelled`` after
    ///   ``stop()``.
    public func picture(zoom: Int, x: Int, y: Int) async throws(StoreError) -> Picture? {
        guard 0...24 ~= zoom, 0..<(1 << zoom) ~= x, 0..<(1 << zoom) ~= y else { return nil }
        let octets: Data?
        do {
            octets = try await connections.read { [end, patience] database in
                try end.check()
                return try Self.reading(database, until: end, for: patience) {
                    try Row.fetchOne(
                        database.cachedStatement(
                            sql: """
                                SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?
                                    AND length(tile_data) <= \(Self.largest)
                                """),
                        arguments: [zoom, x, (1 << zoom) - 1 - y])
                }.flatMap { $0.stored(0) as Data? }
            }
        } catch {
            throw Self.fault(error, path)
        }
        return octets.flatMap { octets in Self.type(of: octets).map { Picture(octets: octets, type: $0) } }
    }

    /// Ends what is being read, and reads nothing from then on.
    public func stop() { end.cancel() }

    /// What kind of picture it is, by its first octets: whatever a file says of itself, nothing else is served as one.
    private static func type(of octets: Data) -> String? {
        let begin = [UInt8](octets.prefix(12))
        if begin.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if begin.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if begin.starts(with: Array("RIFF".utf8)), begin.suffix(4) == Array("WEBP".utf8) {
            return "image/webp"
        }
        return nil
    }
}
