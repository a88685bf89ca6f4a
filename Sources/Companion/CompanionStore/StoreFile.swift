// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation
import GRDB
import Synchronization

/// Which file it is, whatever its name.
struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// The file that a name leads to; nothing where there is none.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(of: status)
    }

    /// The file of which that is said.
    init(of status: stat) {
        (device, number) = (
            UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino)
        )
    }
}

/// The connections to a database, which are made anew when its file was deleted or replaced.
final class StoreFile: Sendable {
    private struct State {
        var connections: any DatabaseWriter
        var log: WriteAheadLog?
        /// The file that is open, and its log; nothing where it is in memory.
        var file: FileIdentity?
        var logFile: FileIdentity?
    }

    /// So many seconds after the last change of a file nobody is taken to be writing over it.
    private static let restOfWriter: TimeInterval = 2

    private let path: String
    /// The file itself, whatever links lead to it: SQLite keeps the log beside that.
    private let place: String
    private let opening: DatabaseOpening?
    private let unusable: UnusableRows
    private let state: Mutex<State>

    /// Takes over connections.
    ///
    /// - Parameters:
    ///   - connections: The connections.
    ///   - log: What moves their log.
    ///   - opening: How the file is opened; nothing where that cannot be done again.
    ///   - unusable: Told of what is mended in a file that is opened later.
    init(
        _ connections: any DatabaseWriter, log: WriteAheadLog? = nil, opening: DatabaseOpening? = nil,
        unusable: UnusableRows = UnusableRows()
    ) {
        path = opening?.path ?? ""
        place = Self.target(of: path)
        self.opening = opening
        self.unusable = unusable
        state = Mutex(
            State(
                connections: connections, log: log, file: FileIdentity(path: path),
                logFile: FileIdentity(path: place + "-wal")))
    }

    /// What a name leads to, also when that is not there.
    private static func target(of path: String) -> String {
        var path = path
        for _ in 0..<40 {
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
            let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
            path = next.hasPrefix("/") ? next : folder + next
        }
        return path
    }

    var connections: any DatabaseWriter { state.withLock { $0.connections } }
    var log: WriteAheadLog? { state.withLock { $0.log } }

    /// Whether the names of the file and of its log lead to what is open, and nobody was seen to have written over it.
    var isInPlace: Bool {
        guard opening != nil else { return true }
        let state = state.withLock { $0 }
        if state.log?.isWrittenOver == true { return false }
        return FileIdentity(path: path) == state.file
            && (state.logFile == nil || FileIdentity(path: place + "-wal") == state.logFile)
    }

    /// Refuses to write what nobody would find.
    func check() throws {
        if log?.isWrittenOver == true { throw StoreError.overwritten(path: path) }
        if !isInPlace { throw StoreError.gone(path: path) }
    }

    /// Opens what the name leads to now; where that is nothing, the file that is still open is written there again.
    ///
    /// - Throws: What keeps it from that; all is as before then.
    func reopen() throws {
        guard let opening, !isInPlace else { return }
        switch FileIdentity(path: path) {
        case nil: try rescue()
        case state.withLock({ $0.file }):
            if log?.isWrittenOver == true { try leaveLog(opening) } else { try moveLog() }
        default: break
        }
        try open(opening)
    }

    private func open(_ opening: DatabaseOpening) throws {
        let old = state.withLock { $0 }
        // A log is found by its name, and SQLite would take it for that of the new file.
        if let log = old.logFile, FileIdentity(path: place + "-wal") == log { removeLog() }
        let pool = try opening.pool()
        try LastNumbers.mend(pool, unusable)
        let log = try WriteAheadLog(path: path, configuration: opening.configuration)
        state.withLock {
            $0 = State(
                connections: pool, log: log, file: FileIdentity(path: path),
                logFile: FileIdentity(path: place + "-wal"))
        }
        // The old ones stay open until the process ends: closing them, SQLite would delete the new log by its name.
        _ = Unmanaged.passRetained(Retired(old.connections, old.log))
    }

    /// Writes the file that is still open, but has no name any more, where it was.
    private func rescue() throws {
        let partial = place + ".rescued.partial"
        unlink(partial)
        DatabaseOpening.makeFile(partial)
        defer { unlink(partial) }
        try connections.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [partial]) }
        removeLog()
        // Whoever was quicker keeps the place.
        guard link(partial, place) == 0 || (errno == EEXIST && FileIdentity(path: path) != nil) else {
            throw StoreError.cannotOpen(path: path, reason: String(cString: strerror(errno)))
        }
    }

    /// Puts what the file has by itself into a new one in its place, since its log fits it no more.
    ///
    /// The same file could not be opened anew: SQLite keeps the index of its log for as long as it is open here.
    private func leaveLog(_ opening: DatabaseOpening) throws {
        // Whoever writes over it may not be done.
        let changed = try FileManager.default.attributesOfItem(atPath: place)[.modificationDate] as? Date
        let age = changed.map { Date().timeIntervalSince($0) } ?? .infinity
        guard !(0..<Self.restOfWriter).contains(age) else { throw StoreError.overwritten(path: path) }
        let partial = place + ".rescued.partial"
        unlink(partial)
        DatabaseOpening.makeFile(partial)
        defer { unlink(partial) }
        var parts = URLComponents()
        parts.scheme = "file"
        parts.path = place
        parts.queryItems = [URLQueryItem(name: "immutable", value: "1")]
        var configuration = opening.configuration
        configuration.readonly = true
        let alone = try DatabaseQueue(path: parts.string ?? place, configuration: configuration)
        try alone.writeWithoutTransaction { database in
            try DatabaseOpening.checkOwner(database, path: path)
            try database.execute(sql: "VACUUM INTO ?", arguments: [partial])
        }
        try alone.close()
        for end in ["-wal", "-shm"] { unlink(place + end) }
        guard rename(partial, place) == 0 else {
            throw StoreError.cannotOpen(path: path, reason: String(cString: strerror(errno)))
        }
    }

    /// Keeps what was written over open until the process ends: closing it would move a log into it that does not fit.
    func keepOpen() {
        let state = state.withLock { $0 }
        _ = Unmanaged.passRetained(Retired(state.connections, state.log))
    }

    /// Moves what only the log has, which is still open but has no name any more, into the file.
    private func moveLog() throws {
        _ = try connections.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    }

    private func removeLog() { for end in ["-wal", "-shm"] { unlink(place + end) } }

    private final class Retired {
        let connections: any DatabaseWriter
        let log: WriteAheadLog?

        init(_ connections: any DatabaseWriter, _ log: WriteAheadLog?) {
            (self.connections, self.log) = (connections, log)
        }
    }
}
