// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import CompanionHub
import CompanionStore
import Detections
import Foundation
import Testing

@testable import HubWeb

@Suite("The whole database, out and in", .timeLimit(.minutes(5)))
struct DatabaseRouteTests {
    private static let type = [("Content-Type", "application/vnd.sqlite3")]

    private static func folder() throws -> String {
        let path = FileManager.default.temporaryDirectory.path + "/lantern-web-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        return path
    }

    @Test func aCopyCanBePutBackWhileTheHubRuns() async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await TestServer.run(path: folder + "/lantern.sqlite", needsLogin: true) { server in
            let (token, _) = try await server.access.makeToken()
            let bearer = [("Authorization", "Bearer \(token)")]
            _ = try await server.store.save([.sample(1, ssid: "kept"), .sample(2)])
            _ = try await server.store.mark(source: 1, as: .mine)
            let copy = try await server.request("GET", "/api/v1/database", headers: bearer)
            #expect(copy.status == 200 && copy.text.hasPrefix("SQLite format 3"))
            #expect(copy.header("content-length") == "\(copy.body.count)")
            let name = try #require(copy.header("content-disposition"))
            #expect(name.hasPrefix("attachment; filename=\"lantern-2") && name.hasSuffix(".sqlite\""))
            // What was done since is undone.
            _ = try await server.store.save((3...50).map { .sample($0) })
            _ = try await server.store.discard(ids: [1], at: .now())
            let (newer, _) = try await server.access.makeToken()
            let now = [("Authorization", "Bearer \(newer)")]
            let restored = try await server.request(
                "PUT", "/api/v1/database", headers: now + Self.type, octets: copy.body)
            #expect(restored.status == 204, "\(restored.text)")
            let list = try await server.request("GET", "/api/v1/detections", headers: now)
            #expect(try list.value("total") == .number(2) && list.value("items.1.mine") == .bool(true))
            // Events go on: the next detection is one.
            let before = server.hub.feed.lastID
            let saved = try await server.store.save(.sample(99))
            #expect(saved.id == 3)
            let subscription = server.hub.feed.subscribe(after: before)
            while let items = await subscription.next() {
                if items.contains(where: { $0.name == "detection" }) { break }
            }
            // The token is that of now, also after a restart.
            let access = try await AccessControl(store: server.store, needsLogin: true)
            let client = LoginGateTests.client("10.0.0.1")
            try await access.check(newer, from: client)
            // Nothing is left beside the database.
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(files.allSatisfy { $0.hasPrefix("lantern.sqlite") }, "\(files)")
        }
    }

    @Test func whatIsNoCopyIsRefusedAndHarmsNothing() async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await TestServer.run(path: folder + "/lantern.sqlite") { server in
            _ = try await server.store.save((1...200).map { .sample($0) })
            let good = try await server.get("/database").body
            var damaged = good
            for index in (good.count / 2)..<min(good.count, good.count / 2 + 8000) { damaged[index] = 0xA5 }
            for octets in [
                [], Array("nonsense".utf8), Array(good.prefix(100)), Array(good.prefix(5000)), damaged,
            ] {
                let answer = try await server.request(
                    "PUT", "/api/v1/database", headers: Self.type, octets: octets)
                #expect(answer.status == 422, "\(octets.count): \(answer.text)")
                #expect(!answer.text.contains(folder))
            }
            let other = try await server.request("PUT", "/api/v1/database", body: "{}")
            #expect(other.status == 422)
            let form = try await server.request(
                "PUT", "/api/v1/database", headers: [("Content-Type", "multipart/form-data; boundary=x")],
                octets: good)
            #expect(form.status == 415)
            #expect(try await server.get("/detections").value("total") == .number(200))
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(files.allSatisfy { $0.hasPrefix("lantern.sqlite") }, "\(files)")
        }
    }

    @Test func whatIsTooLargeIsRefusedBeforeItIsTaken() async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await TestServer.run(path: folder + "/lantern.sqlite") {
            $0.limits.database = 100_000
        } _: { server in
            let head =
                "PUT /api/v1/database HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(Self.type[0].1)\r\n"
            try await WebConnection.open(server.port) { connection in
                try await connection.send(head + "Content-Length: 100001\r\n\r\n")
                let answer = try await connection.answer()
                #expect(answer.status == 413 && answer.text.contains("the most that a hub restores"))
            }
            // Without a length it is taken up to the limit and no further.
            try await WebConnection.open(server.port) { connection in
                try await connection.send(head + "Transfer-Encoding: chunked\r\n\r\n")
                for _ in 1...11 {
                    try await connection.send("2710\r\n" + String(repeating: " ", count: 10_000) + "\r\n")
                }
                #expect(try await connection.answer().status == 413)
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(files.allSatisfy { $0.hasPrefix("lantern.sqlite") }, "\(files)")
        }
    }

    /// It is no fault of the hub, nor its end.
    @Test(arguments: [
        "zz\r\n", "-1\r\na\r\n0\r\n\r\n", "0x2\r\n{}\r\n0\r\n\r\n", "\r\n{}\r\n", "2\n{}\n0\n\n",
    ])
    func aBodyThatIsNotWellFormedIsRefused(body: String) async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await TestServer.run(path: folder + "/lantern.sqlite") { server in
            let head =
                "PUT /api/v1/database HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(Self.type[0].1)\r\n"
            for _ in 1...5 {
                try await WebConnection.open(server.port) { connection in
                    try await connection.send(head + "Transfer-Encoding: chunked\r\n\r\n" + body)
                    let answer = try await connection.answer()
                    #expect(answer.status == 400, "\(answer.status): \(answer.text)")
                }
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(files.allSatisfy { $0.hasPrefix("lantern.sqlite") }, "\(files)")
        }
    }

    @Test func oneIsRestoredAtATimeAndOneCutOffChangesNothing() async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await TestServer.run(path: folder + "/lantern.sqlite") { server in
            _ = try await server.store.save([.sample(1)])
            let copy = try await server.get("/database").body
            _ = try await server.store.save([.sample(2)])
            try await WebConnection.open(server.port) { connection in
                try await connection.send(
                    "PUT /api/v1/database HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(Self.type[0].1)\r\nContent-Length: \(copy.count)\r\n\r\n"
                )
                try await connection.send(Array(copy.prefix(copy.count / 2)))
                while server.usage.count(.restore) == 0 { try await Task.sleep(for: .milliseconds(5)) }
                let second = try await server.request(
                    "PUT", "/api/v1/database", headers: Self.type, octets: copy)
                #expect(second.status == 409 && second.text.contains("Wait until it is done"))
            }
            // The first one has gone in the middle.
            while server.usage.count(.restore) > 0 { try await Task.sleep(for: .milliseconds(5)) }
            #expect(try await server.get("/detections").value("total") == .number(2))
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(files.allSatisfy { $0.hasPrefix("lantern.sqlite") }, "\(files)")
            let third = try await server.request("PUT", "/api/v1/database", headers: Self.type, octets: copy)
            #expect(third.status == 204)
            #expect(try await server.get("/detections").value("total") == .number(1))
        }
    }

    @Test func aStoreInMemoryCanBeCopiedToo() async throws {
        try await TestServer.run { server in
            _ = try await server.store.save([.sample(1)])
            #expect(try await server.get("/database").text.hasPrefix("SQLite format 3"))
        }
    }
}
