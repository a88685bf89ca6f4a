// SPDX-License-Identifier: Apache-2.0

public import Companion
public import Detections
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
    /// - Parameter sightings: What was seen, in order; at most ``largestBatch``, since others wait meanwhile.
    /// - Returns: The records with their numbers, in the same order.
    /// - Throws: ``StoreError``.
    public func save(_ sightings: [Sighting]) async throws(StoreError) -> [DetectionRecord] {
        try Self.check(sightings.count)
        return try await writer.enqueue(.rows(sightings, [])).value().compactMap { $0 }
    }

    /// Stores what a device has sent, in one commit; a sighting that breaks a rule is kept as octets that could not be
    /// understood, and harms no other.
    ///
    /// - Parameters:
    ///   - sightings: What was seen, in order; with the failures at most ``largestBatch``.
    ///   - failures: Octets that could not be understood; the newest ten thousand are kept.
    /// - Returns: For each sighting, in the same order, its record; `nil` where it was refused.
    /// - Throws: ``StoreError``.
    public func save(
        each sightings: [Sighting], failures: [ParseFailure] = []
    ) async throws(StoreError) -> [DetectionRecord?] {
        try Self.check(sightings.count + failures.count)
        return try await writer.enqueue(.each(sightings, failures)).value()
    }

    /// The most rows that are stored in one piece.
    public static let largestBatch = 10_000

    private static func check(_ count: Int) throws(StoreError) {
        guard count <= largestBatch else {
            throw .tooMuch(reason: "\(count) rows are more than the \(largestBatch) of one commit")
        }
    }

    /// Hands a sighting over without waiting for its commit; it waits only while thousands are on their way.
    ///
    /// What one task hands over is stored, and numbered, in that order.
    ///
    /// - Parameter sighting: What was seen.
    /// - Returns: A claim on the record.
    public func enqueue(_ sighting: Sighting) async -> PendingDetection {
        PendingDetection(await writer.enqueue(.rows([sighting], [])))
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
        _ = try await save(each: [], failures: failures)
    }

    /// Finds records, in the order in which they were stored.
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
        let query = DetectionQuery(filter: filter, page: page)
        try query.check()
        return try await read { [unusable] database in
            try unusable.page(
                of: query.limit, database, query: { try query.rows(database, spare: $0) }, DetectionRow.record
            )
        }
    }

    /// Finds a record by its number.
    ///
    /// - Parameter id: The number.
    /// - Returns: The record, when there is one.
    /// - Throws: ``StoreError``.
    public func record(id: Int64) async throws(StoreError) -> DetectionRecord? {
        try await read { [unusable] database in
            let request = SQLRequest<Row>(
                literal: """
                    SELECT \(DetectionRow.columns) FROM detection LEFT JOIN source ON source.id = detection.source_id
                    WHERE detection.id = \(id) AND \(DetectionQuery.isKept)
                    """)
            return try request.fetchOne(database).flatMap { try unusable.usable($0, DetectionRow.record) }
        }
    }

    /// Counts records.
    ///
    /// - Parameter filter: Which are wanted.
    /// - Returns: How many there are.
    /// - Throws: ``StoreError``.
    public func count(matching filter: DetectionFilter = DetectionFilter()) async throws(StoreError) -> Int {
        let query = DetectionQuery(filter: filter)
        try query.check()
        return try await read { database in
            try SQLRequest<Int>(literal: try query.count(database)).fetchOne(database) ?? 0
        }
    }

    /// Counts the octets that could not be understood and are kept.
    ///
    /// - Returns: How many there are.
    /// - Throws: ``StoreError``.
    public func parseFailureCount() async throws(StoreError) -> Int {
        try await read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM parse_error") ?? 0 }
    }
}
