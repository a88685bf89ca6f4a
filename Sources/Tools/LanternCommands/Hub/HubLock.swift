// SPDX-License-Identifier: Apache-2.0

import CommandIO
import Foundation
import Synchronization

/// Makes sure that only one hub works with a database, whatever links lead to it; other commands may use it meanwhile.
///
/// The lock is a file beside the database, which goes when the hub ends, and is free when the hub has died. On Linux the
/// database itself is locked, too, which holds for each of its names: at an octet that SQLite never uses, and so that SQLite's
/// own locks neither see it nor undo it.
///
/// Source: `fcntl(2)`, "Open file description locks".
final class HubLock: Sendable {
    private let path: String
    private let database: String
    private let descriptor: Int32
    /// The database itself; negative where it is not locked.
    private let file: Mutex<Int32>

    /// Takes the lock.
    ///
    /// - Parameter database: The database.
    /// - Throws: ``CommandError`` when another hub has it, or the file cannot be made.
    init(database: String) throws(CommandError) {
        path = Self.file(of: database) + "-hub"
        self.database = database
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                let reason = String(cString: strerror(errno))
                throw .failed(
                    "The hub cannot use \(database): \(reason). Name another file with --database.")
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                defer { close(descriptor) }
                throw Self.isTaken(database, "\(Self.holder(descriptor))")
            }
            // Somebody may have ended, and taken the file away, between the two calls.
            var (mine, current) = (stat(), stat())
            if fstat(descriptor, &mine) == 0, stat(path, &current) == 0, mine.st_ino == current.st_ino {
                self.descriptor = descriptor
                break
            }
            close(descriptor)
        }
        guard let file = Self.lock(database) else {
            unlink(path)
            close(descriptor)
            throw Self.isTaken(database, " (under another name of the file)")
        }
        self.file = Mutex(file)
        let text = Array("\(getpid())\n".utf8)
        _ = ftruncate(descriptor, 0)
        _ = write(descriptor, text, text.count)
    }

    deinit {
        unlink(path)
        close(descriptor)
        file.withLock { if $0 >= 0 { close($0) } }
    }

    /// Locks the file that the name of the database leads to now, which may be another one.
    ///
    /// - Throws: ``CommandError`` when another hub works with that one.
    func renew() throws(CommandError) {
        let isTaken = file.withLock { file in
            var (mine, current) = (stat(), stat())
            guard file >= 0, fstat(file, &mine) == 0, stat(database, &current) == 0,
                (mine.st_dev, mine.st_ino) != (current.st_dev, current.st_ino)
            else { return false }
            guard let new = Self.lock(database) else { return true }
            close(file)
            file = new
            return false
        }
        if isTaken { throw Self.isTaken(database, " (under another name of the file)") }
    }

    /// The name of a database without links, so far as there is any: what belongs to the file is beside that.
    static func file(of database: String) -> String {
        URL(fileURLWithPath: database).resolvingSymlinksInPath().path
    }

    private static func isTaken(_ database: String, _ holder: String) -> CommandError {
        .failed(
            "Another hub\(holder) is using the database \(database). End it, or name another file with --database."
        )
    }

    /// Locks the database itself, which is made where there is none.
    ///
    /// - Returns: The open file; a negative number where it cannot be opened, of which SQLite knows more to say, or not be locked;
    ///   `nil` when another hub has locked it.
    private static func lock(_ database: String) -> Int32? {
        #if os(Linux)
        var kind = stat()
        guard stat(database, &kind) != 0 || kind.st_mode & S_IFMT == S_IFREG else { return -1 }
        let file = open(database, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return -1 }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t.max - 1
        lock.l_len = 1
        if fcntl(file, openFileLock, &lock) == 0 { return file }
        let isTaken = errno == EAGAIN || errno == EACCES
        close(file)
        return isTaken ? nil : -1
        #else
        return -1
        #endif
    }

    /// `F_OFD_SETLK`, which Swift does not see.
    private static let openFileLock: Int32 = 37

    /// Which process has the lock, for a sentence.
    private static func holder(_ descriptor: Int32) -> String {
        var octets = [UInt8](repeating: 0, count: 16)
        let count = read(descriptor, &octets, octets.count)
        let text = String(decoding: octets.prefix(max(0, count)).prefix { $0 >= 0x30 }, as: UTF8.self)
        return text.isEmpty ? "" : " (process \(text))"
    }
}
