// SPDX-License-Identifier: Apache-2.0

import Companion
import FlockFinder
import GRDB

/// A filter and a page as SQL; values are always bound, never written into it.
struct DetectionQuery {
    var filter = DetectionFilter()
    var page = DetectionPage(order: .oldestFirst)

    /// The rows, in order.
    var rows: SQL {
        let order: SQL = page.order == .newestFirst ? "received DESC, id DESC" : "received, id"
        let limit: SQL = page.limit.map { "LIMIT \(max(0, $0))" } ?? ""
        return "SELECT \(DetectionRow.columns) FROM detection \(condition) ORDER BY \(order) \(limit)"
    }

    /// How many rows there are, on all pages.
    var count: SQL { "SELECT COUNT(*) FROM detection \(condition)" }

    private var condition: SQL {
        var terms: [SQL] = []
        if !filter.types.isEmpty { terms.append("type IN \(filter.types.map(\.keywordString).sorted())") }
        if let since = filter.since { terms.append("received >= \(since.milliseconds)") }
        if let until = filter.until { terms.append("received < \(until.milliseconds)") }
        if let least = filter.minimumConfidence { terms.append("confidence >= \(least)") }
        if let near = filter.near { terms += Self.condition(near: near) }
        if let text = filter.text, !text.isEmpty { terms.append(Self.condition(text: text)) }
        if let after = page.after {
            let place: SQL = "(\(after.received.milliseconds), \(after.id))"
            terms.append(
                page.order == .newestFirst ? "(received, id) < \(place)" : "(received, id) > \(place)")
        }
        return terms.isEmpty ? "" : "WHERE \(terms.joined(separator: " AND "))"
    }

    /// Rows that the derived tables do not have yet.
    private static let tail: SQL = "id > (SELECT up_to FROM derived)"

    private static func condition(near circle: Vicinity) -> [SQL] {
        let boxes = circle.boxes.map { box -> SQL in
            """
            (north >= \(box.latitudes.lowerBound) AND south <= \(box.latitudes.upperBound) \
            AND east >= \(box.longitudes.lowerBound) AND west <= \(box.longitudes.upperBound))
            """
        }
        let (latitude, longitude) = (circle.center.latitude, circle.center.longitude)
        return [
            """
            id IN (SELECT id FROM detection_place WHERE \(boxes.joined(separator: " OR ")) \
            UNION ALL SELECT id FROM detection WHERE \(tail))
            """,
            "distance_metres(latitude, longitude, \(latitude), \(longitude)) <= \(circle.metres)",
        ]
    }

    private static func condition(text: String) -> SQL {
        // No value can be asked for that holds U+0000: SQLite ends the question there.
        if text.utf8.contains(0) { return "FALSE" }
        let exact = scan(text)
        // The index knows three characters and more; for less, every row is looked at.
        guard text.unicodeScalars.count >= 3 else { return exact }
        let phrase = "\"" + text.replacing("\"", with: "\"\"") + "\""
        // The index only chooses rows: its way of folding case is not quite that of the condition, and a row is found
        // or not whether it is in the index yet or not.
        return """
            id IN (SELECT rowid FROM detection_text WHERE detection_text MATCH \(phrase) \
            UNION ALL SELECT id FROM detection WHERE \(tail)) AND \(exact)
            """
    }

    /// The condition without the index.
    private static func scan(_ text: String) -> SQL {
        var columns: [SQL] = ["label", "ssid", "mac"]
        // One or two characters are found in the punctuation of all JSON.
        if text.unicodeScalars.count >= 3 { columns.append("extra") }
        let folded = FoldedText.folded(text)
        // SQLite folds the case of ASCII only, but quickly.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
            let terms = columns.map { column -> SQL in "contains_folded(\(column), \(folded))" }
            return "(\(terms.joined(separator: " OR ")))"
        }
        var escaped = "%"
        for scalar in text.unicodeScalars {
            if scalar == "%" || scalar == "_" || scalar == "\\" { escaped.unicodeScalars.append("\\") }
            escaped.unicodeScalars.append(scalar)
        }
        let pattern = escaped + "%"
        // What holds a NUL is stored as octets, to which LIKE is blind.
        let terms = columns.map { column -> SQL in
            """
            (\(column) LIKE \(pattern) ESCAPE '\\' \
            OR typeof(\(column)) = 'blob' AND contains_folded(\(column), \(folded)))
            """
        }
        return "(\(terms.joined(separator: " OR ")))"
    }
}

/// Text without regard to case, for what is beyond ASCII.
enum FoldedText {
    /// Each character in lower case, where that is one character.
    static func folded(_ text: String) -> String {
        var folded = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let lower = scalar.properties.lowercaseMapping.unicodeScalars
            folded.append(lower.count == 1 ? lower.first ?? scalar : scalar)
        }
        return String(folded)
    }

    /// `contains_folded(value, folded)`: whether text stands in a value, which is folded here.
    static let contains = DatabaseFunction("contains_folded", argumentCount: 2, pure: true) { values in
        guard let value = StoredText.fromDatabaseValue(values[0])?.text,
            let wanted = String.fromDatabaseValue(values[1])
        else { return false }
        let octets = Array(folded(value).utf8)
        let part = Array(wanted.utf8)
        guard let first = part.first, octets.count >= part.count else { return part.isEmpty }
        return (0...(octets.count - part.count)).contains { start in
            octets[start] == first && octets[start..<(start + part.count)].elementsEqual(part)
        }
    }
}
