// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation

/// A file of the hub's that others on the machine can read or change, though it is its owner's business.
struct ExposedFile: Hashable {
    let path: String
    let isWritable: Bool

    /// Looks at a file.
    ///
    /// - Parameter path: Where it is; `nil` comes out when it is not there, or is its owner's alone.
    init?(_ path: String) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue, mode & 0o077 != 0 else {
            return nil
        }
        self.path = path
        isWritable = mode & 0o022 != 0
    }

    /// The exposed ones of a hub: its database with what SQLite keeps beside it, and its keys.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - keys: Files with keys.
    /// - Returns: Those that others can read.
    static func all(database: String, keys: [String]) -> [ExposedFile] {
        // SQLite gives the others the permissions of the database, so a link is followed to what it leads to.
        let database = URL(fileURLWithPath: database).resolvingSymlinksInPath().path
        return ([database, database + "-wal", database + "-shm"] + keys).compactMap { ExposedFile($0) }
    }

    /// A sentence that says what to do.
    var sentence: String {
        let verb = isWritable ? "read and change" : "read"
        return
            "Others on this machine can \(verb) \(path.shortenedPath). If they should not: chmod 600 \(path.shortenedPath)"
    }
}
