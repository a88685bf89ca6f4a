// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import CompanionHub
import CompanionStore
import Foundation
import HTTPTypes
import Hummingbird

extension HubSite {
    private static let type = "application/vnd.sqlite3"

    /// The whole database, out and in.
    var databaseRoutes: [Route] {
        [
            Route(
                method: .get, path: "/database", name: "getDatabase",
                summary: "A copy of the database, as it is at one moment.",
                answer: .file("The SQLite file.", type: Self.type)
            ) { _ in
                let file = TemporaryFile(beside: store.path)
                try await store.copy(to: file.path)
                let copy = try await OpenFile(reading: file.path)
                // It is open, so nobody needs its name any more, and it is gone when this answer is.
                file.remove()
                let day = Timestamp.now().description.prefix(10)
                return copy.answer("lantern-\(day).sqlite", type: Self.type)
            },
            Route(
                method: .put, path: "/database", name: "restoreDatabase",
                summary: "Puts the content of a copy in the place of everything that the database holds.",
                body: Route.Body(
                    type: Self.type, about: "The SQLite file.", schema: .text(), isStreamed: true),
                answer: .empty("The database holds what the copy does."), refusals: [.conflict]
            ) { input in
                guard usage.open(.restore, of: input.client) else {
                    throw Problem(.conflict, "Another database is being restored. Wait until it is done.")
                }
                defer { usage.close(.restore, of: input.client) }
                let file = TemporaryFile(beside: store.path)
                defer { file.remove() }
                try await receive(input.request, to: file.path)
                do throws(StoreError) {
                    // A hub's own copy may be of an older version; opening it brings it up to date.
                    let copy = try await DetectionDatabase.open(path: file.path, createIfMissing: false)
                    try await copy.checkIntegrity()
                    try await copy.close()
                } catch {
                    throw Problem(.unprocessableContent, "This file cannot be restored. \(error.inWords)")
                }
                try await asking { () async throws(HubFault) in try await hub.restore(from: file.path) }
                // Who may use the hub is no matter of the copy.
                try await access.keep()
                return .empty
            },
        ]
    }

    /// Whether a file begins as ours do; an empty one would pass for a new database, and nothing be left.
    ///
    /// Spec: SQLite's file format, 1.3: text at 0, the application at 68.
    private static func isOurs(_ head: [UInt8]) -> Bool {
        head.count >= 100 && head.starts(with: Array("SQLite format 3\0".utf8))
            && head[68..<72].elementsEqual("LTRN".utf8)
    }

    /// Refuses a body that is too large for the hub or its disk, before it is taken.
    private func check(_ octets: Int, free: Int64?) throws(Problem) {
        guard octets <= usage.limits.database else {
            let limit = usage.limits.database / 1_000_000
            throw Problem(
                .contentTooLarge, "The file has more than \(limit) MB, the most that a hub restores.")
        }
        // It is there twice for a while: as it came, and within the database.
        guard let free, Int64(octets) > free / 2 else { return }
        throw Self.noRoom
    }

    private static let noRoom = Problem(
        .serviceUnavailable, "The disk of the hub has no room for the file. Make some, then try again.",
        retryAfter: .seconds(60))

    /// Writes a body to a file as it comes.
    private func receive(_ request: Request, to path: String) async throws {
        let free = try await store.figures().diskOctets
        var octets = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        try check(octets, free: free)
        octets = 0
        let file: OpenFile
        do {
            file = try await OpenFile(making: path)
            var head: [UInt8] = []
            for try await piece in request.body {
                octets += piece.readableBytes
                try check(octets, free: free)
                if head.count < 100 { head += piece.readableBytesView.prefix(100 - head.count) }
                try await file.write(piece)
            }
            try await file.close()
            guard Self.isOurs(head) else {
                throw Problem(
                    .unprocessableContent, "This file cannot be restored. It is no database of Lantern.")
            }
        } catch is CocoaError {
            throw Self.noRoom
        }
    }
}

extension StoreError {
    /// The sentence, without the name of a file that nobody knows.
    fileprivate var inWords: String {
        switch self {
        case .foreign: "It is the database of another program."
        case .newer: "It was written by a newer version of Lantern. Update the hub first."
        case .damaged: "It is damaged."
        case .missing, .cannotOpen, .notADatabase: "It is no SQLite database."
        default: description
        }
    }
}

/// A file of a name that nobody else has, which goes when it is needed no more.
struct TemporaryFile: Sendable {
    let path: String

    /// - Parameter other: A file in the same folder; without a folder it is in that of the system.
    init(beside other: String) {
        let folder =
            other == ":memory:"
            ? FileManager.default.temporaryDirectory.path
            : URL(fileURLWithPath: other).deletingLastPathComponent().path
        path = "\(folder)/.lantern-\(UUID().uuidString)"
    }

    func remove() {
        for end in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: path + end)
        }
    }
}
