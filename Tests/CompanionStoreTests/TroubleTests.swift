// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import Foundation
import GRDB
import Synchronization
import Testing

@testable import CompanionStore

/// What others do to the file while it is written.
@Suite(.timeLimit(.minutes(5))) struct TroubleTests {
    private let folder: Folder
    private let store: DetectionDatabase

    init() throws {
        folder = try Folder()
        store = try DetectionDatabase(
            path: folder.file(), createIfMissing: true, busyTimeout: 0.01, patience: .milliseconds(200))
    }

    @Test func whatAnotherProgramHoldsUpIsLateAndNotLost() async throws {
        let other = try OtherProgram(path: folder.file())
        var troubles = await store.troubles().makeAsyncIterator()
        try other.execute("BEGIN IMMEDIATE")
        let claims = try await withThrowingTaskGroup(of: PendingDetection.self) { group in
            for number in 0..<10 { group.addTask { [store] in await store.enqueue(.sample(number)) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let trouble = try #require(await troubles.next())
        #expect(trouble.error == .busy(path: folder.file()))
        #expect((1...10).contains(trouble.waiting))
        #expect(trouble.description.contains("will be stored then"))
        try other.execute("COMMIT")
        for claim in claims { _ = try await claim.record() }
        #expect(await troubles.next() == StoreStatus(error: nil, waiting: 0))
        #expect(try await store.count() == 10)
    }

    @Test func whatFindsNoRoomIsStoredWhenThereIsSome() async throws {
        var troubles = await store.troubles().makeAsyncIterator()
        try await store.connections.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA max_page_count = 1")
        }
        let big = Sighting.sample(extra: "{\"a\":\"\(String(repeating: "x", count: 15_000))\"}")
        let claim = await store.enqueue(big)
        #expect(await troubles.next()?.error == .full(path: folder.file()))
        try await store.connections.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA max_page_count = 1000000")
        }
        #expect(try await claim.record().id == 1)
    }

    @Test func whatCannotBeStoredBeforeTheEndIsStoredByWhoeverOpensTheFileNext() async throws {
        let path = folder.file()
        let other = try OtherProgram(path: path)
        try other.execute("BEGIN IMMEDIATE")
        var claims: [PendingDetection] = []
        for number in 0..<3 { claims.append(await store.enqueue(.sample(number, ssid: "n\(number)"))) }
        let failure = ParseFailure(received: Timestamp(milliseconds: 7), reason: "no JSON", raw: [1, 2])
        let refused = Task { [store] in try await store.save(failure) }
        await store.hurry(within: .milliseconds(50))
        for claim in claims {
            await #expect(throws: StoreError.self) { try await claim.record() }
        }
        await #expect(throws: StoreError.self) { try await refused.value }
        let error = await #expect(throws: StoreError.self) { try await store.close() }
        #expect(error == .setAside(path: path, rows: 4, reason: "another program has locked it"))
        let files = SpillFile(path: path).files
        let file = try #require(files.first)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let copy = try Data(contentsOf: URL(fileURLWithPath: file))

        // It is still locked: nothing is stored, and nothing is lost.
        let early = try DetectionDatabase(path: path, createIfMissing: false, busyTimeout: 0)
        #expect(try await early.count() == 0)
        #expect(early.unusableFiles.isEmpty)
        try await early.close()
        try other.execute("COMMIT")

        // The second time as if the file could not be removed the first time.
        for _ in 1...2 {
            let store = try DetectionDatabase(path: path, createIfMissing: false)
            let records = try await store.records(page: DetectionPage(order: .oldestFirst))
            #expect(records.map(\.sighting.ssid) == ["n0", "n1", "n2"])
            #expect(try await store.parseFailureCount() == 1)
            #expect(SpillFile(path: path).files.isEmpty)
            try await store.close()
            try copy.write(to: URL(fileURLWithPath: file))
        }
    }

    @Test func whoWaitsForRoomIsSetAsideWithAllOthers() async throws {
        let path = folder.file()
        let other = try OtherProgram(path: path)
        try other.execute("BEGIN IMMEDIATE")
        let pieces = DetectionWriter.capacity / 500 + 10
        let saving = (0..<pieces).map { [store] piece in
            Task { try await store.save((0..<500).map { .sample(piece * 500 + $0) }) }
        }
        while await store.writer.areWaitingForRoom < 9 { await Task.yield() }
        await store.hurry(within: .milliseconds(50))
        for one in saving {
            let failure = await #expect(throws: StoreError.self) { try await one.value }
            #expect(failure?.isOfTheEnd == true)
        }
        let error = await #expect(throws: StoreError.self) { try await store.close() }
        #expect(
            error == .setAside(path: path, rows: pieces * 500, reason: "another program has locked it"))
        try other.execute("COMMIT")
        let again = try DetectionDatabase(path: path, createIfMissing: false)
        #expect(try await again.count() == pieces * 500)
        try await again.close()
    }

    @Test(.timeLimit(.minutes(5))) func whoRestsBetweenTriesIsWokenByTheEnd() async throws {
        let path = folder.file("other.sqlite")
        let store = try DetectionDatabase(
            path: path, createIfMissing: true, busyTimeout: 0, firstPause: .seconds(3600))
        let other = try OtherProgram(path: path)
        try other.execute("BEGIN IMMEDIATE")
        var troubles = await store.troubles().makeAsyncIterator()
        let claim = await store.enqueue(.sample())
        _ = await troubles.next()
        await store.hurry(within: .zero)
        await #expect(throws: StoreError.self) { try await claim.record() }
        #expect(SpillFile(path: path).files.count == 1)
        try other.execute("COMMIT")
    }

    @Test func whatIsSetAsideMeanwhileIsStoredByWhoeverHasTheFileOpen() async throws {
        #expect(try SpillFile(path: folder.file()).write([.rows([.sample(ssid: "kept")], [])]) == 1)
        await store.storeWhatWasSetAside()
        #expect(try await store.records(page: DetectionPage()).map(\.sighting.ssid) == ["kept"])
        #expect(SpillFile(path: folder.file()).files.isEmpty)
    }

    @Test func filesSetAsideLieBesideTheFileAndNotBesideALinkToIt() throws {
        let (path, link) = (folder.file(), folder.path + "/links/lantern.sqlite")
        try FileManager.default.createDirectory(
            atPath: folder.path + "/links", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(try SpillFile(path: link).write([.rows([.sample(ssid: "kept")], [])]) == 1)
        #expect(SpillFile(path: path).files.count == 1)
    }

    @Test func aFileSetAsideThatCannotBeReadIsLeftAloneAndSaid() async throws {
        let file = folder.file() + ".unsaved-0.sqlite"
        try Data("no database".utf8).write(to: URL(fileURLWithPath: file))
        #expect(try SpillFile(path: folder.file()).write([.rows([.sample(ssid: "kept")], [])]) == 1)
        let store = try DetectionDatabase(path: folder.file(), createIfMissing: true)
        #expect(
            store.unusableFiles == [.unusable(file: file, reason: "it is not a database of detections")])
        #expect(try await store.save(.sample()).id == 2)
        try await store.close()
        #expect(FileManager.default.fileExists(atPath: file))
    }

    @Test func aFileSetAsideWithoutAnEndIsLeftAloneAndSaid() async throws {
        let aside = SpillFile(path: folder.file())
        #expect(try aside.write([.rows([.sample(ssid: "kept")], [])]) == 1)
        let file = try #require(aside.files.first)
        let other = try DatabaseQueue(path: file)
        try await other.write { database in
            try database.execute(
                sql: """
                    DROP TABLE parse_error;
                    CREATE VIEW parse_error AS WITH RECURSIVE r (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM r)
                    SELECT id, 1 AS received, 'x' AS reason, x'00' AS raw FROM r
                    """)
        }
        try other.close()
        let pipe = folder.file() + ".unsaved-9.sqlite"
        #expect(mkfifo(pipe, 0o600) == 0)
        let store = try DetectionDatabase(path: folder.file(), createIfMissing: true)
        #expect(
            store.unusableFiles == [
                .unusable(file: file, reason: "its tables are none that Lantern has made"),
                .unusable(file: pipe, reason: "it is not a file"),
            ])
        #expect(try await store.count() == 0)
        try await store.close()
        #expect(aside.files == [file, pipe])
    }

    /// The numbers of the samples that are stored.
    private func numbers() async throws -> [Int64] {
        try await store.records(page: DetectionPage(order: .oldestFirst)).map {
            $0.sighting.received.milliseconds - 1000
        }
    }

    @Test func aLogThatIsCutIsNoticedAndWhatComesIsStored() async throws {
        let path = folder.file()
        _ = try await store.save(.sample(1))
        _ = try await store.connections.writeWithoutTransaction { try $0.checkpoint(.passive) }
        _ = try await store.save(.sample(2))
        #expect(truncate(path + "-wal", 0) == 0)
        var troubles = await store.troubles().makeAsyncIterator()
        let claim = await store.enqueue(.sample(3))
        #expect(await troubles.next()?.error == .overwritten(path: path))
        _ = try await claim.record()
        #expect(await troubles.next() == StoreStatus(error: nil, waiting: 0))
        // What only the log had is gone, which the end says.
        #expect(try await numbers() == [1, 3])
        await #expect(throws: StoreError.overwritten(path: path)) { try await store.close() }
        let again = try DetectionDatabase(path: path, createIfMissing: false)
        #expect(try await again.count() == 2)
        try await again.close()
    }

    @Test func aFileThatIsCopiedOverIsNoticedAndWhatComesIsStored() async throws {
        let (path, copy) = (folder.file(), folder.file("copy.sqlite"))
        _ = try await store.save(.sample(1))
        try await store.copy(to: copy)
        _ = try await store.save(.sample(2))
        // `cp` writes into the file that is there.
        let octets = [UInt8](try Data(contentsOf: URL(fileURLWithPath: copy)))
        let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
        let written = write(descriptor, octets, octets.count)
        close(descriptor)
        #expect(written == octets.count)
        var troubles = await store.troubles().makeAsyncIterator()
        let claim = await store.enqueue(.sample(3))
        #expect(await troubles.next()?.error == .overwritten(path: path))
        _ = try await claim.record()
        #expect(try await numbers() == [1, 3])
        await #expect(throws: StoreError.overwritten(path: path)) { try await store.close() }
    }

    /// SQLite keeps the log beside the file itself.
    @Test(arguments: [["", "-wal", "-shm"], [""], ["-wal"]])
    func whatIsDeletedBehindALinkIsNoticedAndStoredAgain(endings: [String]) async throws {
        let (link, file) = (folder.file("link.sqlite"), folder.file("real.sqlite"))
        try await DetectionDatabase(path: file, createIfMissing: true).close()
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real.sqlite")
        let store = try DetectionDatabase(path: link, createIfMissing: false)
        _ = try await store.save(.sample(1))
        for ending in endings { unlink(file + ending) }
        var troubles = await store.troubles().makeAsyncIterator()
        let claim = await store.enqueue(.sample(2))
        #expect(await troubles.next()?.error == .gone(path: link))
        _ = try await claim.record()
        #expect(await troubles.next() == StoreStatus(error: nil, waiting: 0))
        #expect(try await store.count() == 2)
        try await store.close()
        // Where the link leads to, and nowhere else.
        let again = try DetectionDatabase(path: file, createIfMissing: false)
        #expect(try await again.count() == 2)
        try await again.close()
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real.sqlite")
    }

    /// A hub closes it in a task that was cancelled.
    @Test(arguments: [false, true]) func whatIsWrittenOverAtTheEndIsLeftAsItIs(isCancelled: Bool) async throws
    {
        let path = folder.file()
        _ = try await store.save(.sample(1))
        _ = try await store.connections.writeWithoutTransaction { try $0.checkpoint(.passive) }
        _ = try await store.save(.sample(2))
        #expect(truncate(path + "-wal", 0) == 0)
        let closing = Task { [store] in
            while isCancelled && !Task.isCancelled { await Task.yield() }
            try await store.close()
        }
        if isCancelled { closing.cancel() }
        await #expect(throws: StoreError.overwritten(path: path)) { try await closing.value }
        // Nothing of the log that is cut was moved into it.
        let octets = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(octets.starts(with: Data("SQLite format 3".utf8)))
    }

    /// Other programs may do that at any time.
    @Test func aLogThatOthersEmptyIsNotTakenForOneThatIsCut() async throws {
        let other = try OtherProgram(path: folder.file())
        for number in 0..<100 {
            _ = try await store.save(.sample(number))
            try other.execute("PRAGMA wal_checkpoint(\(number % 2 == 0 ? "TRUNCATE" : "RESTART"))")
            _ = try await store.log?.contentVersion()
        }
        #expect(try await store.count() == 100)
        try await store.close()
    }

    @Test func tablesThatBecomeNewerAreNoticedWithinTheWrite() async throws {
        _ = try await store.save(.sample())
        let other = try OtherProgram(path: folder.file())
        try other.execute("INSERT INTO grdb_migrations (identifier) VALUES ('999 wonders')")
        var troubles = await store.troubles().makeAsyncIterator()
        await #expect(throws: StoreError.newer(path: folder.file())) { try await store.save(.sample()) }
        #expect(try await store.count() == 1)
        // Whoever only listens learns it, too, and that nothing waits.
        let trouble = try #require(await troubles.next())
        #expect(trouble.error == .newer(path: folder.file()) && trouble.waiting == 0)
        #expect(trouble.description.hasSuffix("What comes meanwhile is not stored."))
    }

    @Test func whoHoldsTheFileIsFoundInTheListOfLocks() throws {
        let inode = try #require(
            try FileManager.default.attributesOfItem(atPath: folder.file() + "-shm")[.systemFileNumber]
                as? NSNumber)
        let locks = """
            1: POSIX  ADVISORY  READ 1 08:01:\(inode) 123 123
            2: FLOCK  ADVISORY  WRITE 2 08:01:77 0 EOF
            3: POSIX  ADVISORY  WRITE 3 08:01:\(inode) 121 121
            4: POSIX  ADVISORY  WRITE 4 08:01:77 120 120
            5: POSIX  ADVISORY  WRITE 5 08:01:\(inode) 120 120
            """
        #expect(LockHolder.find(path: folder.file(), locks: locks) == 5)
        #expect(LockHolder.find(path: folder.file(), locks: "nonsense\n1: POSIX") == nil)
    }

    @Test func anExportThatNobodyReadsHoldsUpNobody() async throws {
        _ = try await store.save(
            (0..<1500).map { .sample($0, extra: "{\"a\":\"\(String(repeating: "x", count: 200))\"}") })
        let store = store
        let (started, go) = AsyncStream<Void>.makeStream()
        let (released, release) = AsyncStream<Void>.makeStream()
        let export = Task {
            try await store.export(
                as: .json, heading: ExportHeading(date: Timestamp(milliseconds: 0), appVersion: "1")
            ) { _ in
                go.finish()
                for await _ in released {}
            }
        }
        for await _ in started {}
        _ = try await store.save((0..<1500).map { .sample($0) })
        // Everything in the log can be moved: nobody looks at an older state of the file.
        var isMoved = false
        while !isMoved {
            // The log's own connection may be at it just now.
            let result = try? await store.connections.writeWithoutTransaction { try $0.checkpoint(.passive) }
            isMoved = result.map { $0.walFrameCount == $0.checkpointedFrameCount } ?? false
        }
        release.finish()
        #expect(try await export.value.written == 1500, "What came later is not in it.")
    }

    /// In a process of its own, which SQLite would end.
    @Test func closingWaitsForWhoUsesTheLog() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            for number in 0..<1000 {
                let log = try WriteAheadLog(
                    path: folder.file("\(number % 10).sqlite"), configuration: Configuration())
                _ = try await log.contentVersion()
                await withTaskGroup(of: Void.self) { group in
                    // Those that hurry less are overtaken on their way to the connection.
                    for _ in 0..<8 {
                        group.addTask(priority: .background) { _ = try? await log.contentVersion() }
                    }
                    group.addTask(priority: .high) {
                        for _ in 0..<(number % 32) { await Task.yield() }
                        try? await log.close()
                    }
                }
            }
        }
    }

    /// The octets of the log, which are the most that it had.
    private func logSize() throws -> Int {
        let log = try FileManager.default.attributesOfItem(atPath: folder.file() + "-wal")
        return (log[.size] as? NSNumber)?.intValue ?? 0
    }

    /// One has begun before the other ends, so that the log is never unread.
    @Test func theLogStaysSmallWhileReadersFollowEachOther() async throws {
        let readers = [try OtherProgram(path: folder.file()), try OtherProgram(path: folder.file())]
        let isOver = Mutex(false)
        let reading = Task.detached {
            var number = 0
            while !isOver.withLock({ $0 }) {
                try readers[number % 2].execute("BEGIN; SELECT COUNT(*) FROM detection")
                if number > 0 { try readers[(number + 1) % 2].execute("COMMIT") }
                number += 1
            }
        }
        try await storeMuch()
        isOver.withLock { $0 = true }
        try await reading.value
        #expect(try logSize() < 60 << 20)
    }

    @Test func theLogStaysSmallWhileMuchIsStored() async throws {
        try await storeMuch()
        #expect(try logSize() < 60 << 20)
    }

    private func storeMuch() async throws {
        let extra = "{\"a\":\"\(String(repeating: "x", count: 4000))\"}"
        // 40 MB, some of it again for the index.
        for start in stride(from: 0, to: 10_000, by: 500) {
            _ = try await store.save((start..<(start + 500)).map { .sample($0, extra: extra) })
        }
    }
}
