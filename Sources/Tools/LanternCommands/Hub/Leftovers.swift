// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Files that programs which were killed have left beside a database: copies that came or went, and what was written in part,
/// captures among it.
enum Leftovers {
    /// So many seconds nobody has written to what is taken for left behind.
    private static let age: TimeInterval = 86_400

    /// Removes them, but for those that may still be in use.
    ///
    /// - Parameters:
    ///   - database: The database; or a capture, or a copy of the database, which may be in another folder.
    ///   - now: The time.
    static func remove(beside database: String, at now: Date = Date()) {
        let file = URL(fileURLWithPath: database)
        let folder = file.deletingLastPathComponent().path
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where isLeftover(name, of: file.lastPathComponent) {
            let path = "\(folder)/\(name)"
            // A link is removed, not what it leads to.
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            let changed = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            guard let changed, now.timeIntervalSince(changed) > age else { continue }
            unlink(path)
        }
    }

    /// Whether such a file is never kept on purpose.
    static func isLeftover(_ name: String, of database: String) -> Bool {
        if name.hasPrefix(".lantern-") {
            return UUID(uuidString: String(name.dropFirst(9).prefix(36))) != nil
        }
        // Before it has its first packet; whole captures are kept.
        if name == "capture.btsnoop.partial" || name == database + ".partial" { return true }
        guard name.hasPrefix(database) else { return false }
        let rest = name.dropFirst(database.count)
        // What was set aside, and copies of before a change of the tables, are kept when they are whole.
        return rest == "-opening"
            || rest.hasSuffix(".partial")
                && [".unsaved-", ".before-", ".rescued", "-bond-key"].contains(where: rest.hasPrefix)
            || rest.hasSuffix(".partial-journal") || rest.hasSuffix(".partial-wal")
            || rest.hasSuffix(".partial-shm")
    }
}
