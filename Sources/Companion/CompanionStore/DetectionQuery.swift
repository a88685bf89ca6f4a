// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import FlockFinder
import GRDB

/// A filter and a page as SQL; values are always bound, never written into it.
///
/// The list is in order of number. Text and places are looked for in two parts: among the rows that the derived tables
/// have, and one by one among the few that they do not have yet; each part ends as soon as it has filled the page.
struct DetectionQuery {
    var filter = DetectionFilter()
    var page = DetectionPage(order: .oldestFirst)

    /// A place to look for rows.
    private struct Part {
        var from: SQL = "detection"
        var terms: [SQL] = []
        /// The number that the list is in order of.
        var id: SQL = "detection.id"
    }

    /// Whether a row was not deleted.
    static let isKept: SQL = "NOT EXISTS (SELECT 1 FROM deleted WHERE deleted.id = detection.id)"

    /// Up to so many rows are looked up by their numbers; a condition that more have is tried on one row after the other.
    private static let few = 10_000

    /// The rows, in order.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - withSources: Whether each has what is said of its source; it is looked up for each.
    ///   - spare: So many more than the page has.
    /// - Returns: The query, of which ``DetectionRow/record(_:)`` reads the rows.
    /// - Throws: What GRDB throws.
    func rows(_ database: Database, withSources: Bool = true, spare: Int = 0) throws -> SQL {
        let columns: SQL =
            withSources
            ? """
            SELECT \(DetectionRow.columns) FROM detection
            LEFT JOIN source ON source.id = detection.source_id WHERE
            """
            : "SELECT \(DetectionRow.ownColumns) FROM detection WHERE"
        let parts = try parts(database)
        if parts.count == 1, let only = parts.first {
            return "\(columns) \(only.terms.joined(separator: " AND ")) \(end(spare: spare))"
        }
        let found = parts.map { part -> SQL in
            """
            SELECT id FROM (SELECT detection.id AS id FROM \(part.from)
            WHERE \(part.terms.joined(separator: " AND ")) \(end(part.id, spare: spare)))
            """
        }
        return "\(columns) detection.id IN (\(found.joined(separator: " UNION "))) \(end(spare: spare))"
    }

    /// Where the rows were received that have a place, on all pages and in no order.
    func places(_ database: Database) throws -> SQL {
        let parts = try parts(database)
        let columns: SQL = "SELECT detection.latitude, detection.longitude FROM"
        if parts.count == 1, let only = parts.first {
            return """
                \(columns) \(only.from) WHERE detection.latitude IS NOT NULL AND \(only.terms.joined(separator: " AND "))
                """
        }
        let found = parts.map { part -> SQL in
            "SELECT detection.id FROM \(part.from) WHERE \(part.terms.joined(separator: " AND "))"
        }
        return """
            \(columns) detection WHERE detection.latitude IS NOT NULL
                AND detection.id IN (\(found.joined(separator: " UNION ")))
            """
    }

    /// How many rows there are, on all pages.
    func count(_ database: Database) throws -> SQL {
        let found = try parts(database).map { part -> SQL in
            "SELECT detection.id AS id FROM \(part.from) WHERE \(part.terms.joined(separator: " AND "))"
        }
        return found.count == 1
            ? "SELECT COUNT(*) FROM (\(found[0]))"
            : "SELECT COUNT(*) FROM (\(found.joined(separator: " UNION ")))"
    }

    /// Refuses what is too much.
    func check() throws(StoreError) {
        try DetectionDatabase.check([filter.text ?? ""], "The text to look for")
        guard filter.text?.utf8.count ?? 0 <= DetectionFilter.longestText else {
            throw .tooMuch(reason: "a text to look for has at most \(DetectionFilter.longestText) octets")
        }
    }

    /// How many rows the page has.
    var limit: Int { min(max(0, page.limit), DetectionPage.largest) }

    private func end(_ id: SQL = "detection.id", spare: Int) -> SQL {
        let order: SQL = page.order == .newestFirst ? "DESC" : "ASC"
        return "ORDER BY \(id) \(order) LIMIT \(limit + spare)"
    }

    private func behind(_ after: Int64, _ id: SQL) -> SQL {
        page.order == .newestFirst ? "\(id) < \(after)" : "\(id) > \(after)"
    }

    private func parts(_ database: Database) throws -> [Part] {
        let always = try conditions(database)
        let text = filter.text.map(SearchText.folded) ?? ""
        var parts: [Part] = []
        if let near = filter.near {
            let isIn = Self.condition(near: near) + Self.condition(text: text)
            parts.append(
                Part(
                    from: "detection_place CROSS JOIN detection ON detection.id = detection_place.id",
                    terms: [MapBox.area(of: near.mapBoxes)] + isIn))
            parts.append(Part(terms: [try Self.tail(database)] + isIn))
        } else if text.unicodeScalars.count >= 3 {
            let stands: SQL = "INSTR(detection.search, \(text)) > 0"
            parts.append(
                Part(
                    from: "detection_text CROSS JOIN detection ON detection.id = detection_text.rowid",
                    terms: ["detection_text MATCH \(Self.trigrams(text))", stands], id: "detection_text.rowid"
                ))
            parts.append(Part(terms: [try Self.tail(database), stands]))
            if Self.mayStandInAddress(text) {
                let sources = try Self.sources(withAddress: text, database)
                let isIn = try Self.term(database) { "\($0)detection.source_id IN \(sources)" }
                parts.append(Part(terms: [isIn]))
            }
        } else {
            parts.append(Part(terms: Self.condition(text: text)))
        }
        return parts.map { part in
            var part = part
            if let after = page.after { part.terms.append(behind(after, part.id)) }
            part.terms += always
            return part
        }
    }

    private func conditions(_ database: Database) throws -> [SQL] {
        var terms: [SQL] = [Self.isKept]
        if !filter.types.isEmpty {
            let types = filter.types.map(\.keywordString).sorted()
            terms.append(try Self.term(database) { "\($0)detection.type IN \(types)" })
        }
        switch (filter.since?.milliseconds, filter.until?.milliseconds) {
        case (let since?, let until?):
            terms.append(
                try Self.term(database) {
                    "(\($0)detection.received >= \(since) AND \($0)detection.received < \(until))"
                })
        case (let since?, nil):
            terms.append(try Self.term(database) { "\($0)detection.received >= \(since)" })
        case (nil, let until?):
            terms.append(try Self.term(database) { "\($0)detection.received < \(until)" })
        case (nil, nil): break
        }
        if let least = filter.minimumConfidence { terms.append("detection.confidence >= \(least)") }
        if let source = filter.source { terms.append("detection.source_id = \(source)") }
        if !filter.sources.isEmpty {
            let sources = filter.sources.sorted()
            terms.append(try Self.term(database) { "\($0)detection.source_id IN \(sources)" })
        }
        if !filter.ids.isEmpty { terms.append("detection.id IN \(filter.ids.sorted())") }
        if let hasPosition = filter.hasPosition {
            terms.append(hasPosition ? "detection.latitude IS NOT NULL" : "detection.latitude IS NULL")
        }
        if let box = filter.box { terms.append(try Self.term(database, box)) }
        if let condition = SourceQuery.condition(marks: filter.marks, newSince: filter.newSince) {
            terms.append(
                try Self.term(database) {
                    "\($0)detection.source_id IN (SELECT id FROM source WHERE \(condition))"
                })
        }
        return terms
    }

    /// A condition on rows: by their numbers where few fulfil it, else to be tried on each.
    ///
    /// With a plus before a column the planner takes no index for it.
    private static func term(_ database: Database, _ condition: (_ plus: SQL) -> SQL) throws -> SQL {
        let found: SQL = "FROM detection WHERE \(condition(""))"
        let count = try SQLRequest<Int>(literal: "SELECT COUNT(*) FROM (SELECT 1 \(found) LIMIT \(few + 1))")
            .fetchOne(database)
        return count ?? 0 > few ? condition("+") : "detection.id IN (SELECT detection.id \(found))"
    }

    /// A condition on places: by the R*Tree where few lie in the box, else to be tried on each.
    private static func term(_ database: Database, _ box: MapBox) throws -> SQL {
        let isIn = box.places(in: "detection")
        // It rounds outwards, so each row is looked at again.
        let found: SQL = "FROM detection_place WHERE \(box.area())"
        let count = try SQLRequest<Int>(literal: "SELECT COUNT(*) FROM (SELECT 1 \(found) LIMIT \(few + 1))")
            .fetchOne(database)
        return count ?? 0 > few
            ? isIn
            : """
            (detection.id IN (SELECT id \(found) UNION ALL SELECT id FROM detection WHERE \(try tail(database))) AND \(isIn))
            """
    }

    /// Rows that the derived tables do not have yet.
    private static func tail(_ database: Database) throws -> SQL {
        "detection.id > \(try DerivedTables.upTo(database))"
    }

    private static func condition(near circle: Vicinity) -> [SQL] {
        let (latitude, longitude) = (circle.center.latitude, circle.center.longitude)
        return [
            """
            distance_metres(detection.latitude, detection.longitude, \(latitude), \(longitude)) <= \(circle.metres)
            """
        ]
    }

    /// The condition without the index.
    private static func condition(text: String) -> [SQL] {
        if text.isEmpty { return [] }
        guard mayStandInAddress(text) else { return ["INSTR(detection.search, \(text)) > 0"] }
        return [
            """
            (INSTR(detection.search, \(text)) > 0 \
            OR INSTR(IFNULL(detection.mac, ''), \(text.uppercased())) > 0)
            """
        ]
    }

    /// The sources of which any detection has a text, as a list; `nil` where they are too many, or the text too short, for the index.
    static func sources(with text: String, _ database: Database) throws -> SQL? {
        guard text.unicodeScalars.count >= 3 else { return nil }
        // The index is asked once: that costs more than all that follows.
        let found = try SQLRequest<Int64>(
            literal: """
                SELECT rowid FROM detection_text WHERE detection_text MATCH \(trigrams(text)) LIMIT \(few + 1)
                """
        ).fetchAll(database)
        guard found.count <= few else { return nil }
        return """
            (SELECT source_id FROM detection WHERE id IN \(list(found))
            UNION SELECT source_id FROM detection WHERE \(try tail(database)))
            """
    }

    /// The sources in whose address a text stands, as a list.
    ///
    /// All addresses are looked at, in an index that holds nothing else; that is done once where few are found.
    static func sources(withAddress text: String, _ database: Database) throws -> SQL {
        let found: SQL =
            "SELECT id FROM source WHERE mac IS NOT NULL AND INSTR(mac, \(text.uppercased())) > 0"
        let ids = try SQLRequest<Int64>(literal: "\(found) LIMIT \(few + 1)").fetchAll(database)
        return ids.count <= few ? list(ids) : "(\(found))"
    }

    /// Numbers as a list that is bound as one value, however many they are.
    private static func list(_ ids: [Int64]) -> SQL {
        let json = "[" + ids.map(\.description).joined(separator: ",") + "]"
        return "(SELECT value FROM json_each(\(json)))"
    }

    static func mayStandInAddress(_ text: String) -> Bool {
        text.utf8.count <= 17
            && text.utf8.allSatisfy { octet in
                switch octet {
                case 0x30...0x39, 0x61...0x66, UInt8(ascii: ":"): true
                default: false
                }
            }
    }

    /// Three characters after three of a text, all of which a row must have; the first forty choose well enough.
    ///
    /// That leaves out where they stand, so each row is looked at again; asked for every three, the index would read three
    /// times as much to find hardly less.
    private static func trigrams(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars.prefix(40))
        var parts: [String] = []
        for start in Array(stride(from: 0, to: scalars.count - 2, by: 3)) + [scalars.count - 3] {
            var part = String.UnicodeScalarView()
            part.append(contentsOf: scalars[start..<(start + 3)])
            let quoted = "\"" + String(part).replacing("\"", with: "\"\"") + "\""
            if !parts.contains(quoted) { parts.append(quoted) }
        }
        return parts.joined(separator: " AND ")
    }
}
