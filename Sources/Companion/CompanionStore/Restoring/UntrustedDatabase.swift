// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Companion
import FlockFinder
import Foundation
import Synchronization

/// A database file that anybody may have made: its rows are read, and nothing that it brings along is run.
///
/// Views and triggers are off, virtual tables are unknown, no expression of its schema is looked at, and whatever it costs
/// has a limit: the size of the schema, of a value and of all values, the number of rows, and the time.
///
/// Spec: SQLite, "Defense Against The Dark Arts", 1; "Run-Time Limits".
final class UntrustedDatabase {
    /// Octets that one value may have.
    static let longestValue = 8 << 20
    /// A schema that is read in more steps than that is none of ours: ours takes some 400.
    ///
    /// What is parsed stays in memory, thirty times as long as its text; this and the length of a text bound that.
    private static let stepsOfSchema = 2_000
    /// Octets of a text of the schema; the longest of ours has some 1 300.
    private static let longestOfSchema = 4_096
    /// Steps between two looks at the time.
    private static let stepsOfLook: CInt = 1000

    private let path: String
    private let watch: ReadingWatch
    private let connection: OpaquePointer
    /// Rows that a file of this size can have, at most; pages that are read more than once would give more.
    private let mostRows: Int
    /// Octets of texts and blobs that may be read, likewise; a database in UTF-16 may grow while it is read.
    private let mostOctets: Int
    private var octetsRead = 0

    /// Opens a file, which nobody writes meanwhile, and reads its schema.
    ///
    /// - Parameters:
    ///   - path: The file; a log beside it is not looked at.
    ///   - watch: Ends the reading.
    /// - Returns: The database.
    /// - Throws: ``StoreError``.
    static func open(path: String, watch: ReadingWatch) throws -> UntrustedDatabase {
        let database = try UntrustedDatabase(path: path, watch: watch)
        try database.prepare()
        return database
    }

    private init(path: String, watch: ReadingWatch) throws {
        self.path = path
        self.watch = watch
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let octets = (attributes?[.size] as? NSNumber)?.intValue ?? 0
        (mostRows, mostOctets) = (octets / 4, octets * 2)
        var parts = URLComponents()
        parts.scheme = "file"
        parts.path = URL(fileURLWithPath: path).path
        parts.queryItems = [URLQueryItem(name: "immutable", value: "1")]
        var opened: OpaquePointer?
        let flags =
            SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
            | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(parts.string ?? path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened, lantern_sqlite_defend(opened) == SQLITE_OK else {
            sqlite3_close(opened)
            throw StoreError.cannotOpen(path: path, reason: "SQLite cannot open it")
        }
        connection = opened
    }

    deinit { sqlite3_close(connection) }

    private func prepare() throws {
        for (limit, value) in [
            (SQLITE_LIMIT_LENGTH, Self.longestOfSchema), (SQLITE_LIMIT_SQL_LENGTH, Self.longestOfSchema),
            (SQLITE_LIMIT_COLUMN, 100),
            (SQLITE_LIMIT_EXPR_DEPTH, 50), (SQLITE_LIMIT_COMPOUND_SELECT, 2), (SQLITE_LIMIT_VDBE_OP, 25_000),
            (SQLITE_LIMIT_FUNCTION_ARG, 8), (SQLITE_LIMIT_ATTACHED, 0),
            (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50),
            (SQLITE_LIMIT_VARIABLE_NUMBER, 8), (SQLITE_LIMIT_TRIGGER_DEPTH, 1),
            (SQLITE_LIMIT_WORKER_THREADS, 0),
        ] { sqlite3_limit(connection, limit, CInt(value)) }
        watch.allow(steps: Self.stepsOfSchema)
        sqlite3_progress_handler(
            connection, Self.stepsOfLook,
            { context in
                guard let context else { return 1 }
                let watch = Unmanaged<ReadingWatch>.fromOpaque(context).takeUnretainedValue()
                return watch.look(steps: Int(UntrustedDatabase.stepsOfLook)) ? 0 : 1
            }, Unmanaged.passUnretained(watch).toOpaque())
        for pragma in [
            "cell_size_check = ON", "ignore_check_constraints = ON", "mmap_size = 0", "query_only = ON",
        ] {
            try each("PRAGMA \(pragma)") { _ in }
        }
        // This reads the schema.
        try each("SELECT 1 FROM sqlite_schema LIMIT 1") { _ in }
        watch.allow(steps: nil)
        sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, CInt(Self.longestValue))
    }

    /// The names of the columns of a table that holds rows itself; none where there is no such table.
    ///
    /// - Throws: ``StoreError/unfit(reason:)`` where a column is worked out by an expression.
    func columns(of table: String) throws -> Set<String> {
        var names: Set<String> = []
        try each("PRAGMA table_xinfo(\(table))") { row in
            guard row.count == 7, try row.integer(6) == 0 else {
                throw StoreError.unfit(reason: "its table \(table) is none that Lantern has made")
            }
            names.insert(try row.text(1, atMost: 100))
        }
        return names
    }

    /// What a query names to read the rows of a table themselves, and no index, which may not fit them.
    ///
    /// - Throws: ``StoreError``.
    func rows(of table: String) throws -> String {
        var key: String?
        try each("PRAGMA index_list(\(table))") { row in
            if try row.text(3, atMost: 10) == "pk" { key = try row.text(1, atMost: 200) }
        }
        guard let key = key?.replacing("\"", with: "\"\"") else { return "\(table) NOT INDEXED" }
        var hasNumbers = false
        try each("PRAGMA index_xinfo(\"\(key)\")") { row in
            if try row.integer(1, in: -2 ... .max) == -1 { hasNumbers = true }
        }
        // Of a table without numbers of rows, NOT INDEXED rules nothing out: its rows are the index of its key.
        return hasNumbers ? "\(table) NOT INDEXED" : "\(table) INDEXED BY \"\(key)\""
    }

    /// Looks whether the pages of a table and its indexes fit together.
    ///
    /// - Throws: ``StoreError/damaged(path:)``.
    func check(_ table: String) throws {
        try each("PRAGMA quick_check(\(table))") { row in
            guard try row.text(0, atMost: 10_000) == "ok" else { throw StoreError.damaged(path: path) }
        }
    }

    /// Reads the rows of a query that is written here, one by one.
    ///
    /// - Throws: ``StoreError``, and what the body throws.
    func each(_ query: String, _ body: (borrowing UntrustedRow) throws -> Void) throws {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, query, -1, &statement, nil) == SQLITE_OK, let statement else {
            throw fault()
        }
        defer { sqlite3_finalize(statement) }
        var (rows, octets) = (0, octetsRead)
        defer { octetsRead = octets }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                rows += 1
                let row = UntrustedRow(statement: statement)
                octets += row.octets
                // A page or a value that is there once was given more often.
                guard rows <= max(mostRows, 100), octets <= mostOctets + 10_000 else {
                    throw StoreError.damaged(path: path)
                }
                try body(row)
            case SQLITE_DONE: return
            default: throw fault()
            }
        }
    }

    /// What SQLite has to say.
    private func fault() -> StoreError {
        switch sqlite3_errcode(connection) & 0xFF {
        case SQLITE_INTERRUPT: watch.reason
        case SQLITE_NOTADB: .notADatabase(path: path)
        case SQLITE_TOOBIG: .unfit(reason: "a value in it is too large")
        case SQLITE_IOERR: .damaged(path: path)
        case SQLITE_NOMEM: .unfit(reason: "it takes too much memory")
        case SQLITE_ERROR: .unfit(reason: "its tables are none that Lantern has made")
        default: .damaged(path: path)
        }
    }
}

/// Ends work on a file when that takes too long, or when nobody wants it any more.
final class ReadingWatch: Sendable {
    private let deadline: ContinuousClock.Instant?
    private let outer: ReadingWatch?
    private let state = Mutex((isCancelled: false, steps: Int?.none))

    /// Watches until a moment, where there is one, and until it is cancelled, or another one that it is within.
    init(until deadline: ContinuousClock.Instant? = nil, within outer: ReadingWatch? = nil) {
        self.deadline = deadline
        self.outer = outer
    }

    /// Nobody wants it any more.
    func cancel() { state.withLock { $0.isCancelled = true } }

    /// Gives leave for so many steps; `nil` for any number.
    func allow(steps: Int?) { state.withLock { $0.steps = steps } }

    /// Looks whether to go on, after so many steps.
    func look(steps: Int = 0) -> Bool {
        let mayGoOn = state.withLock { state in
            if let left = state.steps { state.steps = left - steps }
            return !state.isCancelled && state.steps ?? 1 > 0
        }
        return mayGoOn && deadline.map { ContinuousClock.now < $0 } ?? true && outer?.look() ?? true
    }

    /// Ends the work when it is not to go on.
    func check() throws { if !look() { throw reason } }

    /// Why it is not to go on.
    var reason: StoreError {
        if let outer, !outer.look() { return outer.reason }
        return state.withLock { state in
            if state.isCancelled { return .cancelled }
            return .unfit(
                reason: state.steps ?? 1 > 0
                    ? "reading it takes too long" : "its tables are none that Lantern has made")
        }
    }
}
