// SPDX-License-Identifier: Apache-2.0

public import Companion
import Foundation
import GRDB

/// Detections in one SQLite file.
///
/// A row is durable before it is acknowledged: the file is in WAL mode with `synchronous=FULL`, and what
/// waits while a commit runs goes into the next one together. Other processes may read and write the same
/// file meanwhile.
public struct DetectionDatabase: Sendable {
    /// The file; `:memory:` when there is none.
    public let path: String
    let connections: any DatabaseWriter
    let writer: DetectionWriter

    /// Opens a file and brings its tables up to date.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - createIfMissing: Whether to make the file when there is none; its folder must exist.
    /// - Throws: ``StoreError`` when the file is missing, locked, damaged, newer than this program or not its own.
    public init(path: String, createIfMissing: Bool) throws(StoreError) {
        try self.init(path: path, createIfMissing: createIfMissing, busyTimeout: 5)
    }

    /// Opens a file and waits at most so many seconds for each lock.
    init(path: String, createIfMissing: Bool, busyTimeout: TimeInterval) throws(StoreError) {
        guard createIfMissing || FileManager.default.fileExists(atPath: path) else {
            throw StoreError.missing(path: path)
        }
        var configuration = Self.configuration(path: path)
        configuration.busyMode = .timeout(busyTimeout)
        connections = try StoreError.catching(path: path) {
            let pool = try DatabasePool(path: path, configuration: configuration)
            try pool.writeWithoutTransaction { database in
                // GRDB has set NORMAL, with which a loss of power may undo what was acknowledged.
                try database.execute(sql: "PRAGMA synchronous = FULL")
                // Apple's systems need one step more until the disk itself has it; others have no such step.
                try database.execute(sql: "PRAGMA fullfsync = ON")
            }
            try Self.migrate(pool, path: path)
            return pool
        }
        self.path = path
        writer = DetectionWriter(connections, path: path)
    }

    /// Opens a file that there is, to read from it; it may lie on a disk that may not be written.
    ///
    /// Where SQLite may not write beside the file, nobody else can either, so the file is taken as it is.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``StoreError`` as ``init(path:createIfMissing:)`` does, and ``StoreError/readOnly(path:)`` when the file is
    ///   of an older version or was not closed, and would have to be written for that.
    public init(reading path: String) throws(StoreError) {
        do {
            try self.init(path: path, createIfMissing: false)
        } catch {
            switch error {
            case .readOnly, .cannotOpen: try self.init(unwritable: path)
            default: throw error
            }
        }
    }

    /// Opens a file that may not be written, nor anything beside it.
    init(unwritable path: String) throws(StoreError) {
        // What was not moved into the file is lost to whoever looks at the file alone.
        let log = try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
        if let log, log > 0 { throw StoreError.readOnly(path: path) }
        var configuration = Self.configuration(path: path)
        configuration.readonly = true
        var parts = URLComponents()
        parts.scheme = "file"
        parts.path = URL(fileURLWithPath: path).path
        parts.queryItems = [URLQueryItem(name: "immutable", value: "1")]
        let address = parts.string ?? path
        connections = try StoreError.catching(path: path) {
            let queue = try DatabaseQueue(path: address, configuration: configuration)
            try queue.read { database in
                try Self.checkOwner(database, path: path)
                let migrator = DatabaseMigrator.detections
                if try migrator.hasBeenSuperseded(database) { throw StoreError.newer(path: path) }
                guard try migrator.hasCompletedMigrations(database) else {
                    throw StoreError.readOnly(path: path)
                }
            }
            return queue
        }
        self.path = path
        writer = DetectionWriter(connections, path: path)
    }

    /// Makes a store that lives in memory only.
    ///
    /// - Throws: ``StoreError``.
    public init() throws(StoreError) {
        path = ":memory:"
        connections = try StoreError.catching(path: ":memory:") {
            let queue = try DatabaseQueue(configuration: Self.configuration(path: ":memory:"))
            try Self.migrate(queue, path: ":memory:")
            return queue
        }
        writer = DetectionWriter(connections, path: path)
    }

    /// Closes the file when everything that was handed over is stored; what is left is one file.
    ///
    /// - Throws: ``StoreError`` when a reader is still at work.
    public func close() async throws(StoreError) {
        await writer.drain()
        try StoreError.catching(path: path) {
            // The last connection to go moves the log into the file, if it may write; GRDB would close it
            // first.
            (connections as? DatabasePool)?.invalidateReadOnlyConnections()
            try connections.close()
        }
    }

    private static func configuration(path: String) -> Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            database.add(function: .distance)
            database.add(function: FoldedText.contains)
            if !database.configuration.readonly { try checkOwner(database, path: path) }
        }
        return configuration
    }

    /// Refuses a file that another program has made, before anything is written.
    private static func checkOwner(_ database: Database, path: String) throws {
        let owner = try Int.fetchOne(database, sql: "PRAGMA application_id")
        // Killed while it makes the file, GRDB leaves a table of its own and no owner yet.
        let sql = "SELECT NOT EXISTS (SELECT * FROM sqlite_master WHERE tbl_name <> 'grdb_migrations')"
        let isEmpty = try Bool.fetchOne(database, sql: sql) ?? true
        guard owner == applicationID || (owner == 0 && isEmpty) else { throw StoreError.foreign(path: path) }
    }

    private static func migrate(_ connections: some DatabaseWriter, path: String) throws {
        let migrator = DatabaseMigrator.detections
        // Only read at first: a process that writes meanwhile need not be waited for when there is nothing to
        // do.
        let (isNewer, isDone) = try connections.read { database in
            (try migrator.hasBeenSuperseded(database), try migrator.hasCompletedMigrations(database))
        }
        if isNewer { throw StoreError.newer(path: path) }
        if !isDone { try migrator.migrate(connections) }
    }

    /// `LTRN`: marks a file as ours.
    static let applicationID = 0x4C54_524E
}

extension DatabaseFunction {
    /// `distance_metres(latitude, longitude, latitude, longitude)`, null when a place is missing.
    fileprivate static let distance = DatabaseFunction("distance_metres", argumentCount: 4, pure: true) {
        values in
        let numbers = values.compactMap { Double.fromDatabaseValue($0) }
        guard numbers.count == 4, let from = Position(latitude: numbers[0], longitude: numbers[1]),
            let to = Position(latitude: numbers[2], longitude: numbers[3])
        else { return nil }
        return from.distance(to: to)
    }
}
