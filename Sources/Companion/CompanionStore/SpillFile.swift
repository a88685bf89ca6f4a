// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import Foundation
import GRDB

/// Files beside a database with what could not be stored when a program ended: each is a database of its own.
///
/// A file is written whole before it has its name, and is never changed. Whoever opens the database next stores what is in
/// it and then removes it; should that be interrupted in between, the keys of the detections say what is there already.
struct SpillFile: Sendable {
    private let folder: String
    private let prefix: String

    /// Makes one for a database; the files are beside the file itself, whatever links lead to it.
    init(path: String) {
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        folder = file.deletingLastPathComponent().path
        prefix = file.lastPathComponent + ".unsaved-"
    }

    /// The files that are there.
    var files: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix(prefix) && $0.hasSuffix(".sqlite") }.sorted()
            .map { folder + "/" + $0 }
    }

    /// Writes a file.
    ///
    /// - Parameter works: What was to be stored; rows that break a rule are left out.
    /// - Returns: How many rows it has.
    /// - Throws: What GRDB throws; then there is no file.
    func write(_ works: [DetectionWriter.Work]) throws -> Int {
        // The time first: they are stored in the order in which they were written.
        let time = Timestamp(Date()).milliseconds
        let file = "\(folder)/\(prefix)\(time)-\(UUID().uuidString.prefix(8).lowercased()).sqlite"
        let partial = file + ".partial"
        do {
            DatabaseOpening.makeFile(partial)
            let queue = try DatabaseQueue(
                path: partial, configuration: DatabaseOpening(path: partial, busyTimeout: 1).configuration)
            try DatabaseMigrator.detections.migrate(queue)
            let rows = try queue.write { database in
                for work in works { _ = try DetectionWriter.store(work, database) }
                return try Self.count(database)
            }
            try queue.close()
            guard rename(partial, file) == 0 else {
                throw StoreError.cannotOpen(path: file, reason: "rename")
            }
            // Else a power failure may take the name back.
            let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            if directory >= 0 {
                fsync(directory)
                Foundation.close(directory)
            }
            return rows
        } catch {
            unlink(partial)
            throw error
        }
    }

    /// Stores what the files have, and removes them; what cannot be read or stored now is left for another time.
    ///
    /// - Parameter connections: Of the database.
    /// - Returns: Why files will not be stored another time either.
    func store(into connections: some DatabaseWriter) -> [StoreError] {
        var faults: [StoreError] = []
        for file in files {
            do {
                let rows = try Rows(of: file)
                try connections.write { try rows.insert(into: $0) }
                unlink(file)
            } catch {
                let failure = StoreError(error, path: file)
                // Whoever holds the database now keeps the others out, too.
                if failure.isPassing || failure == .closed { break }
                // Somebody else may have stored it meanwhile.
                guard access(file, F_OK) == 0 else { continue }
                faults.append(.unusable(file: file, reason: failure.phrase))
            }
        }
        return faults
    }

    private static func count(_ database: Database) throws -> Int {
        let sql = "SELECT (SELECT COUNT(*) FROM detection) + (SELECT COUNT(*) FROM parse_error)"
        return try Int.fetchOne(database, sql: sql) ?? 0
    }
}

/// What a file has that was set aside.
private struct Rows {
    private let records: [DetectionRecord]
    private let failures: [ParseFailure]

    /// Octets that are read in a second even on a small machine.
    private static let slowestReading = 1_000_000

    /// Reads a file, which anybody may have put there: what is no table of ours is not looked at, and it comes to an end.
    init(of file: String) throws {
        var status = stat()
        guard stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw StoreError.notAFile(path: file, isFolder: status.st_mode & S_IFMT == S_IFDIR)
        }
        let patience = Duration.seconds(10 + Int(status.st_size) / Self.slowestReading)
        try Self.check(file, within: patience)
        var configuration = DatabaseOpening(path: file, busyTimeout: 1).configuration
        configuration.readonly = true
        configuration.prepareDatabase { database in
            try database.execute(
                sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
            database.limit(valuesTo: UntrustedDatabase.longestValue)
        }
        let queue = try DatabaseQueue(path: file, configuration: configuration)
        do {
            (records, failures) = try queue.read { database in
                try DatabaseOpening.checkOwner(database, path: file)
                return try database.ending(within: patience) { try Self.read(database) }
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            throw StoreError.unfit(reason: "reading it takes too long")
        }
        try queue.close()
    }

    /// Refuses a file whose tables hold no rows themselves, or whose pages do not fit together: then each row is there once.
    private static func check(_ file: String, within patience: Duration) throws {
        let source = try UntrustedDatabase.open(path: file, watch: ReadingWatch(until: .now + patience))
        for table in ["detection", "parse_error"] {
            guard try !source.columns(of: table).isEmpty else {
                throw StoreError.unfit(reason: "it has no table \(table)")
            }
            try source.check(table)
            // No view can be read here.
            try source.each("SELECT 1 FROM \(table) NOT INDEXED LIMIT 1") { _ in }
        }
    }

    private static func read(_ database: Database) throws -> ([DetectionRecord], [ParseFailure]) {
        // What is said of its source is not needed; to look that up would give a row as often as its source is there.
        let request = SQLRequest<Row>(
            literal: "SELECT \(DetectionRow.ownColumns) FROM detection ORDER BY detection.id")
        // One that cannot be stays in the file, with all others.
        let records = try request.fetchAll(database).map { row in
            do { return try DetectionRow.record(row) } catch let bad as BadValue {
                throw StoreError.refused(reason: bad.reason)
            }
        }
        let failures = try Row.fetchAll(
            database, sql: "SELECT received, reason, raw FROM parse_error ORDER BY id"
        )
        .map { row in
            ParseFailure(
                received: Timestamp(milliseconds: (row.stored(0) ?? 0 as Int64).usual),
                reason: row.stored(1) ?? "", raw: Array(row.stored(2) ?? Data()))
        }
        return (records, failures)
    }

    /// Stores the rows that are not there yet.
    func insert(into database: Database) throws {
        for record in records where try !Self.has(record, database) {
            _ = try DetectionRow.insert(record.sighting, key: record.key, into: database)
        }
        for failure in failures where try !Self.has(failure, database) {
            try DetectionRow.insert(failure, into: database)
        }
    }

    private static func has(_ record: DetectionRecord, _ database: Database) throws -> Bool {
        let statement = try database.cachedStatement(sql: "SELECT 1 FROM detection WHERE key = ?")
        return try Int.fetchOne(statement, arguments: [record.key.map { Data($0.octets) }]) != nil
    }

    private static func has(_ failure: ParseFailure, _ database: Database) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: "SELECT 1 FROM parse_error WHERE received = ? AND raw = ?")
        return try Int.fetchOne(statement, arguments: [failure.received.milliseconds, Data(failure.raw)])
            != nil
    }
}
