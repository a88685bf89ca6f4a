// SPDX-License-Identifier: Apache-2.0

public import Companion
import Foundation
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
    /// One that has a key is known by that, also when it was deleted and not purged; what the file says about its source
    /// is taken over where nothing was said here.
    ///
    /// - Parameters:
    ///   - rows: The next detections of the file, in order; at most ``largestBatch``, since others wait meanwhile.
    ///   - run: What came before in the file.
    ///   - isTrial: Whether to store nothing and only count.
    /// - Returns: How many are new.
    /// - Throws: ``StoreError``.
    public func importing(
        _ rows: [ImportedDetection], after run: inout ImportRun, isTrial: Bool = false
    ) async throws(StoreError) -> Int {
        guard rows.count <= Self.largestBatch else {
            throw .tooMuch(reason: "\(rows.count) rows are more than the \(Self.largestBatch) of one commit")
        }
        var numbered: [(ImportedDetection, Int)] = []
        for row in rows { numbered.append((row, run.number(of: row.sighting))) }
        let list = numbered
        if isTrial {
            return try await read { database in try list.count { try Self.isNew($0, $1, database) } }
        }
        return try await writer.perform { database in
            var count = 0
            for (row, number) in list where try Self.isNew(row, number, database) {
                let record = try DetectionRow.insert(row.sighting, key: row.key, into: database)
                try Self.importMark(of: row, for: record, database)
                count += 1
            }
            return count
        }
    }

    private static func importMark(
        of row: ImportedDetection, for record: DetectionRecord, _ database: Database
    ) throws {
        let isChanged = record.mark == .none && row.mark != .none || record.note.isEmpty && !row.note.isEmpty
        guard isChanged, let source = record.source else { return }
        let mark = record.mark == .none ? row.mark : record.mark
        let note = record.note.isEmpty ? row.note.prefix(octets: SourceMark.longestNote) : record.note
        try database.execute(
            literal: """
                UPDATE source SET mark = \(mark.rawValue), note = \(note), revision = revision + 1 WHERE id = \(source)
                """)
        try advance("marks", database)
    }

    private static func isNew(_ row: ImportedDetection, _ number: Int, _ database: Database) throws -> Bool {
        if let key = row.key {
            let statement = try database.cachedStatement(sql: "SELECT 1 FROM detection WHERE key = ?")
            return try Int.fetchOne(statement, arguments: [Data(key.octets)]) == nil
        }
        let sighting = row.sighting
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

extension String {
    /// As many whole characters from the beginning as fit into so many octets of UTF-8.
    fileprivate func prefix(octets limit: Int) -> String {
        var text = self[...]
        while text.utf8.count > limit { text.removeLast() }
        return String(text)
    }
}
