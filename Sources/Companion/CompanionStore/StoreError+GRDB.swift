// SPDX-License-Identifier: Apache-2.0

import Companion
import GRDB

extension StoreError {
    /// Translates what GRDB threw.
    init(_ error: any Error, path: String) {
        if let error = error as? StoreError {
            self = error
            return
        }
        if error is CancellationError {
            self = .cancelled
            return
        }
        if let bad = error as? BadValue {
            self = .unfit(reason: bad.reason)
            return
        }
        guard let error = error as? DatabaseError else {
            self = .failed(path: path, reason: "\(error)")
            return
        }
        let reason = error.message ?? error.resultCode.description
        switch error.resultCode {
        case .SQLITE_NOTADB: self = .notADatabase(path: path)
        // SQLite gives up so when very many begin or end to use the log at once.
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: self = .busy(path: path)
        case .SQLITE_READONLY: self = .readOnly(path: path)
        case .SQLITE_FULL: self = .full(path: path)
        // The index of the log could not grow, which has nothing but the disk's room to fail for.
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: self = .full(path: path)
        case .SQLITE_IOERR: self = .diskFailed(path: path, reason: reason)
        case .SQLITE_CORRUPT: self = .damaged(path: path)
        case .SQLITE_CONSTRAINT: self = .refused(reason: reason)
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH: self = .cannotOpen(path: path, reason: reason)
        // GRDB answers so after `close()`.
        case .SQLITE_MISUSE where reason == "Connection is closed": self = .closed
        default: self = .failed(path: path, reason: reason)
        }
    }

    /// Runs a body and translates what it throws.
    static func catching<Value>(path: String, _ body: () throws -> Value) throws(StoreError) -> Value {
        do { return try body() } catch { throw StoreError(error, path: path) }
    }

    /// Runs a body and translates what it throws.
    static func catching<Value>(
        path: String,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async throws(StoreError) -> Value {
        do { return try await body() } catch { throw StoreError(error, path: path) }
    }

    /// What is wrong with a file, as a phrase about it.
    var phrase: String {
        switch self {
        case .busy: "another program has locked it"
        case .full: "there is no room left on its disk"
        case .gone: "its file was deleted or replaced"
        case .overwritten: "its file was written over"
        case .diskFailed(_, let reason): "its disk failed (\(reason))"
        case .readOnly: "it may not be written"
        case .notADatabase, .foreign: "it is not a database of detections"
        case .altered(_, let table): "\(table) is not a table in it"
        case .notAFile: "it is not a file"
        case .damaged: "it is damaged"
        case .newer: "a newer version of Lantern has written it"
        case .cannotOpen(_, let reason), .refused(let reason), .failed(_, let reason), .unfit(let reason),
            .unfitMap(_, let reason):
            reason
        default: description
        }
    }
}

extension DetectionDatabase {
    /// Refuses texts with U+0000, at which SQLite would cut them.
    ///
    /// - Throws: ``StoreError/zeroCharacter(in:)``.
    static func check(_ texts: [String], _ name: String) throws(StoreError) {
        // Almost all have none, and are looked at octet by octet for that.
        if texts.contains(where: { $0.utf8.contains(0) }) { throw .zeroCharacter(in: name) }
    }
}
