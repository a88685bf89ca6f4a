// SPDX-License-Identifier: Apache-2.0

import CSQLite
import GRDB

/// Limits of a connection to a file that a stranger may have made.
extension Database {
    /// Lets no value have more than so many octets, and no statement or pattern be of a size that takes for ever.
    func limit(valuesTo octets: Int) {
        for (limit, value) in [
            (SQLITE_LIMIT_LENGTH, octets), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50),
            (SQLITE_LIMIT_EXPR_DEPTH, 100),
            (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_WORKER_THREADS, 0),
        ] { sqlite3_limit(sqliteConnection, limit, CInt(value)) }
    }

    /// Runs statements, which are interrupted when they take too long.
    ///
    /// - Throws: What the body throws; a `DatabaseError` with `SQLITE_INTERRUPT` when it took too long.
    func ending<Value>(within limit: Duration, _ body: () throws -> Value) rethrows -> Value {
        try watched(by: ReadingWatch(until: .now + limit), body)
    }

    /// Runs statements, which are interrupted when a watch says so.
    ///
    /// - Throws: What the body throws; a `DatabaseError` with `SQLITE_INTERRUPT` when one was.
    func watched<Value>(by watch: ReadingWatch, _ body: () throws -> Value) rethrows -> Value {
        sqlite3_progress_handler(
            sqliteConnection, 1000,
            { context in
                context.map { Unmanaged<ReadingWatch>.fromOpaque($0).takeUnretainedValue().look() } == true
                    ? 0 : 1
            }, Unmanaged.passUnretained(watch).toOpaque())
        defer {
            sqlite3_progress_handler(sqliteConnection, 0, nil, nil)
            withExtendedLifetime(watch) {}
        }
        return try body()
    }
}
