// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import CompanionHub
import CompanionStore
import Foundation
import HTTPTypes
import Hummingbird

extension HubAPI {
    private static let type = "application/vnd.sqlite3"

    /// The whole database, out and in.
    var databaseRoutes: [Route] {
        [
            Route(
                method: .get, path: "/database", name: "getDatabase",
                summary: "A copy of the database, as it is at one moment.",
                answer: .file("The SQLite file.", type: Self.type), role: .admin
            ) { input in
                guard let place = UsedPlace(.download, of: input.client, in: usage) else {
                    throw Problem(
                        .tooManyRequests,
                        "Other copies of the database are being made. Wait until they are done.",
                        retryAfter: .seconds(10))
                }
                let file = TemporaryFile(beside: store.path)
                // Once it is open nobody needs its name any more, and it is gone when this answer is.
                defer { file.remove() }
                try await store.copy(to: file.path)
                let copy = try await OpenFile(reading: file.path)
                let day = Timestamp.now().description.prefix(10)
                return copy.answer("lantern-\(day).sqlite", type: Self.type) { place.leave() }
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
                    try await hub.restore(from: file.path, keeping: [AccessControl.setting])
                } catch {
                    throw error.problem
                }
                // Whoever has sent it may be gone by now, and this is done all the same.
                await Task {
                    // What could not be read of a database that was damaged is known here. All is replaced by now, so that it is
                    // no answer when this cannot be stored; the next sign-in stores it then.
                    try? await access.keep()
                    await hub.readSettingsAgain()
                }.value
                return .empty
            },
        ]
    }

    /// Refuses a body that is too large for the hub or its disk, before it is taken.
    private func check(_ octets: Int, free: Int64?) throws(Problem) {
        guard octets <= usage.limits.database else {
            let limit = usage.limits.database / 1_000_000
            throw Problem(
                .contentTooLarge, "The file has more than \(limit) MB, the most that a hub restores.")
        }
        // It is there three times for a while: as it came, as it was read, and within the database.
        guard let free, Int64(octets) > free / 3 else { return }
        throw Self.noRoom
    }

    private static let noRoom = Problem(
        .serviceUnavailable, "The disk of the hub has no room for the file. Make some, then try again.",
        retryAfter: .seconds(60))

    /// Writes a body to a file as it comes.
    private func receive(_ request: Request, to path: String) async throws {
        var pieces = request.body.makeAsyncIterator()
        let free = try await store.figures().diskOctets
        var octets = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        try check(octets, free: free)
        octets = 0
        let file: OpenFile
        do {
            file = try await OpenFile(making: path)
            var head: [UInt8] = []
            while let piece = try await pieces.next() {
                octets += piece.readableBytes
                try check(octets, free: free)
                if head.count < 100 { head += piece.readableBytesView.prefix(100 - head.count) }
                try await file.write(piece)
            }
            // Whose sender has gone ends as if it were whole.
            try Task.checkCancellation()
            try await file.close()
            guard DetectionDatabase.isOurs(head) else {
                throw Problem(
                    .unprocessableContent, "This file cannot be restored. It is not a database of Lantern.")
            }
        } catch let error as CocoaError {
            guard error.code == .fileWriteOutOfSpace else {
                throw Problem(
                    .serviceUnavailable,
                    "The hub cannot write beside its database. Check the permissions of the folder.",
                    retryAfter: .seconds(60))
            }
            throw Self.noRoom
        }
    }
}

extension StoreError {
    /// Why a file cannot be restored, without its name, which nobody knows; or why nothing can be stored now.
    fileprivate var problem: Problem {
        let why =
            switch self {
            case .foreign: "It is the database of another program."
            case .newer: "It was written by a newer version of Lantern. Update the hub first."
            case .damaged: "It is damaged."
            case .missing, .cannotOpen, .notADatabase: "It is no SQLite database."
            case .unfit(let reason): reason.prefix(1).uppercased() + reason.dropFirst() + "."
            default: ""
            }
        return why.isEmpty
            ? Problem(self) : Problem(.unprocessableContent, "This file cannot be restored. \(why)")
    }
}

/// A file of a name that nobody else has, which goes when it is needed no more.
package struct TemporaryFile: Sendable {
    /// Where it is.
    package let path: String

    /// Chooses a name; nothing is made yet.
    ///
    /// - Parameter other: A file in the same folder; without a folder it is in that of the system.
    package init(beside other: String) {
        let folder =
            other == ":memory:"
            ? FileManager.default.temporaryDirectory.path
            : URL(fileURLWithPath: other).deletingLastPathComponent().path
        path = "\(folder)/.lantern-\(UUID().uuidString)"
    }

    /// Removes it, and what SQLite may have left beside it.
    package func remove() {
        for end in ["", "-wal", "-shm", "-journal", "-restored"] {
            try? FileManager.default.removeItem(atPath: path + end)
        }
    }
}
