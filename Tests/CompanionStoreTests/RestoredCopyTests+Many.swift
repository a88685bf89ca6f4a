// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import Testing

@testable import CompanionStore

/// Copies with more of something than anybody has, which would be read into memory at once.
extension RestoredCopyTests {
    /// Statements that put in too much, and why it is refused.
    private static let tooMuch = [
        (
            "INSERT INTO bond (adapter, identity, sealed) SELECT 'other', 'b' || i, x'00' FROM n",
            "its table bond has more than 1000 rows"
        ),
        (
            "INSERT INTO known_set (name, origin, version, imported) SELECT 'n' || i, 'o', '1', 1 FROM n",
            "its table known_set has more than 1000 rows"
        ),
        (
            """
            INSERT INTO saved_device (name, saved, services, characteristics, readings, file)
            SELECT 'n', 1, 1, 1, 1, '{}' FROM n
            """,
            "its table saved_device has more than 200 rows"
        ),
        (
            """
            INSERT INTO drive ("begin", "end", metres, fix_source, south, north, west, east)
            SELECT m.i, m.i, 1, 'gpx', 0, 0, 0, 0 FROM n, n AS m LIMIT 100000
            """,
            "its table drive has more than 100000 rows"
        ),
        (
            #"UPDATE drive SET "end" = "begin" + 2678400001"#,
            "row 1 of its table drive cannot be: a drive of more than 31 days"
        ),
    ]

    @Test(arguments: tooMuch.indices) func whatIsThereTooOftenIsRefused(index: Int) async throws {
        let (statement, reason) = Self.tooMuch[index]
        let copy = try await copied()
        try Self.change(
            copy,
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) \(statement)")
        let fault = await #expect(throws: StoreError.self) { _ = try await store.readCopy(copy) }
        #expect(fault == .unfit(reason: reason))
        try await works()
    }

    @Test func aCopyThatTakesTooLongIsRefused() async throws {
        let copy = try await copied(rows: 5000)
        for late in [Duration.zero, .milliseconds(5)] {
            let fault = #expect(throws: StoreError.self) {
                _ = try RestoredCopy(
                    of: copy, pageSize: 4096, leavingOut: [], watch: ReadingWatch(until: .now + late))
            }
            #expect(fault == .unfit(reason: "reading it takes too long"))
        }
        #expect(Self.leftovers(folder).isEmpty)
        try await works()
    }

    @Test func aRowOfLongTextsIsRefused() async throws {
        let copy = try await copied()
        try Self.change(
            copy,
            """
            DROP TABLE detection_text;
            UPDATE detection SET extra = '{"a":"' || replace(hex(zeroblob(5000)), '0', 'a') || '"}', raw = zeroblob(7000)
            """)
        let fault = await #expect(throws: StoreError.self) { _ = try await store.readCopy(copy) }
        #expect(fault?.description.contains("at most \(Sighting.longestText) are kept") == true)
    }

    /// Nobody could read it again out of what is exported.
    @Test(arguments: [
        (
            #"DROP TABLE detection_text; UPDATE detection SET extra = '{"a":%}'"#,
            "its extra values are nested"
        ),
        ("UPDATE known_camera SET tags = '[%]'", "its tags is nested"),
        ("UPDATE saved_device SET file = '[%]'", "its file is nested"),
    ])
    func whatIsNestedTooDeepIsRefused(statement: String, reason: String) async throws {
        for (depth, isRefused) in [(JSONReader.keptDepth, true), (JSONReader.keptDepth - 1, false)] {
            let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let copy = try await copied()
            try Self.change(copy, statement.replacing("%", with: deep))
            guard isRefused else {
                _ = try await store.readCopy(copy)
                continue
            }
            let fault = await #expect(throws: StoreError.self) { _ = try await store.readCopy(copy) }
            #expect(fault?.description.contains("\(reason) more than \(JSONReader.keptDepth) deep") == true)
        }
        try await works()
    }
}
