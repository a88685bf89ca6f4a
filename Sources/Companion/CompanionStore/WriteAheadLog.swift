// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation
import GRDB
import Synchronization

/// Keeps the log beside the file small: moves it into the file on a connection of its own, so that no commit waits.
///
/// Readers hold the log only while they read a page. Where so many read that it grows beyond ``largest`` all the same, the
/// writer waits until those that read now are done, and the next commit begins it anew.
actor WriteAheadLog {
    /// Pages of 4 KB that the log may have before the writer waits.
    static let largest = 8192
    /// What is left of the log's file, in octets, when it begins anew.
    static let kept = 16 << 20
    /// How long, in seconds, the writer waits for readers.
    private static let patience = 0.5
    /// Rows after which it is moved.
    private static let interval = 2000

    private let connection: DatabaseQueue
    private nonisolated let path: String
    /// The log, where the file has one, and its name.
    private nonisolated let file: FileIdentity?
    private nonisolated let name: String
    private nonisolated let fate = Mutex(false)
    private var rows = 0
    private var pages = 0
    /// Pages from which on the writer waits: more after a reader has not let go.
    private var limit = largest
    private var isAtWork = false
    private var isClosed = false
    /// How many use the connection now: SQLite crashes when one that is closed is used.
    private var uses = 0
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// Opens another connection.
    init(path: String, configuration: Configuration) throws {
        var configuration = configuration
        configuration.busyMode = .timeout(Self.patience)
        connection = try DatabaseQueue(path: path, configuration: configuration)
        self.path = path
        name = URL(fileURLWithPath: path).resolvingSymlinksInPath().path + "-wal"
        file = FileIdentity(path: name)
    }

    /// Whether the file was seen to have been written over while it was open; that is for good.
    nonisolated var isWrittenOver: Bool { fate.withLock { $0 } }

    /// Looks whether the file of a connection was written over.
    ///
    /// - Parameter database: A connection to it, which has read from it before.
    /// - Throws: ``StoreError/overwritten(path:)``.
    nonisolated func look(_ database: Database) throws {
        if !isWrittenOver, let file, database.isWrittenOver(log: file, at: name) {
            fate.withLock { $0 = true }
        }
        if isWrittenOver { throw StoreError.overwritten(path: path) }
    }

    /// Notes that rows were written.
    func checkpoint(afterRows count: Int) async {
        rows += count
        guard rows >= Self.interval, !isAtWork, !isClosed else { return }
        isAtWork = true
        if pages > limit {
            await move()
        } else {
            Task { await move() }
        }
    }

    /// A number that is another one after anybody has changed the file.
    ///
    /// - Throws: ``StoreError/overwritten(path:)`` when somebody has done so without SQLite, and what GRDB throws.
    func contentVersion() async throws -> Int64? {
        try await use { connection in
            try await connection.read { database -> Int64? in
                // Before anything is read, which would only say that it is damaged.
                try self.look(database)
                return try Int64.fetchOne(database, sql: "PRAGMA data_version")
            }
        }
    }

    /// Closes the connection once nobody uses it.
    func close() async throws {
        isClosed = true
        if uses > 0 { await withCheckedContinuation { waiters.append($0) } }
        let connection = connection
        try await blocking { try connection.close() }
    }

    /// Uses the connection, which stays open meanwhile.
    private func use<Value: Sendable>(
        _ body: (DatabaseQueue) async throws -> Value
    ) async throws -> Value {
        if isClosed { throw StoreError.closed }
        uses += 1
        defer {
            uses -= 1
            if uses == 0 {
                for waiter in waiters { waiter.resume() }
                waiters = []
            }
        }
        return try await body(connection)
    }

    private func move() async {
        defer { isAtWork = false }
        rows = 0
        // Whoever begins to read once everything is moved reads from the file, and holds the log no more.
        let mode: Database.CheckpointMode = pages > limit ? .restart : .passive
        do {
            let result = try await use { connection in
                try await connection.writeWithoutTransaction { database in
                    // What is cut would be moved as octets of zero.
                    try self.look(database)
                    return try database.checkpoint(mode)
                }
            }
            pages = mode == .restart ? 0 : result.walFrameCount
            limit = Self.largest
        } catch {
            // Failing does no harm: the log only stays longer, and it is tried again after more rows.
            if mode == .restart { limit = pages * 2 }
        }
    }
}
