// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import Foundation
import GRDB
import Synchronization
import Testing

@testable import CompanionStore

@Suite("Rows that somebody has written by hand", .timeLimit(.minutes(5)))
struct UnusableRowTests {
    private let folder: Folder
    private let path: String

    init() throws {
        folder = try Folder()
        path = folder.file()
    }

    /// Makes a file, closes it and changes it.
    private func make(_ sightings: [Sighting], _ statements: String...) async throws {
        let store = try DetectionDatabase(path: path, createIfMissing: true)
        _ = try await store.save(sightings)
        try await store.deriveAll()
        try await store.close()
        let other = try OtherProgram(path: path)
        try other.execute("PRAGMA ignore_check_constraints = ON")
        for statement in statements { try other.execute(statement) }
    }

    @Test(arguments: [0, -7, Int64.max])
    func aSourceWithANumberThatCannotBeGetsAnotherAndKeepsItsDetections(number: Int64) async throws {
        try await make(
            [
                .sample(1, ssid: "a", at: (52, 13)), .sample(2, ssid: "b", at: (-40, 99)),
                .sample(3, ssid: "b"),
            ],
            "UPDATE source SET id = \(number) WHERE id = 1",
            "UPDATE detection SET source_id = \(number) WHERE source_id = 1")
        let store = try DetectionDatabase(path: path, createIfMissing: false)
        let source = try #require(try await store.source(id: 3))
        #expect(source.count == 1 && source.identity == .name("a"))
        #expect(try await store.records(page: DetectionPage()).map(\.source) == [2, 2, 3])
        #expect(try await store.save(.sample(4, ssid: "c")).source == 4)
        try await store.mapAll()
        let sum = try await store.read {
            try Int64.fetchOne($0, sql: "SELECT SUM(numbers) FROM cell WHERE level = 0")
        }
        #expect(sum == 5, "A square with one source names it by that.")
        try await store.close()
    }

    @Test func whoeverOnlyLooksChangesNothing() async throws {
        try await make(
            [.sample(1), .sample(2)], "UPDATE detection SET id = \(Int64.max) WHERE id = 2",
            "UPDATE revision SET number = -1")
        let looking = try DetectionDatabase(reading: path)
        #expect(try await looking.records(page: DetectionPage()).map(\.id) == [1])
        try await looking.close()
        let other = try DatabaseQueue(path: path)
        let found = try await other.read {
            try Int64.fetchAll($0, sql: "SELECT id FROM detection UNION ALL SELECT MAX(number) FROM revision")
        }
        #expect(found == [1, .max, -1])
    }

    @Test(arguments: ["UPDATE detection SET source_id = 77 WHERE id = 2", "DELETE FROM source WHERE id = 2"])
    func aDetectionWithoutASourceIsToldAndGetsOne(statement: String) async throws {
        try await make(
            [.sample(1, ssid: "a"), .sample(2, ssid: "b", at: (52, 13)), .sample(3, ssid: "c")], statement)
        let told = Mutex<[String]>([])
        let looking = try DetectionDatabase(reading: path)
        looking.tellOfUnusableRows { sentence in told.withLock { $0.append(sentence) } }
        #expect(try await looking.records().map(\.id).sorted() == [1, 3])
        #expect(try await looking.record(id: 2) == nil)
        let first = told.withLock { $0 }
        #expect(first.count == 1 && first[0].contains("left out: detection 2: its source"))
        try await looking.close()

        let store = try DetectionDatabase(path: path, createIfMissing: false)
        store.tellOfUnusableRows { sentence in told.withLock { $0.append(sentence) } }
        let second = told.withLock { $0 }
        #expect(second.contains("1 detection of the database had no source, and has one again."))
        let records = try await store.records()
        #expect(records.map(\.id).sorted() == [1, 2, 3])
        for record in records {
            let number = try #require(record.source)
            let source = try #require(try await store.source(id: number))
            #expect(
                source.count == 1
                    && source.identity == record.sighting.ssid.map(DetectionSource.Identity.name))
        }
        #expect(try await store.figures().detections == 3)
        try await store.mapAll()
        try await store.close()
    }

    @Test func countsThatSomebodyHasWrittenAreSetRight() async throws {
        try await make([.sample(1), .sample(2), .sample(3, ssid: "b")], "UPDATE source SET count = -5")
        let store = try DetectionDatabase(path: path, createIfMissing: false)
        #expect(try await store.sources().map(\.count).sorted() == [1, 2])
        #expect(try await store.figures().detections == 3)
        let other = try OtherProgram(path: path)
        try other.execute("PRAGMA ignore_check_constraints = ON; UPDATE source SET count = -5")
        #expect(try await store.delete(ids: [2]) == [2])
        #expect(try await store.records().count == 2)
        try await store.close()
    }

    @Test func manyThatCannotBeEndNoListEarly() async throws {
        try await make(
            (1...2600).map { .sample($0) }, "UPDATE detection SET received = -1 WHERE id BETWEEN 2 AND 2599")
        let store = try DetectionDatabase(path: path, createIfMissing: false)
        #expect(try await store.records(page: DetectionPage(limit: 10)).map(\.id) == [2600, 1])
        try await store.close()
    }

    @Test func whoHasWaitedForRoomIsCountedAmongWhatIsLost() async throws {
        let store = try DetectionDatabase(
            path: path, createIfMissing: true, busyTimeout: 0, patience: .milliseconds(200))
        let pieces = DetectionWriter.capacity / 500 + 10
        var troubles = await store.troubles().makeAsyncIterator()
        // Nothing can be stored, and nothing kept beside it.
        try FileManager.default.removeItem(atPath: folder.path)
        let saving = (0..<pieces).map { piece in
            Task { try await store.save((0..<500).map { .sample(piece * 500 + $0) }) }
        }
        #expect(await troubles.next()?.error == .gone(path: path))
        while await store.writer.areWaitingForRoom < 9 { await Task.yield() }
        let error = await #expect(throws: StoreError.self) { try await store.close() }
        guard case .lost(_, let rows, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(rows == pieces * 500)
        for one in saving {
            let failure = await #expect(throws: StoreError.self) { try await one.value }
            #expect(failure?.isOfTheEnd == true)
        }
    }

    /// U+001F stands between the parts of what identifies a source, and labels come from the air.
    @Test func labelsWithSeparatorsMakeNoTwoSourcesOne() {
        let parts: [(String, String?)] = [
            ("a\u{1F}b", "c"), ("a", "b\u{1F}c"), ("a\u{1F}", "c"), ("a", "\u{1F}c"), ("a\u{1E}f", "c"),
            ("a\u{1F}b", nil), ("a", "b"), ("a\u{1E}fb", nil), ("a\u{1E}", "f"),
        ]
        let keys = parts.map { DetectionSource.key(type: "unknown", label: $0.0, mac: nil, ssid: $0.1) }
        #expect(Set(keys).count == parts.count)
    }

    @Test func aMarkThatWasChangedTooOftenCanBeChangedAgain() async throws {
        let store = try DetectionDatabase(path: path, createIfMissing: true)
        _ = try await store.save(.sample(1))
        let other = try OtherProgram(path: path)
        try other.execute("UPDATE source SET revision = \(Int64.max)")
        #expect(try await store.mark(sources: [1], as: .mine, true).before == [.none: [1]])
        #expect(try await store.source(id: 1)?.mark == .mine)
        try await store.close()
    }
}
