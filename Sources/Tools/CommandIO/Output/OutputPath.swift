// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Companion
import Foundation

/// The name of a file that a command is to write.
package enum OutputPath {
    /// What every SQLite file begins with.
    private static let databaseHead = Array("SQLite format 3\0".utf8)

    /// Refuses a file that two options name, since one would destroy what is there for the other.
    ///
    /// - Parameters:
    ///   - path: The file that is written.
    ///   - option: What names it.
    ///   - others: Other files of the command, and what names them.
    /// - Throws: ``ValidationError`` that names both options.
    package static func check(_ path: String?, of option: String, apartFrom others: [(String?, String)])
        throws
    {
        guard let path, path != "-" else { return }
        for case (let other?, let name) in others where isSame(path, other) {
            throw ValidationError("\(option) and \(name) name the same file: give each one of its own.")
        }
    }

    /// Whether two names lead to one file, which need not be there; pipes and devices are no files.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        if stat(one, &first) == 0, stat(other, &second) == 0 {
            return first.st_mode & S_IFMT == S_IFREG && first.st_dev == second.st_dev
                && first.st_ino == second.st_ino
        }
        func plain(_ path: String) -> String {
            URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
        }
        return plain(one) == plain(other)
    }

    /// Refuses a file that would be lost: a database, whatever name or link leads to it.
    ///
    /// - Parameter path: The name.
    /// - Throws: ``CommandError`` of wrong usage.
    package static func check(_ path: String) throws(CommandError) {
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
