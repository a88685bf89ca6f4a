// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import LanternEngine
import Testing

@Suite("The Bluetooth of a browser", .timeLimit(.minutes(5)))
struct BrowserRadioTests {
    @Test func aChosenDeviceIsConnectedAndItsDetectionsArrive() throws {
        let browser = Browser()
        #expect(browser.asked("connect").isEmpty)
        let link = try browser.connect()
        #expect(browser.asked("connect").last?["device"] == .text(Browser.device))
        #expect(browser.asked("subscribe").last?["on"] == .bool(true))
        #expect(browser.device?["state"] == .text("connected"))
        browser.detect(Browser.detection("AA:BB:CC:DD:EE:FF"), link: link)
        #expect(browser.events("detection").count == 1)
        #expect(try browser.ask("GET", "/hub")["value", "simulated"] == .bool(false))
    }

    @Test func whatABrowserLetsPeopleChooseByIsToldAtOnce() throws {
        let choices = try #require(Browser().asked("choices").first)
        func texts(_ key: String, of node: JSONNode) throws -> String {
            try node.list(key).map { try $0.text(key) }.joined(separator: " ")
        }
        let kinds = try choices.list("kinds").map {
            [try $0.needed("kind").text("kind"), try texts("services", of: $0), try texts("names", of: $0)]
        }
        #expect(
            kinds == [
                ["flockfinder", Browser.service, "FlockFinder Flock"],
                ["wifiset", "00467768-6228-2272-4663-277478268000 \(Browser.service)", "WiFiSet"],
                ["nightlight", "7a5a0000-d04b-48eb-b3fa-32eb4f0ffac4", "Nightlight"],
                [
                    "bulb", "ffd5 ffe5",
                    "Colorific Triones-0B02 LEDBLE-0B03 ELK-BLEDOM ELK-BLEDOM LEDBLE-01-0B04 XROCKER LEDnetWF0200A3 BJ_LED_M",
                ],
            ])
        #expect(
            try texts("services", of: choices) == """
                1800 1801 1802 1805 1807 180a 180d 180f 181a eea0 ffd0 ffd5 ffe0 ffe5 fff0 ffff \
                00467768-6228-2272-4663-277478268000 \(Browser.service) 7a5a0000-d04b-48eb-b3fa-32eb4f0ffac4 \
                7a5a0100-d04b-48eb-b3fa-32eb4f0ffac4 7a5a0200-d04b-48eb-b3fa-32eb4f0ffac4
                """)
    }

    @Test func anOperationThatAnotherPageIsInTheWayOfIsTriedAgain() throws {
        let browser = Browser()
        browser.choose()
        let link = try #require(browser.asked("connect").last?.number("link"))
        browser.tell(#"{"radio":"connected","link":\#(link)}"#)
        let id = try #require(browser.asked("discover").last?.number("id"))
        browser.tell(#"{"radio":"done","link":\#(link),"id":\#(id),"why":"busy"}"#)
        #expect(browser.asked("discover").count == 1)
        browser.wait(milliseconds: 1000)
        #expect(browser.asked("discover").count == 2)
        browser.serve()
        #expect(browser.device?["state"] == .text("connected"))
    }

    @Test func aLostDeviceIsConnectedAgainWhenItIsHeard() throws {
        let browser = Browser()
        let link = try browser.connect()
        browser.tell(#"{"radio":"lost","link":\#(link)}"#)
        #expect(browser.device?["state"] == .text("lost"))
        browser.wait(milliseconds: 5000)
        #expect(!browser.asked("look").isEmpty)
        browser.tell(
            #"{"radio":"heard","device":"\#(Browser.device)","name":"FlockFinder","services":[],"rssi":-70}"#)
        let again = try #require(browser.asked("connect").last?.number("link"))
        #expect(again > link)
        // What still comes of the old link says nothing of the new one.
        browser.tell(#"{"radio":"lost","link":\#(link)}"#)
        browser.tell(#"{"radio":"connected","link":\#(again)}"#)
        browser.serve()
        #expect(browser.device?["state"] == .text("connected"))
    }

    @Test func aDeviceOutOfReachIsTriedAgainLaterAndLater() throws {
        let browser = Browser()
        browser.choose()
        for _ in 0..<4 {
            let link = try #require(browser.asked("connect").last?.number("link"))
            browser.tell(#"{"radio":"failed","link":\#(link),"why":"gone"}"#)
            browser.wait(milliseconds: 12_000)
            browser.tell(#"{"radio":"present","device":"\#(Browser.device)"}"#)
        }
        #expect(browser.asked("connect").count == 5)
    }

    @Test func anOperationWithoutAnAnswerEndsTheLink() throws {
        let browser = Browser()
        browser.choose()
        let link = try #require(browser.asked("connect").last?.number("link"))
        browser.tell(#"{"radio":"connected","link":\#(link)}"#)
        browser.wait(milliseconds: 59_000)
        #expect(browser.asked("disconnect").isEmpty)
        browser.wait(milliseconds: 3000)
        #expect(browser.asked("disconnect").last?.number("link") == link)
    }

    @Test func aPermissionThatIsTakenBackIsSaid() throws {
        let browser = Browser()
        _ = try browser.connect()
        browser.tell(#"{"radio":"withdrawn","device":"\#(Browser.device)"}"#)
        browser.wait(milliseconds: 60_000)
        #expect(browser.asked("connect").count == 1)
        let device = try #require(browser.device)
        #expect(device.words("reason").contains("Choose it again"))
    }

    @Test func aRadioThatIsOffOrMissingIsSaid() throws {
        let browser = Browser()
        browser.tell(#"{"radio":"state","state":"off"}"#)
        #expect(try browser.ask("GET", "/hub")["value", "radio", "state"] == .text("missing"))
        browser.tell(#"{"radio":"state","state":"unsupported"}"#)
        #expect(try browser.ask("GET", "/hub").words("value", "radio", "text").contains("Safari"))
        _ = try browser.ask("POST", "/radio/retry")
        #expect(browser.asked("retry").count == 1)
        let other = Browser()
        let link = try other.connect()
        other.tell(#"{"radio":"state","state":"off"}"#)
        #expect(other.device?["state"] == .text("lost"))
        other.tell(#"{"radio":"state","state":"ready"}"#)
        other.tell(#"{"radio":"present","device":"\#(Browser.device)"}"#)
        #expect(try #require(other.asked("connect").last?.number("link")) > link)
    }

    @Test func whatChangesIsFoundOutAgain() throws {
        let browser = Browser()
        let link = try browser.connect()
        let id = try #require(browser.device?.number("id"))
        browser.engine.request(
            Array(
                #"{"id":99,"method":"POST","path":"/devices/\#(id)/commands","body":{"command":"STATUS"}}"#
                    .utf8))
        browser.listen()
        let asked = try #require(browser.asked)
        #expect(asked["radio"] == .text("write") || asked["radio"] == .text("command"))
        browser.tell(
            #"{"radio":"done","link":\#(link),"id":\#(try #require(asked.number("id"))),"why":"changed"}"#)
        #expect(browser.asked("discover").count == 2)
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"radio":"nothing"}"#, #"{"radio":"connected","link":-1}"#,
        #"{"radio":"lost","link":7}"#,
        #"{"radio":"found","link":1,"services":[{"uuid":"1800","handle":1,"characteristics":[{"uuid":"2a00","handle":2,"properties":2,"descriptors":[]}]}]}"#,
        #"{"radio":"found","link":1,"services":[{"uuid":"1800","handle":70000,"characteristics":[]}]}"#,
        #"{"radio":"value","link":1,"handle":0,"value":"00"}"#, #"{"radio":"chosen","device":"x"}"#,
    ]) func whatMakesNoSenseIsPassedOver(_ text: String) throws {
        let browser = Browser()
        _ = try browser.connect()
        browser.tell(text)
        #expect(browser.device?["state"] == .text("connected"))
    }

    @Test func whatIsKeptComesBackAsItWas() throws {
        let browser = Browser()
        let link = try browser.connect()
        browser.detect(Browser.detection("AA:BB:CC:DD:EE:01"), link: link)
        browser.detect(Browser.detection("AA:BB:CC:DD:EE:02"), link: link)
        browser.detect(Browser.detection("AA:BB:CC:DD:EE:01"), link: link)
        _ = try browser.ask("PATCH", "/sources/2", #","body":{"mine":true,"note":"Gate"}"#)
        _ = try browser.ask("PATCH", "/settings", #","if_match":"*","body":{"theme":"dark"}"#)
        _ = try browser.ask("DELETE", "/detections/1")
        browser.wait(milliseconds: 2000)
        let ids = (browser.rows["detections"] ?? [:]).keys.sorted()
        #expect(ids == ["2", "3"])
        let other = Browser(seed: 8)
        other.restore(browser.rows)
        #expect(try other.ask("GET", "/hub")["value", "storage", "trouble"] == nil)
        for path in ["/detections", "/sources", "/settings"] {
            let (before, after) = (try browser.ask("GET", path), try other.ask("GET", path))
            if path == "/settings" { #expect(after["value", "theme"] == .text("dark")) }
            #expect(after.items.count == before.items.count)
            for (one, two) in zip(after.items, before.items) {
                for key in ["id", "mac", "rssi", "received", "mine", "note", "source"] {
                    #expect(one[key] == two[key])
                }
            }
        }
        // A device that was known is used again once the browser has said that the page may.
        #expect(other.device?["kind"] == .text("flockfinder"))
        other.tell(#"{"radio":"permitted","devices":["\#(Browser.device)"]}"#)
        other.tell(#"{"radio":"state","state":"ready"}"#)
        other.wait(milliseconds: 2000)
        other.tell(#"{"radio":"present","device":"\#(Browser.device)"}"#)
        #expect(other.asked("connect").count == 1)
    }

    /// An engine that is given what `browser` has kept up to this moment, as after a fault or a page that was loaded again.
    private func begunAnew(after browser: Browser) -> Browser {
        let other = Browser(seed: 8)
        other.restore(browser.rows)
        other.tell(#"{"radio":"permitted","devices":["\#(Browser.device)"]}"#)
        other.tell(#"{"radio":"state","state":"ready"}"#)
        other.tell(#"{"radio":"present","device":"\#(Browser.device)"}"#)
        return other
    }

    @Test(arguments: [false, true]) func aFaultInTheSecondOfTheChoiceForgetsNoDevice(hasLink: Bool) throws {
        let browser = Browser()
        if hasLink { _ = try browser.connect() } else { browser.choose() }
        let other = begunAnew(after: browser)
        #expect(other.device?["kind"] == .text("flockfinder"))
        #expect(other.asked("connect").count == 1)
    }

    @Test func whatAPersonSaysOfADeviceOutlivesAFaultInThatSecond() throws {
        let browser = Browser()
        _ = try browser.connect()
        let id = try #require(browser.device?.number("id"))
        let change = #","body":{"own_name":"Car","auto_connect":false}"#
        #expect(try browser.ask("PATCH", "/devices/\(id)", change)["status"] == .number(200))
        let other = begunAnew(after: browser)
        #expect(other.device?["own_name"] == .text("Car"))
        #expect(other.asked("connect").isEmpty)
    }

    @Test func aDeviceThatIsNoneIsNotTriedAfterAFault() throws {
        let browser = Browser()
        browser.choose()
        let link = try #require(browser.asked("connect").last?.number("link"))
        browser.tell(#"{"radio":"connected","link":\#(link)}"#)
        browser.tell(#"{"radio":"found","link":\#(link),"services":[]}"#)
        #expect(begunAnew(after: browser).asked("connect").isEmpty)
    }

    @Test func aFileThatWasExportedIsImportedOnce() throws {
        let browser = Browser()
        let link = try browser.connect()
        for index in 1...9 { browser.detect(Browser.detection("AA:BB:CC:DD:EE:0\(index)"), link: link) }
        for format in ["json", "csv"] {
            let text = try browser.ask("GET", "/exports/detections.\(format)").words("value", "text")
            var json = JSONWriter()
            json.value(text)
            let body = #","body":{"octets":\#(json.text),"last":true}"#
            #expect(try browser.ask("POST", "/imports", body)["value", "known"] == .number(9))
            let other = Browser(seed: 9)
            #expect(try other.ask("POST", "/imports", body)["value", "imported"] == .number(9))
            #expect(try other.ask("POST", "/imports", body)["value", "known"] == .number(9))
            #expect(other.kept("detections").count == 9)
            #expect(
                try other.ask("GET", "/exports/detections.\(format)").words("value", "text").utf8.count > 500)
        }
        // What a format leaves out is counted.
        let rows = try browser.ask("GET", "/exports/detections.wigle.csv")
        let counts = ["written", "without_position", "without_address", "without_radio"]
        #expect(counts.map { rows["value", $0] } == [.number(0), .number(9), .number(0), .number(0)])
        let bad = try browser.ask("POST", "/imports", #","body":{"octets":"{\"detections\":[","last":true}"#)
        #expect(bad["value", "broken", "line"] == .number(1) && bad["value", "imported"] == .number(0))
    }

    @Test func aPlaceOfTheBrowserIsThatOfADetection() throws {
        let browser = Browser()
        let link = try browser.connect()
        let place = #","body":{"latitude":50.1,"longitude":8.6,"accuracy":6,"speed":13.5,"heading":90}"#
        #expect(try browser.ask("POST", "/position", place)["status"] == .number(409))
        _ = try browser.ask(
            "PATCH", "/settings", #","if_match":"*","body":{"location":{"source":"browser"}}"#)
        #expect(try browser.ask("POST", "/position", place)["status"] == .number(200))
        browser.detect(Browser.detection("AA:BB:CC:DD:EE:01"), link: link)
        let event = try #require(browser.events("detection").last)
        #expect(event["latitude"] == .number(50.1))
        #expect(event["speed"] == .number(13.5))
        browser.wait(milliseconds: 30_000)
        browser.detect(Browser.detection("AA:BB:CC:DD:EE:02"), link: link)
        #expect(try #require(browser.events("detection").last)["latitude"] == nil)
    }
}
