// SPDX-License-Identifier: Apache-2.0

public import Companion
public import Detections
import GRDB

extension DetectionDatabase {
    /// Lists sources.
    ///
    /// - Parameter page: Which part of them.
    /// - Returns: The sources that have a detection, or a mark or a note.
    /// - Throws: ``StoreError``.
    public func sources(_ page: SourcePage = SourcePage()) async throws(StoreError) -> [DetectionSource] {
        var terms: [SQL] = [SourceQuery.isKept]
        if !page.marks.isEmpty { terms.append("mark IN \(page.marks.map(\.rawValue).sorted())") }
        if let behind = page.behind { terms.append(behind) }
        let all: SQL = "\(SourceRow.select) WHERE \(terms.joined(separator: " AND ")) \(page.ordered)"
        return try await read { [unusable] database in
            try unusable.page(
                of: page.most, database, query: { "\(all) LIMIT \(page.most + $0)" }, SourceRow.source)
        }
    }

    /// Lists sources that fit a filter.
    ///
    /// A source fits by what is known of it as a whole: its times overlap those of the filter, its strongest place is in
    /// the part of the map, the text stands in its name, address, kind or note, its last detection was so sure.
    ///
    /// - Parameters:
    ///   - filter: Which are wanted; its numbers are those of sources.
    ///   - page: Which part of them.
    /// - Returns: The sources that have a detection.
    /// - Throws: ``StoreError``.
    public func sources(
        matching filter: DetectionFilter, page: SourcePage
    ) async throws(StoreError) -> [ListedSource] {
        try DetectionQuery(filter: filter).check()
        return try await read { [unusable] database in
            let query = try SourceQuery(filter, database)
            return try unusable.page(
                of: page.most, database, query: { query.rows(page, spare: $0) }, ListedSource.init)
        }
    }

    /// Counts sources that fit a filter.
    ///
    /// - Parameter filter: Which are wanted; its numbers are those of sources.
    /// - Returns: How many have a detection and fit.
    /// - Throws: ``StoreError``.
    public func sourceCount(
        matching filter: DetectionFilter = DetectionFilter()
    ) async throws(StoreError) -> Int {
        try DetectionQuery(filter: filter).check()
        return try await read { database in
            let request = SQLRequest<Int>(literal: try SourceQuery(filter, database).count)
            return try request.fetchOne(database) ?? 0
        }
    }

    /// Finds a source, with what its last detection says of it.
    ///
    /// - Parameter id: Its number.
    /// - Returns: The source, when there is one.
    /// - Throws: ``StoreError``.
    public func listedSource(id: Int64) async throws(StoreError) -> ListedSource? {
        let request = SQLRequest<Row>(literal: SourceQuery.row(id))
        return try await read { [unusable] database in
            try request.fetchOne(database).flatMap { try unusable.usable($0, ListedSource.init) }
        }
    }

    /// Finds a source.
    ///
    /// - Parameter id: Its number.
    /// - Returns: The source, when there is one.
    /// - Throws: ``StoreError``.
    public func source(id: Int64) async throws(StoreError) -> DetectionSource? {
        try await read { [unusable] in try Self.source(id, $0, unusable) }
    }

    /// How strong a source was over time, the latest first.
    ///
    /// - Parameters:
    ///   - source: Its number.
    ///   - after: The number of the detection behind which the list goes on.
    ///   - limit: At most so many, 1 to 10 000.
    /// - Returns: A point for each detection.
    /// - Throws: ``StoreError``.
    public func signal(
        of source: Int64, after: Int64? = nil, limit: Int = 1000
    ) async throws(StoreError) -> [SignalPoint] {
        let request = SQLRequest<Row>(
            literal: """
                SELECT id, received, rssi FROM detection
                WHERE source_id = \(source) AND id < \(after ?? .max) AND \(DetectionQuery.isKept)
                ORDER BY id DESC LIMIT \(min(max(0, limit), DetectionPage.largest))
                """)
        return try await read { [unusable] database in
            try unusable.usable(request.fetchCursor(database)) { row in
                SignalPoint(
                    detection: try row.number(0, "number"), received: try row.time(1, "time"),
                    rssi: Int(try row.number(2, "rssi", in: -127...20)))
            }
        }
    }

    /// Marks a source or notes something about it; an earlier mark is undone by setting it again.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - mark: The mark; `nil` leaves it.
    ///   - note: The note, at most ``SourceMark/longestNote`` octets; `nil` leaves it.
    ///   - revision: What it was when the person looked, so that nobody else's words are lost; `nil` for whatever it is.
    /// - Returns: The source; `nil` when there is none.
    /// - Throws: ``StoreError/conflict`` when somebody else has changed it meanwhile.
    public func mark(
        source id: Int64,
        as mark: SourceMark? = nil,
        note: String? = nil,
        ifRevision revision: Int64? = nil
    ) async throws(StoreError) -> DetectionSource? {
        try Self.check([note ?? ""], "The note")
        if let note, note.utf8.count > SourceMark.longestNote {
            throw .tooMuch(reason: "a note has at most \(SourceMark.longestNote) octets")
        }
        return try await writer.perform { [unusable] database in
            guard let source = try Self.source(id, database, unusable) else { return nil }
            if let revision, revision != source.revision { throw StoreError.conflict }
            try database.execute(
                literal: """
                    UPDATE source SET mark = \((mark ?? source.mark).rawValue), note = \(note ?? source.note),
                    \(SourceRow.nextRevision) WHERE id = \(id)
                    """)
            try Self.advance("marks", database)
            return try Self.source(id, database, unusable)
        }
    }

    /// Gives many sources a mark or takes it from them, in one commit.
    ///
    /// - Parameters:
    ///   - ids: Their numbers; those that there are not are passed over.
    ///   - mark: The mark, which takes the place of another one.
    ///   - isOn: Whether they are to have it; otherwise those that have it lose it, and others stay as they are.
    /// - Returns: Those that were changed, with what they were marked as before.
    /// - Throws: ``StoreError``; nothing has changed then.
    public func mark(
        sources ids: [Int64], as mark: SourceMark, _ isOn: Bool
    ) async throws(StoreError) -> MarkedSources {
        guard !ids.isEmpty else { return MarkedSources() }
        let new = isOn ? mark : SourceMark.none
        return try await writer.perform { database in
            var changed = MarkedSources()
            for piece in Self.pieces(ids) {
                let chosen: SQL = "id IN \(piece) AND (\(isOn) OR mark = \(mark.rawValue))"
                let rows = try SQLRequest<Row>(
                    literal: "SELECT id, mark FROM source WHERE \(chosen) ORDER BY id"
                ).fetchAll(database)
                for row in rows {
                    guard let id = row.stored(0) as Int64? else { continue }
                    // Another program may have written a word that is none: that is no mark.
                    changed.add(id, before: SourceMark(rawValue: row.stored(1) ?? "") ?? .none)
                }
                try database.execute(
                    literal: """
                        UPDATE source SET mark = \(new.rawValue), \(SourceRow.nextRevision) WHERE \(chosen)
                        """)
            }
            if !changed.before.isEmpty { try Self.advance("marks", database) }
            return changed
        }
    }

    private static func source(
        _ id: Int64, _ database: Database, _ unusable: UnusableRows
    ) throws -> DetectionSource? {
        try SQLRequest<Row>(literal: "\(SourceRow.select) WHERE source.id = \(id)").fetchOne(database).flatMap
        {
            try unusable.usable($0, SourceRow.source)
        }
    }
}
