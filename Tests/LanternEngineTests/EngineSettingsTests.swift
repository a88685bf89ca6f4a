// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import LanternEngine
import Testing

@Suite("Settings without a hub", .timeLimit(.minutes(5)))
struct EngineSettingsTests {
    private static func patch(_ body: String) -> String { #","if_match":"*","body":\#(body)"# }

    @Test(arguments: [
        #"{"encryption":{"wifi":"required"}}"#, #"{"size_limit_mb":100}"#, #"{"this_radio":true}"#,
        #"{"location":{"source":"gpsd"}}"#,
    ])
    func whatABrowserCannotDoIsRefused(body: String) throws {
        let browser = Browser()
        let before = try browser.ask("GET", "/settings")
        let answer = try browser.ask("PATCH", "/settings", Self.patch(body))
        #expect(answer["status"] == .number(501) && answer.words("detail").contains("needs a hub"))
        let after = try browser.ask("GET", "/settings")
        #expect(after["etag"] == before["etag"] && after["value", "size_limit_mb"] == nil)
        #expect(after["value", "this_radio"] == .bool(false))
    }

    @Test func whatIsBelowTheConfidenceThatSomebodyWantsIsNotKept() throws {
        let browser = Browser()
        let link = try browser.connect()
        _ = try browser.ask("PATCH", "/settings", Self.patch(#"{"min_confidence":0.91}"#))
        browser.detect(Browser.detection("AA:BB:CC:DD:EE:01"), link: link)
        #expect(browser.events("detection").isEmpty && browser.kept("detections").isEmpty)
        _ = try browser.ask("PATCH", "/settings", Self.patch(#"{"min_confidence":0.9}"#))
        browser.detect(Browser.detection("AA:BB:CC:DD:EE:01"), link: link)
        #expect(browser.events("detection").count == 1)
    }

    @Test func whatIsOldGoes() throws {
        let browser = Browser()
        let link = try browser.connect()
        browser.detect(Browser.detection("AA:BB:CC:DD:EE:01"), link: link)
        let old = """
            {"timestamp":"2026-10-01T10:00:00.000Z","device_type":"Ring","mac_address":"02:00:00:00:00:01","rssi":-60,"confidence":0.5}
            """
        var json = JSONWriter()
        json.value(#"{"detections":[\#(old)]}"#)
        let imported = try browser.ask("POST", "/imports", #","body":{"octets":\#(json.text),"last":true}"#)
        #expect(imported["value", "imported"] == .number(1))
        browser.wait(milliseconds: 61_000)
        #expect(try browser.ask("GET", "/detections").items.count == 2)
        _ = try browser.ask("PATCH", "/settings", Self.patch(#"{"retention_days":30}"#))
        browser.wait(milliseconds: 61_000)
        #expect(try browser.ask("GET", "/detections").items.map { $0.words("mac") } == ["AA:BB:CC:DD:EE:01"])
        #expect(browser.rows["detections"]?.count == 1 && browser.events("gap").count == 1)
    }

    @Test func theRadioOfTheDemoNoticesCamerasItself() throws {
        var page = Page()
        page.wait(seconds: 5)
        let device = try page.device("flockfinder")
        _ = try page.ask("POST", "/devices/\(device)/disconnect")
        page.wait(seconds: 2)
        let before = page.events("detection").count
        page.wait(seconds: 15)
        #expect(page.events("detection").count == before)
        #expect(
            try page.ask("PATCH", "/settings", Self.patch(#"{"this_radio":true}"#))["status"] == .number(200))
        page.wait { told in
            told.count { $0["event"] == .text("detection") } > before
        }
        page.wait(seconds: 20)
        let noticed = page.events("detection").dropFirst(before)
        #expect(!noticed.isEmpty && noticed.allSatisfy { $0["extra", "origin"] == .text("this_radio") })
        _ = try page.ask("PATCH", "/settings", Self.patch(#"{"this_radio":false}"#))
        page.wait(seconds: 2)
        let after = page.events("detection").count
        page.wait(seconds: 20)
        #expect(page.events("detection").count == after)
    }
}
