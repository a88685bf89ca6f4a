// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionStore
import Testing

@testable import HubWeb

@Suite("Files that come into a hub, and what others know", .timeLimit(.minutes(5)))
struct ImportRouteTests {
    private static let path = "/api/v1/imports/detections"
    private static let csv = """
        device_type;rssi;confidence;timestamp\r
        Ring;-60;1;2024-01-01\r
        Ring;x;1;2024-01-01\r
        Axis;-61;0.5;2024-01-02\r

        """

    private static func post(
        _ server: TestServer, _ text: String, query: String = "", type: String = "application/octet-stream"
    ) async throws -> WebAnswer {
        try await server.request(
            "POST", path + query, headers: [("Content-Type", type)], octets: Array(text.utf8))
    }

    @Test func aFileIsTriedAndThenImported() async throws {
        try await TestServer.run { server in
            let trial = try await Self.post(server, Self.csv, query: "?dry_run=true")
            #expect(try trial.value("imported") == .number(2) && trial.value("dry_run") == .bool(true))
            #expect(try await server.store.count() == 0)
            let done = try await Self.post(server, Self.csv)
            #expect(try done.value("imported") == .number(2) && done.value("dry_run") == .bool(false))
            #expect(try done.value("refused") == .number(1) && done.value("broken") == nil)
            #expect(try done.value("faults.0.line") == .number(3))
            #expect(try done.value("faults.0.reason") == .text("its rssi is not a whole number"))
            #expect(try await server.store.count() == 2)
            let again = try await Self.post(server, Self.csv, query: "?dry_run=false")
            #expect(try again.value("imported") == .number(0) && again.value("known") == .number(2))
            #expect(try await server.store.count() == 2)
        }
    }

    @Test func whatCannotBeReadIsSaid() async throws {
        try await TestServer.run { server in
            let broken = try await Self.post(server, "hello")
            #expect(
                try broken.value("broken.reason")
                    == .text("no column is named device_type, rssi, confidence, timestamp"))
            #expect(try await Self.post(server, "").value("broken.reason") == .text("the file is empty"))
            #expect(try await Self.post(server, Self.csv, type: "text/csv").status == 415)
            #expect(try await Self.post(server, Self.csv, query: "?dry_run=maybe").status == 400)
        }
    }

    @Test func aFileThatIsTooLargeIsNotTakenWhole() async throws {
        try await TestServer.run {
            $0.limits.importing = 100
        } _: { server in
            let answer = try await Self.post(server, Self.csv)
            #expect(answer.status == 413)
        }
    }

    @Test func knownCamerasAreOnTheMapAndBesideADetection() async throws {
        try await TestServer.run { server in
            #expect(try await server.get("/map/known").value("more") == .bool(false))
            var file = KnownCameraFile()
            let features = (0..<600).map { number in
                #"{"id":"node/\#(number)","properties":{"man_made":"surveillance","name":"<b>\#(number)"},"geometry":"#
                    + #"{"type":"Point","coordinates":[\#(number < 2 ? 179.9 : -179.9),10]}}"#
            }
            file.receive(Array("{\"features\":[\(features.joined(separator: ","))]}".utf8))
            file.finish()
            let set = KnownSet(
                name: "deflock", cameras: 600, origin: "", version: "", imported: Timestamp(milliseconds: 0))
            _ = try await server.store.replace(known: set, with: file.cameras)
            let west = try await server.get("/map/known?box=170,0,180,20")
            #expect(try west.value("known.1.reference") == .text("node/1") && west.value("known.2") == nil)
            #expect(try west.value("known.0.name") == .text("<b>0") && west.value("known.0.direction") == nil)
            #expect(try west.value("known.0.set") == .text("deflock") && west.value("more") == .bool(false))
            let both = try await server.get("/map/known?box=179,0,-179,20")
            #expect(try both.json().list("known").count == 500 && both.value("more") == .bool(true))
            #expect(try await server.get("/map/known?box=1,2,3").status == 400)
            #expect(try await server.get("/map/known?zoom=3").status == 400)
            _ = try await server.store.save([
                .sample(1, at: Position(latitude: 10.0001, longitude: 179.9)), .sample(2),
            ])
            let near = try await server.get("/detections/1")
            #expect(try near.value("known_nearby.reference") == .text("node/0"))
            #expect(try near.value("known_nearby.metres") == .number(11))
            #expect(try await server.get("/detections/2").value("known_nearby") == nil)
        }
    }
}
