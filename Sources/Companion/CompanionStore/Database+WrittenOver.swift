// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Foundation
import GRDB

/// Whether a file that is open is what SQLite has made of it.
extension Database {
    /// Whether something else than SQLite has written over the file that is open, or over its log.
    ///
    /// Only what SQLite never leaves so counts. The file says that it has a log from before there is one until the last who has
    /// it open goes. The log has every page that its index counts, and the salts of its index, which is emptied before the
    /// log is cut or begun anew. A file that is written over by another one that has a log is not noticed.
    ///
    /// Spec: SQLite, "Database File Format", 1.3 and 4.1; "WAL-mode File Format", 2.1.
    ///
    /// - Parameters:
    ///   - log: The log that the file had when it was opened.
    ///   - path: Its name.
    /// - Returns: Whether that is so; not where it cannot be told.
    func isWrittenOver(log: FileIdentity, at path: String) -> Bool {
        hasStrangeHead || isCut(log, path)
    }

    private var hasStrangeHead: Bool {
        var head = [UInt8](repeating: 0, count: 20)
        let code = lantern_sqlite_head(sqliteConnection, &head, CInt(head.count))
        // SQLITE_IOERR_SHORT_READ, which Swift does not see.
        if code == SQLITE_IOERR | 2 << 8 { return true }
        guard code == SQLITE_OK else { return false }
        return !head.starts(with: Array("SQLite format 3\0".utf8)) || head[18] != 2 || head[19] != 2
    }

    private func isCut(_ log: FileIdentity, _ path: String) -> Bool {
        guard let index = logIndex, let begin = LogBegin(path: path), begin.file == log else { return false }
        if begin.fits(index) { return false }
        // Meanwhile it may have been begun anew.
        return logIndex == index
    }

    private var logIndex: LogIndex? {
        var octets = [UInt8](repeating: 0, count: 48)
        guard lantern_sqlite_log_index(sqliteConnection, &octets) == SQLITE_OK else { return nil }
        return LogIndex(octets)
    }
}

/// What the index of a log says of it.
private struct LogIndex: Equatable {
    private let octets: [UInt8]
    let frames: Int
    let page: Int

    /// Takes it apart; nothing where it is not in use, or of another version.
    init?(_ octets: [UInt8]) {
        // In the order of this machine.
        let number = { (place: Int) -> UInt32 in
            octets.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt32.self) }
        }
        guard number(0) == 3_007_000, octets[12] == 1 else { return nil }
        let size = Int(octets.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 14, as: UInt16.self) })
        self.octets = octets
        frames = Int(number(16))
        // 65 536 is written as 1.
        page = size & 0xFE00 | (size & 1) << 16
    }

    var salts: ArraySlice<UInt8> { octets[32..<40] }
}

/// The beginning of a log; nothing of SQLite's is locked there, so that it may be opened and closed.
private struct LogBegin {
    let file: FileIdentity
    private let size: Int
    private let octets: [UInt8]

    init?(path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        var octets = [UInt8](repeating: 0, count: 32)
        guard fstat(descriptor, &status) == 0 else { return nil }
        let count = pread(descriptor, &octets, octets.count, 0)
        guard count >= 0 else { return nil }
        file = FileIdentity(of: status)
        size = Int(status.st_size)
        self.octets = Array(octets.prefix(count))
    }

    /// Whether it is that of an index.
    func fits(_ index: LogIndex) -> Bool {
        guard index.frames > 0 else { return true }
        return size >= 32 + index.frames * (24 + index.page) && octets.count == 32
            && octets[16..<24].elementsEqual(index.salts)
    }
}
