// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Companion
import CompanionStore
import Foundation

/// `--database FILE`, and the place where the database lies when it is not given.
struct DatabaseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The database (default: \(DataFolder.abbreviated(DataFolder.database))).", valueName: "file"),
        completion: .file())
    var database: String?

    func validate() throws { try Self.check(database) }

    /// Refuses a file without a name.
    static func check(_ database: String?) throws {
        guard database != "" else {
            throw ValidationError("--database cannot be empty: write the name of a file.")
        }
    }

    /// Where the database lies.
    var path: String { database ?? DataFolder.database }

    /// Opens the database, and makes it when there is none.
    ///
    /// - Returns: The database.
    /// - Throws: ``CommandError``.
    func openOrCreate() throws(CommandError) -> DetectionDatabase {
        if database == nil { try DataFolder.create(DataFolder.path) }
        return try open(createIfMissing: true)
    }

    /// Opens the database that there is; none is made.
    ///
    /// - Returns: The database.
    /// - Throws: ``CommandError``.
    func openExisting() throws(CommandError) -> DetectionDatabase { try open(createIfMissing: false) }

    /// Opens the database that there is, to read from it; it may lie on a disk that may not be written.
    ///
    /// - Returns: The database.
    /// - Throws: ``CommandError``.
    func openForReading() throws(CommandError) -> DetectionDatabase {
        do throws(StoreError) {
            return try opened(DetectionDatabase(reading: path))
        } catch {
            throw CommandError.failed(error.description)
        }
    }

    private func open(createIfMissing: Bool) throws(CommandError) -> DetectionDatabase {
        do throws(StoreError) {
            return try opened(DetectionDatabase(path: path, createIfMissing: createIfMissing))
        } catch {
            throw CommandError.failed(error.description)
        }
    }

    /// Says what beside the database needs a person.
    private func opened(_ database: DetectionDatabase) -> DetectionDatabase {
        for fault in database.unusableFiles {
            try? Output.standardError().line("lantern: \(fault.description)")
        }
        database.tellOfUnusableRows {
            try? Output.standardError().line("lantern: \(PrintableText.escaped($0))")
        }
        return database
    }
}

/// The folder in which Lantern keeps what it has learnt.
///
/// Spec: XDG Base Directory Specification, 0.8.
enum DataFolder {
    /// The folder: `$XDG_DATA_HOME/lantern`, by default `~/.local/share/lantern`.
    static var path: String { path(environment: ProcessInfo.processInfo.environment) }

    /// The database that commands use when none is named.
    static var database: String { path + "/lantern.sqlite" }

    static func path(environment: [String: String]) -> String {
        path(environment, "XDG_DATA_HOME", ".local/share")
    }

    /// The folder for what is no great loss: `$XDG_STATE_HOME/lantern`, by default `~/.local/state/lantern`.
    static func state(environment: [String: String]) -> String {
        path(environment, "XDG_STATE_HOME", ".local/state")
    }

    private static func path(_ environment: [String: String], _ name: String, _ usual: String) -> String {
        // The specification wants a relative path to be ignored.
        if let folder = environment[name], folder.hasPrefix("/") { return folder + "/lantern" }
        let home = environment["HOME"] ?? ""
        return (home.hasPrefix("/") ? home : NSHomeDirectory()) + "/\(usual)/lantern"
    }

    /// Makes a folder, readable by its owner only, unless it is there.
    ///
    /// - Parameter path: The folder.
    /// - Throws: ``CommandError``.
    static func create(_ path: String) throws(CommandError) {
        // Each folder on the way by itself: Foundation's errors do not say which could not be made, and why.
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            guard mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
            let reason = String(cString: strerror(errno))
            throw .failed("The folder \(made) cannot be made: \(reason). Name a file with --database.")
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw .failed("\(path) is not a folder. Name a file with --database.")
        }
    }

    /// A path as people write it, with `~` for the home folder.
    static func abbreviated(_ path: String) -> String {
        guard let home = ProcessInfo.processInfo.environment["HOME"], home.count > 1,
            path.hasPrefix(home + "/")
        else { return path }
        return "~" + path.dropFirst(home.count)
    }
}
