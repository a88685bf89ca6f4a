// SPDX-License-Identifier: Apache-2.0

public import Companion
import GRDB

/// What devices had when somebody saved that.
extension DetectionDatabase {
    private static let columns = """
        id, name, saved, address, address_kind, device_name, services, characteristics, readings,
        length(CAST(file AS BLOB))
        """

    /// Stores a device.
    ///
    /// - Parameters:
    ///   - save: What a list shows of it; its number does not count.
    ///   - file: What `gatt tree --output` writes.
    ///   - limit: How many there may be.
    /// - Returns: What a list shows of it, with its number.
    /// - Throws: ``StoreError``; ``StoreError/tooMuch(reason:)`` when there are as many already.
    public func store(
        device save: SavedDeviceEntry, file: [UInt8], limit: Int
    ) async throws(StoreError) -> SavedDeviceEntry {
        let text = String(decoding: file, as: UTF8.self)
        try Self.check(
            [save.name, save.address ?? "", save.addressKind ?? "", save.deviceName ?? "", text],
            "The saved device")
        return try await writer.perform { database in
            let count = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM saved_device") ?? 0
            guard count < limit else {
                throw StoreError.tooMuch(reason: "there are at most \(limit) saved devices; delete one first")
            }
            try database.execute(
                literal: """
                    INSERT INTO saved_device (name, saved, address, address_kind, device_name, services,
                        characteristics, readings, file)
                    VALUES (\(save.name), \(save.time.milliseconds), \(save.address), \(save.addressKind),
                        \(save.deviceName), \(save.services), \(save.characteristics), \(save.values), \(text))
                    """)
            var stored = save
            stored.id = database.lastInsertedRowID
            return stored
        }
    }

    /// Lists the devices, those that were saved last first.
    ///
    /// - Returns: What a list shows of each.
    /// - Throws: ``StoreError``.
    public func savedDevices() async throws(StoreError) -> [SavedDeviceEntry] {
        try await read { [unusable] database in
            let rows = try Row.fetchCursor(
                database, sql: "SELECT \(Self.columns) FROM saved_device ORDER BY id DESC")
            return try unusable.usable(rows, Self.entry)
        }
    }

    /// One of these devices.
    ///
    /// - Parameter id: Its number.
    /// - Returns: What a list shows of it, and its file; `nil` when there is none of this number.
    /// - Throws: ``StoreError``.
    public func savedDevice(
        _ id: Int64
    ) async throws(StoreError) -> (entry: SavedDeviceEntry, file: [UInt8])? {
        try await read { [unusable] database in
            let row = try Row.fetchOne(
                database, sql: "SELECT \(Self.columns), file FROM saved_device WHERE id = ?", arguments: [id])
            guard let row, let entry = try unusable.usable(row, Self.entry), let file: String = row.stored(10)
            else { return nil }
            return (entry, Array(file.utf8))
        }
    }

    /// Gives one of these devices another name.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - name: The name.
    /// - Returns: Whether there is one of this number.
    /// - Throws: ``StoreError``.
    public func rename(savedDevice id: Int64, to name: String) async throws(StoreError) -> Bool {
        try Self.check([name], "The name")
        return try await writer.perform { database in
            try database.execute(literal: "UPDATE saved_device SET name = \(name) WHERE id = \(id)")
            return database.changesCount > 0
        }
    }

    /// Deletes one of these devices.
    ///
    /// - Parameter id: Its number.
    /// - Returns: Whether there was one of this number.
    /// - Throws: ``StoreError``.
    public func delete(savedDevice id: Int64) async throws(StoreError) -> Bool {
        try await writer.perform { database in
            try database.execute(literal: "DELETE FROM saved_device WHERE id = \(id)")
            return database.changesCount > 0
        }
    }

    private static func entry(_ row: Row) throws -> SavedDeviceEntry {
        SavedDeviceEntry(
            id: try row.number(0, "number"), name: try row.needed(1, "name"), time: try row.time(2, "time"),
            address: row.stored(3), addressKind: row.stored(4), deviceName: row.stored(5),
            services: Int(try row.number(6, "count of services")),
            characteristics: Int(try row.number(7, "count of characteristics")),
            values: Int(try row.number(8, "count of values")), octets: row.stored(9) ?? 0)
    }
}
