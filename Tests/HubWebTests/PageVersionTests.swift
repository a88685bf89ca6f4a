// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import HubWeb

@Suite("Versions of the pages", .timeLimit(.minutes(5)))
struct PageVersionTests {
    private static let forever = "public, max-age=31536000, immutable"

    /// Where the first page has its script.
    private static func folder(_ server: TestServer) async throws -> String {
        let page = try await server.request("GET", "/")
        let addresses = page.text.split(separator: "\"")
        let script = try #require(addresses.first { $0.hasSuffix("/app.js") })
        return "/\(script.dropLast("app.js".count))"
    }

    @Test func whatAPageIsMadeOfIsAskedForOnlyOnce() async throws {
        try await TestServer.run { server in
            let page = try await server.request("GET", "/")
            #expect(page.header("cache-control") == "no-cache")
            // An installed app begins where its manifest is.
            #expect(page.text.contains(#"<link rel="manifest" href="./manifest.webmanifest">"#))
            let folder = try await Self.folder(server)
            #expect(folder.hasPrefix("/v/"))
            for name in ["app.js", "tokens.css", "icon.svg", "pages/history.js", "app.js?1"] {
                let plain = try await server.request("GET", "/" + name)
                #expect(plain.header("cache-control") == "no-cache")
                let answer = try await server.request("GET", folder + name)
                #expect(answer.status == 200 && answer.body == plain.body, "\(name)")
                #expect(answer.header("cache-control") == Self.forever)
                #expect(answer.header("content-type") == plain.header("content-type"))
                let tag = try #require(answer.header("etag"))
                let again = try await server.request("GET", folder + name, headers: [("If-None-Match", tag)])
                #expect(again.status == 304 && again.header("cache-control") == Self.forever)
            }
        }
    }

    @Test func aPageOfAnotherVersionGetsWhatThereIsNow() async throws {
        try await TestServer.run { server in
            let now = try await server.request("GET", "/pages/history.js")
            for version in ["0123456789abcdef", "%20", ""] {
                let answer = try await server.request("GET", "/v/\(version)/pages/history.js")
                #expect(answer.status == 200 && answer.body == now.body, "\(version)")
                #expect(answer.header("cache-control") == "no-cache")
            }
        }
    }

    @Test func onlyWhatPagesAreMadeOfIsInAVersion() async throws {
        try await TestServer.run { server in
            let folder = try await Self.folder(server)
            for name in [
                "", "index.html", "nothing", "/app.js", "../app.js", "%2e%2e/app.js", "v/0/app.js", "healthz",
                "metrics", "api/v1/hub", "browser/",
            ] {
                let answer = try await server.request("GET", folder + name)
                #expect(answer.status == 404, "\(name)")
            }
            for path in ["/v", "/v/", String(folder.dropLast())] {
                let answer = try await server.request("GET", path)
                #expect(answer.status == 404, "\(path)")
            }
            // The system may replace Leaflet, where it has it.
            let leaflet = "leaflet/leaflet.css"
            let plain = try await server.request("GET", "/" + leaflet)
            let inside = try await server.request("GET", folder + leaflet)
            #expect(inside.status == plain.status && inside.body == plain.body)
            #expect(inside.header("cache-control") != Self.forever)
        }
    }

    @Test func everyFileMakesAnotherVersion() throws {
        let folder = try TestServer.pages()
        defer { try? FileManager.default.removeItem(at: folder) }
        let version = try PageFiles(folder: folder, isVersioned: true).version
        #expect(try PageFiles(folder: folder).version == version)
        for name in ["index.html", "pages/history.js", "icon.png", "added.js"] {
            let file = folder.appendingPathComponent(name)
            let before = try? Data(contentsOf: file)
            try Data("other".utf8).write(to: file)
            #expect(try PageFiles(folder: folder).version != version, "\(name)")
            if let before { try before.write(to: file) } else { try FileManager.default.removeItem(at: file) }
            #expect(try PageFiles(folder: folder).version == version, "\(name)")
        }
    }

    /// Their worker knows their files by name.
    @Test func pagesThatNeedNoHubHaveNoVersion() async throws {
        let folder = try TestServer.pages()
        defer { try? FileManager.default.removeItem(at: folder) }
        try await TestServer.run {
            $0.browserPages = folder
        } _: { server in
            let page = try await server.request("GET", "/browser/")
            let file = try Data(contentsOf: folder.appendingPathComponent("index.html"))
            #expect(page.body == Array(file))
            let answer = try await server.request("GET", "/browser/v/0123456789abcdef/app.js")
            #expect(answer.status == 404)
        }
    }
}
