// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation

/// The name of a file that a command is to write.
enum OutputPath {
    /// What every SQLite file begins with.
    private static let databaseHead = Array("SQLite format 3\0".utf8)

    /// Refuses a file that would be lost: a database, whatever name or link leads to it.
    ///
    /// - Parameter path: The name.
    /// - Throws: ``CommandError`` of wrong usage.
    static func check(_ path: String) throws(CommandError) {
        // A pipe that nobody writes to would be waited for.
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var head = [UInt8](repeating: 0, count: databaseHead.count)
        let count = head.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        guard count == databaseHead.count, head == databaseHead else { return }
        throw .wrongUsage("\(path.shortenedPath) is a database, which would be lost. Name another file.")
    }
}
