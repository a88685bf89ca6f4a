// SPDX-License-Identifier: Apache-2.0

public import Companion
import Foundation
import GRDB

extension DetectionDatabase {
    /// Whether a file begins as ours do; an empty one would pass for a new database, and nothing be left after it was restored.
    ///
    /// Spec: SQLite's file format, 1.3: text at 0, the application at 68.
    ///
    /// - Parameter head: Its first 100 octets.
    /// - Returns: Whether it does.
    public static func isOurs(_ head: [UInt8]) -> Bool {
        head.count >= 100 && head.starts(with: Array("SQLite format 3\0".utf8))
            && head[68..<72].elementsEqual("LTRN".utf8)
    }

    /// Writes a copy of the database as it is at one moment, while others go on reading and writing.
    ///
    /// - Parameter path: The file, which must not be there yet; it is for its owner only.
    /// - Throws: ``StoreError``.
    public func copy(to path: String) async throws(StoreError) {
        let source = connections
        let configuration = DatabaseOpening(path: self.path, busyTimeout: 5).configuration
        try await StoreError.catching(path: path) {
            try await blocking {
                let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
                guard descriptor >= 0 else {
                    throw StoreError.cannotOpen(path: path, reason: "it cannot be made")
                }
                Foundation.close(descriptor)
                do {
                    // A connection of its own: those of the pool are for short work.
                    let isInMemory = self.path == ":memory:"
                    let reader =
                        isInMemory ? source : try DatabaseQueue(path: self.path, configuration: configuration)
                    try reader.writeWithoutTransaction {
                        try $0.execute(sql: "VACUUM INTO ?", arguments: [path])
                    }
                    if !isInMemory { try reader.close() }
                } catch {
                    unlink(path)
                    throw error
                }
            }
        }
    }
}
