// SPDX-License-Identifier: Apache-2.0

public import Companion
public import CompanionStore

extension DetectionDatabase: DetectionSink {
    /// Stores what has come, in one commit; when this returns it is durable.
    ///
    /// - Parameters:
    ///   - sightings: The sightings, in order.
    ///   - failures: Octets that could not be understood, with the reasons, in order.
    /// - Returns: For each sighting, in the same order, its record; `nil` where it was refused and is kept as a failure.
    /// - Throws: ``StoreError``.
    public func keep(
        _ sightings: [Sighting], _ failures: [ParseFailure]
    ) async throws(StoreError) -> [DetectionRecord?]? {
        try await save(each: sightings, failures: failures)
    }
}
