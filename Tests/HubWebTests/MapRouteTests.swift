// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionHub
import CompanionStore
import FlockFinder
import Testing

@testable import HubWeb

@Suite("The map of a hub", .timeLimit(.minutes(5)))
struct MapRouteTests {
    /// A hub with three sources in one town and one far away, all of them on the map.
    private static func filled(_ body: @Sendable (TestServer) async throws -> Void) async throws {
        try await TestServer.run { server in
            let places = [(52.1, 8.7), (52.1001, 8.7001), (52.11, 8.72), (-33.0, 151.0)]
            _ = try await server.store.save(
                places.enumerated().map { number, place in
                    .sample(
                        number, type: number == 0 ? .ring : .axis, ssid: "camera \(number)",
                        at: Position(latitude: place.0, longitude: place.1))
                })
            while try await server.get("/map?box=-180,-90,180,90&zoom=18").value("sources") != .number(4) {
                await Task.yield()
            }
            try await body(server)
        }
    }

    @Test func sourcesThatOverlapAreOneCluster() async throws {
        try await Self.filled { server in
            let world = try await server.get("/map?box=-180,-90,180,90&zoom=3")
            #expect(try world.json().list("clusters").count == 1)
            #expect(try world.json().list("pins").count == 1)
            #expect(try world.json().list("heat").isEmpty)
            #expect(try world.value("progress") == nil)
            let cluster = try #require(try world.json().list("clusters").first)
            #expect(try cluster.member("count")?.number("count", in: 0...9) == 3)
            #expect(try cluster.list("types").count == 2)
            let town = try await server.get("/map?box=8.6,52.0,8.8,52.2&zoom=17&heat=true")
            #expect(try town.value("sources") == .number(3))
            // Two are nearer to each other than their pins are wide; sightings are counted by squares.
            #expect(try town.json().list("pins").count == 1 && town.json().list("clusters").count == 1)
            let heat = try town.json().list("heat").map { spot in
                if case .array(let values) = spot.value { values.count } else { 0 }
            }
            #expect(heat == [3, 3])
            let place = try #require(try town.json().list("pins").first?.member("place"))
            #expect(try place.member("spots")?.number("spots", in: 0...9) == 1)
            let rings = try await server.get("/map?box=-180,-90,180,90&zoom=3&type=ring")
            #expect(try rings.value("sources") == .number(1))
            let listed = try await server.get("/sources")
            #expect(try listed.json().list("items").allSatisfy { try $0.member("place") != nil })
        }
    }

    @Test(arguments: [
        "", "?box=1,2,3,4", "?zoom=3", "?box=1,2,3&zoom=3", "?box=1,2,3,4&zoom=25", "?box=1,2,3,4&zoom=-1",
        "?box=a,b,c,d&zoom=3", "?box=1,2,3,400&zoom=3", "?box=nan,2,3,4&zoom=3",
        "?box=1,2,3,4&zoom=3&heat=yes",
        "?box=1,2,3,4&zoom=3&nothing=1",
    ])
    func whatIsNoPartOfTheMapIsRefused(query: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.request("GET", "/api/v1/map\(query)")
            #expect(answer.status == 400, "\(answer.text)")
        }
    }

    @Test func aBoxUpsideDownHasNothing() async throws {
        try await Self.filled { server in
            let none = try await server.get("/map?box=-180,90,180,-90&zoom=3&heat=true")
            #expect(try none.value("sources") == .number(0))
            #expect(try none.json().list("heat").isEmpty)
        }
    }

    @Test func withoutAFileThereAreNoPictures() async throws {
        try await TestServer.run { server in
            let answer = try await server.request("GET", "/api/v1/tiles/0/0/0")
            #expect(answer.status == 404 && answer.text.contains("--map-file"))
            for path in ["0/0", "a/0/0", "25/0/0", "1/-1/0", "0/0/99999999"] {
                let status = try await server.request("GET", "/api/v1/tiles/\(path)").status
                #expect(status == 400 || status == 404, "\(path): \(status)")
            }
        }
    }

    @Test(arguments: [
        (#"{"tiles":"server"}"#, "needs an address"), (#"{"tiles":"moon"}"#, "must be one of"),
        (#"{"server":"ftp://a/{z}/{x}/{y}"}"#, "must begin with"),
        (#"{"server":"https://a/{z}/{x}"}"#, "must have {z}"),
        (#"{"server":"https://a/{z}/{x}/{y};script-src *"}"#, "a character"),
        (#"{"server":7}"#, "must be text"), (#"{"nothing":1}"#, ""),
    ])
    func whatIsNoMapServerIsRefused(map: String, sentence: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.request(
                "PATCH", "/api/v1/settings", headers: [("If-Match", "*")], body: #"{"map":\#(map)}"#)
            #expect(answer.status == 422)
            #expect(answer.text.contains(sentence), "\(answer.text)")
        }
    }

    @Test func aMapServerIsKept() async throws {
        try await TestServer.run { server in
            let body =
                #"{"map":{"tiles":"server","server":"https://t.example/{z}/{x}/{y}.png","attribution":"© E"}}"#
            let answer = try await server.request(
                "PATCH", "/api/v1/settings", headers: [("If-Match", "*")], body: body)
            #expect(try answer.value("map.tiles") == .text("server"))
            #expect(try await server.get("/settings").value("map.attribution") == .text("© E"))
            #expect(try await server.get("/hub").value("map_file") == nil)
            let policy = try await server.request("GET", "/").header("content-security-policy")
            #expect(policy?.hasSuffix("; img-src 'self' https://t.example") == true)
            _ = try await server.request(
                "PATCH", "/api/v1/settings", headers: [("If-Match", "*")], body: #"{"map":{"tiles":"none"}}"#)
            let plain = try await server.request("GET", "/").header("content-security-policy")
            #expect(plain?.contains("img-src") == false)
        }
    }
}
