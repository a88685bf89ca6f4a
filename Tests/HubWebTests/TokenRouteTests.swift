// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionDevices
import CompanionStore
import Detections
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import HubWeb

@Suite("Tokens of several people and programs", .timeLimit(.minutes(5)))
struct TokenRouteTests {
    private func bearer(_ token: String) -> [(String, String)] { [("Authorization", "Bearer \(token)")] }

    /// Makes a token as its owner does.
    private func make(
        _ name: String, _ role: String, _ server: TestServer, by owner: String
    ) async throws -> String {
        let made = try await server.request(
            "POST", "/api/v1/tokens", headers: bearer(owner), body: #"{"name":"\#(name)","role":"\#(role)"}"#)
        guard case .text(let token)? = try made.value("token") else {
            Issue.record("\(made.text)")
            throw WebConnection.Fault.ended
        }
        return token
    }

    /// How a token is answered.
    private func status(
        _ method: String, _ path: String, _ token: String, _ server: TestServer, body: String? = nil
    ) async throws -> Int {
        try await server.request(method, "/api/v1" + path, headers: bearer(token), body: body).status
    }

    @Test func whatATokenMayDoIsWhatItsRoleSays() async throws {
        try await TestServer.run(needsLogin: true) { server in
            let (owner, _) = try await server.access.makeToken()
            let read = try await make("Prometheus", "read", server, by: owner)
            let home = try await make("Kitchen", "home", server, by: owner)
            for token in [read, home, owner] {
                #expect(try await status("GET", "/hub", token, server) == 200)
                #expect(try await server.request("GET", "/metrics", headers: bearer(token)).status == 200)
            }
            let change = #"{"name":"Mia"}"#
            let path = "/nightlights/pending?address=C0:FF:EE:F1:1A:4B"
            #expect(try await status("POST", path, read, server, body: change) == 403)
            #expect(try await status("POST", path, home, server, body: change) == 200)
            for (method, path) in [("POST", "/radio/retry"), ("GET", "/database"), ("GET", "/tokens")] {
                #expect(try await status(method, path, home, server) == 403, "\(path)")
                #expect(try await status(method, path, owner, server) < 300, "\(path)")
            }
            let refused = try await server.request(
                "POST", "/api/v1/radio/retry", headers: bearer(read))
            #expect(refused.text.contains("This token lets you look, and change nothing."))
        }
    }

    /// Each of them, so that none that is added later is forgotten.
    @Test func whoMayOnlyLookChangesNothing() async throws {
        try await TestServer.run(needsLogin: true) { server in
            let (owner, _) = try await server.access.makeToken()
            let read = try await make("Guest", "read", server, by: owner)
            let guarded = server.routes.routes.filter { !$0.isOpen && $0.leastRole > .read }
            #expect(guarded.count > 50)
            for route in guarded {
                let segments = route.shape.segments.map { $0.contains("{") ? "1" : String($0) }
                let path = "/" + segments.joined(separator: "/")
                #expect(try await status(route.method.rawValue, path, read, server) == 403, "\(route.name)")
            }
            #expect(
                server.routes.routes.filter { $0.leastRole == .read && !$0.isOpen }.allSatisfy {
                    $0.method == .get || $0.name == "previewLight"
                })
        }
    }

    @Test func tokensAreListedAndRevokedWhileTheHubRuns() async throws {
        try await TestServer.run(needsLogin: true) { server in
            let (owner, _) = try await server.access.makeToken()
            let guest = try await make(" Guest ", "read", server, by: owner)
            let signedIn = try await server.request(
                "POST", "/api/v1/session", body: #"{"token":"\#(guest)"}"#)
            let cookie = [
                ("Cookie", String(try #require(signedIn.header("set-cookie")).split(separator: ";")[0]))
            ]
            let session = try await server.request("GET", "/api/v1/session", headers: cookie)
            #expect(try session.value("role") == .text("read"))
            let list = try await server.request("GET", "/api/v1/tokens", headers: bearer(owner))
            #expect(try list.value("items.0.name") == .text("owner"))
            #expect(try list.value("items.1.name") == .text("Guest"))
            #expect(try list.value("items.1.role") == .text("read"))
            #expect(try list.value("items.1.sessions") == .number(1))
            #expect(!list.text.contains(guest))
            try await WebConnection.open(server.port) { stream in
                try await stream.request("GET", "/api/v1/events", headers: cookie)
                #expect(try await stream.head().status == 200)
                #expect(try await status("DELETE", "/tokens/2", owner, server) == 204)
                // Its event stream ends, too.
                _ = try await stream.read(upTo: "0\r\n\r\n")
            }
            #expect(try await server.request("GET", "/api/v1/hub", headers: cookie).status == 401)
            #expect(try await status("GET", "/hub", guest, server) == 401)
            #expect(try await status("DELETE", "/tokens/2", owner, server) == 404)
            // Somebody has to be able to make another one.
            #expect(try await status("DELETE", "/tokens/1", owner, server) == 409)
            let body = #"{"name":"owner","role":"read"}"#
            #expect(try await status("POST", "/tokens", owner, server, body: body) == 409)
        }
    }

    @Test func aTokenOfTheSameNameTakesThePlaceOfTheOneBeforeAndOfNoOther() async throws {
        try await TestServer.run(needsLogin: true) { server in
            let (owner, _) = try await server.access.makeToken()
            let first = try await make("Kitchen", "home", server, by: owner)
            let other = try await make("Garage", "home", server, by: owner)
            let second = try await make("Kitchen", "read", server, by: owner)
            #expect(try await status("GET", "/hub", second, server) == 200)
            #expect(try await status("GET", "/hub", other, server) == 200)
            #expect(try await status("GET", "/hub", first, server) == 401)
            for body in [
                #"{"name":"","role":"read"}"#, #"{"name":"  ","role":"read"}"#,
                #"{"name":"x","role":"root"}"#,
                #"{"name":"a\u0007b","role":"read"}"#, #"{"name":"x"}"#,
            ] {
                #expect(try await status("POST", "/tokens", owner, server, body: body) == 422, "\(body)")
            }
        }
    }

    @Test func thereAreOnlySoManyTokens() async throws {
        let access = try await AccessControl(store: try DetectionDatabase(), needsLogin: true)
        for number in 1...AccessRecord.limit { _ = try await access.makeToken(named: "\(number)") }
        await #expect(throws: StoreError.self) { try await access.makeToken(named: "more") }
        _ = try await access.makeToken(named: "1")
        #expect(await access.tokens.count == AccessRecord.limit)
    }

    @Test func whatAnotherProgramMakesAndRevokesCountsSoon() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/lantern-web-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/lantern.sqlite"
        try await TestServer.run(path: path, needsLogin: true) { server in
            let (owner, _) = try await server.access.makeToken()
            let others = try DetectionDatabase(path: path, createIfMissing: false)
            let other = try await AccessControl(store: others, needsLogin: true)
            let (token, _) = try await other.makeToken(named: "Terminal", role: .read)
            while try await status("GET", "/hub", token, server) != 200 {
                try await Task.sleep(for: .milliseconds(20))
            }
            // What the hub stores meanwhile, as sessions, undoes nothing of it.
            try await server.access.keep()
            let id = try #require(await other.tokens.last?.id)
            #expect(try await other.revoke(id) == nil)
            while try await status("GET", "/hub", token, server) == 200 {
                try await Task.sleep(for: .milliseconds(20))
            }
            try await server.access.keep()
            #expect(try await status("GET", "/hub", owner, server) == 200)
            #expect(
                AccessRecord(try await others.settings().values["access"]).tokens.map(\.name) == ["owner"])
            try await others.close()
        }
    }

    @Test func aTokenThatIsRevokedWhileAnotherChangeEndsStaysRevoked() async throws {
        let setting = Mutex<String?>(nil)
        let (held, begun) = AsyncStream.makeStream(of: Void.self)
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        let isHeld = Mutex(false)
        let storage = AccessControl.Storage {
            setting.withLock { $0 }
        } change: { body in
            setting.withLock { $0 = body($0) }
            // It is stored; that this is known here takes a while.
            if isHeld.withLock({ $0 }) {
                begun.yield()
                for await _ in released { break }
            }
        }
        func control() -> AccessControl {
            AccessControl(
                kept: setting.withLock { $0 }, needsLogin: true, now: Timestamp.now,
                monotonic: { ContinuousClock.now }, storage: storage)
        }
        let hub = control()
        _ = try await hub.makeToken()
        _ = try await hub.makeToken(named: "Terminal", role: .read)
        let id = try #require(await hub.tokens.last?.id)
        let terminal = control()
        isHeld.withLock { $0 = true }
        async let kept: Void = hub.keep()
        for await _ in held { break }
        isHeld.withLock { $0 = false }
        #expect(try await terminal.revoke(id) == nil)
        async let gone = hub.reload()
        release.yield()
        try await kept
        #expect(await gone)
        #expect(await hub.tokens.map(\.name) == ["owner"])
    }

    @Test func aRevocationThatCannotBeReadAtOnceIsReadLater() async throws {
        let setting = Mutex<String?>(nil), refusals = Mutex(0)
        let storage = AccessControl.Storage { () async throws(StoreError) in
            let isRefused = refusals.withLock { left in
                left -= 1
                return left >= 0
            }
            if isRefused { throw .closed }
            return setting.withLock { $0 }
        } change: { body in
            setting.withLock { $0 = body($0) }
        }
        let hub = AccessControl(
            kept: nil, needsLogin: true, now: Timestamp.now, monotonic: { ContinuousClock.now },
            storage: storage)
        _ = try await hub.makeToken()
        _ = try await hub.makeToken(named: "Terminal", role: .read)
        let before = setting.withLock { $0 }
        let id = try #require(await hub.tokens.last?.id)
        _ = try await hub.revoke(id)
        let after = setting.withLock { $0 }
        setting.withLock { $0 = before }
        _ = await hub.reload()
        #expect(await hub.tokens.count == 2)
        setting.withLock { $0 = after }
        refusals.withLock { $0 = 1 }
        #expect(await hub.reload())
        #expect(await hub.tokens.map(\.name) == ["owner"])
    }

    @Test func sessionsThatAreStoredAtOnceAreAllStored() async throws {
        let store = try DetectionDatabase()
        let access = try await AccessControl(store: store, needsLogin: true)
        let (token, _) = try await access.makeToken()
        let client = LoginGateTests.client("10.0.0.1")
        let secrets = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let secret = try await access.signIn(token, from: client)
                    try await access.keep()
                    return secret
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let again = try await AccessControl(store: store, needsLogin: true)
        for secret in secrets { #expect(await again.isSignedIn(secret)) }
    }

    @Test func theOneTokenOfAnOlderHubIsItsOwners() async throws {
        let store = try DetectionDatabase()
        let token = AccessToken(text: "old-token"), secret = AccessToken(text: "old-session")
        let now = "\(Timestamp.now())"
        let text =
            #"{"token":"\#(try #require(token.hash).hexadecimal)","made":"\#(now)","sessions":[{"hash":""#
            + #"\#(try #require(secret.hash).hexadecimal)","made":"\#(now)","seen":"\#(now)"}]}"#
        _ = try await store.change(settings: ["access": text])
        let access = try await AccessControl(store: store, needsLogin: true)
        let client = LoginGateTests.client("10.0.0.1")
        #expect(try await access.check("old-token", from: client) == .admin)
        #expect(await access.role(ofSession: "old-session") == .admin)
        #expect(await access.tokens.map(\.name) == ["owner"])
        // The name of its cookie stays, or its browsers would be signed out.
        let cookie = await access.cookieName
        _ = try await access.makeToken(named: "Guest", role: .read)
        let again = try await AccessControl(store: store, needsLogin: true)
        #expect(await again.cookieName == cookie)
        #expect(await again.role(ofSession: "old-session") == .admin)
    }
}
