// SPDX-License-Identifier: Apache-2.0

public import Companion
public import Detections
import Foundation
import GRDB

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
        _ rows: [ImportedDetection], after run: ImportSession, isTrial: Bool = false
    ) async throws(StoreError) -> Int {
        guard rows.count <= Self.largestBatch else {
            throw .tooMuch(reason: "\(rows.count) rows are more than the \(Self.largestBatch) of one commit")
        }
        // Readers of files name such rows; this holds for whoever brings others.
        try Self.check(rows.map { $0.note }, "A note")
        let list = run.numbered(rows)
        if isTrial {
            return try await read { database in
                let known = try run.known(list, database)
                return try list.indices.count { try Self.isNew(list[$0], known: known[$0], database) }
            }
        }
        let stored = try await writer.perform(rows: rows.count) { database in
            let known = try run.known(list, database)
            var count = 0
            for (row, known) in zip(list, known) where try Self.isNew(row, known: known, database) {
                let detection = row.detection
                let record = try DetectionRow.insert(detection.sighting, key: detection.key, into: database)
                try Self.importMark(of: detection, for: record, database)
                count += 1
            }
            return count
        }
        if stored > 0 { await writer.noteStored(stored) }
        return stored
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
                UPDATE source SET mark = \(mark.rawValue), note = \(note), \(SourceRow.nextRevision) WHERE id = \(source)
                """)
        try advance("marks", database)
    }

    private static func isNew(
        _ row: ImportSession.NumberedRow, known: Int, _ database: Database
    ) throws -> Bool {
        guard let key = row.detection.key else { return known < row.number }
        let statement = try database.cachedStatement(sql: "SELECT 1 FROM detection WHERE key = ?")
        return try Int.fetchOne(statement, arguments: [Data(key.octets)]) == nil
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
