// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation

/// Lets one process at a time make a file or change its tables.
///
/// It is a lock on a file beside it, which goes with the lock; a process that ends loses it.
struct OpeningLock {
    private let path: String
    private let descriptor: CInt

    /// Waits for the lock; where no file can be made, there is none, and SQLite says what is wrong.
    ///
    /// - Parameters:
    ///   - database: The file that it is for.
    ///   - patience: How many seconds to wait at most.
    ///   - waiting: Called once when somebody else has it.
    /// - Throws: ``StoreError/busy(path:)`` when somebody else had it for too long.
    init(for database: String, patience: TimeInterval, waiting: () -> Void) throws(StoreError) {
        path = database + "-opening"
        let end = Date().addingTimeInterval(patience)
        var hasReported = false
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                self.descriptor = -1
                return
            }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                // Whoever had it before may have taken the file away meanwhile.
                var (mine, named) = (stat(), stat())
                if fstat(descriptor, &mine) == 0, stat(path, &named) == 0, mine.st_ino == named.st_ino {
                    self.descriptor = descriptor
                    return
                }
                close(descriptor)
                continue
            }
            close(descriptor)
            if !hasReported { waiting() }
            hasReported = true
            guard Date() < end else { throw .busy(path: database) }
            usleep(20_000)
        }
    }

    /// Lets the next one in.
    func release() {
        guard descriptor >= 0 else { return }
        unlink(path)
        close(descriptor)
    }
}
