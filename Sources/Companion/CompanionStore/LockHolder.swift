// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Finds out which program keeps others from writing a file.
enum LockHolder {
    /// The first of SQLite's locks in the file's index of the log: whoever has it writes.
    private static let writeLock = 120

    /// The name and number of the program, where the system says.
    ///
    /// Opening the file to ask for its locks would let go of our own, so the system's list is read instead.
    ///
    /// Source: `proc_locks(5)`; SQLite's file format, "WAL-Index File Format", 2.2.
    static func find(path: String) -> String? {
        // Only Linux has it.
        guard let locks = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else { return nil }
        return find(path: path, locks: locks).map { number in
            let name = try? String(contentsOfFile: "/proc/\(number)/comm", encoding: .utf8)
            return "process \(number)" + (name.map { " (\($0.filter { !$0.isNewline }))" } ?? "")
        }
    }

    /// The number of the process that writes a file, out of the system's list of locks.
    static func find(path: String, locks: String) -> Int? {
        let numbers = [path + "-shm", path].map {
            (try? FileManager.default.attributesOfItem(atPath: $0)).map(inode)
        }
        for line in locks.split(separator: "\n") {
            // 1: POSIX  ADVISORY  WRITE 1234 08:01:5678 120 120
            let fields = line.split(separator: " ")
            guard fields.count >= 8, fields[1] == "POSIX", fields[3] == "WRITE", let process = Int(fields[4]),
                process != getpid(),
                let file = fields[5].split(separator: ":").last.flatMap({ Int($0) }),
                let begin = Int(fields[6])
            else { continue }
            let end = Int(fields[7]) ?? .max
            if file == numbers[0], (begin...max(begin, end)).contains(writeLock) { return process }
            // Without a log the whole file is locked, at the offset of its pending lock.
            if file == numbers[1], begin >= 0x4000_0000 { return process }
        }
        return nil
    }

    private static func inode(_ attributes: [FileAttributeKey: Any]) -> Int {
        (attributes[.systemFileNumber] as? NSNumber)?.intValue ?? -1
    }
}
