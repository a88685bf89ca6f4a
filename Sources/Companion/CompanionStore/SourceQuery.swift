// SPDX-License-Identifier: Apache-2.0

public import Companion
import FlockFinder
import GRDB

/// A source in a list, with what its last detection says of it.
public struct ListedSource: Hashable, Sendable {
    /// The source.
    public let source: DetectionSource
    /// How sure the device was at its last detection, 0 to 1; `nil` when there is none any more.
    public let confidence: Double?
    /// The name that it had at its last detection.
    public let ssid: String?

    /// Reads a row of ``SourceQuery``.
    init(_ row: Row) {
        source = SourceRow.source(row)
        confidence = row["last_confidence"]
        ssid = StoredText.fromDatabaseValue(row["last_ssid"])?.text
    }
}

/// A filter of sources as SQL; values are always bound, never written into it.
struct SourceQuery {
    private let terms: [SQL]

    /// Whether there is anything to say of a source.
    static let isKept: SQL = "(count > 0 OR mark <> 'none' OR note <> '')"

    init(_ filter: DetectionFilter) throws(StoreError) {
        try DetectionQuery(filter: filter).check()
        var terms: [SQL] = ["count > 0"]
        if !filter.types.isEmpty { terms.append("type IN \(filter.types.map(\.keywordString).sorted())") }
        if let since = filter.since { terms.append("last_seen >= \(since.milliseconds)") }
        if let until = filter.until { terms.append("first_seen < \(until.milliseconds)") }
        if let least = filter.minimumConfidence {
            terms.append("(SELECT confidence \(Self.last)) >= \(least)")
        }
        let ids = filter.ids.union(filter.sources).union(filter.source.map { [$0] } ?? [])
        if !ids.isEmpty { terms.append("id IN \(ids.sorted())") }
        if let hasPosition = filter.hasPosition {
            terms.append(hasPosition ? "latitude IS NOT NULL" : "latitude IS NULL")
        }
        if let box = filter.box { terms.append(Self.condition(box, table: "source")) }
        if let near = filter.near {
            let (latitude, longitude) = (near.center.latitude, near.center.longitude)
            terms.append(
                "distance_metres(latitude, longitude, \(latitude), \(longitude)) <= \(near.metres)")
        }
        if let condition = Self.condition(marks: filter.marks, newSince: filter.newSince) {
            terms.append(condition)
        }
        let text = filter.text.map(SearchText.folded) ?? ""
        if !text.isEmpty { terms.append(Self.condition(text: text)) }
        self.terms = terms
    }

    /// The sources, the one that was seen last first.
    func rows(_ page: SourcePage) -> SQL {
        var terms = terms
        if let after = page.after {
            terms.append("(last_seen, id) < (\(after.lastSeen.milliseconds), \(after.id))")
        }
        return """
            SELECT \(Self.columns) FROM source WHERE \(terms.joined(separator: " AND "))
            ORDER BY last_seen DESC, id DESC LIMIT \(min(max(0, page.limit), DetectionPage.largest))
            """
    }

    /// The condition on the table `source`.
    var condition: SQL { terms.joined(separator: " AND ") }

    /// How many there are.
    var count: SQL { "SELECT COUNT(*) FROM source WHERE \(terms.joined(separator: " AND "))" }

    /// One source.
    static func row(_ id: Int64) -> SQL { "SELECT \(columns) FROM source WHERE id = \(id)" }

    private static let columns: SQL = """
        \(SourceRow.columns), (SELECT confidence \(last)) AS last_confidence, (SELECT ssid \(last)) AS last_ssid
        """

    /// The last detection that was not deleted.
    private static let last: SQL = """
        FROM detection WHERE detection.source_id = source.id AND \(DetectionQuery.isKept)
        ORDER BY detection.id DESC LIMIT 1
        """

    /// What a mark, or the first time, says of a source; `nil` when nothing is asked for.
    static func condition(marks: Set<SourceMark>, newSince: Timestamp?) -> SQL? {
        var choices: [SQL] = []
        if !marks.isEmpty, marks.count < SourceMark.allCases.count {
            choices.append("mark IN \(marks.map(\.rawValue).sorted())")
        }
        if let newSince { choices.append("first_seen >= \(newSince.milliseconds)") }
        return choices.isEmpty ? nil : "(\(choices.joined(separator: " OR ")))"
    }

    /// A part of the map.
    static func condition(_ box: MapBox, table: String) -> SQL {
        let (latitude, longitude) = (SQL(sql: "\(table).latitude"), SQL(sql: "\(table).longitude"))
        let breadth: SQL =
            box.west <= box.east
            ? "\(longitude) BETWEEN \(box.west) AND \(box.east)"
            : "(\(longitude) >= \(box.west) OR \(longitude) <= \(box.east))"
        return "(\(latitude) BETWEEN \(box.south) AND \(box.north) AND \(breadth))"
    }

    /// A text stands in the label or name of its last detection, in its address or in its note.
    private static func condition(text: String) -> SQL {
        var choices: [SQL] = [
            "INSTR((SELECT search \(last)), \(text)) > 0",
            "INSTR(search_text(note, NULL, '{}'), \(text)) > 0",
        ]
        if DetectionQuery.mayStandInAddress(text) {
            choices.append("INSTR(IFNULL(mac, ''), \(text.uppercased())) > 0")
        }
        return "(\(choices.joined(separator: " OR ")))"
    }
}
