// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import FlockFinder
import GRDB

extension ListedSource {
    /// Reads a row of ``SourceRow/select``.
    ///
    /// - Throws: ``BadValue`` where a value cannot be.
    init(_ row: Row) throws {
        let confidence = row.finite(19).flatMap { (0...1).contains($0) ? $0 : nil }
        self.init(
            try SourceRow.source(row), confidence: confidence, ssid: (row.stored(20) as StoredText?)?.text)
    }
}

/// A filter of sources as SQL; values are always bound, never written into it.
struct SourceQuery {
    private let terms: [SQL]

    /// Whether there is anything to say of a source.
    static let isKept: SQL = "(count > 0 OR mark <> 'none' OR note <> '')"

    init(_ filter: DetectionFilter, _ database: Database) throws {
        var terms: [SQL] = ["count > 0"]
        if !filter.types.isEmpty {
            terms.append("source.type IN \(filter.types.map(\.keywordString).sorted())")
        }
        if let since = filter.since { terms.append("last_seen >= \(since.milliseconds)") }
        if let until = filter.until { terms.append("first_seen < \(until.milliseconds)") }
        if let least = filter.minimumConfidence { terms.append("last_confidence >= \(least)") }
        let ids = filter.ids.union(filter.sources).union(filter.source.map { [$0] } ?? [])
        if !ids.isEmpty { terms.append("source.id IN \(ids.sorted())") }
        if let hasPosition = filter.hasPosition {
            terms.append(hasPosition ? "source.latitude IS NOT NULL" : "source.latitude IS NULL")
        }
        if let box = filter.box {
            // Where the map shows it; until it has been placed, where it was heard best.
            terms.append("IIF(shown_latitude IS NULL, \(box.places(in: "source")), \(box.shownSources))")
        }
        if let near = filter.near {
            let (latitude, longitude) = (near.center.latitude, near.center.longitude)
            terms.append(
                "distance_metres(source.latitude, source.longitude, \(latitude), \(longitude)) <= \(near.metres)"
            )
        }
        if let condition = Self.condition(marks: filter.marks, newSince: filter.newSince) {
            terms.append(condition)
        }
        let text = filter.text.map(SearchText.folded) ?? ""
        if !text.isEmpty { terms.append(try Self.condition(text: text, database)) }
        self.terms = terms
    }

    /// The sources of a page.
    func rows(_ page: SourcePage, spare: Int = 0) -> SQL {
        var terms = terms
        if let behind = page.behind { terms.append(behind) }
        return """
            \(SourceRow.select) WHERE \(terms.joined(separator: " AND ")) \(page.ordered)
            LIMIT \(page.most + spare)
            """
    }

    /// The condition on the table `source`.
    var condition: SQL { terms.joined(separator: " AND ") }

    /// How many there are.
    var count: SQL { "SELECT COUNT(*) FROM source WHERE \(condition)" }

    /// One source.
    static func row(_ id: Int64) -> SQL { "\(SourceRow.select) WHERE source.id = \(id)" }

    /// What a mark, or the first time, says of a source; `nil` when nothing is asked for.
    static func condition(marks: Set<SourceMark>, newSince: Timestamp?) -> SQL? {
        var choices: [SQL] = []
        if !marks.isEmpty, marks.count < SourceMark.allCases.count {
            choices.append("mark IN \(marks.map(\.rawValue).sorted())")
        }
        if let newSince { choices.append("first_seen >= \(newSince.milliseconds)") }
        return choices.isEmpty ? nil : "(\(choices.joined(separator: " OR ")))"
    }

    /// A text stands in the label or name of its last detection, in its address or in its note.
    private static func condition(text: String, _ database: Database) throws -> SQL {
        let stands: SQL = """
            INSTR((
                SELECT search FROM detection WHERE detection.source_id = source.id AND \(DetectionQuery.isKept)
                ORDER BY detection.id DESC LIMIT 1
            ), \(text)) > 0
            """
        // As sets where that is possible, so that not every source is looked at.
        var sets: [SQL] = [
            "SELECT id FROM source WHERE note <> '' AND INSTR(search_text(note, NULL, '{}'), \(text)) > 0"
        ]
        if DetectionQuery.mayStandInAddress(text) {
            sets.append(
                "SELECT id FROM source WHERE id IN \(try DetectionQuery.sources(withAddress: text, database))"
            )
        }
        guard let candidates = try DetectionQuery.sources(with: text, database) else {
            return "(source.id IN (\(sets.joined(separator: " UNION "))) OR \(stands))"
        }
        sets.append("SELECT id FROM source WHERE id IN \(candidates) AND \(stands)")
        return "source.id IN (\(sets.joined(separator: " UNION ")))"
    }
}

extension SourceOrder {
    /// What SQLite has of it; only the first is in an index.
    fileprivate var column: SQL {
        switch self {
        case .last: "last_seen"
        case .first: "first_seen"
        case .strongest: "strongest"
        case .seen: "count"
        case .confidence: "IFNULL(last_confidence, -1)"
        }
    }
}

extension SourcePage {
    /// What comes behind its cursor.
    var behind: SQL? {
        after.map { "(\(order.column), source.id) < (\($0.value), \($0.id))" }
    }

    /// In which order the list is.
    var ordered: SQL { "ORDER BY \(order.column) DESC, source.id DESC" }

    /// How many sources it has at most.
    var most: Int { min(max(0, limit), DetectionPage.largest) }
}
