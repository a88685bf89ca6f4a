// SPDX-License-Identifier: Apache-2.0

/// A place where detections are kept.
public protocol DetectionStore: Sendable {
    /// Stores a sighting; when this returns, it survives the end of the process and of the power.
    ///
    /// - Parameter sighting: What was seen.
    /// - Returns: The record with its number.
    /// - Throws: ``StoreError``.
    func save(_ sighting: Sighting) async throws(StoreError) -> DetectionRecord

    /// Stores many sightings, all or none.
    ///
    /// - Parameter sightings: What was seen, in order.
    /// - Returns: The records with their numbers, in the same order.
    /// - Throws: ``StoreError``.
    func save(_ sightings: [Sighting]) async throws(StoreError) -> [DetectionRecord]

    /// Finds records.
    ///
    /// - Parameters:
    ///   - filter: Which are wanted.
    ///   - page: Which part of them, and in which order.
    /// - Returns: The records.
    /// - Throws: ``StoreError``.
    func records(matching filter: DetectionFilter, page: DetectionPage) async throws(StoreError)
        -> [DetectionRecord]

    /// Finds a record by its number.
    ///
    /// - Parameter id: The number.
    /// - Returns: The record, when there is one.
    /// - Throws: ``StoreError``.
    func record(id: Int64) async throws(StoreError) -> DetectionRecord?

    /// Counts records.
    ///
    /// - Parameter filter: Which are wanted.
    /// - Returns: How many there are.
    /// - Throws: ``StoreError``.
    func count(matching filter: DetectionFilter) async throws(StoreError) -> Int

    /// Deletes records, all in one step.
    ///
    /// - Parameter ids: Their numbers.
    /// - Returns: The numbers that there were, in rising order.
    /// - Throws: ``StoreError``.
    func delete(ids: [Int64]) async throws(StoreError) -> [Int64]

    /// Reads records one by one out of an unchanging view of the store, the earliest first.
    ///
    /// Memory stays flat for any number of records. The body runs on a thread that may block.
    ///
    /// - Parameters:
    ///   - filter: Which are wanted.
    ///   - body: Takes the records; they end with it.
    /// - Returns: What the body returns.
    /// - Throws: ``StoreError``, or what the body throws.
    func withRecords<Result: Sendable>(
        matching filter: DetectionFilter,
        _ body: @escaping @Sendable (any RecordSequence) throws -> Result
    ) async throws -> Result
}

/// Records in order, read one by one.
public protocol RecordSequence: AnyObject {
    /// How many records there are.
    ///
    /// - Returns: The number of all, whether read or not.
    /// - Throws: ``StoreError``.
    func count() throws -> Int

    /// Reads the next record.
    ///
    /// - Returns: The record, or nothing at the end.
    /// - Throws: ``StoreError``.
    func next() throws -> DetectionRecord?
}
