// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import CompanionStore
import Detections
import Foundation
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
            guard case .text(let reason)? = try broken.value("broken.reason") else {
                Issue.record("\(broken.text)")
                return
            }
            #expect(reason.hasPrefix("no column is named device_type, rssi, confidence, timestamp"))
            #expect(try await Self.post(server, "\n").value("broken.reason") == .text("the file is empty"))
            #expect(try await Self.post(server, "").status == 422)
            #expect(try await Self.post(server, Self.csv, query: "?dry_run=maybe").status == 400)
        }
    }

    @Test func aCompressedFileIsUnpacked() async throws {
        try await TestServer.run { server in
            let octets = try #require(Data(base64Encoded: Self.packed).map { Array($0) })
            let answer = try await server.request("POST", Self.path, headers: Self.octets, octets: octets)
            #expect(try answer.value("imported") == .number(2) && answer.value("refused") == .number(2))
            // One reason, told once.
            #expect(
                try answer.value("faults.0.line") == .number(3) && answer.value("faults.0.rows") == .number(2)
            )
            #expect(try answer.value("faults.1") == nil && answer.value("notes.0") == nil)
            let short = try await server.request(
                "POST", Self.path, headers: Self.octets, octets: Array(octets.dropLast(9)))
            #expect(
                try short.value("broken.reason")
                    == .text("its compressed data end too early; copy or download the file again"))
            let cameras = try #require(Data(base64Encoded: Self.packedCameras).map { Array($0) })
            let known = try await server.request(
                "POST", Self.known("a"), headers: Self.octets, octets: cameras)
            #expect(try known.value("cameras") == .number(1))
            let found = try await server.get("/map/known?box=11,48,12,49")
            #expect(try found.value("known.0.reference") == .text("node/7"))
            #expect(try found.value("known.0.directions.1") == .number(90))
        }
    }

    @Test func whatIsToBeKnownOfRowsIsNoted() async throws {
        try await TestServer.run { server in
            let text =
                "mac,name,rssi,method,last_seen_ms,latitude,longitude\n58:8e:81:00:00:02,FS Ext Battery,-61,ble_name,2,1,2\n"
            let first = try await Self.post(server, text)
            #expect(try first.value("imported") == .number(1) && first.value("faults.0") == nil)
            guard case .text(let note)? = try first.value("notes.0.reason") else {
                Issue.record("\(first.text)")
                return
            }
            #expect(note.contains("the time of the import"))
            #expect(try await Self.post(server, text).value("known") == .number(1))
        }
    }

    private static let packed =
        "H4sIAAAAAAACA0tJLctMTo0vqSxItS4qLs60Ts7PS8tMSc1LTrUuycxNLS5JzC3g5QrKzEu31jUzsDa0NjIwMtE1MAQiqHAFNsFKNEHHisxioAGG1gZ6pggJI14uAL8XxeuBAAAA"
    private static let packedCameras =
        "H4sIAAAAAAACA4uuVspMUbIy11HKSSxRsjKx0DMEMvPzlKwMDfVMdZRKEtOLlayqlXIT80rTEpNLSotSi5SslNxy8pOzFYIT01JLKpV0lFIyi1KTSzJB2pRMTK0tDZRqa2MBl3XAMVsAAAA="

    /// What a file is called says nothing of what is in it; curl's --data-binary calls all of them a form.
    @Test(arguments: ["application/x-www-form-urlencoded", "text/csv", "application/gpx+xml", nil])
    func aFileIsTakenWhateverItsSenderCallsIt(type: String?) async throws {
        try await TestServer.run { server in
            let answer = try await server.request(
                "POST", "/api/v1/imports/detections", headers: type.map { [("Content-Type", $0)] } ?? [],
                octets: Array(Self.csv.utf8))
            #expect(try answer.value("imported") == .number(2))
        }
    }

    @Test func aFormIsRefusedWithWhatToSendInItsPlace() async throws {
        try await TestServer.run { server in
            let answer = try await Self.post(server, Self.csv, type: "multipart/form-data; boundary=x")
            #expect(answer.status == 415 && answer.text.contains("--data-binary @FILE"))
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
            let set = ReferenceCameras(
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

    /// Two at once would only undo each other's work on what is known already; a set of known cameras waits, too.
    @Test func oneFileIsImportedAtATime() async throws {
        try await TestServer.run { server in
            let file = Array(Self.csv.utf8)
            try await WebConnection.open(server.port) { connection in
                try await connection.send(
                    "POST \(Self.path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\n"
                        + "Content-Length: \(file.count)\r\n\r\n")
                try await connection.send(Array(file.prefix(100)))
                try await server.importing(1)
                for path in [Self.path, Self.path + "?dry_run=true", Self.known("a")] {
                    let second = try await server.request(
                        "POST", path, headers: Self.octets, octets: file)
                    #expect(second.status == 409 && second.text.contains("Wait until it is done"), "\(path)")
                }
                #expect(try await server.store.count() == 0)
                try await connection.send(Array(file.dropFirst(100)))
                #expect(try await connection.answer().value("imported") == .number(2))
            }
            try await server.importing(0)
            #expect(try await Self.post(server, Self.csv).value("known") == .number(2))
            // One that goes away in the middle makes room.
            try await WebConnection.open(server.port) { connection in
                try await connection.send(
                    "POST \(Self.path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\n"
                        + "Content-Length: \(file.count)\r\n\r\n")
                try await connection.send(Array(file.prefix(100)))
                try await server.importing(1)
            }
            try await server.importing(0)
            #expect(try await Self.post(server, Self.csv).status == 200)
        }
    }

    private static let octets = [("Content-Type", "application/octet-stream")]

    private static func known(_ name: String) -> String { "/api/v1/map/known?name=\(name)" }

    @Test func aSetOfKnownCamerasComesInAndGoes() async throws {
        try await TestServer.run {
            $0.limits.knownSet = 2000
        } _: { server in
            let file = """
                {"timestamp":"2026-11-21","features":[
                {"id":"node/1","properties":{"man_made":"surveillance"},"geometry":{"type":"Point","coordinates":[13,52]}},
                {"properties":{"man_made":"surveillance"},"geometry":{"type":"Point","coordinates":[200,52]}},
                {"properties":{"highway":"stop"},"geometry":null}]}
                """
            let send = { (name: String, text: String) in
                try await server.request(
                    "POST", Self.known(name), headers: Self.octets, octets: Array(text.utf8))
            }
            let first = try await send("my%20street&origin=deflock.geojson", file)
            #expect(first.status == 200, "\(first.text)")
            #expect(try first.value("cameras") == .number(1) && first.value("name") == .text("my street"))
            #expect(try first.value("refused") == .number(1) && first.value("passed") == .number(1))
            #expect(try first.value("replaced") == nil && first.value("origin") == .text("deflock.geojson"))
            #expect(try first.value("faults.0.line") == .number(3))
            #expect(try first.value("faults.0.rows") == .number(1) && first.value("faults.1") == nil)
            #expect(try await send("my%20street", file).value("replaced") == .number(1))
            #expect(try await server.get("/map/known").value("known.0.set") == .text("my street"))
            #expect(try first.value("note") == nil)
            let node = #"{"type":"node","id":1,"lat":48,"lon":11,"tags":{"man_made":"surveillance"}}"#
            let part = try await send("town", #"{"elements":[\#(node)],"remark":"runtime error: too much"}"#)
            let note =
                "The answer of Overpass is incomplete: runtime error: too much. Ask it again for a smaller area."
            #expect(try part.value("cameras") == .number(1) && part.value("note") == .text(note))
            #expect(try await server.request("DELETE", Self.known("town")).status == 204)
            // What cannot be used changes nothing.
            for (text, words) in [
                ("hello", "line 1, it is neither GeoJSON"), ("", "the file is empty"),
                (#"{"features":[]}"#, "has no camera"), ("<gpx/>", "it is GPX"),
                (#"{"features":["#, "it ends too early"),
            ] {
                let refused = try await send("my%20street", text)
                #expect(refused.status == 422 && refused.text.contains(words), "\(refused.text)")
                #expect(refused.text.contains("Nothing was changed."))
            }
            #expect(try await send("my%20street", file + String(repeating: " ", count: 2000)).status == 413)
            #expect(try await send("", file).status == 400)
            #expect(try await send(String(repeating: "%C3%A4", count: 51), file).status == 400)
            #expect(
                try await server.request("POST", "/api/v1/map/known", headers: Self.octets, octets: [])
                    .status == 400)
            let sets = try await server.get("/map/known/sets")
            #expect(try sets.json().list("sets").count == 1 && sets.value("sets.0.cameras") == .number(1))
            #expect(try sets.value("sets.0.version") == .text("2026-11-21"))
            #expect(try await server.request("DELETE", Self.known("other")).status == 404)
            #expect(try await server.request("DELETE", Self.known("my%20street")).status == 204)
            #expect(try await server.get("/map/known/sets").json().list("sets").isEmpty)
            #expect(try await server.get("/map/known").value("known.0") == nil)
        }
    }
}
