// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import Foundation
import GRDB

/// How a file is opened: whose it is, whether it is new or old, and who may change it now.
struct DatabaseOpening: Sendable {
    /// `LTRN`: marks a file as ours.
    static let applicationID = 0x4C54_524E
    /// Files with so many rows are copied before a migration rewrites them.
    static let rowsWorthACopy = 10_000
    /// How many seconds to wait for another process that makes or changes the file.
    private static let patience: TimeInterval = 600

    let path: String
    let busy: BusyHandler
    let progress: @Sendable (MigrationProgress) -> Void

    init(
        path: String, busyTimeout: TimeInterval,
        progress: @escaping @Sendable (MigrationProgress) -> Void = { _ in }
    ) {
        self.path = path
        busy = BusyHandler(busyTimeout)
        self.progress = progress
    }

    /// Opens a file for reading and writing; it is made when there is none.
    func pool() throws(StoreError) -> DatabasePool {
        // Most often there is nothing to be done, and nobody need be waited for.
        if try !isEmpty(), let pool = try finishedPool() { return pool }
        let report = progress
        let lock = try OpeningLock(for: path, patience: Self.patience) {
            report(
                MigrationProgress(
                    step: "waiting for another program that opens the database", done: 0, total: 0))
        }
        defer { lock.release() }
        Self.makeFile(path)
        return try StoreError.catching(path: path) {
            let pool = try openPool()
            let migrator = DatabaseMigrator.detections(progress: progress)
            if try !isFinished(pool) {
                try keepCopy(of: pool)
                try migrator.migrate(pool)
            }
            return pool
        }
    }

    /// Opens a file that may not be written.
    ///
    /// A log beside it can be read where its index is there, too; without a log, the file is taken as it is. A log that is
    /// empty may be that of a program which is about to write.
    func reader() throws(StoreError) -> DatabaseQueue {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
        let octets = (attributes?[.size] as? NSNumber)?.intValue
        do {
            return try reader(isImmutable: octets == nil)
        } catch {
            guard let octets, case .cannotOpen = error else { throw error }
            // What was not moved into the file is lost to whoever looks at the file alone.
            guard octets == 0 else { throw .readOnly(path: path) }
            return try reader(isImmutable: true)
        }
    }

    /// Makes a database in memory.
    func memory() throws(StoreError) -> DatabaseQueue {
        try StoreError.catching(path: path) {
            let queue = try DatabaseQueue(configuration: configuration)
            try DatabaseMigrator.detections.migrate(queue)
            return queue
        }
    }

    /// What each connection is made with.
    var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .callback { [busy] tries in busy.wait(after: tries) }
        configuration.prepareDatabase { [path] database in
            for function in [
                .distance, SearchText.function, SourceRow.keyFunction, .detectionKey, ZOrder.function,
            ] {
                database.add(function: function)
            }
            // The log has a connection of its own that moves it.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            if !database.configuration.readonly { try Self.checkOwner(database, path: path) }
        }
        return configuration
    }

    private func isEmpty() throws(StoreError) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0 == 0
    }

    /// Makes a file for a database, which only its owner may read, unless it is there.
    static func makeFile(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// The open file, when its tables are up to date.
    private func finishedPool() throws(StoreError) -> DatabasePool? {
        try StoreError.catching(path: path) {
            let pool = try openPool()
            if try isFinished(pool) { return pool }
            try pool.close()
            return nil
        }
    }

    private func openPool() throws -> DatabasePool {
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { database in
            // GRDB has set NORMAL, with which a loss of power may undo what was acknowledged.
            try database.execute(sql: "PRAGMA synchronous = FULL")
            // Apple's systems need one step more until the disk itself has it; others have no such step.
            try database.execute(sql: "PRAGMA fullfsync = ON")
            try database.execute(sql: "PRAGMA journal_size_limit = \(WriteAheadLog.kept)")
        }
        return pool
    }

    private func isFinished(_ connections: some DatabaseReader) throws -> Bool {
        let migrator = DatabaseMigrator.detections
        return try connections.read { database in
            if try migrator.hasBeenSuperseded(database) { throw StoreError.newer(path: path) }
            return try migrator.hasCompletedMigrations(database)
        }
    }

    private func reader(isImmutable: Bool) throws(StoreError) -> DatabaseQueue {
        var configuration = configuration
        configuration.readonly = true
        var parts = URLComponents()
        parts.scheme = "file"
        parts.path = URL(fileURLWithPath: path).path
        parts.queryItems = [
            URLQueryItem(name: isImmutable ? "immutable" : "mode", value: isImmutable ? "1" : "ro")
        ]
        let address = parts.string ?? path
        return try StoreError.catching(path: path) {
            let queue = try DatabaseQueue(path: address, configuration: configuration)
            try queue.read { try Self.checkOwner($0, path: path) }
            guard try isFinished(queue) else { throw StoreError.readOnly(path: path) }
            return queue
        }
    }

    /// Keeps the file as it is beside it, before much of it is written anew.
    private func keepCopy(of pool: DatabasePool) throws {
        let rows = try pool.read { database in
            try database.tableExists("detection")
                ? Int.fetchOne(database, sql: "SELECT COUNT(*) FROM detection") : 0
        }
        guard let rows, rows >= Self.rowsWorthACopy else { return }
        // What came later only adds a table.
        let isLate = try pool.read { database in
            try DatabaseMigrator.detections.appliedIdentifiers(database).contains("006 places in sources")
        }
        guard !isLate else { return }
        progress(MigrationProgress(step: "keeping a copy", done: 0, total: rows))
        let copy = path + ".before-" + (DatabaseMigrator.detections.migrations.last?.prefix(3) ?? "")
        let partial = copy + ".partial"
        unlink(partial)
        Self.makeFile(partial)
        do {
            try pool.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [partial]) }
        } catch {
            unlink(partial)
            throw error
        }
        rename(partial, copy)
    }

    /// Refuses a file that another program has made, before anything is written.
    static func checkOwner(_ database: Database, path: String) throws {
        // One transaction: another program may be making the file now, and its commit must not come between.
        guard database.isInsideTransaction else {
            return try database.inTransaction(.deferred) {
                try checkOwner(database, path: path)
                return .commit
            }
        }
        // Killed while it makes the file, GRDB leaves a table of its own and no owner yet.
        let sql = "SELECT NOT EXISTS (SELECT * FROM sqlite_master WHERE tbl_name <> 'grdb_migrations')"
        let isEmpty = try Bool.fetchOne(database, sql: sql) ?? true
        // Not as a table, which a view may take the place of.
        let owner = try Int64.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        guard owner == applicationID || (owner == 0 && isEmpty) else { throw StoreError.foreign(path: path) }
        try checkTables(database, path: path)
    }

    /// Refuses a file in which a view or a virtual table has the name of a table of ours, or of one that SQLite makes up when it is
    /// asked for: it may be endless, and no trigger can be made on it.
    private static func checkTables(_ database: Database, path: String) throws {
        let quoted = { (names: [String]) -> String in "'" + names.joined(separator: "', '") + "'" }
        // What holds no rows itself has no page.
        let sql = """
            SELECT lower(name) FROM sqlite_master
            WHERE type = 'table' AND IFNULL(rootpage, 0) < 1 AND lower(name) IN (\(quoted(tables)))
                OR type = 'view' AND lower(name) IN (\(quoted(tables + virtualTables)))
                OR type IN ('table', 'view') AND (lower(name) = 'dbstat' OR lower(name) GLOB 'pragma_*')
            LIMIT 1
            """
        guard let table = try String.fetchOne(database, sql: sql) else { return }
        throw StoreError.altered(path: path, table: table)
    }

    /// The tables that hold rows, of any version, with those that SQLite makes for the virtual ones.
    private static let tables: [String] = [
        "detection", "parse_error", "derived", "source", "deleted", "setting", "revision",
        "detection_with_source", "source_place", "cell", "map_progress", "drive", "drive_point",
        "known_set", "known_camera", "saved_device", "bond", "grdb_migrations", "sqlite_sequence",
        "detection_text_data", "detection_text_idx", "detection_text_content", "detection_text_docsize",
        "detection_text_config", "detection_place_node", "detection_place_parent", "detection_place_rowid",
        "source_area_node", "source_area_parent", "source_area_rowid", "known_camera_area_node",
        "known_camera_area_parent", "known_camera_area_rowid",
    ]
    private static let virtualTables: [String] = [
        "detection_text", "detection_place", "source_area", "known_camera_area",
    ]
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

    /// `detection_key(received)`: a new key.
    fileprivate static let detectionKey = DatabaseFunction("detection_key", argumentCount: 1) { values in
        var random = SystemRandomNumberGenerator()
        let received = Timestamp(milliseconds: Int64.fromDatabaseValue(values[0]) ?? 0)
        return Data(DetectionKey(received: received, using: &random).octets)
    }
}
