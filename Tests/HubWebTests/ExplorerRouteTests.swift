// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionHub
import Testing

@testable import HubWeb

@Suite("What a hub answers to an explorer", .timeLimit(.minutes(5)))
struct ExplorerRouteTests {
    private static let tree =
        #"{"name":"Strap","services":[{"uuid":"180f","characteristics":[{"uuid":"2a19","properties":["read"],"octets":"52"}]}]}"#

    private static func send(
        _ server: TestServer, _ method: String, _ path: String, _ body: String? = nil
    ) async throws -> WebAnswer {
        try await server.request(method, "/api/v1" + path, body: body)
    }

    @Test func savesAreKeptNamedComparedAndTakenAway() async throws {
        try await TestServer.run { server in
            let first = try await Self.send(server, "POST", "/saves?name=Before", Self.tree)
            #expect(first.status == 200)
            #expect(try first.value("name") == .text("Before") && first.value("values") == .number(1))
            let changed = Self.tree.replacing("52", with: "51")
            let second = try await Self.send(server, "POST", "/saves", changed)
            #expect(try second.value("name") == .text("Strap"))
            let list = try await server.get("/saves")
            #expect(try list.json().list("items").count == 2)
            let compared = try await server.get("/saves/1/differences?with=2")
            #expect(try compared.json().list("items").count == 1)
            #expect(try await server.get("/saves/1/differences").status == 400)
            #expect(try await server.get("/saves/1/differences?with=9").status == 404)
            let opened = try await server.get("/saves/1/tree")
            #expect(try opened.json().needed("save").needed("name").text("") == "Before")
            #expect(try opened.json().list("services").count == 1)
            #expect(try await server.get("/saves/9/tree").status == 404)
            let file = try await server.get("/saves/1/file")
            #expect(file.header("content-disposition")?.contains("lantern-device-1.json") == true)
            let named = try await Self.send(server, "PATCH", "/saves/1", #"{"name":"<b>"}"#)
            #expect(try named.value("name") == .text("<b>"))
            #expect(try await Self.send(server, "PATCH", "/saves/1", #"{"name":""}"#).status == 422)
            #expect(try await Self.send(server, "POST", "/saves", "{}").status == 422)
            #expect(try await Self.send(server, "DELETE", "/saves/1").status == 204)
            #expect(try await server.get("/saves/1").status == 404)
        }
    }

    @Test func withoutARadioWhatNeedsOneSaysSo() async throws {
        try await TestServer.run { server in
            #expect(try await server.get("/scan/devices").json().list("items").isEmpty)
            #expect(try await server.get("/scan/devices/1").status == 404)
            #expect(try await Self.send(server, "POST", "/scan/keep").status == 204)
            #expect(try await Self.send(server, "POST", "/devices/1/explorer").status == 404)
            #expect(try await server.get("/explorers/1").status == 404)
            #expect(try await server.get("/explorers/1/log").status == 404)
            #expect(try await Self.send(server, "DELETE", "/explorers/1/pair").status == 404)
            let write = #"{"handle":3,"form":"u8","value":"300"}"#
            #expect(try await Self.send(server, "POST", "/explorers/1/write", write).status == 422)
            #expect(try await Self.send(server, "POST", "/explorers/1/read", #"{"handle":0}"#).status == 422)
            #expect(try await server.get("/serving").value("state") == .text("off"))
            _ = try await Self.send(server, "POST", "/saves", Self.tree)
            try await eventually(server)
            #expect(try await Self.send(server, "DELETE", "/serving").status == 204)
        }
    }

    private func eventually(_ server: TestServer) async throws {
        let answer = try await Self.send(server, "POST", "/saves/1/serve", "{}")
        // Before the hub has looked for its radio it may still hope for one.
        #expect([200, 409].contains(answer.status))
    }
}
