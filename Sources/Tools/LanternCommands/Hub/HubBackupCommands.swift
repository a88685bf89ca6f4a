// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import CompanionStore
import Foundation
import HubWeb

/// `lantern hub backup`: a copy of a hub's database.
struct HubBackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy a hub's database into a file, even while the hub runs.",
        discussion: """
            The copy is complete, as of one moment. Whoever finds it can neither sign in nor use your devices' keys: it has \
            tokens only as hashes, and the keys of paired devices sealed with a key that is not in it (--bond-key). Back \
            that key up separately, or pair again.
            """)

    @Argument(help: "The new file, which must not exist yet, or a folder.", completion: .file())
    var file: String

    @OptionGroup var databaseOptions: DatabaseOptions

    func run() async throws {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
        let path = isFolder.boolValue ? "\(file)/\(Backups.name(at: Date()))" : file
        guard !FileManager.default.fileExists(atPath: path) else {
            throw CommandError.wrongUsage(
                "\(path.shortenedPath) already exists and was not overwritten. Name another file.")
        }
        Leftovers.remove(beside: path)
        let store = try databaseOptions.openExisting()
        do {
            _ = try await Backups.copy(store, to: path)
            try await store.close()
        } catch {
            throw CommandError.failed(
                "The database was not copied. " + ((error as? StoreError)?.description ?? "\(error)"))
        }
        try Output.standard().line("The database was copied to \(DataFolder.abbreviated(path)).")
    }
}

/// `lantern hub restore`: what a copy has, in the place of what a hub's database has.
struct HubRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Replace the content of a hub's database with that of a copy.",
        discussion: """
            The hub must not be running; to restore while it runs, use its page Settings, Storage. Tokens and the keys of \
            paired devices are not replaced.
            """)

    @Argument(help: "The copy.", completion: .file())
    var file: String

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var databaseOptions: DatabaseOptions

    func run() async throws {
        let path = databaseOptions.path
        if databaseOptions.database == nil { try DataFolder.create(DataFolder.path) }
        let lock: HubLock
        do throws(CommandError) {
            lock = try HubLock(database: path)
        } catch {
            throw CommandError.failed(
                error.sentence + " To restore while it runs, use its page Settings, Storage.")
        }
        defer { withExtendedLifetime(lock) {} }
        try check()
        let store = try databaseOptions.openOrCreate()
        do {
            try await restore(into: store)
            let count = try await store.count()
            try await store.close()
            try Output.standard().line(
                "The database has the content of the copy now: \(count) detection\(count == 1 ? "" : "s").")
        } catch let error as StoreError {
            await withoutCancellation { try? await store.close() }
            throw CommandError.failed("Nothing was restored. \(error.description)")
        } catch {
            await withoutCancellation { try? await store.close() }
            throw error
        }
    }

    /// Refuses what is no copy.
    private func check() throws(CommandError) {
        var status = stat()
        // To open a pipe would wait for whoever writes into it.
        guard stat(file, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
            throw .failed("\(file.shortenedPath) is not a file. Name a copy that hub backup has made.")
        }
        guard let handle = FileHandle(forReadingAtPath: file), let head = try? handle.read(upToCount: 100)
        else {
            throw .failed("\(file.shortenedPath) cannot be read. Check its name and permissions.")
        }
        guard DetectionDatabase.isOurs(Array(head)) else {
            throw .failed(
                "\(file.shortenedPath) is not a database of Lantern. Name a copy that hub backup has made.")
        }
    }

    private func restore(into store: DetectionDatabase) async throws {
        let count = try await store.count()
        if count > 0, !yes {
            guard let person = Person.atTerminal() else {
                throw CommandError.failed(
                    "The database has \(count) detections, which would be replaced. Copy them with lantern hub backup, then add --yes."
                )
            }
            let typed = await person.ask("Replace the \(count) detections in the database? [y/N] ")
            try Task.checkCancellation()
            guard typed?.lowercased().hasPrefix("y") == true else {
                throw CommandError.failed("Nothing was restored.")
            }
        }
        // Beside the database: the copy may lie where nothing can be written.
        let copy = TemporaryFile(beside: databaseOptions.path)
        defer { copy.remove() }
        do {
            try FileManager.default.copyItem(atPath: file, toPath: copy.path)
        } catch {
            throw CommandError.failed(
                "The copy could not be read, or the disk of the database has no room for it: \(error.localizedDescription)"
            )
        }
        let kept: Set<String> = [AccessControl.setting]
        let content: RestoredCopy
        do throws(StoreError) {
            content = try await store.readCopy(copy.path, leavingOut: kept)
        } catch {
            throw named(error)
        }
        try await store.replaceContent(with: content, keeping: kept)
    }

    /// What is wrong with a copy, said of the file that the person has named: the one that was read is gone then.
    private func named(_ error: StoreError) -> StoreError {
        switch error {
        case .cannotOpen(_, let reason): .cannotOpen(path: file, reason: reason)
        case .notADatabase: .notADatabase(path: file)
        case .foreign: .foreign(path: file)
        case .altered(_, let table): .altered(path: file, table: table)
        case .newer: .newer(path: file)
        case .damaged: .damaged(path: file)
        // What was read is written beside the database.
        case .full: .full(path: databaseOptions.path)
        case .diskFailed(_, let reason): .diskFailed(path: databaseOptions.path, reason: reason)
        case .readOnly: .readOnly(path: databaseOptions.path)
        case .failed(_, let reason): .failed(path: file, reason: reason)
        default: error
        }
    }
}
