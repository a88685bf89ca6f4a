// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionHub
import CompanionStore
import Detections
import HTTPTypes
import HubModel
import Synchronization
import Testing

@testable import HubWeb

@Suite("Who may use a hub", .timeLimit(.minutes(5)))
struct SafetyTests {
    // MARK: Where a request comes from

    @Test func onlyItsOwnNamesReachIt() async throws {
        try await TestServer.run {
            $0.names = ["garage", "hub.example.org"]
        } _: { server in
            for host in [
                "127.0.0.1", "127.0.0.1:8080", "localhost", "LOCALHOST:1", "[::1]:80", "192.168.1.9",
                "garage",
                "garage.local:8080", "Hub.Example.org.", "[fe80::1]",
            ] {
                let answer = try await server.request("GET", "/api/v1/hub", host: host)
                #expect(answer.status == 200, "\(host)")
            }
            for host in [
                "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "1.2.3.4.5",
                "a@localhost",
                "999.0.0.1", "example.org", "[x]", "localhost:80:80", "localhost:x",
            ] {
                for path in ["/api/v1/hub", "/", "/healthz", "/metrics"] {
                    let answer = try await server.request("GET", path, host: host)
                    #expect(answer.status == 421, "\(host)")
                    #expect(answer.text.contains("with --names."), "\(host)")
                }
            }
            #expect(try await server.request("GET", "/api/v1/hub", host: "").status == 400)
        }
    }

    @Test func pagesOfStrangersMayAskNothing() async throws {
        try await TestServer.run { server in
            let mine = "127.0.0.1:\(server.port)"
            for (headers, status) in [
                ([("Origin", "http://\(mine)")], 204), ([("Origin", "https://\(mine)")], 403),
                ([("Origin", "http://evil.example")], 403), ([("Origin", "null")], 403),
                ([("Origin", "http://127.0.0.1:1")], 403), ([("Origin", "http://\(mine).evil.example")], 403),
                ([("Origin", "file://")], 403), ([("Sec-Fetch-Site", "same-origin")], 204),
                ([("Sec-Fetch-Site", "none")], 204), ([("Sec-Fetch-Site", "cross-site")], 403),
                ([("Sec-Fetch-Site", "same-site")], 403), ([], 204),
                ([("Origin", "http://\(mine)"), ("Sec-Fetch-Site", "same-origin")], 204),
            ] as [([(String, String)], Int)] {
                let answer = try await server.request(
                    "POST", "/api/v1/radio/retry", headers: headers, host: mine)
                #expect(answer.status == status, "\(headers)")
                let read = try await server.request("GET", "/api/v1/hub", headers: headers, host: mine)
                #expect(read.status == (status == 204 ? 200 : 403), "\(headers)")
            }
            // A link from elsewhere opens the pages.
            let page = try await server.request(
                "GET", "/", headers: [("Sec-Fetch-Site", "cross-site")], host: mine)
            #expect(page.status == 200)
        }
    }

    @Test func everyAnswerSaysWhatABrowserMayDo() async throws {
        try await TestServer.run { server in
            for path in ["/", "/nothing", "/api/v1/hub", "/api/v1/nothing", "/healthz"] {
                let answer = try await server.request("GET", path)
                #expect(answer.header("referrer-policy") == "no-referrer")
                #expect(answer.header("x-frame-options") == "DENY")
                #expect(answer.header("cross-origin-resource-policy") == "same-origin")
                #expect(answer.header("access-control-allow-origin") == nil)
            }
            #expect(try await server.get("/hub").header("cache-control") == "no-store")
        }
    }

    // MARK: The token

    @Test func beyondThisMachineATokenIsNeeded() async throws {
        for (host, isLoopback) in [
            ("127.0.0.1", true), ("localhost", true), ("::1", true), ("[::1]", true), ("127.1.2.3", true),
            ("0.0.0.0", false), ("::", false), ("192.168.1.2", false), ("127.0.0.1.example", false),
            ("", false),
        ] {
            #expect(HubServerConfiguration(host: host).isLoopback == isLoopback, "\(host)")
        }
        await #expect(throws: HubServerError.tokenNeeded) {
            try await TestServer.run(needsLogin: true) {
                $0.host = "0.0.0.0"
            } _: { _ in
            }
        }
        // A token alone does not help when nobody is asked for it.
        await #expect(throws: HubServerError.tokenNeeded) {
            try await TestServer.run {
                $0.host = "0.0.0.0"
            } _: { _ in
            }
        }
    }

    @Test func withoutTheTokenThereIsOnlyTheLogin() async throws {
        try await TestServer.run(needsLogin: true) { server in
            let (token, _) = try await server.access.makeToken()
            for path in [
                "/hub", "/settings", "/events", "/detections", "/database", "/openapi.json", "/nothing",
            ] {
                let answer = try await server.get(path)
                #expect(answer.status == 401 && answer.header("www-authenticate") == "Bearer", "\(path)")
            }
            #expect(try await server.request("GET", "/metrics").status == 401)
            #expect(try await server.request("GET", "/").status == 200)
            #expect(try await server.request("GET", "/healthz").status == 200)
            let session = try await server.get("/session")
            #expect(
                try session.value("signed_in") == .bool(false) && session.value("hub") == .text("test-hub"))
            let bearer = [("Authorization", "Bearer \(token)")]
            #expect(try await server.request("GET", "/api/v1/hub", headers: bearer).status == 200)
            #expect(try await server.request("GET", "/metrics", headers: bearer).status == 200)
        }
    }

    /// Signs in and gives the cookie as a browser sends it back.
    private func signIn(_ server: TestServer, _ token: String) async throws -> [(String, String)] {
        let answer = try await server.request("POST", "/api/v1/session", body: #"{"token":"\#(token)"}"#)
        #expect(answer.status == 204, "\(answer.text)")
        let cookie = try #require(answer.header("set-cookie"))
        for part in ["HttpOnly", "SameSite=Strict", "Path=/"] { #expect(cookie.contains(part)) }
        #expect(!cookie.contains("Secure"))
        return [("Cookie", "theme=dark; \(cookie.split(separator: ";")[0]); other=1")]
    }

    @Test func aBrowserSignsInAndOut() async throws {
        try await TestServer.run(needsLogin: true) { server in
            let (token, _) = try await server.access.makeToken()
            // As a person may type it.
            let cookie = try await signIn(server, " " + token.uppercased().replacing("-", with: " "))
            let other = try await signIn(server, token)
            let hub = try await server.request("GET", "/api/v1/hub", headers: cookie)
            #expect(
                try hub.value("access.sessions") == .number(2) && hub.value("access.login") == .bool(true))
            let out = try await server.request("DELETE", "/api/v1/session", headers: cookie)
            #expect(out.status == 204 && out.header("set-cookie")?.contains("Max-Age=0") == true)
            #expect(try await server.request("GET", "/api/v1/hub", headers: cookie).status == 401)
            #expect(try await server.request("GET", "/api/v1/hub", headers: other).status == 200)
            #expect(
                try await server.request("DELETE", "/api/v1/tokens/sessions", headers: other).status == 204)
            #expect(try await server.request("GET", "/api/v1/hub", headers: other).status == 401)
            _ = try await signIn(server, token)
            #expect(try await server.request("DELETE", "/api/v1/session").status == 204)
        }
    }

    @Test func aNewTokenSignsEverybodyOut() async throws {
        try await TestServer.run(needsLogin: true) { server in
            let (old, _) = try await server.access.makeToken()
            let cookie = try await signIn(server, old)
            try await WebConnection.open(server.port) { stream in
                try await stream.request("GET", "/api/v1/events", headers: cookie)
                #expect(try await stream.head().status == 200)
                let made = try await server.request("POST", "/api/v1/tokens", headers: cookie)
                guard case .text(let new)? = try made.value("token") else { throw WebConnection.Fault.ended }
                #expect(new != old)
                // Its event stream ends, too.
                _ = try await stream.read(upTo: "0\r\n\r\n")
                #expect(try await server.request("GET", "/api/v1/hub", headers: cookie).status == 401)
                let refused = try await server.request(
                    "POST", "/api/v1/session", body: #"{"token":"\#(old)"}"#)
                #expect(refused.status == 401)
                try await Task.sleep(for: .milliseconds(1100))
                _ = try await signIn(server, new)
            }
        }
    }

    @Test func wrongTokensAreRefusedLaterEachTime() async throws {
        // Time stands still, however busy the machine is.
        try await TestServer.run(needsLogin: true, frozenAt: .now) { server in
            // Without a token nothing passes, least of all nothing.
            for text in ["", " ", "-", "x"] {
                let answer = try await server.request(
                    "POST", "/api/v1/session", body: #"{"token":"\#(text)"}"#)
                #expect([401, 429].contains(answer.status))
            }
            let (token, _) = try await server.access.makeToken()
            let soon = try await server.request("POST", "/api/v1/session", body: #"{"token":"wrong"}"#)
            #expect(soon.status == 429)
            guard case .number(let wait)? = try soon.value("retry_after") else {
                throw WebConnection.Fault.ended
            }
            #expect(wait >= 1 && soon.header("retry-after") == "\(Int(wait))")
            // The right one gets in all the same, and forgives the others.
            let bearer = [("Authorization", "Bearer \(token)")]
            #expect(try await server.request("GET", "/api/v1/hub", headers: bearer).status == 200)
            let again = try await server.request("POST", "/api/v1/session", body: #"{"token":"wrong"}"#)
            #expect(again.status == 401)
        }
    }

    @Test func theEmptyTokenNeverPasses() async throws {
        let access = try await AccessControl(store: try DetectionDatabase(), needsLogin: true)
        for text in ["", " ", "---", "\t\n"] {
            #expect(AccessToken(text: text).hash == nil)
            await #expect(throws: AccessControl.Refusal.self) { try await access.check(text, from: client) }
        }
        #expect(await !access.isSignedIn(nil))
        #expect(await !access.isSignedIn(""))
        #expect(!AccessToken.matches([], []))
        #expect(AccessToken.matches([1, 2], [1, 2]) && !AccessToken.matches([1, 2], [1, 3]))
        #expect(!AccessToken.matches([1, 2], [1]))
    }

    private let client = LoginGateTests.client("10.0.0.1")

    /// A token that is kept, and the secret of a browser that has signed in with it.
    private func signedIn(
        _ store: DetectionDatabase
    ) async throws -> (access: AccessControl, token: String, made: Timestamp, secret: String) {
        let access = try await AccessControl(store: store, needsLogin: true)
        let (token, made) = try await access.makeToken()
        let secret = try await access.signIn(token, from: client)
        try await access.keep()
        return (access, token, made, secret)
    }

    @Test func onlyHashesAreKeptAndSurviveARestart() async throws {
        let store = try DetectionDatabase()
        let (_, token, made, secret) = try await signedIn(store)
        let kept = try #require(try await store.settings().values["access"])
        let plain = token.replacing("-", with: "")
        #expect(!kept.contains(token) && !kept.contains(plain) && !kept.contains(secret))
        let again = try await AccessControl(store: store, needsLogin: true)
        #expect(await again.hasToken)
        #expect(await again.isSignedIn(secret))
        try await again.check(token, from: client)
        var state = HubAccess()
        await again.describe(in: &state)
        #expect((state.sessions, state.tokenMade) == (1, made))
        try await again.signOut(secret)
        let last = try await AccessControl(store: store, needsLogin: true)
        #expect(await !last.isSignedIn(secret))
    }

    @Test func aTokenThatCannotBeStoredLeavesTheOneBefore() async throws {
        let store = try DetectionDatabase()
        let (access, token, made, secret) = try await signedIn(store)
        try await store.close()
        await #expect(throws: StoreError.self) { try await access.makeToken() }
        #expect(await access.isSignedIn(secret))
        try await access.check(token, from: client)
        var state = HubAccess()
        await access.describe(in: &state)
        #expect((state.sessions, state.tokenMade) == (1, made))
    }

    @Test func whoSignsOutWhileATokenCannotBeStoredStaysOut() async throws {
        let store = try DetectionDatabase()
        let (_, token, _, secret) = try await signedIn(store)
        let kept = try await store.settings().values["access"]
        let writes = AsyncStream.makeStream(of: CheckedContinuation<Void, any Error>.self)
        let access = AccessControl(
            kept: kept, needsLogin: true, now: { Timestamp(milliseconds: 0) },
            monotonic: { ContinuousClock.now },
            storage: AccessControl.Storage { () async throws(StoreError) in
                kept
            } change: { _ async throws(StoreError) in
                do {
                    try await withCheckedThrowingContinuation { writes.continuation.yield($0) }
                } catch { throw .conflict }
            })
        let other = try await access.signIn(token, from: client)
        var begun = writes.stream.makeAsyncIterator()
        let change = Task { try await access.makeToken() }
        let first = try #require(await begun.next())
        let leaving = Task { try await access.signOut(secret) }
        // At once, whatever becomes of what is stored.
        while await access.isSignedIn(secret) { await Task.yield() }
        first.resume(throwing: StoreError.conflict)
        await #expect(throws: StoreError.self) { _ = try await change.value }
        await begun.next()?.resume()
        try await leaving.value
        #expect(await !access.isSignedIn(secret))
        #expect(await access.isSignedIn(other))
    }

    @Test func tokensThatAreMadeAtOnceAndCannotBeStoredLeaveTheOneBefore() async throws {
        let store = try DetectionDatabase()
        let (access, token, _, secret) = try await signedIn(store)
        try await store.close()
        await withTaskGroup { group in
            for _ in 0..<5 {
                group.addTask {
                    await #expect(throws: StoreError.self) { try await access.makeToken() }
                }
            }
        }
        try await access.check(token, from: client)
        #expect(await access.isSignedIn(secret))
    }

    @Test func sessionsAreBounded() async throws {
        let access = try await AccessControl(store: try DetectionDatabase(), needsLogin: true)
        let (token, _) = try await access.makeToken()
        let first = try await access.signIn(token, from: client)
        for _ in 1...AccessControl.sessionLimit { _ = try await access.signIn(token, from: client) }
        #expect(await !access.isSignedIn(first))
        var state = HubAccess()
        await access.describe(in: &state)
        #expect(state.sessions == AccessControl.sessionLimit)
    }

    @Test func sessionsEndByThemselves() async throws {
        let day: Int64 = 86_400_000
        let clock = Mutex(Timestamp(milliseconds: 1_800_000_000_000))
        let store = try DetectionDatabase()
        func access() async throws -> AccessControl {
            try await AccessControl(
                store: store, needsLogin: true, now: { clock.withLock { $0 } },
                monotonic: { ContinuousClock.now })
        }
        func pass(days: Int64) {
            clock.withLock { $0 = Timestamp(milliseconds: $0.milliseconds + days * day) }
        }
        let one = try await access()
        let (token, _) = try await one.makeToken()
        let (seen, unseen) = (
            try await one.signIn(token, from: client), try await one.signIn(token, from: client)
        )
        #expect(await !one.endOldSessions())
        pass(days: 29)
        #expect(await one.isSignedIn(seen))
        pass(days: 1)
        // Who was not seen for a month is out, and so after a restart.
        #expect(await !one.isSignedIn(unseen))
        #expect(await one.endOldSessions())
        #expect(await one.isSignedIn(seen))
        try await one.keep()
        let two = try await access()
        #expect(await two.isSignedIn(seen))
        #expect(await !two.isSignedIn(unseen))
        // Who is seen each day is out after half a year.
        for _ in 30..<179 {
            pass(days: 1)
            #expect(await two.isSignedIn(seen))
        }
        pass(days: 1)
        #expect(await !two.isSignedIn(seen))
        var state = HubAccess()
        _ = await two.endOldSessions()
        await two.describe(in: &state)
        #expect(state.sessions == 0)
    }

    @Test func aHubHasANameOfItsOwnForItsCookie() async throws {
        let (one, other) = (
            try await AccessControl(store: try DetectionDatabase(), needsLogin: true),
            try await AccessControl(store: try DetectionDatabase(), needsLogin: true)
        )
        _ = try await one.makeToken()
        _ = try await other.makeToken()
        let name = await one.cookieName
        #expect(await other.cookieName != name)
        #expect(SessionCookie(hub: name, isEncrypted: false).name == "lantern-\(name)")
        let encrypted = SessionCookie(hub: name, isEncrypted: true)
        #expect(encrypted.header("x").hasPrefix("__Host-lantern-\(name)=x; Path=/; Max-Age=15552000;"))
        #expect(encrypted.header("x").hasSuffix("; HttpOnly; SameSite=Strict; Secure"))
        #expect(encrypted.header(nil).contains("Max-Age=0"))
        #expect(encrypted.value(in: [.cookie: "lantern-\(name)=y"]) == nil)
        #expect(encrypted.value(in: [.cookie: "a=b; __Host-lantern-\(name)=y"]) == "y")
    }
}
