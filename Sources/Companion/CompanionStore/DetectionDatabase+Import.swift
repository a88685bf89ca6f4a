// SPDX-License-Identifier: Apache-2.0

public import Companion
import GRDB

/// The rows of a file that is imported, as far as they must be remembered.
///
/// A detection is known when the store has as many like it as the file had up to it: of the same millisecond and alike
/// in all that a file says. So a second import of a file does nothing, and detections that are alike are kept apart.
public struct ImportRun: Sendable {
    /// How often each detection of the last millisecond has come.
    private var alike: [Sighting: Int] = [:]
    private var moment: Timestamp?

    /// Begins a file.
    public init() {}

    mutating func number(of sighting: Sighting) -> Int {
        if moment != sighting.received { alike = [:] }
        moment = sighting.received
        alike[sighting, default: 0] += 1
        return alike[sighting, default: 1]
    }
}

extension DetectionDatabase {
    /// Stores those of a file's detections that are not there yet, in one commit.
    ///
    /// - Parameters:
    ///   - sightings: The next detections of the file, in order; some hundreds at most, since others wait meanwhile.
    ///   - run: What came before in the file.
    ///   - isTrial: Whether to store nothing and only count.
    /// - Returns: How many are new.
    /// - Throws: ``StoreError``.
    public func importing(
        _ sightings: [Sighting], after run: inout ImportRun, isTrial: Bool = false
    ) async throws(StoreError) -> Int {
        var numbered: [(Sighting, Int)] = []
        for sighting in sightings { numbered.append((sighting, run.number(of: sighting))) }
        let rows = numbered
        return try await StoreError.catching(path: path) {
            if isTrial {
                return try await connections.read { database in
                    try rows.count { try Self.isNew($0, $1, database) }
                }
            }
            return try await connections.write { database in
                var count = 0
                for (sighting, number) in rows where try Self.isNew(sighting, number, database) {
                    _ = try DetectionRow.insert(sighting, into: database)
                    count += 1
                }
                // Keeps what is derived from falling behind, as the writer of single rows does.
                _ = try DerivedTables.advance(database)
                return count
            }
        }
    }

    /// Brings what is derived from the rows up to date, piece by piece, after many were imported.
    ///
    /// - Throws: ``StoreError``.
    public func finishImport() async throws(StoreError) {
        try await StoreError.catching(path: path) {
            while try await connections.write({ try DerivedTables.advance($0) }) > 0 {}
        }
    }

    private static func isNew(_ sighting: Sighting, _ number: Int, _ database: Database) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: """
                SELECT COUNT(*) FROM detection WHERE received = ? AND label = ? AND mac IS ? AND ssid IS ? AND rssi = ?
                AND confidence = ? AND latitude IS ? AND longitude IS ? AND speed IS ? AND heading IS ? AND activity IS ?
                """)
        let known = try Int.fetchOne(
            statement,
            arguments: [
                sighting.received.milliseconds, StoredText(sighting.label), sighting.mac,
                sighting.ssid.map(StoredText.init), sighting.rssi, sighting.confidence,
                sighting.position?.latitude, sighting.position?.longitude, sighting.motion.speed,
                sighting.motion.heading, sighting.motion.activity.map(StoredText.init),
            ])
        return known ?? 0 < number
    }
}
