// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import LanternEngine
import Testing

@Suite("The engine of pages without a hub", .timeLimit(.minutes(5)))
struct EngineTests {
    @Test func detectionsArriveByThemselves() throws {
        var page = Page()
        page.wait(seconds: Engine.lead)
        #expect(page.events("detection").count > 5)
        let list = try page.ask("GET", "/detections", #","filter":{"limit":3}"#)
        #expect(list["status"] == .number(200))
        #expect(list.items.count == 3)
        #expect(list["value", "all"] == .number(Double(page.events("detection").count)))
        // Newest first, and the list goes on behind the last.
        guard case .text(let cursor)? = list["value", "next"] else {
            Issue.record("no cursor")
            return
        }
        let rest = try page.ask("GET", "/detections", #","filter":{"limit":3,"cursor":"\#(cursor)"}"#)
        let numbers = (list.items + rest.items).compactMap { node -> Double? in
            if case .number(let number)? = node["id"] { number } else { nil }
        }
        #expect(numbers == numbers.sorted(by: >) && Set(numbers).count == 6)
    }

    @Test func detectionsAreListedFromTheOldestOn() throws {
        var page = Page()
        page.wait(seconds: Engine.lead)
        let old = try page.ask("GET", "/detections", #","filter":{"limit":2,"sort":"oldest"}"#)
        guard case .text(let cursor)? = old["value", "next"] else {
            Issue.record("no cursor")
            return
        }
        let filter = #","filter":{"limit":2,"sort":"oldest","cursor":"\#(cursor)"}"#
        let rest = try page.ask("GET", "/detections", filter)
        let numbers = (old.items + rest.items).compactMap { $0.number("id") }
        #expect(numbers == numbers.sorted() && Set(numbers).count == 4)
        let all = try page.ask("GET", "/detections", #","filter":{"limit":1000}"#).items
            .compactMap { $0.number("id") }
        #expect(all.count > 4 && numbers.first == all.min())
    }

    @Test func allDevicesOfTheDemoAreHeard() throws {
        var page = Page()
        page.wait(seconds: 10)
        let kinds = try page.ask("GET", "/devices").items.compactMap { node -> String? in
            if case .text(let kind)? = node["kind"] { kind } else { nil }
        }
        #expect(Set(kinds) == ["flockfinder", "wifiset", "nightlight", "bulb", "other"])
        #expect(kinds.count { $0 == "wifiset" } == 2)
    }

    @Test func aCommandIsAnsweredWhenTheDeviceHasAnswered() throws {
        var page = Page()
        page.wait { told in
            told.contains { $0["device", "state"] == .text("connected") }
        }
        let device = try #require(
            page.events("device_changed").last { $0["device", "state"] == .text("connected") })
        guard case .number(let number)? = device["device", "id"] else { return }
        let id = page.send("POST", "/devices/\(Int(number))/commands", #","body":{"command":"STATUS"}"#)
        page.wait { told in told.contains { $0["answer"] == .number(Double(id)) } }
        let answer = try #require(page.answer(id))
        #expect(answer["status"] == .number(200))
        #expect(answer["value", "milliseconds"] != nil)
    }

    @Test func aDeviceThatSomebodyDisconnectsIsLeftAlone() throws {
        var page = Page()
        page.wait { told in told.contains { $0["device", "state"] == .text("connected") } }
        guard
            case .number(let number)? = page.events("device_changed").last(where: {
                $0["device", "state"] == .text("connected")
            })?["device", "id"]
        else {
            Issue.record("no device")
            return
        }
        _ = try page.ask("POST", "/devices/\(Int(number))/disconnect")
        page.wait(seconds: 5)
        let before = page.events("detection").count
        page.wait(seconds: 30)
        #expect(page.events("detection").count == before)
        _ = try page.ask("POST", "/devices/\(Int(number))/connect")
        page.wait(seconds: 20)
        #expect(page.events("detection").count > before)
    }

    @Test func aSourceIsMarkedAndADetectionDeletedAndBroughtBack() throws {
        var page = Page()
        page.wait(seconds: 30)
        let source = try page.ask("PATCH", "/sources/1", #","body":{"mine":true,"note":"Gate"}"#)
        #expect(source["value", "mine"] == .bool(true))
        #expect(source["etag"] == .text("\"1\""))
        #expect(page.events("source_changed").count == 1)
        let stale = try page.ask("PATCH", "/sources/1", #","if_match":"\"0\"","body":{"mine":false}"#)
        #expect(stale["status"] == .number(412))
        let before = try page.ask("GET", "/detections")["value", "all"]
        let deleted = try page.ask("DELETE", "/detections/1")
        #expect(deleted["value", "changed"] == .number(1))
        #expect(try page.ask("GET", "/detections/1")["status"] == .number(404))
        _ = try page.ask("POST", "/detections/1/restore")
        #expect(try page.ask("GET", "/detections")["value", "all"] == before)
    }

    @Test func settingsAreChangedByThoseWhoHaveSeenThem() throws {
        var page = Page()
        let seen = try page.ask("GET", "/settings").words("etag").filter { $0 != "\"" }
        let changed = try page.ask(
            "PATCH", "/settings", #","if_match":"\"\#(seen)\"","body":{"theme":"dark"}"#)
        #expect(changed["value", "theme"] == .text("dark"))
        let late = try page.ask(
            "PATCH", "/settings", #","if_match":"\"\#(seen)\"","body":{"theme":"light"}"#)
        #expect(late["status"] == .number(412))
        let bad = try page.ask("PATCH", "/settings", #","if_match":"*","body":{"theme":"pink"}"#)
        #expect(bad["status"] == .number(422))
    }

    @Test func whatNeedsAHubIsSaid() throws {
        var page = Page()
        let answer = try page.ask("POST", "/tokens")
        #expect(answer["status"] == .number(501))
        guard case .text(let detail)? = answer["detail"] else { return }
        #expect(detail.contains("hub"))
    }

    @Test(arguments: ["", "{", "[]", #"{"id":"x"}"#, #"{"id":1,"method":3,"path":""}"#])
    func whatIsNoRequestIsRefusedInWords(_ text: String) throws {
        var page = Page()
        page.engine.request(Array(text.utf8))
        page.listen()
        #expect(page.told.last?["status"] == .number(400))
    }

    @Test func theSameSeedGivesTheSameEvents() {
        var (one, other) = (Page(), Page())
        one.wait(seconds: 20)
        // In other steps, which change nothing.
        for _ in 1...20 { other.wait(seconds: 1) }
        #expect(one.told == other.told)
    }
}
