// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionStore
import Detections
import Foundation
import HTTPTypes
import Testing

@testable import HubWeb

@Suite("Pages, addresses and methods", .timeLimit(.minutes(5)))
struct ServerTests {
    @Test func pagesHaveTheirTypesAndAreNotSentTwice() async throws {
        try await TestServer.run { server in
            for (path, type) in [
                ("/", "text/html; charset=utf-8"), ("/index.html", "text/html; charset=utf-8"),
                ("/app.js", "text/javascript; charset=utf-8"), ("/tokens.css", "text/css; charset=utf-8"),
                ("/icon.svg", "image/svg+xml"), ("/manifest.webmanifest", "application/manifest+json"),
                ("/pages/history.js?v=1", "text/javascript; charset=utf-8"),
            ] {
                let page = try await server.request("GET", path)
                #expect(page.status == 200 && page.header("content-type") == type, "\(path)")
                #expect(page.header("cache-control") == "no-cache")
                let tag = try #require(page.header("etag"))
                #expect(tag.hasPrefix("\"") && tag.count > 20)
                for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
                    let again = try await server.request("GET", path, headers: [("If-None-Match", known)])
                    #expect(again.status == 304 && again.body.isEmpty && again.header("etag") == tag)
                }
                let other = try await server.request("GET", path, headers: [("If-None-Match", "\"x\"")])
                #expect(other.status == 200)
                let head = try await server.request("HEAD", path)
                #expect(head.status == 200 && head.body.isEmpty)
                #expect(head.header("content-length") == "\(page.body.count)")
            }
        }
    }

    @Test func pagesArePackedForWhoCanUnpackThem() async throws {
        try await TestServer.run { server in
            let plain = try await server.request("GET", "/app.js")
            let tag = try #require(plain.header("etag"))
            #expect(plain.header("content-encoding") == nil && plain.header("vary") == "Accept-Encoding")
            for accepted in ["gzip", "deflate, GZIP;q=0.5", "br, gzip; q=1"] {
                let packed = try await server.request(
                    "GET", "/app.js", headers: [("Accept-Encoding", accepted)])
                #expect(packed.header("content-encoding") == "gzip" && packed.header("etag") == "W/\(tag)")
                #expect(packed.body.count < plain.body.count / 2)
                #expect(try FileUnpacking.whole(packed.body, atMost: 1 << 20) == plain.body)
                let head = try await server.request(
                    "HEAD", "/app.js", headers: [("Accept-Encoding", accepted)])
                #expect(head.header("content-length") == "\(packed.body.count)" && head.body.isEmpty)
            }
            for refused in ["", "br", "gzip;q=0", "gzip;q=0.000", "x-gzip"] {
                let answer = try await server.request(
                    "GET", "/app.js", headers: [("Accept-Encoding", refused)])
                #expect(answer.header("content-encoding") == nil && answer.body == plain.body, "\(refused)")
            }
            let known = [("If-None-Match", "W/\(tag)"), ("Accept-Encoding", "gzip")]
            #expect(try await server.request("GET", "/app.js", headers: known).status == 304)
            let picture = try await server.request(
                "GET", "/icon.png", headers: [("Accept-Encoding", "gzip")])
            #expect(picture.status == 200 && picture.header("content-encoding") == nil)
        }
    }

    @Test func answersArePackedForWhoCanUnpackThem() async throws {
        try await TestServer.run { server in
            _ = try await server.store.save((0..<600).map { Sighting.sample($0 % 40) })
            let (path, gzip) = ("/api/v1", [("Accept-Encoding", "gzip")])
            // A list that is made while it is taken, an answer with a tag, one that is there as a whole.
            for part in ["/detections?limit=1000", "/sources/1", "/openapi.json"] {
                let plain = try await server.get(part)
                #expect(plain.header("content-encoding") == nil, "\(part)")
                #expect(plain.header("vary") == "Accept-Encoding", "\(part)")
                let packed = try await server.request("GET", path + part, headers: gzip)
                #expect(packed.header("content-encoding") == "gzip", "\(part)")
                #expect(packed.header("vary") == "Accept-Encoding")
                #expect(try packed.unpacked() == plain.body, "\(part)")
                #expect(packed.body.count < plain.body.count / 3, "\(part): \(packed.body.count)")
                let length = packed.header("content-length")
                #expect(length == (part.contains("?") ? nil : "\(packed.body.count)"), "\(part)")
                for refused in ["", "br", "gzip;q=0", "identity, gzip; q=0.000"] {
                    let answer = try await server.request(
                        "GET", path + part, headers: [("Accept-Encoding", refused)])
                    #expect(answer.header("content-encoding") == nil && answer.body == plain.body)
                }
            }
            let small = try await server.request("GET", path + "/devices", headers: gzip)
            #expect(small.header("content-encoding") == nil && small.header("vary") == nil)
            let file = try await server.request("GET", path + "/exports/detections.json", headers: gzip)
            #expect(file.header("content-encoding") == nil && file.body.count > 10_000)
            // What was seen packed can be changed like what was not, and each of both only once.
            let seen = try await server.request("GET", path + "/sources/1", headers: gzip)
            let tag = try #require(seen.header("etag"))
            #expect(tag.hasSuffix("-gzip\""))
            for status in [200, 412] {
                let changed = try await server.request(
                    "PATCH", path + "/sources/1", headers: [("If-Match", tag)], body: #"{"note":"x"}"#)
                #expect(changed.status == status)
            }
        }
    }

    /// How long a packed answer is would tell of a secret in it.
    @Test func answersWithSecretsAreNotPacked() async throws {
        try await TestServer.run(needsLogin: true) { server in
            let packable = Set(server.routes.routes.filter { $0.isPackable }.map { $0.name })
            for name in ["makeToken", "listPairings", "getSession", "signIn", "signOut"] {
                #expect(!packable.contains(name), "\(name)")
            }
            #expect(packable.isSuperset(of: ["listDetections", "getHub", "listTokens"]))
        }
    }

    @Test func noAddressLeadsOutOfThePages() async throws {
        try await TestServer.run { server in
            for path in [
                "/../../../../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd",
                "/pages/../app.js", "//etc/passwd", "/pages/", "/pages", "/secret.key", "/app.js%00",
                "/app.js/", "/%ff", "/%", "/App.js", "/nothing",
            ] {
                let answer = try await server.request("GET", path)
                #expect(answer.status == 404, "\(path)")
            }
        }
    }

    @Test func pagesThatNeedNoHubAreBelowAPathOfTheirOwn() async throws {
        let folder = try TestServer.pages()
        try Data([0, 0x61, 0x73, 0x6D]).write(to: folder.appendingPathComponent("engine.wasm"))
        try await TestServer.run {
            $0.browserPages = folder
        } _: { server in
            let moved = try await server.request("GET", "/browser")
            #expect(moved.status == 308 && moved.header("location") == "/browser/")
            for (path, type) in [
                ("/browser/", "text/html; charset=utf-8"), ("/browser/engine.wasm", "application/wasm"),
                ("/browser/pages/history.js", "text/javascript; charset=utf-8"),
            ] {
                let page = try await server.request("GET", path)
                #expect(page.status == 200 && page.header("content-type") == type, "\(path)")
                // A worker has the policy of its own file.
                #expect(
                    page.header("content-security-policy")?.hasSuffix(
                        "; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' https: http:") == true)
            }
            for path in [
                "/browser/nothing", "/browser/../app.js", "/browser/%2e%2e/app.js", "/browser//app.js",
                "/browsers",
            ] {
                let answer = try await server.request("GET", path)
                #expect(answer.status == 404, "\(path)")
            }
            let page = try await server.request("GET", "/")
            #expect(page.header("content-security-policy")?.contains("wasm") == false)
        }
        try await TestServer.run { server in
            let answer = try await server.request("GET", "/browser/")
            #expect(answer.status == 404)
        }
        await #expect(throws: HubServerError.noBrowserPages(folder: "/nothing")) {
            try await TestServer.run {
                $0.browserPages = URL(fileURLWithPath: "/nothing")
            } _: { _ in
            }
        }
    }

    @Test func unknownAddressesAndMethodsAreSaid() async throws {
        try await TestServer.run { server in
            for path in ["", "/", "/nothing", "/hub/", "/hub/more", "/detections/1/2", "/sources/abc"] {
                let answer = try await server.get(path)
                #expect(answer.status == 404, "\(path)")
            }
            for (method, path, allowed) in [
                ("POST", "/hub", "GET"), ("DELETE", "/settings", "GET, PATCH"), ("HEAD", "/hub", "GET"),
                ("TRACE", "/session", "GET, POST, DELETE"), ("OPTIONS", "/events", "GET"),
                ("PATCH", "/database", "GET, PUT"),
            ] {
                let answer = try await server.request(method, "/api/v1" + path)
                #expect(answer.status == 405 && answer.header("allow") == allowed, "\(method) \(path)")
            }
            #expect(try await server.request("POST", "/index.html").header("allow") == "GET, HEAD")
        }
    }

    @Test func whatIsAskedForHasToFitItsDeclaration() async throws {
        try await TestServer.run { server in
            for query in [
                "limit=0", "limit=1001", "limit=x", "limit=1&limit=2", "limit=1.5", "limit=0x10", "nothing=1",
                "cursor=", "min_confidence=2", "min_confidence=nan", "type=bird", "state=old", "place=here",
                "box=1,2,3", "box=1,2,3,999", "box=a,b,c,d", "since=yesterday", "text=%ff", "text=%2",
                "id=-1",
                "cursor=abc", "text=\(String(repeating: "x", count: 129))",
            ] {
                let answer = try await server.get("/detections?\(query)")
                #expect(answer.status == 400, "\(query): \(answer.text)")
            }
            #expect(try await server.get("/hub?x=1").status == 400)
            #expect(try await server.get("/sources?cursor=1").status == 400)
            for (accept, status) in [
                ("application/json", 200), ("*/*", 200), ("application/*;q=0.1", 200), ("text/html", 406),
                ("text/html, application/json;q=0.9", 200), ("application/json;q=0", 406),
            ] {
                let answer = try await server.request(
                    "GET", "/api/v1/hub", headers: [("Accept", accept)])
                #expect(answer.status == status, "\(accept)")
            }
        }
    }

    @Test func bodiesHaveToFitTheirDeclaration() async throws {
        try await TestServer.run { server in
            let path = "/api/v1/detections/bulk"
            for (body, status) in [
                ("", 422), ("{", 400), ("[]", 422), ("{}", 422), (#"{"action":"explode"}"#, 422),
                (#"{"action":"delete"}"#, 422), (#"{"action":"delete","filter":{},"sources":[1]}"#, 422),
                (#"{"action":"delete","filter":{"kind":1}}"#, 422),
                (#"{"action":"delete","detections":["1"]}"#, 422),
                (#"{"action":"delete","detections":[1],"more":1}"#, 422),
                (#"{"action":"mine","value":"yes","sources":[1]}"#, 422), (#"{"action":"restore"}"#, 422),
                (#"{"action":"restore","undo":"x"}"#, 404), (#"{"action":"delete","detections":[]}"#, 200),
                (#"{"action":"delete","action":"mine","detections":[]}"#, 422),
            ] {
                let answer = try await server.request("POST", path, body: body)
                #expect(answer.status == status, "\(body): \(answer.text)")
            }
            let form = try await server.request(
                "POST", path, headers: [("Content-Type", "application/x-www-form-urlencoded")], body: "a=b")
            #expect(form.status == 415)
            let deep = String(repeating: "[", count: 100_000)
            #expect(try await server.request("POST", path, body: deep).status == 400)
        }
    }

    @Test func theDocumentNamesEveryRoute() async throws {
        try await TestServer.run { server in
            let document = try await server.get("/openapi.json").json()
            let paths = try #require(try document.member("paths"))
            for route in server.routes.routes {
                let operation = try #require(
                    try paths.member(route.path)?.member(route.method.rawValue.lowercased()))
                let answers = try #require(try operation.member("responses"))
                #expect(try answers.member("\(route.answer.status.code)") != nil)
                for status in route.allRefusals { #expect(try answers.member("\(status.code)") != nil) }
            }
            let names = server.routes.routes.map { $0.name }
            #expect(Set(names).count == names.count)
        }
    }

    /// Spec: Prometheus text exposition format 0.0.4; the names as `promtool check metrics` wants them.
    @Test func prometheusUnderstandsWhatIsMeasured() async throws {
        let text = try await TestServer.run { server in
            _ = try await server.get("/nothing")
            let answer = try await server.request("GET", "/metrics")
            #expect(answer.header("content-type")?.hasPrefix("text/plain; version=0.0.4") == true)
            return answer.text
        }
        #expect(text.hasSuffix("\n"))
        var (helps, types): ([String], [String: String]) = ([], [:])
        var series = Set<String>()
        let sample =
            /([a-z_]+)(\{[a-z]+="[^"\\]*"(?:,[a-z]+="[^"\\]*")*\})? -?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?/
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            let words = line.split(separator: " ")
            if line.hasPrefix("# HELP ") {
                try #require(words.count > 3)
                helps.append(String(words[2]))
            } else if line.hasPrefix("# TYPE ") {
                try #require(words.count == 4 && ["counter", "gauge", "summary"].contains(words[3]))
                let name = String(words[2])
                // Its help stands before it, and each name has its lines together, once.
                #expect(helps.last == name && types.updateValue(String(words[3]), forKey: name) == nil)
                #expect((words[3] == "counter") == name.hasSuffix("_total"))
                #expect(!name.contains("octets") && !name.contains("millisecond"))
            } else {
                let match = try #require(try sample.wholeMatch(in: line), "\(line)")
                let (name, last) = (String(match.1), try #require(helps.last))
                let allowed = types[last] == "summary" ? [last + "_sum", last + "_count"] : [last]
                #expect(allowed.contains(name), "\(line)")
                #expect(series.insert(name + (match.2 ?? "")).inserted, "\(line)")
            }
        }
        #expect(Set(types.keys) == Set(HubMetrics.Name.allCases.map(\.rawValue)))
    }

    @Test func monitorsLearnHowItIs() async throws {
        try await TestServer.run { server in
            let health = try await server.request("GET", "/healthz")
            #expect((health.status, health.text) == (200, "ok\n"))
            _ = try await server.get("/nothing")
            let metrics = try await server.request("GET", "/metrics").text
            for line in [
                "# TYPE lantern_http_requests_total counter",
                #"lantern_http_requests_total{method="GET",status="404"} 1.0"#,
                "# TYPE lantern_http_request_duration_seconds summary",
                "lantern_http_request_duration_seconds_count 2",
                "# TYPE lantern_radio_scanning gauge", "lantern_radio_scanning 0.0", "lantern_detections 0.0",
            ] {
                #expect(metrics.split(separator: "\n").contains(line[...]), "\(line)")
            }
        }
    }

    @Test func aPortThatIsTakenIsSaid() async throws {
        try await TestServer.run { server in
            _ = try await server.get("/hub")
            let error = await #expect(throws: HubServerError.self) {
                try await TestServer.run {
                    $0.port = server.port
                } _: { _ in
                }
            }
            #expect(error?.description.contains("127.0.0.1:\(server.port)") == true)
        }
        await #expect(throws: HubServerError.noPages) {
            try await TestServer.run {
                $0.pages = URL(fileURLWithPath: "/nothing")
            } _: { _ in
            }
        }
    }

    @Test func manyRequestsGoOverOneConnection() async throws {
        try await TestServer.run { server in
            try await WebConnection.open(server.port) { connection in
                for path in ["/healthz", "/nothing", "/app.js", "/api/v1/hub"] {
                    try await connection.request("GET", path)
                    _ = try await connection.answer()
                }
                // Two that are sent together are answered in order.
                try await connection.request("GET", "/healthz")
                try await connection.request("GET", "/nothing")
                #expect(try await connection.answer().status == 200)
                #expect(try await connection.answer().status == 404)
            }
        }
    }
}
