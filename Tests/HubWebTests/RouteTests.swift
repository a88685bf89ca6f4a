// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionHub
import CompanionStore
import Detections
import FlockFinder
import Testing

@testable import HubWeb

@Suite("What a hub answers", .timeLimit(.minutes(5)))
struct RouteTests {
    /// A hub with five detections of three sources: 1 ring, 2 axis, 3 flock safety.
    private static func filled(_ body: @Sendable (TestServer) async throws -> Void) async throws {
        try await TestServer.run { server in
            let sightings: [Sighting] = [
                .sample(1, ssid: "door"), .sample(2, type: .axis, ssid: "gate", confidence: 0.4),
                .sample(3, ssid: "door", at: Position(latitude: 52.1, longitude: 8.7)),
                .sample(4, type: .flockSafety, ssid: "<b>Ä</b>\u{202E}"),
                .sample(5, type: .flockSafety, ssid: "<b>Ä</b>\u{202E}"),
            ]
            // All at one moment: lists have the latest first.
            let moment = sightings[0].received
            _ = try await server.store.save(
                sightings.map { sighting in
                    var sighting = sighting
                    sighting.received = moment
                    return sighting
                })
            try await body(server)
        }
    }

    private static func ids(_ answer: WebAnswer) throws -> [Int] {
        try answer.json().list("items").compactMap { item in
            try item.member("id")?.number("id", in: 0...1_000_000 as ClosedRange<Int>)
        }
    }

    // MARK: Hub and settings

    @Test func theHubSaysHowItIs() async throws {
        try await Self.filled { server in
            let hub = try await server.get("/hub")
            #expect(try hub.value("name") == .text("test-hub") && hub.value("version") == .text("9.9"))
            #expect(try hub.value("access.login") == .bool(false))
            #expect(try await server.request("POST", "/api/v1/radio/retry").status == 204)
        }
    }

    @Test func settingsAreChangedByOneAtATime() async throws {
        try await TestServer.run { server in
            let path = "/api/v1/settings"
            let seen = try await server.get("/settings")
            let tag = try #require(seen.header("etag"))
            let patch = #"{"theme":"dark","alerts":{"volume":0.2}}"#
            let blind = try await server.request("PATCH", path, body: patch)
            #expect(try blind.status == 428 && blind.value("title") == .text("Precondition Required"))
            let changed = try await server.request("PATCH", path, headers: [("If-Match", tag)], body: patch)
            #expect(changed.status == 200 && changed.header("etag") != tag)
            #expect(try changed.value("theme") == .text("dark"))
            #expect(try changed.value("alerts.volume") == .number(0.2))
            #expect(try changed.value("alerts.sound") == seen.value("alerts.sound"))
            for old in [tag, "\"999\"", "nonsense", "W/\"1\""] where old != changed.header("etag") {
                let late = try await server.request("PATCH", path, headers: [("If-Match", old)], body: "{}")
                #expect(late.status == 412, "\(old)")
                #expect(try late.value("title") == .text("Precondition Failed"))
            }
            let any = try await server.request(
                "PATCH", path,
                headers: [("If-Match", "*"), ("Content-Type", "application/merge-patch+json")],
                body: #"{"theme":null}"#)
            #expect(try any.value("theme") == .text("system"))
            for body in [#"{"theme":"pink"}"#, #"{"nothing":1}"#, #"{"min_confidence":2}"#, "[]", "1"] {
                let bad = try await server.request("PATCH", path, headers: [("If-Match", "*")], body: body)
                #expect(bad.status == 422, "\(body): \(bad.text)")
            }
        }
    }

    // MARK: Devices

    @Test func devicesThatAreNotThereAreNotFound() async throws {
        try await TestServer.run { server in
            #expect(try Self.ids(await server.get("/devices")) == [])
            for (path, body) in [
                ("/devices/7/connect", nil), ("/devices/7/disconnect", nil),
                ("/devices/7/commands", #"{"command":"PING"}"#),
            ] as [(String, String?)] {
                let answer = try await server.request("POST", "/api/v1" + path, body: body)
                #expect(answer.status == 404, "\(path)")
            }
            let change = try await server.request("PATCH", "/api/v1/devices/7", body: #"{"own_name":null}"#)
            #expect(change.status == 404)
            for body in ["{}", #"{"address":"hello"}"#, #"{"address":"F0:F1:F2:F3:F4:F5","own_name":7}"#] {
                #expect(try await server.request("POST", "/api/v1/devices", body: body).status == 422)
            }
            let added = try await server.request(
                "POST", "/api/v1/devices", body: #"{"address":"f0:f1:f2:f3:f4:f5/p","own_name":"Car"}"#)
            #expect(try added.status == 200 && added.value("address_kind") == .text("public"))
            let command = try await server.request(
                "POST", "/api/v1/devices/7/commands", body: #"{"command":"EXPLODE"}"#)
            #expect(command.status == 422)
        }
    }

    // MARK: Detections

    @Test func detectionsComeInPages() async throws {
        try await Self.filled { server in
            let first = try await server.get("/detections?limit=2")
            #expect(try Self.ids(first) == [5, 4])
            #expect(try first.value("total") == .number(5) && first.value("all") == .number(5))
            guard case .text(let cursor)? = try first.value("next") else { throw WebConnection.Fault.ended }
            #expect(try Self.ids(await server.get("/detections?limit=2&cursor=\(cursor)")) == [3, 2])
            let all = try await server.get("/detections")
            #expect(try Self.ids(all) == [5, 4, 3, 2, 1] && all.value("next") == nil)
            let old = try await server.get("/detections?sort=oldest&limit=2")
            #expect(try Self.ids(old) == [1, 2])
            guard case .text(let behind)? = try old.value("next") else { throw WebConnection.Fault.ended }
            let rest = try await server.get("/detections?sort=oldest&type=ring&type=axis&cursor=\(behind)")
            #expect(try Self.ids(rest) == [3] && rest.value("total") == .number(3))
            #expect(try Self.ids(await server.get("/detections?sort=newest&limit=1")) == [5])
            #expect(try await server.get("/detections?sort=signal").status == 400)
            #expect(try all.value("items.0.ssid") == .text("<b>Ä</b>\u{202E}"))
            #expect(try all.value("items.0.event") == .text("detection"))
            #expect(try all.value("items.0.source") == .number(3) && all.value("items.0.new") == .bool(true))
        }
    }

    @Test func filtersChooseWhatIsListed() async throws {
        try await Self.filled { server in
            _ = try await server.store.mark(source: 2, as: .mine)
            for (query, found) in [
                ("type=axis&type=ring", [3, 2, 1]), ("min_confidence=0.5", [5, 4, 3, 1]),
                ("text=%C3%84", [5, 4]),
                ("text=door", [3, 1]), ("place=with", [3]), ("place=without&type=ring", [1]),
                ("box=8,52,9,53", [3]), ("source=1&source=2", [3, 2, 1]), ("id=4&id=2&id=99", [4, 2]),
                ("state=mine", [2]), ("state=none", [5, 4, 3, 1]), ("state=new", [5, 4, 3, 2, 1]),
                ("state=muted", []),
                ("since=2001-01-01&until=2002-01-01", []), ("since=2001-01-01T00:00:00Z", [5, 4, 3, 2, 1]),
                ("text=", [5, 4, 3, 2, 1]), ("text=d+o", []),
            ] as [(String, [Int])] {
                let answer = try await server.get("/detections?\(query)")
                #expect(try Self.ids(answer) == found, "\(query)")
                #expect(try answer.value("total") == .number(Double(found.count)), "\(query)")
                #expect(try answer.value("all") == .number(5))
            }
        }
    }

    @Test func aDetectionIsDeletedAndTakenBack() async throws {
        try await Self.filled { server in
            #expect(try await server.get("/detections/3").value("id") == .number(3))
            let path = "/api/v1/detections/3"
            let deleted = try await server.request("DELETE", path)
            #expect(try deleted.value("changed") == .number(1))
            #expect(try await server.get("/detections/3").status == 404)
            #expect(try await server.request("DELETE", path).status == 404)
            let back = try await server.request("POST", path + "/restore")
            #expect(try back.value("changed") == .number(1))
            #expect(try await server.request("POST", path + "/restore").status == 404)
            #expect(try await server.get("/detections/3").status == 200)
            for id in ["0", "99", "9007199254740992", "-1", "x", "1e3x", ""] {
                #expect(try await server.get("/detections/\(id)").status == 404, "\(id)")
            }
        }
    }

    @Test func manyAreDeletedAndTakenBack() async throws {
        try await Self.filled { server in
            let path = "/api/v1/detections/bulk"
            for (what, count) in [
                (#""detections":[1,2,99]"#, 2), (#""sources":[1]"#, 2),
                (#""filter":{"type":["axis"],"text":null}"#, 1),
                (#""filter":{}"#, 5), (#""sources":[]"#, 0), (#""detections":[]"#, 0),
                (#""filter":{"box":[8,52,9,53]}"#, 1),
            ] {
                let deleted = try await server.request("POST", path, body: #"{"action":"delete",\#(what)}"#)
                #expect(try deleted.value("changed") == .number(Double(count)), "\(what)")
                #expect(try await server.get("/detections").value("total") == .number(Double(5 - count)))
                guard case .text(let undo)? = try deleted.value("undo") else {
                    #expect(count == 0)
                    continue
                }
                let back = try await server.request(
                    "POST", path, body: #"{"action":"restore","undo":"\#(undo)"}"#)
                #expect(try back.value("changed") == .number(Double(count)))
            }
        }
    }

    // MARK: Sources

    @Test func sourcesComeInPagesAndByFilters() async throws {
        try await Self.filled { server in
            let first = try await server.get("/sources?limit=2")
            #expect(try Self.ids(first) == [3, 2])
            guard case .text(let cursor)? = try first.value("next") else { throw WebConnection.Fault.ended }
            #expect(try Self.ids(await server.get("/sources?limit=2&cursor=\(cursor)")) == [1])
            #expect(try first.value("total") == .number(3) && first.value("all") == .number(3))
            let often = try await server.get("/sources?sort=seen&limit=1")
            #expect(try Self.ids(often) == [3])
            guard case .text(let behind)? = try often.value("next") else { throw WebConnection.Fault.ended }
            #expect(try Self.ids(await server.get("/sources?sort=seen&cursor=\(behind)")) == [1, 2])
            #expect(try await server.get("/sources?sort=size").status == 400)
            let some = try await server.get("/sources?type=ring&id=1&id=2")
            #expect(try Self.ids(some) == [1] && some.value("total") == .number(1))
            #expect(
                try some.value("items.0.count") == .number(2) && some.value("items.0.ssid") == .text("door"))
        }
    }

    @Test func aSourceExplainsItselfAndIsMarked() async throws {
        try await Self.filled { server in
            let source = try await server.get("/sources/1")
            #expect(try source.json().list("detections").count == 2)
            #expect(try source.value("detections.0.id") == .number(1))
            #expect(try source.value("reasons.0.value") == .text("Ring"))
            #expect(try source.value("reasons.1.kind") == .text("confidence"))
            let path = "/api/v1/sources/1"
            let muted = try await server.request(
                "PATCH", path, body: #"{"muted":true,"note":"the neighbour's"}"#)
            #expect(
                try muted.value("muted") == .bool(true) && muted.value("note") == .text("the neighbour's"))
            #expect(try await server.get("/detections/1").value("muted") == .bool(true))
            // Another mark takes its place; what it is not, cannot be taken back.
            let mine = try await server.request("PATCH", path, body: #"{"mine":true}"#)
            #expect(try mine.value("mine") == .bool(true) && mine.value("muted") == .bool(false))
            let same = try await server.request("PATCH", path, body: #"{"false_alarm":false}"#)
            #expect(try same.value("mine") == .bool(true))
            let none = try await server.request("PATCH", path, body: #"{"mine":false,"note":""}"#)
            #expect(try none.value("mine") == .bool(false) && none.value("note") == .text(""))
            #expect(try await server.request("PATCH", "/api/v1/sources/99", body: "{}").status == 404)
            #expect(try await server.get("/sources/99").status == 404)
            let long = #"{"note":"\#(String(repeating: "x", count: 251))"}"#
            #expect(try await server.request("PATCH", path, body: long).status == 422)
        }
    }

    @Test func nobodysWordsAboutASourceAreLost() async throws {
        try await Self.filled { server in
            let path = "/api/v1/sources/1"
            let tag = try #require(try await server.get("/sources/1").header("etag"))
            let seen = [("If-Match", tag)]
            let first = try await server.request("PATCH", path, headers: seen, body: #"{"note":"Ours"}"#)
            #expect(first.status == 200 && first.header("etag") != tag)
            for old in [tag, "\"999\"", "nonsense", "W/\(tag)"] {
                let late = try await server.request(
                    "PATCH", path, headers: [("If-Match", old)], body: #"{"note":"Theirs"}"#)
                #expect(late.status == 412, "\(old)")
            }
            #expect(try await server.get("/sources/1").value("note") == .text("Ours"))
            let any = try await server.request(
                "PATCH", path, headers: [("If-Match", "*")], body: #"{"note":"Theirs"}"#)
            #expect(any.status == 200)
        }
    }

    @Test func manySourcesAreMarked() async throws {
        try await Self.filled { server in
            let path = "/api/v1/detections/bulk"
            for (what, count) in [
                (#""sources":[1,3,99]"#, 2), (#""detections":[1,2,3]"#, 2),
                (#""filter":{"type":["axis"]}"#, 1),
                (#""filter":{}"#, 3),
            ] {
                for value in [true, false] {
                    let body = #"{"action":"muted","value":\#(value),\#(what)}"#
                    let answer = try await server.request("POST", path, body: body)
                    #expect(try answer.value("changed") == .number(Double(count)), "\(body)")
                    let muted = try await server.get("/sources?state=muted")
                    #expect(try Self.ids(muted).count == (value ? count : 0), "\(body)")
                }
            }
        }
    }

    /// With the filter of the request nobody finds them again: by then they have another mark.
    @Test func whatManySourcesWereMarkedAsBeforeIsAnswered() async throws {
        try await Self.filled { server in
            _ = try await server.request("PATCH", "/api/v1/sources/2", body: #"{"muted":true}"#)
            _ = try await server.request("PATCH", "/api/v1/sources/3", body: #"{"mine":true}"#)
            let path = "/api/v1/detections/bulk"
            for (body, none, mine, muted) in [
                (#""action":"mine","filter":{}"#, "1", "3", "2"),
                (#""action":"muted","value":false,"filter":{}"#, "", "", ""),
                (#""action":"mine","value":false,"sources":[1]"#, "", "1", ""),
                (#""action":"muted","sources":[2]"#, "", "2", ""),
            ] {
                let answer = try await server.request("POST", path, body: "{\(body)}")
                let before = #"{"none":[\#(none)],"mine":[\#(mine)],"muted":[\#(muted)],"false_alarm":[]}"#
                #expect(answer.text.contains("\"before\":\(before)"), "\(body): \(answer.text)")
            }
            #expect(try Self.ids(try await server.get("/sources?state=muted")) == [2])
            #expect(try Self.ids(try await server.get("/sources?state=mine")) == [3])
            let deleted = try await server.request("POST", path, body: #"{"action":"delete","sources":[1]}"#)
            #expect(!deleted.text.contains("before"))
        }
    }

    // MARK: Files

    @Test func exportsAreFilesOfWhatIsShown() async throws {
        try await Self.filled { server in
            for (format, wanted) in [
                ("csv", "gate"), ("json", "gate"), ("geojson", "door"), ("gpx", "Ring"), ("kml", "door"),
            ] {
                let file = try await server.get("/exports/detections.\(format)?type=ring&type=axis")
                #expect(file.status == 200)
                let name = try #require(file.header("content-disposition"))
                #expect(
                    name.hasPrefix("attachment; filename=\"lantern-detections-")
                        && name.hasSuffix(".\(format)\""))
                #expect(file.text.contains(wanted) && !file.text.contains("Ä"), "\(format)")
            }
            #expect(try await server.get("/exports/detections.exe").status == 404)
            #expect(try await server.get("/exports/detections.csv?limit=1").status == 400)
            let geo = try JSONReader.read(try await server.get("/exports/detections.geojson").body)
            #expect(try geo.list("features").count == 1)
        }
    }

    @Test func aLargeExportComesInPieces() async throws {
        try await TestServer.run { server in
            for start in 0..<4 {
                _ = try await server.store.save((0..<1000).map { .sample(start * 1000 + $0) })
            }
            let file = try await server.get("/exports/detections.csv")
            #expect(file.header("transfer-encoding") == "chunked")
            #expect(file.body.count { $0 == 0x0A } == 4001)
        }
    }

    @Test func aRadioThatCannotBeCapturedSaysSo() async throws {
        try await TestServer.run { server in
            let refused = try await server.request("POST", "/api/v1/capture")
            #expect(refused.status == 409)
            #expect(try await server.get("/capture").value("running") == .bool(false))
            #expect(try await server.request("DELETE", "/api/v1/capture").status == 200)
            #expect(try await server.get("/capture/file").status == 404)
        }
    }

    @Test func anAddressIsTakenAsItStandsBeforeAParameterIs() async throws {
        try await TestServer.run { server in
            let answer = try await server.request("GET", "/api/v1/detections/bulk")
            #expect(answer.status == 405 && answer.header("allow") == "POST")
            let head = try await server.request("HEAD", "/api/v1/hub")
            #expect(head.status == 405 && head.header("allow") == "GET")
        }
    }
}
