// SPDX-License-Identifier: Apache-2.0

public import Companion
public import Detections
import GRDB

extension DetectionDatabase {
    /// Octets of UTF-8 that a setting may have, settings that there may be, and octets of all of them together: they are kept in
    /// memory, and read as a whole after each change.
    static let settingLimits = (octets: 65_536, count: 1000, together: 4 << 20)
    /// The setting that says who may use the hub, for which there is always room.
    package static let accessSetting = "access"

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

    /// How much there is of settings beside the one that says who may use the hub.
    private static func sizeOfSettings(_ database: Database) throws -> (count: Int, octets: Int) {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT COUNT(*), IFNULL(SUM(LENGTH(CAST(name AS BLOB)) + LENGTH(CAST(value AS BLOB))), 0) FROM setting
                WHERE name <> ?
                """, arguments: [accessSetting])
        return (row?.stored(0) ?? 0, row?.stored(1) ?? 0)
    }

    private static func write(_ changes: [String: String?], _ database: Database) throws -> StoredSettings {
        let before = try sizeOfSettings(database)
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            if let value {
                try database.execute(
                    literal: "INSERT OR REPLACE INTO setting (name, value) VALUES (\(name), \(value))")
            } else {
                try database.execute(literal: "DELETE FROM setting WHERE name = \(name)")
            }
        }
        // Where somebody has written too many by hand, only what makes them more is refused: who may use the hub can be changed,
        // and settings can be removed, in any case.
        let after = try sizeOfSettings(database)
        guard after.count <= max(before.count, settingLimits.count) else {
            throw StoreError.tooMuch(reason: "there are at most \(settingLimits.count) settings")
        }
        guard after.octets <= max(before.octets, settingLimits.together) else {
            throw StoreError.tooMuch(
                reason: "all settings together have at most \(settingLimits.together >> 20) MiB")
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
