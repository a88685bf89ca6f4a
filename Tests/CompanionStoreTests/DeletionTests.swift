// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import FlockFinder
import GRDB
import Testing

@testable import CompanionStore

@Suite struct DeletionTests {
    private let store: DetectionDatabase
    init() throws { store = try DetectionDatabase() }

    private static let mac = "AA:BB:CC:DD:EE:01"
    private static let other = "AA:BB:CC:DD:EE:02"

    private func fill(_ count: Int) async throws {
        _ = try await store.save((0..<count).map(Self.numbered))
    }

    private static func numbered(_ number: Int) -> Sighting {
        let longitude = Double(number) / 1000
        return .sample(
            number, ssid: "camera \(number)", mac: number % 2 == 0 ? mac : other, rssi: -100 + number % 50,
            at: (1, longitude))
    }

    @Test func whatIsDiscardedIsGoneUntilItIsRestored() async throws {
        try await fill(1200)
        try await store.deriveAll()
        let before = try await store.sources()
        let filter = DetectionFilter(minimumConfidence: 0.5, text: "camera 1")
        let count = try await store.count(matching: filter)
        let commits = CommitCounter(of: "deleted")
        try await store.connections.writeWithoutTransaction { $0.add(transactionObserver: commits) }
        let deletion = try await store.discard(matching: filter, at: Timestamp(milliseconds: 5))
        #expect(count == 311 && deletion.count == 311)
        #expect(try await store.count() == 1200 - 311)
        #expect(try await store.count(matching: filter) == 0)
        #expect(try await store.records(matching: filter).isEmpty)
        #expect(try await store.record(id: 2) == nil)
        #expect(try await store.sources().map(\.count).reduce(0, +) == 1200 - 311)
        #expect(try await store.restore(deletion: deletion.id) == 311)
        #expect(try await store.count(matching: filter) == 311)
        try await store.mapAll()
        #expect(try await store.sources() == before)
        #expect(try await store.restore(deletion: deletion.id) == 0)
    }

    @Test func muchIsDeletedInManySmallCommits() async throws {
        try await fill(4100)
        let commits = CommitCounter(of: "deleted")
        let rows = CommitCounter()
        try await store.connections.writeWithoutTransaction {
            $0.add(transactionObserver: commits)
            $0.add(transactionObserver: rows)
        }
        let deletion = try await store.discard(matching: DetectionFilter(), at: Timestamp(milliseconds: 5))
        #expect(deletion.count == 4100)
        #expect(commits.count == 3)
        try await store.purge(deletion: deletion.id)
        #expect(rows.count >= 20)
        #expect(
            try await store.connections.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM detection") }
                == 0)
        #expect(try await store.sources().isEmpty)
        #expect(try await store.derivedTablesFit())
        #expect(try await store.restore(deletion: deletion.id) == 0)
    }

    /// Whoever follows the database from another program looks when the number changes.
    @Test func eachCommitOfADeletionIsToldToOthers() async throws {
        try await fill(2100)
        let deletion = try await store.discard(matching: DetectionFilter(), at: Timestamp(milliseconds: 5))
        #expect(deletion.count == 2100)
        let after = try await store.state().deletions
        #expect(after == deletion.id + 2)
        let none = try await store.discard(ids: [1, 2], at: Timestamp(milliseconds: 6))
        #expect(none.count == 0 && none.id == after + 1)
        #expect(try await store.state().deletions == none.id)
    }

    @Test func whatIsPurgedByAgeIsOnlyWhatWasDeletedBefore() async throws {
        try await fill(10)
        _ = try await store.discard(ids: [1, 2, 99], at: Timestamp(milliseconds: 5))
        let later = try await store.discard(ids: [2, 3], at: Timestamp(milliseconds: 7))
        #expect(later.count == 1)
        try await store.purge(deletedBefore: Timestamp(milliseconds: 7))
        #expect(try await store.restore(deletion: later.id) == 1)
        #expect(try await store.records(page: DetectionPage(order: .oldestFirst)).map(\.id) == Array(3...10))
    }

    @Test func sourcesAddUpToWhatIsLeft() async throws {
        try await fill(100)
        // The strongest of the first source is row 49, at -52.
        _ = try await store.discard(ids: [49, 99, 1], at: Timestamp(milliseconds: 5))
        let source = try #require(try await store.sources().first { $0.identity == .address(Self.mac) })
        #expect(source.count == 47)
        #expect(source.strongest == -54)
        #expect(source.strongestPlace?.rssi == -54)
        #expect(source.firstSeen.milliseconds == 1002)
        #expect(source.lastSeen.milliseconds == 1096)
    }
}

@Suite struct SourceTests {
    private let store: DetectionDatabase
    init() throws { store = try DetectionDatabase() }

    @Test func oneDeviceIsOneSourceAsFarAsItCanBeTold() async throws {
        let saved = try await store.save([
            .sample(1, type: .ring, ssid: "a", mac: "02:00:00:00:00:01", rssi: -60, at: (1, 2)),
            .sample(2, type: .axis, ssid: "b", mac: "02:00:00:00:00:01", rssi: -50),
            .sample(3, type: .ring, ssid: "a", rssi: -70),
            .sample(4, type: .ring, ssid: "a", rssi: -65, at: (3, 4)),
            .sample(5, type: .axis, ssid: "a"), .sample(6, type: .axis, ssid: nil),
            .sample(7, type: .axis, ssid: nil),
            .sample(8, type: .axis, ssid: ""),
        ])
        #expect(saved.map(\.source) == [1, 1, 2, 2, 3, 4, 4, 5])
        let sources = try await store.sources().sorted { $0.id < $1.id }
        #expect(
            sources.map(\.identity) == [
                .address("02:00:00:00:00:01"), .name("a"), .name("a"), .kind, .name(""),
            ])
        #expect(sources.map(\.count) == [2, 2, 1, 2, 1])
        #expect(sources.map(\.isRandomized) == [true, false, false, false, false])
        #expect(sources[0].type == .axis)
        #expect(sources[0].strongest == -50)
        #expect(
            sources[0].strongestPlace
                == .init(position: try #require(Position(latitude: 1, longitude: 2)), rssi: -60))
        #expect(sources[1].strongestPlace?.rssi == -65)
        #expect((sources[1].firstSeen.milliseconds, sources[1].lastSeen.milliseconds) == (1003, 1004))
        #expect(try await store.signal(of: 2).map(\.rssi) == [-65, -70])
        #expect(try await store.signal(of: 2, after: 4, limit: 1).map(\.detection) == [3])
        #expect(try await store.records(matching: DetectionFilter(source: 4)).map(\.id) == [7, 6])
        #expect(try await store.source(id: 99) == nil)
    }

    @Test func sourcesComeInPagesTheLatestFirst() async throws {
        _ = try await store.save((0..<50).map { .sample($0, ssid: "\($0)", received: Int64($0 / 3)) })
        var page = SourcePage(limit: 7)
        var names: [DetectionSource.Identity] = []
        while let last = try await store.sources(page).last {
            names += try await store.sources(page).map(\.identity)
            page.after = .init(last)
        }
        #expect(names == (0..<50).reversed().map { .name("\($0)") })
    }

    @Test func whatAPersonSaysIsKeptFilteredAndTakenBack() async throws {
        _ = try await store.save([.sample(1, ssid: "a"), .sample(2, ssid: "b"), .sample(3, ssid: "c")])
        let marked = try #require(try await store.mark(source: 1, as: .muted, note: "the neighbour's"))
        #expect((marked.mark, marked.note, marked.revision) == (.muted, "the neighbour's", 1))
        _ = try await store.mark(source: 2, as: .falseAlarm)
        #expect(try await store.save(.sample(4, ssid: "a")).mark == .muted)
        #expect(try await store.records(matching: DetectionFilter(marks: [.muted])).map(\.id) == [4, 1])
        #expect(try await store.records(matching: DetectionFilter(marks: [.none, .mine])).map(\.id) == [3])
        #expect(
            try await store.records(matching: DetectionFilter(marks: [.falseAlarm])).map(\.mark) == [
                .falseAlarm
            ])
        #expect(try await store.sources(SourcePage(marks: [.muted])).map(\.id) == [1])
        await #expect(throws: StoreError.conflict) {
            try await store.mark(source: 1, as: .mine, ifRevision: 0)
        }
        let back = try await store.mark(source: 1, as: SourceMark.none, ifRevision: 1)
        #expect(back?.note == "the neighbour's")
        #expect(try await store.count(matching: DetectionFilter(marks: [.muted])) == 0)
        #expect(try await store.mark(source: 99, as: .mine) == nil)
        await #expect(throws: StoreError.self) {
            try await store.mark(source: 1, note: String(repeating: "x", count: SourceMark.longestNote + 1))
        }
        // One that is marked stays when its last detection goes.
        _ = try await store.delete(ids: [1, 2, 3, 4])
        #expect(try await store.sources().map(\.id).sorted() == [1, 2])
        #expect(try await store.sources().map(\.count) == [0, 0])
    }
}
