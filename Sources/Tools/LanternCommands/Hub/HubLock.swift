// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Makes sure that only one hub works with a database; other commands may use it meanwhile.
///
/// The lock is a file beside the database, which goes when the hub ends, and is free when the hub has died.
final class HubLock: Sendable {
    private let path: String
    private let descriptor: Int32

    /// Takes the lock.
    ///
    /// - Parameter database: The database.
    /// - Throws: ``CommandError`` when another hub has it, or the file cannot be made.
    init(database: String) throws(CommandError) {
        path = database + "-hub"
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                let reason = String(cString: strerror(errno))
                throw .failed(
                    "The hub cannot work with \(database): \(reason). Name another file with --database.")
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                defer { close(descriptor) }
                throw .failed(
                    "Another hub\(Self.holder(descriptor)) works with the database \(database). End it, or name "
                        + "another file with --database.")
            }
            // Somebody may have ended, and taken the file away, between the two calls.
            var (mine, current) = (stat(), stat())
            if fstat(descriptor, &mine) == 0, stat(path, &current) == 0, mine.st_ino == current.st_ino {
                self.descriptor = descriptor
                break
            }
            close(descriptor)
        }
        let text = Array("\(getpid())\n".utf8)
        _ = ftruncate(descriptor, 0)
        _ = write(descriptor, text, text.count)
    }

    deinit {
        unlink(path)
        close(descriptor)
    }

    /// Which process has the lock, for a sentence.
    private static func holder(_ descriptor: Int32) -> String {
        var octets = [UInt8](repeating: 0, count: 16)
        let count = read(descriptor, &octets, octets.count)
        let text = String(decoding: octets.prefix(max(0, count)).prefix { $0 >= 0x30 }, as: UTF8.self)
        return text.isEmpty ? "" : " (process \(text))"
    }
}
