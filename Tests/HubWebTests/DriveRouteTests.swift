// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionHub
import CompanionStore
import Detections
import Testing

@testable import HubWeb

@Suite("What a hub answers about drives and its own place", .timeLimit(.minutes(5)))
struct DriveRouteTests {
    private static func piece(_ begin: Int) -> DrivePiece {
        DrivePiece(
            source: .receiver,
            points: (begin..<begin + 100).map { number in
                DrivePoint(
                    time: Int64(number) * 1000, latitude: 48 + Double(number) * 0.0001, longitude: 2,
                    speed: number == begin ? nil : 11.1)
            }, metres: 1111.04)
    }

    @Test func drivesAreListedShownAndDeleted() async throws {
        try await TestServer.run { server in
            #expect(try await server.get("/drives").text == #"{"drives":[]}"#)
            for begin in [0, 1000, 2000] { _ = try await server.store.save(Self.piece(begin)) }
            let list = try await server.get("/drives?limit=2")
            #expect(
                list.text.hasPrefix(
                    #"{"drives":[{"id":3,"begin":"1970-01-01T00:33:20.000Z","end":"1970-01-01T00:34:59.000Z","#
                        + #""metres":1111.0,"source":"gpsd","sources_new":0,"sources_known":0},{"id":2,"#),
                "\(list.text)")
            let drive = try await server.get("/drives/1")
            #expect(try drive.json().list("points").count == 100)
            #expect(
                drive.text.contains(#""points":[[48.0,2.0,0,null],[48.0001,2.0,1000,11.1],"#), "\(drive.text)"
            )
            #expect(try await server.request("DELETE", "/api/v1/drives/1").status == 204)
            #expect(try await server.request("DELETE", "/api/v1/drives/1").status == 404)
            #expect(try await server.get("/drives/1").status == 404)
            #expect(try await server.get("/drives/99999999999999999999").status == 404)
            #expect(try await server.get("/drives").json().list("drives").count == 2)
        }
    }

    @Test func waysOnTheMap() async throws {
        try await TestServer.run { server in
            _ = try await server.store.save(Self.piece(0))
            let ways = try await server.get("/map/routes?box=1,47,3,49&zoom=12")
            #expect(
                ways.text
                    == #"{"routes":[{"drive":1,"begin":"1970-01-01T00:00:00.000Z","end":"1970-01-01T00:01:39.000Z","#
                    + #""metres":1111.0,"points":[[48.0,2.0],[48.0099,2.0]]}]}"#)
            #expect(try await server.get("/map/routes?box=3,47,4,49&zoom=12").text == #"{"routes":[]}"#)
            for query in [
                "", "?box=1,2,3,4", "?box=1,2,3&zoom=1", "?box=1,2,3,4&zoom=25", "?box=a,2,3,4&zoom=1",
            ] {
                #expect(try await server.get("/map/routes" + query).status == 400, "\(query)")
            }
        }
    }

    @Test func aBrowserSaysWhereTheHubIs() async throws {
        try await TestServer.run { server in
            let body =
                #"{"latitude":48.1,"longitude":2.5,"accuracy":12,"altitude":null,"altitude_accuracy":null,"#
                + #""speed":3,"heading":90,"time":"2026-11-23T15:00:00.000Z"}"#
            let path = "/api/v1/position"
            let early = try await server.request("POST", path, body: body)
            #expect(early.status == 409 && early.text.contains("does not take its place from a browser"))
            let chosen = try await server.request(
                "PATCH", "/api/v1/settings", headers: [("If-Match", "*")],
                body: #"{"location":{"source":"browser"}}"#)
            #expect(chosen.status == 200)
            var hub = try await server.get("/hub")
            #expect(try hub.value("location.state") == .text("no_fix"))
            #expect(try hub.value("location.reason") != .null)
            var minute = 0
            repeat {
                // On a busy machine ten seconds may pass until the hub is asked.
                let later = body.replacing("15:00", with: minute < 10 ? "15:0\(minute)" : "15:\(minute)")
                let used = try await server.request("POST", path, body: later)
                #expect(used.text == #"{"used":true,"reason":null}"#)
                hub = try await server.get("/hub")
                minute += 1
            } while try hub.value("location.state") != .text("fix") && minute < 60
            #expect(try hub.value("location.source") == .text("browser"))
            #expect(try hub.value("location.state") == .text("fix"))
            #expect(try hub.value("location.latitude") == .number(48.1))
            #expect(try hub.value("location.accuracy") == .number(12))
            #expect(try hub.value("location.speed") == .number(3))
            #expect(try hub.value("location.heading") == .number(90))
            #expect(try hub.value("location.activity") == .text("running"))
            let again = try await server.request("POST", path, body: body)
            #expect(again.status == 200 && again.text.contains("is not newer than the one before it"))
            #expect(try await server.get("/hub").value("location.reason") != .null)
            for bad in [
                "{}", #"{"latitude":91,"longitude":0}"#, #"{"latitude":1}"#,
                #"{"latitude":1,"longitude":2,"x":1}"#,
            ] {
                #expect(try await server.request("POST", path, body: bad).status == 422, "\(bad)")
            }
        }
    }
}
