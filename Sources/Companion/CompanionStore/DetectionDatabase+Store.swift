// SPDX-License-Identifier: Apache-2.0

public import Companion
import GRDB

extension DetectionDatabase {
    /// Stores a sighting; when this returns, it survives the end of the process and of the power.
    ///
    /// - Parameter sighting: What was seen.
    /// - Returns: The record with its number.
    /// - Throws: ``StoreError``.
    public func save(_ sighting: Sighting) async throws(StoreError) -> DetectionRecord {
        try await enqueue(sighting).record()
    }

    /// Stores many sightings, all or none, in one commit.
    ///
    /// - Parameter sightings: What was seen, in order; some thousands at most, since others wait meanwhile.
    /// - Returns: The records with their numbers, in the same order.
    /// - Throws: ``StoreError``.
    public func save(_ sightings: [Sighting]) async throws(StoreError) -> [DetectionRecord] {
        try await writer.enqueue(.sightings(sightings)).value()
    }

    /// Hands a sighting over without waiting for its commit; it waits only while thousands are on their way.
    ///
    /// What one task hands over is stored, and numbered, in that order.
    ///
    /// - Parameter sighting: What was seen.
    /// - Returns: A claim on the record.
    public func enqueue(_ sighting: Sighting) async -> PendingDetection {
        PendingDetection(await writer.enqueue(.sightings([sighting])))
    }

    /// Stores octets that could not be understood; the newest ten thousand are kept.
    ///
    /// - Parameter failure: The octets and the reason.
    /// - Throws: ``StoreError``.
    public func save(_ failure: ParseFailure) async throws(StoreError) {
        try await save([failure])
    }

    /// Stores octets that could not be understood, in one commit.
    ///
    /// - Parameter failures: The octets and reasons, in order.
    /// - Throws: ``StoreError``.
    public func save(_ failures: [ParseFailure]) async throws(StoreError) {
        _ = try await writer.enqueue(.failures(failures)).value()
    }

    /// Finds records.
    ///
    /// - Parameters:
    ///   - filter: Which are wanted.
    ///   - page: Which part of them, and in which order.
    /// - Returns: The records.
    /// - Throws: ``StoreError``.
    public func records(
        matching filter: DetectionFilter = DetectionFilter(),
        page: DetectionPage = DetectionPage()
    ) async throws(StoreError) -> [DetectionRecord] {
        try await read { database in
            let request = SQLRequest<Row>(literal: DetectionQuery(filter: filter, page: page).rows)
            return try Array(request.fetchCursor(database).map(DetectionRow.record))
        }
    }

    /// Finds a record by its number.
    ///
    /// - Parameter id: The number.
    /// - Returns: The record, when there is one.
    /// - Throws: ``StoreError``.
    public func record(id: Int64) async throws(StoreError) -> DetectionRecord? {
        try await read { database in
            let request = SQLRequest<Row>(
                literal: "SELECT \(DetectionRow.columns) FROM detection WHERE id = \(id)")
            return try request.fetchOne(database).map(DetectionRow.record)
        }
    }

    /// Counts records.
    ///
    /// - Parameter filter: Which are wanted.
    /// - Returns: How many there are.
    /// - Throws: ``StoreError``.
    public func count(matching filter: DetectionFilter = DetectionFilter()) async throws(StoreError) -> Int {
        try await read { database in
            try SQLRequest<Int>(literal: DetectionQuery(filter: filter).count).fetchOne(database) ?? 0
        }
    }

    /// Deletes records and what was derived from them, all in one step.
    ///
    /// - Parameter ids: Their numbers.
    /// - Returns: The numbers that there were, in rising order.
    /// - Throws: ``StoreError``.
    public func delete(ids: [Int64]) async throws(StoreError) -> [Int64] {
        try await StoreError.catching(path: path) {
            try await connections.write { database in
                let statement = try database.cachedStatement(sql: "DELETE FROM detection WHERE id = ?")
                return try Set(ids).sorted().filter { id in
                    try statement.execute(arguments: [id])
                    return database.changesCount > 0
                }
            }
        }
    }

    /// Reads records one by one out of an unchanging view of the store, the earliest first.
    ///
    /// Memory stays flat for any number of records. The body runs on a thread that may block.
    ///
    /// - Parameters:
    ///   - filter: Which are wanted.
    ///   - body: Takes the records; they end with it.
    /// - Returns: What the body returns.
    /// - Throws: ``StoreError``, or what the body throws.
    public func withRecords<Result: Sendable>(
        matching filter: DetectionFilter = DetectionFilter(),
        _ body: @escaping @Sendable (StoredRecords) throws -> Result
    ) async throws -> Result {
        do {
            return try await connections.read { database in
                let records = try StoredRecords(database, DetectionQuery(filter: filter), path: path)
                defer { records.end() }
                return try body(records)
            }
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        }
    }

    /// Writes detections as a file, the earliest first, out of an unchanging view of the store.
    ///
    /// - Parameters:
    ///   - filter: Which are wanted.
    ///   - format: The form of the file.
    ///   - heading: What the file says about itself.
    ///   - sink: Takes the octets, in pieces of about 64 KB that end where a row ends, on a thread that may block.
    /// - Returns: How many were written and left out.
    /// - Throws: ``StoreError``, or what the sink throws.
    public func export(
        matching filter: DetectionFilter = DetectionFilter(),
        as format: ExportFormat,
        heading: ExportHeading,
        to sink: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws -> ExportSummary {
        try await withRecords(matching: filter) { records in
            let count = format == .json ? try records.count() : 0
            var encoder = DetectionEncoder(format, heading: heading, count: count)
            while let record = try records.next() {
                encoder.append(record)
                if encoder.octets.count >= 65_536 { try sink(encoder.removeAll()) }
            }
            encoder.finish()
            try sink(encoder.removeAll())
            return encoder.summary
        }
    }

    /// Counts the octets that could not be understood and are kept.
    ///
    /// - Returns: How many there are.
    /// - Throws: ``StoreError``.
    public func parseFailureCount() async throws(StoreError) -> Int {
        try await read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM parse_error") ?? 0 }
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await StoreError.catching(path: path) { try await connections.read(body) }
    }
}
