// SPDX-License-Identifier: Apache-2.0

import Detections
import GRDB

/// What people have said of sources, for an export: most have said little, so it is read once and not for each row.
struct SourceRemarks: Sendable {
    private struct Remark: Sendable {
        let mark: SourceMark
        let note: String
    }

    /// Of so many sources it is kept; where more have a mark or a note, each row looks for its own.
    private static let most = 5000

    /// How often anything had been said.
    private let revision: Int64
    /// What was said of which source; `nil` where that is too much.
    private let said: [Int64: Remark]?

    /// The same, or what is said now where people have said more since.
    static func now(_ earlier: SourceRemarks?, _ database: Database) throws -> SourceRemarks {
        let revision =
            try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT number FROM revision WHERE name = 'marks'")) ?? 0
        if let earlier, earlier.revision == revision { return earlier }
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT id, mark, note FROM source WHERE id IN (
                    SELECT id FROM source WHERE mark <> 'none' UNION SELECT id FROM source WHERE note <> ''
                ) LIMIT \(most + 1)
                """)
        var said: [Int64: Remark] = [:]
        while let row = try rows.next() {
            guard let id: Int64 = row.stored(0), let mark: String = row.stored(1) else { continue }
            said[id] = Remark(mark: SourceMark(rawValue: mark) ?? .none, note: row.stored(2) ?? "")
        }
        return SourceRemarks(revision: revision, said: said.count <= most ? said : nil)
    }

    /// The next records of a query for a file, with what was said of their sources; some tens where they have long texts.
    func page(
        _ query: DetectionQuery, _ database: Database, _ unusable: UnusableRows
    ) throws -> ExportedPage {
        var octets = 0
        let records = try unusable.page(of: query.limit, database) { spare in
            try query.rows(database, withSources: said == nil, spare: spare)
        } isFull: { (record: DetectionRecord) in
            octets += record.sighting.octetsOfTexts
            return octets >= ExportedPage.mostOctets
        } _: { row in
            var record = try DetectionRow.record(row)
            if let remark = record.source.flatMap({ said?[$0] }) {
                (record.mark, record.note) = (remark.mark, remark.note)
            }
            return record
        }
        let isLast = records.count < query.limit && octets < ExportedPage.mostOctets
        return ExportedPage(records: records, isLast: isLast, remarks: self)
    }
}
