// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import Foundation

// Files that the app writes for a person, and files that a person has chosen.
extension URL {
    /// Where a file goes that a person takes away: in a folder of its own, so that it can have the name under which it is shared.
    ///
    /// - Parameters:
    ///   - ending: The ending of its name, without the dot.
    ///   - now: The day that its name says.
    ///   - folder: Where its folder is made.
    init(toShare ending: String, at now: Timestamp, in folder: URL) {
        self = folder.appending(path: "lantern-\(UUID().uuidString)")
            .appending(path: "lantern-\(now.description.prefix(10)).\(ending)")
    }

    /// Makes the folder of such a file.
    func makeFolder() throws {
        try FileManager.default.createDirectory(
            at: deletingLastPathComponent(), withIntermediateDirectories: true)
    }

    /// Takes such a file away with its folder; what stays of it, the system takes away.
    func removeWithFolder() { try? FileManager.default.removeItem(at: deletingLastPathComponent()) }

    /// Does something with a file that may be another app's.
    nonisolated(nonsending) func access<Value>(
        _ body: nonisolated(nonsending) (URL) async throws -> Value
    ) async rethrows -> Value {
        #if canImport(Darwin)
        let isOpened = startAccessingSecurityScopedResource()
        defer { if isOpened { stopAccessingSecurityScopedResource() } }
        #endif
        return try await body(self)
    }
}

extension Error {
    /// Why something could not be done with a file or the database, in words for a person.
    var reason: String { (self as? StoreError)?.description ?? localizedDescription }
}
