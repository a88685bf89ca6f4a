// SPDX-License-Identifier: Apache-2.0

public import Companion
import GRDB

extension DetectionDatabase {
    /// Octets of UTF-8 that a setting may have, and settings that there may be.
    static let settingLimits = (octets: 65_536, count: 1000)

    /// All settings, as they were at one moment.
    ///
    /// - Returns: The settings.
    /// - Throws: ``StoreError``.
    public func settings() async throws(StoreError) -> StoredSettings {
        try await read { try Self.settings($0) }
    }

    /// Changes settings, all or none.
    ///
    /// - Parameters:
    ///   - changes: The new values by name, each the text of one JSON value; `nil` removes one.
    ///   - revision: What it was when the person looked, so that nobody else's change is lost; `nil` for whatever it is.
    /// - Returns: All settings, after the change.
    /// - Throws: ``StoreError/conflict`` when somebody else has changed them meanwhile; ``StoreError/tooMuch(reason:)``;
    ///   ``StoreError/refused(reason:)`` when a value is no JSON.
    public func change(
        settings changes: [String: String?], ifRevision revision: Int64? = nil
    ) async throws(StoreError) -> StoredSettings {
        try Self.check(changes)
        return try await writer.perform { database in
            if let revision, try Self.revision("settings", database) != revision { throw StoreError.conflict }
            return try Self.write(changes, database)
        }
    }

    /// Changes one setting by what it is at that moment: nobody else changes it meanwhile, in another program neither.
    ///
    /// - Parameters:
    ///   - name: The name of the setting.
    ///   - body: Gives the new value, the text of one JSON value, for the one of now, `nil` where there is none.
    /// - Returns: All settings, after the change.
    /// - Throws: As ``change(settings:ifRevision:)``.
    public func change(
        setting name: String, _ body: @escaping @Sendable (String?) -> String
    ) async throws(StoreError) -> StoredSettings {
        try await writer.perform { database in
            let changes = [name: Optional(body(try Self.settings(database).values[name]))]
            try Self.check(changes)
            return try Self.write(changes, database)
        }
    }

    private static func check(_ changes: [String: String?]) throws(StoreError) {
        let limit = settingLimits.octets
        try check(changes.flatMap { [$0.key, $0.value ?? ""] }, "A setting")
        for (name, value) in changes where name.utf8.count + (value?.utf8.count ?? 0) > limit {
            throw .tooMuch(reason: "a setting has at most \(limit) octets")
        }
    }

    private static func write(_ changes: [String: String?], _ database: Database) throws -> StoredSettings {
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            if let value {
                try database.execute(
                    literal: "INSERT OR REPLACE INTO setting (name, value) VALUES (\(name), \(value))")
            } else {
                try database.execute(literal: "DELETE FROM setting WHERE name = \(name)")
            }
        }
        let count = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM setting") ?? 0
        guard count <= settingLimits.count else {
            throw StoreError.tooMuch(reason: "there are at most \(settingLimits.count) settings")
        }
        try advance("settings", database)
        return try settings(database)
    }

    /// How far the store is.
    ///
    /// - Returns: The state.
    /// - Throws: ``StoreError``.
    public func state() async throws(StoreError) -> StoreState {
        try await read { database in
            StoreState(
                lastDetection: try Self.lastID(database),
                deletions: try Self.revision("deletions", database),
                marks: try Self.revision("marks", database),
                settings: try Self.revision("settings", database),
                places: try Self.revision("places", database),
                drives: try Self.revision("drives", database))
        }
    }

    /// How far the store is, each time that it has come further, whoever has written: this process or another.
    ///
    /// A slow consumer gets the latest state only. The stream ends when its task is cancelled or the store is closed.
    ///
    /// - Parameter interval: How often to look.
    /// - Returns: The states; the first is that of now.
    public func states(every interval: Duration = .milliseconds(250)) -> AsyncStream<StoreState> {
        let (stream, continuation) = AsyncStream<StoreState>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let task = Task {
            var known: StoreState?
            // Each stream has its own, and a change that could not be read is still to be told.
            var seen: Int64?
            var seenLog: ObjectIdentifier?
            while !Task.isCancelled {
                do {
                    if !isInPlace { await writer.lookAfterFile() }
                    let log = log
                    let version = try await log?.contentVersion()
                    // Another file counts anew.
                    if log.map({ ObjectIdentifier($0) }) != seenLog { seen = nil }
                    seenLog = log.map { ObjectIdentifier($0) }
                    if version == nil || version != seen {
                        let state = try await state()
                        if state != known { continuation.yield(state) }
                        (known, seen) = (state, version)
                    }
                    try await Task.sleep(for: interval)
                } catch StoreError.closed {
                    break
                } catch is CancellationError {
                    break
                } catch let error as DatabaseError where StoreError(error, path: path) == .closed {
                    break
                } catch {
                    // A lock or a disk that fails: the next look tells.
                    do { try await Task.sleep(for: interval) } catch { break }
                }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    private static func settings(_ database: Database) throws -> StoredSettings {
        let rows = try Row.fetchAll(database, sql: "SELECT name, value FROM setting")
        // Names of other octets may be one and the same.
        let values = Dictionary(
            rows.compactMap { row in
                (row.stored(0) as String?).flatMap { name in (row.stored(1) as String?).map { (name, $0) } }
            }, uniquingKeysWith: { first, _ in first })
        return StoredSettings(revision: try revision("settings", database), values: values)
    }
}
