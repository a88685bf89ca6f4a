// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import Dispatch
import GRDB
import Synchronization
import Testing

@testable import CompanionStore

@Suite struct WriterTests {
    private let folder: Folder
    private let store: DetectionDatabase

    init() throws {
        folder = try Folder()
        store = try DetectionDatabase(path: folder.file(), createIfMissing: true)
    }

    @Test func whatIsHandedOverIsNumberedInOrder() async throws {
        var pending: [PendingDetection] = []
        for number in 0..<3000 { pending.append(await store.enqueue(.sample(number))) }
        for (number, claim) in pending.enumerated() {
            let record = try await claim.record()
            #expect(record.id == Int64(number + 1))
            #expect(record.sighting.received.milliseconds == Int64(1000 + number))
        }
    }

    @Test func manyTasksMaySaveAtOnce() async throws {
        let store = store
        let ids = try await withThrowingTaskGroup(of: Int64.self) { group in
            for number in 0..<500 { group.addTask { try await store.save(.sample(number)).id } }
            return try await group.reduce(into: Set<Int64>()) { $0.insert($1) }
        }
        #expect(ids == Set(1...500))
    }

    @Test func whatWaitsIsCommittedTogether() async throws {
        let commits = CommitCounter()
        try await store.connections.writeWithoutTransaction { $0.add(transactionObserver: commits) }
        // Everything is handed over while this holds the only connection that writes.
        let gate = DispatchSemaphore(value: 0)
        let store = store
        let holding = AsyncStream<Void>.makeStream()
        async let held: Void = store.connections.writeWithoutTransaction { _ in
            holding.continuation.finish()
            gate.wait()
        }
        for await _ in holding.stream {}
        var pending: [PendingDetection] = []
        for number in 0..<1200 { pending.append(await store.enqueue(.sample(number))) }
        gate.signal()
        try await held
        for claim in pending { _ = try await claim.record() }
        // The first goes alone or with a few; then come groups of at most 500.
        #expect(commits.count <= 4)
    }

    @Test(.timeLimit(.minutes(5))) func whatComesWithACopyIsDerivedWithoutARowThatFollows() async throws {
        let source = try DetectionDatabase(path: folder.file("source.sqlite"), createIfMissing: true)
        _ = try await source.save((0..<DerivedTables.leastPiece).map { Sighting.sample($0) })
        try await source.copy(to: folder.file("copy.sqlite"))
        try await source.close()
        try OtherProgram(path: folder.file("copy.sqlite")).execute(
            "DELETE FROM detection_place; UPDATE derived SET up_to = 0; INSERT INTO detection_text (detection_text) VALUES ('delete-all')"
        )
        // It has counted that nothing is left to do.
        _ = try await store.save(.sample())
        try await store.replaceContent(with: try await store.readCopy(folder.file("copy.sqlite")))
        var upTo: Int64 = 0
        while upTo < DerivedTables.leastPiece {
            upTo = try await store.read { try DerivedTables.upTo($0) }
            await Task.yield()
        }
        #expect(try await store.derivedTablesFit())
    }

    @Test func aRowThatIsRefusedDoesNotHarmItsNeighbours() async throws {
        let good = await store.enqueue(.sample(1))
        let bad = await store.enqueue(.sample(2, extra: "not json"))
        let unfit = await store.enqueue(.sample(3, rssi: 100))
        let last = await store.enqueue(.sample(4))
        #expect(try await good.record().id == 1)
        await #expect(throws: StoreError.self) { try await bad.record() }
        await #expect(throws: StoreError.self) { try await unfit.record() }
        #expect(try await last.record().sighting.received.milliseconds == 1004)
        #expect(try await store.count() == 2)
    }

    @Test func whoeverBringsTooMuchWaitsAndAllIsStored() async throws {
        let count = DetectionWriter.capacity + 2000
        for number in 0..<count { _ = await store.enqueue(.sample(number)) }
        try await store.close()
        let again = try DetectionDatabase(path: folder.file(), createIfMissing: false)
        #expect(try await again.count() == count)
        #expect(try await again.count(matching: DetectionFilter(text: "flock-1")) == count)
    }

    @Test func aCancelledTaskStillStores() async throws {
        let store = store
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.save(.sample())
        }
        #expect(try await task.value.id == 1)
    }

    @Test func aClaimMayBeReadTwice() async throws {
        let claim = await store.enqueue(.sample())
        async let first = claim.record()
        async let second = claim.record()
        #expect(try await first == second)
        #expect(try await claim.record().id == 1)
    }

    @Test func whatComesRightAfterACommitGoesTogetherIntoTheNext() async throws {
        let commits = CommitCounter()
        try await store.connections.writeWithoutTransaction { $0.add(transactionObserver: commits) }
        let begin = ContinuousClock.now
        _ = try await store.save(.sample())
        var pending: [PendingDetection] = []
        for number in 0..<50 {
            pending.append(await store.enqueue(.sample(number)))
            await Task.yield()
        }
        for claim in pending { _ = try await claim.record() }
        // One at the beginning, and one each time that the gathering has lasted long enough.
        #expect(commits.count <= 3 + Int((ContinuousClock.now - begin) / DetectionWriter.grouping))
    }

    @Test func whatIsRefusedInABatchIsKeptAsAFailureAndHarmsNoOther() async throws {
        let records = try await store.save(
            each: [.sample(1, ssid: "a"), .sample(2, extra: "[]"), .sample(rssi: 99), .sample(3, ssid: "a")],
            failures: [ParseFailure(received: Timestamp(milliseconds: 1), reason: "r", raw: [1])])
        #expect(records.map { $0?.sighting.received.milliseconds } == [1001, nil, nil, 1003])
        #expect(try await store.parseFailureCount() == 3)
        #expect(try await store.sources().map(\.count) == [2], "A row that was refused is not counted.")
        let many = Array(repeating: Sighting.sample(), count: DetectionDatabase.largestBatch + 1)
        await #expect(throws: StoreError.self) { try await store.save(each: many) }
        await #expect(throws: StoreError.self) { try await store.save(many) }
    }
}

/// Counts commits that changed detections.
final class CommitCounter: TransactionObserver, Sendable {
    private let state = Mutex((commits: 0, isChanged: false))
    private let table: String

    init(of table: String = "detection") { self.table = table }

    var count: Int { state.withLock { $0.commits } }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { eventKind.tableName == table }

    func databaseDidChange(with event: DatabaseEvent) { state.withLock { $0.isChanged = true } }

    func databaseDidCommit(_ database: Database) {
        state.withLock { $0 = ($0.commits + ($0.isChanged ? 1 : 0), false) }
    }

    func databaseDidRollback(_ database: Database) {}
}
