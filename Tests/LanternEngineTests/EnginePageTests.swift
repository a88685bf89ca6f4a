// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import LanternEngine
import Testing

/// What the pages of devices do, on the engine's own air.
@Suite("Pages of devices without a hub", .timeLimit(.minutes(5)))
struct EnginePageTests {
    // MARK: Wi-Fi

    @Test func aDeviceGetsItsWiFi() throws {
        var page = Page()
        let job = try page.begin("wifi", on: "wifiset")
        page.wait { told in
            told.contains { $0["setup", "lists"] == .number(1) }
        }
        let found = try page.ask("GET", "/wifi/\(job)")
        guard case .array(let networks)? = found["value", "networks"],
            let home = networks.first(where: { $0["security"] == .text("wpa2") }),
            case .text(let ssid)? = home["ssid_octets"]
        else { return _ = Issue.record("no network") }
        let short = try page.ask("POST", "/wifi/\(job)/credentials", Self.credentials(ssid, "short"))
        #expect(short["status"] == .number(422))
        let sent = try page.ask("POST", "/wifi/\(job)/credentials", Self.credentials(ssid, "correct horse"))
        #expect(sent["value", "attempt", "with_password"] == .bool(true))
        page.wait { told in
            told.contains {
                [.text("joined"), .text("failed")].contains($0["setup", "attempt", "step"])
            }
        }
        #expect(page.events("wifi_setup_changed").count < 100)
        #expect(!page.said.contains("correct horse"))
        // The job ends when it is asked to, and says so once its link is closed.
        let end = page.send("DELETE", "/jobs/\(job)")
        page.wait { told in told.contains { $0["answer"] == .number(Double(end)) } }
        #expect(page.answer(end)?["status"] == .number(204))
        #expect(try page.ask("GET", "/jobs").items.isEmpty)
        let late = try page.ask("POST", "/wifi/\(job)/networks")
        #expect(late["status"] == .number(409))
    }

    private static func credentials(_ ssid: String, _ password: String) -> String {
        #","body":{"ssid_octets":"\#(ssid)","security":"wpa2","password":"\#(password)"}"#
    }

    @Test func aPageThatIsGoneLetsTheDeviceGo() throws {
        var page = Page()
        let job = try page.begin("wifi", on: "wifiset")
        for _ in 1...5 {
            page.wait(seconds: 20)
            #expect(try page.ask("POST", "/jobs/\(job)/keep")["value", "phase"] == .text("open"))
        }
        page.wait(seconds: 45)
        let ended = try page.ask("POST", "/jobs/\(job)/keep")
        #expect(ended["value", "phase"] == .text("ended"))
        guard case .text(let reason)? = ended["value", "reason"] else { return _ = Issue.record("no reason") }
        #expect(reason.contains("asleep"))
    }

    @Test func aDeviceOfAnotherKindIsLeftAlone() throws {
        var page = Page()
        page.wait(seconds: 5)
        let id = try page.device("bulb")
        let begun = try page.ask("POST", "/devices/\(id)/wifi")
        guard case .number(let job)? = begun["value", "job", "id"] else { return _ = Issue.record("no job") }
        page.wait(seconds: 30)
        let ended = try page.ask("GET", "/wifi/\(Int(job))")
        #expect(ended["value", "setup", "job", "phase"] == .text("ended"))
    }

    @Test func oneDeviceHasOneJob() throws {
        var page = Page()
        _ = try page.begin("bulb", on: "bulb")
        let second = try page.ask("POST", "/devices/\(page.device("bulb"))/explorer")
        #expect(second["status"] == .number(409))
    }

    // MARK: Bulbs

    @Test func aBulbTakesAColour() throws {
        var page = Page()
        let job = try page.begin("bulb", on: "bulb")
        let asked = try page.ask(
            "POST", "/bulbs/\(job)/commands", ##","body":{"command":"color","color":"#ff8800"}"##)
        #expect(asked["value", "asked", "color"] == .text("#ff8800"))
        page.wait { told in
            told.contains {
                $0["bulb", "busy"] == .bool(false) && $0["bulb", "asked", "color"] == .text("#ff8800")
            }
        }
        let bulb = try page.ask("GET", "/bulbs/\(job)")
        #expect(bulb["value", "busy"] == .bool(false))
        guard case .text(let octets)? = bulb["value", "octets"] else { return _ = Issue.record("none") }
        #expect(octets.contains("ff8800"))
        _ = try page.ask("POST", "/bulbs/\(job)/cycle", #","body":{"turn":2000}"#)
        page.wait(seconds: 3)
        #expect(
            page.events("bulb_changed").contains { $0["bulb", "hue"] != nil })
        #expect(try page.ask("DELETE", "/bulbs/\(job)/cycle")["value", "turn"] == nil)
        let bad = try page.ask("POST", "/bulbs/\(job)/commands", #","body":{"command":"color"}"#)
        #expect(bad["status"] == .number(422))
        #expect(try page.ask("GET", "/bulb-dialects").items.count > 3)
        // With the last page that leaves the link ends; what is on its way is brought there first.
        page.wait(seconds: 3)
        _ = try page.ask("POST", "/bulbs/\(job)/leave", #","filter":{"page":"one"}"#)
        page.wait(seconds: 3)
        #expect(try page.ask("GET", "/bulbs/\(job)")["value", "job", "phase"] == .text("ended"))
    }

    // MARK: Nightlights

    @Test func aLampIsReadAndChangedAndItsDayIsPlanned() throws {
        var page = Page()
        let zone = #","body":{"name":"Europe/Berlin","offset":3600,"standard_offset":3600,"changes":[]}"#
        #expect(try page.ask("POST", "/zone", zone)["status"] == .number(204))
        let job = try page.begin("nightlight", on: "nightlight")
        let first = try page.ask("GET", "/nightlights/\(job)")
        #expect(first["value", "viewers"] == .number(1))
        #expect(first["value", "lamp"] != nil)
        _ = try page.ask("PATCH", "/nightlights/\(job)", #","body":{"name":"Ada"}"#)
        page.wait { told in
            told.contains {
                $0["dashboard", "lamp", "name"] == .text("Ada") && $0["dashboard", "working"] == .bool(false)
            }
        }
        let changed = try page.ask("GET", "/nightlights/\(job)")
        #expect(changed["value", "lamp", "name"] == .text("Ada"))
        let late = try page.ask("PATCH", "/nightlights/\(job)", #","body":{"name":"Bo","if_changes":77}"#)
        #expect(late["status"] == .number(409))
        _ = try page.ask("POST", "/nightlights/\(job)/proof", ##","body":{"leds":[1],"color":"#ff0000"}"##)
        page.wait(seconds: 3)
        #expect(try page.ask("GET", "/nightlights/\(job)")["value", "proof_end"] != nil)
        _ = try page.ask("DELETE", "/nightlights/\(job)/proof")
        page.wait(seconds: 3)
        #expect(try page.ask("GET", "/nightlights/\(job)")["value", "proof_end"] == nil)
        _ = try page.ask("POST", "/nightlights/\(job)/leave", #","filter":{"page":"one"}"#)
        page.wait(seconds: 5)
        let memories = try page.ask("GET", "/nightlights").items
        #expect(memories.first?["name"] == .text("Ada"))
    }

    @Test func whatIsWantedOfALampWaitsForIt() throws {
        var page = Page()
        page.wait(seconds: 5)
        let lamp = try #require(
            page.ask("GET", "/devices").items.first { $0["kind"] == .text("nightlight") })
        guard case .text(let address)? = lamp["address"] else { return _ = Issue.record("no address") }
        let filter = #","filter":{"address":"\#(address)/R"}"#
        let added = try page.ask("POST", "/nightlights/pending", #","body":{"name":"Cleo"}"# + filter)
        #expect(added["status"] == .number(200))
        page.wait(seconds: 40)
        let memory = try #require(page.ask("GET", "/nightlights").items.first)
        #expect(memory["pending"] == .array([]))
        #expect(memory["name"] == .text("Cleo"))
    }

    @Test func weeksAreKeptAndPreviewed() throws {
        var page = Page()
        let week =
            ##"{"periods":[{"days":["monday"],"on":"19:00","off":"06:30","color":"#ff8800"}]}"##
        let preview = try page.ask(
            "POST", "/light-preview", #","body":{"week":\#(week),"date":"2026-11-23"}"#)
        #expect(preview["value", "date"] == .text("2026-11-23") || preview["status"] == .number(422))
        let bad = try page.ask("POST", "/light-schedules", #","body":{"week":{"nonsense":1}}"#)
        #expect(bad["status"] == .number(422))
        #expect(try page.ask("GET", "/light-schedules").items.isEmpty)
        #expect(try page.ask("DELETE", "/light-schedules/1")["status"] == .number(404))
    }

    // MARK: Explorer

    @Test func anyDeviceIsAnOpenBook() throws {
        var page = Page()
        page.wait(seconds: 5)
        let heard = try page.ask("GET", "/scan/devices").items
        #expect(heard.count > 5)
        let strap = try #require(
            heard.first { row in
                if case .text(let name)? = row["name"] { name.hasPrefix("HR strap") } else { false }
            })
        guard case .number(let id)? = strap["id"] else { return }
        let begun = try page.ask("POST", "/devices/\(Int(id))/explorer")
        guard case .number(let number)? = begun["value", "job", "id"] else { return }
        let job = Int(number)
        page.wait { told in told.contains { $0["explorer", "step"] == .text("ready") } }
        let state = try page.ask("GET", "/explorers/\(job)")
        guard case .array(let services)? = state["value", "tree", "services"] else {
            return _ = Issue.record("no tree")
        }
        var handles: [String: Int] = [:]
        for service in services {
            guard case .array(let characteristics)? = service["characteristics"] else { continue }
            for one in characteristics {
                if case .text(let uuid)? = one["uuid"], case .number(let handle)? = one["value_handle"] {
                    handles[uuid] = Int(handle)
                }
            }
        }
        let rate = try #require(handles["2a37"])
        let watch = page.send("POST", "/explorers/\(job)/watch", #","body":{"handle":\#(rate),"on":true}"#)
        page.wait(seconds: 5)
        guard case .array(let watched)? = page.answer(watch)?["value", "watched"] else {
            return _ = Issue.record("not watched")
        }
        #expect(watched.map { $0.value } == [.number(Double(rate))])
        #expect(page.events("explorer_values").count > 2)
        let name = try #require(handles["2a00"])
        let read = page.send("POST", "/explorers/\(job)/read", #","body":{"handle":\#(name)}"#)
        page.wait(seconds: 1)
        #expect(page.answer(read)?["value", "octets"] != nil)
        let write = #","body":{"handle":\#(name),"form":"text","value":"x""#
        #expect(try page.ask("POST", "/explorers/\(job)/write", write + "}")["status"] == .number(428))
        let confirmed = page.send("POST", "/explorers/\(job)/write", write + #","confirmed":true}"#)
        page.wait(seconds: 1)
        #expect(page.answer(confirmed)?["value", "error"] != nil)
        let saved = try page.ask("POST", "/explorers/\(job)/save", #","body":{"name":"Mine"}"#)
        #expect(saved["value", "name"] == .text("Mine"))
        #expect(try page.ask("GET", "/saves").items.count == 1)
        #expect(try page.ask("GET", "/saves/1/differences", #","filter":{"with":1}"#).items.isEmpty)
    }

    // MARK: Overflow

    @Test func phonesInTheBackgroundAreDecoded() throws {
        var page = Page()
        page.wait(seconds: 60)
        let state = try page.ask("GET", "/overflow")
        guard case .array(let sources)? = state["value", "sources"] else { return _ = Issue.record("none") }
        #expect(sources.contains { $0["payload"] != nil })
        #expect(!page.events("overflow_source_changed").isEmpty)
        #expect(try page.ask("GET", "/overflow/services").items.count > 5)
        let beacon = try page.ask(
            "POST", "/overflow/beacon", #","body":{"payload":"01020304","codec":"v1"}"#)
        #expect(beacon["status"] == .number(409))
    }
}
