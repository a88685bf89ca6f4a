// SPDX-License-Identifier: Apache-2.0

import Companion
import GRDB

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
    func contentVersion() async throws -> Int64? {
        try await use { try await $0.read { try Int64.fetchOne($0, sql: "PRAGMA data_version") } }
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
            let result = try await use { try await $0.writeWithoutTransaction { try $0.checkpoint(mode) } }
            pages = mode == .restart ? 0 : result.walFrameCount
            limit = Self.largest
        } catch {
            // Failing does no harm: the log only stays longer, and it is tried again after more rows.
            if mode == .restart { limit = pages * 2 }
        }
    }
}
