// SPDX-License-Identifier: Apache-2.0

public import Companion
public import Detections
import Dispatch
import Foundation
import GRDB

/// Detections in one SQLite file.
///
/// A row is durable before it is acknowledged: the file is in WAL mode with `synchronous=FULL`, and what
/// waits while a commit runs goes into the next one together. Other processes may read and write the same
/// file meanwhile; what they hold up is late, not lost.
public struct DetectionDatabase: Sendable {
    /// The file; `:memory:` when there is none.
    public let path: String
    /// Files beside it that hold what could not be stored earlier, and why they cannot be stored either.
    public let unusableFiles: [StoreError]
    private let file: StoreFile
    /// Rows that are left out.
    let unusable: UnusableRows
    let writer: DetectionWriter

    /// The connections of now.
    var connections: any DatabaseWriter { file.connections }
    /// What moves the log of now; nothing where there is none.
    var log: WriteAheadLog? { file.log }
    /// Whether the name of the file leads to what is open.
    var isInPlace: Bool { file.isInPlace }

    /// Opens a file and brings its tables up to date, which blocks while it lasts.
    ///
    /// - Parameters:
    ///   - path: The file; one that is made is for its owner only.
    ///   - createIfMissing: Whether to make the file when there is none; its folder must exist.
    /// - Throws: ``StoreError`` when the file is missing, locked, damaged, newer than this program, not its own or may not
    ///   be written.
    public init(path: String, createIfMissing: Bool) throws(StoreError) {
        try self.init(path: path, createIfMissing: createIfMissing, busyTimeout: 5)
    }

    /// Opens a file and brings its tables up to date, while the caller goes on.
    ///
    /// - Parameters:
    ///   - path: The file; one that is made is for its owner only.
    ///   - createIfMissing: Whether to make the file when there is none; its folder must exist.
    ///   - progress: Called with how far that is, on a thread of its own, when it takes longer.
    /// - Returns: The store.
    /// - Throws: ``StoreError`` as ``init(path:createIfMissing:)`` does.
    public static func open(
        path: String,
        createIfMissing: Bool,
        progress: @escaping @Sendable (MigrationProgress) -> Void = { _ in }
    ) async throws(StoreError) -> DetectionDatabase {
        try await StoreError.catching(path: path) {
            try await blocking {
                try DetectionDatabase(
                    path: path, createIfMissing: createIfMissing, busyTimeout: 5, progress: progress)
            }
        }
    }

    /// Opens a file and waits at most so many seconds for each lock.
    init(
        path: String,
        createIfMissing: Bool,
        busyTimeout: TimeInterval,
        repairs: Bool = true,
        patience: Duration = DetectionWriter.usualPatience,
        firstPause: Duration = DetectionWriter.usualFirstPause,
        progress: @escaping @Sendable (MigrationProgress) -> Void = { _ in }
    ) throws(StoreError) {
        try Self.checkKind(of: path)
        guard createIfMissing || FileManager.default.fileExists(atPath: path) else {
            throw StoreError.missing(path: path)
        }
        // SQLite would open what it may only read, and say so at the first row.
        guard access(path, F_OK) != 0 || access(path, W_OK) == 0 else {
            throw StoreError.readOnly(path: path)
        }
        let opening = DatabaseOpening(path: path, busyTimeout: busyTimeout, progress: progress)
        let pool = try opening.pool()
        let unusable = UnusableRows()
        // Whoever only looks changes nothing.
        if repairs { try StoreError.catching(path: path) { try LastNumbers.mend(pool, unusable) } }
        unusableFiles = SpillFile(path: path).store(into: pool)
        let log = try StoreError.catching(path: path) {
            try WriteAheadLog(path: path, configuration: opening.configuration)
        }
        file = StoreFile(pool, log: log, opening: opening, unusable: unusable)
        self.path = path
        self.unusable = unusable
        writer = DetectionWriter(
            file, path: path, schema: SchemaWatch(path: path), busy: opening.busy,
            patience: patience, firstPause: firstPause)
        if repairs { Task { [writer] in await writer.repair() } }
    }

    /// Opens a file that there is, to read from it; it may lie on a disk that may not be written.
    ///
    /// Where SQLite may not write beside the file, nobody else can either, so the file is taken as it is.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``StoreError`` as ``init(path:createIfMissing:)`` does, and ``StoreError/readOnly(path:)`` when the file is
    ///   of an older version or was not closed, and would have to be written for that.
    public init(reading path: String) throws(StoreError) {
        do {
            try self.init(path: path, createIfMissing: false, busyTimeout: 5, repairs: false)
        } catch {
            switch error {
            case .readOnly, .cannotOpen: try self.init(unwritable: path)
            default: throw error
            }
        }
    }

    /// Opens a file that may not be written, nor perhaps anything beside it.
    init(unwritable path: String) throws(StoreError) {
        try Self.checkKind(of: path)
        file = StoreFile(try DatabaseOpening(path: path, busyTimeout: 5).reader())
        self.path = path
        (unusableFiles, unusable) = ([], UnusableRows())
        writer = DetectionWriter(file, path: path, schema: SchemaWatch(path: path))
    }

    /// Makes a store that lives in memory only.
    ///
    /// - Throws: ``StoreError``.
    public init() throws(StoreError) {
        path = ":memory:"
        file = StoreFile(try DatabaseOpening(path: ":memory:", busyTimeout: 5).memory())
        (unusableFiles, unusable) = ([], UnusableRows())
        writer = DetectionWriter(file, path: path, schema: SchemaWatch(path: path))
    }

    /// Refuses what is there and can hold no database, which SQLite would take for a disk that fails.
    static func checkKind(of path: String) throws(StoreError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        throw .notAFile(path: path, isFolder: status.st_mode & S_IFMT == S_IFDIR)
    }

    /// What keeps the store from storing, as it happens; nothing is lost meanwhile.
    ///
    /// - Returns: The reports; the oldest go when nobody reads. They end when the store is closed.
    public func troubles() async -> AsyncStream<StoreStatus> { await writer.troubles() }

    /// Says who is told, in a sentence each, of rows that cannot be and are left out of what is read.
    ///
    /// - Parameter body: Told of each row once, and of no more than a few.
    public func tellOfUnusableRows(_ body: @escaping @Sendable (String) -> Void) { unusable.tell(body) }

    /// Stores what other programs have set aside beside the file since it was opened, as opening it does.
    ///
    /// What cannot be read or stored now is left for another time.
    public func storeWhatWasSetAside() async {
        let (aside, connections) = (SpillFile(path: path), connections)
        guard path != ":memory:", !connections.configuration.readonly else { return }
        let hasFiles = try? await blocking {
            guard !aside.files.isEmpty else { return false }
            _ = aside.store(into: connections)
            return true
        }
        if hasFiles == true { await writer.repair() }
    }

    /// Prepares for the end: what cannot be stored within a while from now is set aside.
    ///
    /// - Parameter limit: How long it may take.
    public func hurry(within limit: Duration = .seconds(3)) async { await writer.hurry(within: limit) }

    /// Closes the file when everything that waits is stored; what is left is one file.
    ///
    /// What cannot be stored within ten seconds, or the time of ``hurry(within:)``, is set aside in a file of its own.
    ///
    /// - Throws: ``StoreError/lost(path:rows:reason:)`` when that could not be done either,
    ///   ``StoreError/overwritten(path:)`` and ``StoreError/damaged(path:)`` when what was stored may not be there, and
    ///   ``StoreError/setAside(path:rows:reason:)`` when something was set aside; the file is closed then, too. Another
    ///   ``StoreError`` when a reader is still at work.
    public func close() async throws(StoreError) {
        await writer.drain()
        // This looks at it, although whoever closes may have been cancelled.
        await Task { [log] in _ = try? await log?.contentVersion() }.value
        if log?.isWrittenOver == true {
            file.keepOpen()
            await writer.note(.overwritten(path: path))
        } else {
            try await closeConnections()
        }
        if let lost = await writer.lost { throw lost }
        if let overwritten = await writer.overwritten { throw overwritten }
        if let damage = await writer.damage { throw damage }
        if let setAside = await writer.setAside { throw setAside }
    }

    private func closeConnections() async throws(StoreError) {
        try await StoreError.catching(path: path) {
            try await log?.close()
            let connections = connections
            try await blocking {
                // The last connection to go moves the log into the file, if it may write; GRDB would
                // close it first.
                (connections as? DatabasePool)?.invalidateReadOnlyConnections()
                try connections.close()
            }
        }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await StoreError.catching(path: path) { try await connections.read(body) }
    }
}
