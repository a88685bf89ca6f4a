// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandOptions
import Companion
import CompanionStore
import Detections
import FlockFinder
import Foundation
import Testing

@testable import CommandIO
@testable import LanternCommands

@Suite("Copies of a hub's database", .timeLimit(.minutes(5)))
struct BackupTests {
    private let folder = NSTemporaryDirectory() + "lantern-backups-\(UUID().uuidString)"
    private let start = Date(timeIntervalSince1970: 1_795_000_000)

    private func database(_ count: Int) async throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/hub.sqlite"
        let store = try DetectionDatabase(path: path, createIfMissing: true)
        for number in 0..<count {
            _ = try await store.save(
                Sighting(
                    type: .ring, label: "Ring", mac: nil, ssid: "n\(number)", rssi: -60, confidence: 0.9,
                    deviceTime: nil, received: Timestamp(milliseconds: 1_795_000_000_000), position: nil,
                    motion: Sighting.Motion(), fix: nil, extra: "{}", raw: [], device: nil))
        }
        try await store.close()
        return path
    }

    private func count(_ path: String) async throws -> Int {
        let store = try DetectionDatabase(path: path, createIfMissing: false)
        let count = try await store.count()
        try await store.close()
        return count
    }

    @Test func aCopyIsDueOnceSoManyHoursHavePassed() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try DetectionDatabase(path: try await database(2), createIfMissing: false)
        let backups = Backups(folder: folder + "/copies", hours: 2, kept: 3)
        #expect(backups.isDue(at: start))
        let first = try await backups.make(of: store, at: start)
        #expect(first.hasSuffix("/lantern-20261118T110640Z.sqlite"))
        let mode = try FileManager.default.attributesOfItem(atPath: first)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(!backups.isDue(at: start + 7199))
        #expect(backups.isDue(at: start + 7200))
        // A clock that was set back: what is of the future counts for nothing.
        #expect(backups.isDue(at: start - 60))
        for hour in 1...4 { _ = try await backups.make(of: store, at: start + Double(hour) * 7200) }
        try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/copies/lantern-mine.sqlite"))
        backups.prune()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/copies").sorted()
        #expect(
            names == (2...4).map { Backups.name(at: start + Double($0) * 7200) } + ["lantern-mine.sqlite"])
        try await store.close()
        #expect(try await count(folder + "/copies/" + names[0]) == 2)
    }

    @Test func whatCannotBeCopiedIsSaidOnceAndTriedAgain() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try DetectionDatabase(path: try await database(1), createIfMissing: false)
        // A file is where the folder should be.
        _ = FileManager.default.createFile(atPath: folder + "/copies", contents: nil)
        let backups = Backups(folder: folder + "/copies")
        let said = AsyncStream.makeStream(of: String.self)
        let task = Task { await backups.run(store) { said.continuation.yield($0) } }
        var lines = said.stream.makeAsyncIterator()
        #expect(await lines.next()?.hasPrefix("The database could not be copied.") == true)
        task.cancel()
        await task.value
        try await store.close()
    }

    @Test func aFileThatIsThereIsNotWrittenOver() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = try await database(1)
        let copy = folder + "/copy.sqlite"
        var backup = try HubBackupCommand.parse([copy, "--database", path])
        try await backup.run()
        #expect(try await count(copy) == 1)
        backup = try HubBackupCommand.parse([copy, "--database", path])
        let error = await #expect(throws: CommandError.self) { try await backup.run() }
        #expect(error?.status == .wrongUsage)
        // Into a folder, under a name of its own.
        backup = try HubBackupCommand.parse([folder, "--database", path])
        try await backup.run()
        #expect(Backups(folder: folder).files().count == 1)
    }

    @Test func aCopyIsRestoredWhileNoHubRuns() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = try await database(3)
        let copy = folder + "/copy.sqlite"
        try await HubBackupCommand.parse([copy, "--database", path]).run()
        let store = try DetectionDatabase(path: path, createIfMissing: false)
        _ = try await store.delete(ids: [1, 2])
        try await store.close()
        do {
            let lock = try HubLock(database: path)
            defer { withExtendedLifetime(lock) {} }
            let error = await #expect(throws: CommandError.self) {
                try await HubRestoreCommand.parse([copy, "--yes", "--database", path]).run()
            }
            #expect(error?.sentence.contains("Settings, Storage") == true)
        }
        // Nobody is there to be asked.
        let unasked = await #expect(throws: CommandError.self) {
            try await HubRestoreCommand.parse([copy, "--database", path]).run()
        }
        #expect(unasked?.sentence.contains("add --yes") == true)
        #expect(try await count(path) == 1)
        try await HubRestoreCommand.parse([copy, "--yes", "--database", path]).run()
        #expect(try await count(path) == 3)
        let nothing = folder + "/nothing"
        _ = FileManager.default.createFile(atPath: nothing, contents: Data("SQLite format 3\0".utf8))
        let refused = await #expect(throws: CommandError.self) {
            try await HubRestoreCommand.parse([nothing, "--yes", "--database", path]).run()
        }
        #expect(refused?.sentence.contains("is not a database of Lantern") == true)
        #expect(try await count(path) == 3)
    }

    /// A copy may be somebody else's: who may use the hub, and whose keys it has, is no matter of it.
    @Test func tokensAndBondsOfNowStayWhenACopyIsRestored() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = try await database(1)
        let theirs = SealedBond(adapter: "A", identity: "B", octets: [1]),
            ours = SealedBond(adapter: "A", identity: "C", octets: [2])
        try await HubTokenMakeCommand.parse(["theirs", "--role", "admin", "--database", path]).run()
        let before = try DetectionDatabase(path: path, createIfMissing: false)
        try await before.keep(theirs)
        try await before.close()
        let copy = folder + "/copy.sqlite"
        try await HubBackupCommand.parse([copy, "--database", path]).run()
        try await HubTokenMakeCommand.parse(["ours", "--role", "admin", "--database", path]).run()
        try await HubTokenRevokeCommand.parse(["theirs", "--database", path]).run()
        let now = try DetectionDatabase(path: path, createIfMissing: false)
        try await now.keep(ours)
        let (access, bonds) = (try await now.settings().values["access"], try await now.sealedBonds())
        try await now.close()
        try await HubRestoreCommand.parse([copy, "--yes", "--database", path]).run()
        let after = try DetectionDatabase(path: path, createIfMissing: false)
        #expect(try await after.settings().values["access"] == access && access?.contains("ours") == true)
        #expect(access?.contains("theirs") == false)
        #expect(try await after.sealedBonds() == bonds && bonds.contains(ours))
        try await after.close()
    }

    @Test func tokensAreMadeAndRevokedInATerminal() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = try await database(0)
        let made = try HubTokenMakeCommand.parse(["owner", "--role", "admin", "--database", path])
        try await made.run()
        try await HubTokenMakeCommand.parse(["Prometheus", "--database", path]).run()
        let unknown = await #expect(throws: CommandError.self) {
            try await HubTokenRevokeCommand.parse(["Kitchen", "--database", path]).run()
        }
        #expect(unknown?.status == .nothingFound)
        let last = await #expect(throws: CommandError.self) {
            try await HubTokenRevokeCommand.parse(["owner", "--database", path]).run()
        }
        #expect(last?.sentence.contains("the last token that may do everything") == true)
        try await HubTokenRevokeCommand.parse(["Prometheus", "--database", path]).run()
        #expect(throws: (any Error).self) { try HubTokenMakeCommand.parse(["", "--database", path]) }
        #expect(throws: (any Error).self) { try HubTokenMakeCommand.parse(["x", "--role", "root"]) }
    }

    /// Who has only tokens to read gets more of them, and takes one away that has leaked.
    @Test func withoutAnAdministratorNobodyIsTheLast() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = try await database(0)
        for (name, role) in [("Prometheus", "read"), ("Kitchen", "home"), ("Prometheus", "home")] {
            try await HubTokenMakeCommand.parse([name, "--role", role, "--database", path]).run()
        }
        try await HubTokenRevokeCommand.parse(["Prometheus", "--database", path]).run()
        try await HubTokenMakeCommand.parse(["Ann", "--role", "admin", "--database", path]).run()
        // The only one that may do everything does not become less.
        let less = await #expect(throws: CommandError.self) {
            try await HubTokenMakeCommand.parse(["Ann", "--role", "read", "--database", path]).run()
        }
        #expect(less?.sentence.contains("the last token that may do everything") == true)
        try await HubTokenRevokeCommand.parse(["Kitchen", "--database", path]).run()
    }

    @Test func optionsOfAHubAndItsSubcommandsDoNotMeet() throws {
        let parsed = try LanternCommand.parseAsRoot([
            "hub", "backup", "--database", "x.sqlite", "copy.sqlite",
        ])
        let backup = try #require(parsed as? HubBackupCommand)
        #expect(backup.file == "copy.sqlite" && backup.databaseOptions.database == "x.sqlite")
        let hub = try LanternCommand.parseAsRoot(["hub", "--backup-folder", "/b", "--backup-keep", "3"])
        #expect((hub as? HubCommand)?.backupKeep == 3)
    }
}
