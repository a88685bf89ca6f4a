// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// How much of the heap is in use.
enum HeapSize {
    /// Octets that were allocated and not freed, but for those of SQLite's caches, which are within bounds of their own.
    static var now: Int { allocated - ofDatabases }

    private static var allocated: Int {
        typealias Report = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
        guard let report: Report = function("malloc_info") else { return 0 }
        var (text, length): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        guard let file = open_memstream(&text, &length) else { return 0 }
        _ = report(0, file)
        fclose(file)
        defer { free(text) }
        guard let text else { return 0 }
        // What stands behind the last heap is the sum of all.
        let sums = String(cString: text).components(separatedBy: "</heap>").last ?? ""
        func size(_ element: String) -> Int {
            guard let start = sums.range(of: element)?.upperBound,
                let value = sums[start...].components(separatedBy: "size=\"").dropFirst().first
            else { return 0 }
            return Int(value.prefix { $0.isNumber }) ?? 0
        }
        return size("<system type=\"current\"") + size("<total type=\"mmap\"")
            - size("<total type=\"fast\"") - size("<total type=\"rest\"")
    }

    private static var ofDatabases: Int {
        typealias Used = @convention(c) () -> Int64
        guard let used: Used = function("sqlite3_memory_used") else { return 0 }
        return Int(used())
    }

    private static func function<Function>(_ name: String) -> Function? {
        dlsym(nil, name).map { symbol in withUnsafeBytes(of: symbol) { $0.load(as: Function.self) } }
    }
}
