// SPDX-License-Identifier: Apache-2.0

public import Companion
public import CompanionStore

extension DetectionDatabase: DetectionSink {
    /// Stores sightings in one commit; when this returns they are durable.
    ///
    /// - Parameter sightings: The sightings, in order.
    /// - Returns: The records, in the same order.
    /// - Throws: ``StoreError``.
    public func keep(_ sightings: [Sighting]) async throws(StoreError) -> [DetectionRecord]? {
        try await save(sightings)
    }

    /// Stores octets that could not be understood, in one commit.
    ///
    /// - Parameter failures: The octets and reasons, in order.
    /// - Throws: ``StoreError``.
    public func keep(_ failures: [ParseFailure]) async throws(StoreError) { try await save(failures) }
}
