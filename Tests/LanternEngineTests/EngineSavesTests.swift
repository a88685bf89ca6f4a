// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import LanternEngine
import Testing

@Suite("Devices that a page saves", .timeLimit(.minutes(5)))
struct EngineSavesTests {
    /// A page that explores the strap of the demo, and the number of that job.
    private func exploring() throws -> (page: Page, job: Int) {
        var page = Page()
        page.wait(seconds: 10)
        let job = try page.begin("explorer", on: "other")
        page.wait { told in told.contains { $0["explorer", "step"] == .text("ready") } }
        return (page, job)
    }

    private func number(_ saved: JSONNode) throws -> Int {
        guard case .number(let id)? = saved["value", "id"] else { throw NoSuchSave() }
        return Int(id)
    }

    private func save(_ name: String, of job: Int, _ page: inout Page) throws -> Int {
        let saved = try page.ask("POST", "/explorers/\(job)/save", #","body":{"name":"\#(name)"}"#)
        return try number(saved)
    }

    @Test func itsTreeIsLookedAtWithoutTheDevice() throws {
        var (page, job) = try exploring()
        let id = try save("Mine", of: job, &page)
        let opened = try page.ask("GET", "/saves/\(id)/tree")
        #expect(opened["value", "save", "name"] == .text("Mine"))
        guard case .array(let services)? = opened["value", "services"],
            case .array(let structures)? = opened["value", "structures"]
        else { return _ = Issue.record("no tree") }
        #expect(!services.isEmpty && !structures.isEmpty)
    }

    @Test func itsFileIsTakenAwayAndBroughtBack() throws {
        var (page, job) = try exploring()
        let id = try save("Mine", of: job, &page)
        let file = try page.ask("GET", "/saves/\(id)/file", #","file":true"#)
        #expect(file["value", "name"] == .text("lantern-device-\(id).json"))
        guard case .text(let text)? = file["value", "text"] else { return _ = Issue.record("no file") }
        #expect(try page.ask("DELETE", "/saves/\(id)")["status"] == .number(204))
        var json = JSONWriter()
        json.object {
            $0.field("octets", String(String.UnicodeScalarView(text.utf8.map { Unicode.Scalar($0) })))
        }
        let brought = try page.ask("POST", "/saves", #","filter":{"name":"Again"},"body":\#(json.text)"#)
        #expect(brought["value", "name"] == .text("Again"))
        let again = try number(brought)
        #expect(again != id)
        let differences = try page.ask("GET", "/saves/\(again)/differences", #","filter":{"with":\#(again)}"#)
        #expect(differences["value", "before", "id"] == .number(Double(again)) && differences.items.isEmpty)
    }

    @Test(arguments: [
        #"{"octets":"{}"}"#, #"{"octets":""}"#, #"{"octets":"nonsense"}"#, #"{"octets":"\u2713"}"#, "{}",
    ])
    func whatIsNoSavedDeviceIsRefused(body: String) throws {
        var page = Page()
        let refused = try page.ask("POST", "/saves", #","body":\#(body)"#)
        #expect(refused["status"] == .number(422))
        #expect(try page.ask("GET", "/saves").items.isEmpty)
    }

    @Test func noNumberIsGivenTwice() throws {
        var (page, job) = try exploring()
        let first = try save("One", of: job, &page)
        _ = try page.ask("DELETE", "/saves/\(first)")
        #expect(try save("Two", of: job, &page) == first + 1)
    }

    @Test(arguments: [("7", 8), ("9223372036854775807", 1), ("2147483647", 1), ("-5", 1), ("many", 1)])
    func whatWasKeptOfTheLastNumberIsHeldAgainstWhatANumberIs(kept: String, next: Int) throws {
        var page = Page()
        page.engine.restore(Array(#"{"settings":{"last_save":"\#(kept)"},"ids":[]}"#.utf8))
        page.wait(seconds: 10)
        let job = try page.begin("explorer", on: "other")
        page.wait { told in told.contains { $0["explorer", "step"] == .text("ready") } }
        #expect(try save("One", of: job, &page) == next)
    }

    @Test func theLogIsTakenAwayInBothForms() throws {
        var (page, job) = try exploring()
        let tree = try page.ask("GET", "/explorers/\(job)")
        guard case .array(let services)? = tree["value", "tree", "services"],
            case .array(let characteristics)? = services.first?["characteristics"],
            let handle = characteristics.first?.number("value_handle")
        else { return _ = Issue.record("nothing to read") }
        _ = page.send("POST", "/explorers/\(job)/read", #","body":{"handle":\#(handle)}"#)
        page.wait(seconds: 1)
        for (form, begin) in [("csv", "number,time,handle"), ("jsonl", #"{"event":"#)] {
            let file = try page.ask(
                "GET", "/explorers/\(job)/log/file", #","file":true,"filter":{"form":"\#(form)"}"#)
            guard case .text(let text)? = file["value", "text"], case .text(let name)? = file["value", "name"]
            else { return _ = Issue.record("no file") }
            #expect(text.hasPrefix(begin) && name.hasPrefix("lantern-values-") && name.hasSuffix(form))
        }
        let other = try page.ask("GET", "/explorers/\(job)/log/file", #","filter":{"form":"xml"}"#)
        #expect(other["status"] == .number(400))
    }
}

private struct NoSuchSave: Error {}

@Suite("What requests may hold in a page", .timeLimit(.minutes(5)))
struct EngineRequestTests {
    @Test(
        arguments: [
            ("GET", "/nothing", "", 404, "There is nothing at this address."),
            ("DELETE", "/hub", "", 405, "Here one can only GET."),
            ("GET", "/saves/one", "", 404, "There is nothing at this address."),
            (
                "GET", "/hub", #","filter":{"loud":true}"#, 400,
                #""loud" is not known here; known are: nothing."#
            ),
            (
                "GET", "/drives", #","filter":{"limit":"many"}"#, 400,
                "limit must be a whole number from 1 to 1000."
            ),
            ("PATCH", "/settings", #","body":{}"#, 428, "If-Match is missing."),
            ("PATCH", "/saves/1", #","body":{"name":7}"#, 422, "Name must be text of 1 to 100 characters."),
            ("PATCH", "/saves/1", "", 422, "The body must be an object."),
            ("GET", "/saves/1/differences", "", 400, "with is missing. The number of the newer one."),
            ("GET", "/tokens", "", 501, "This needs a hub"),
        ])
    func whatIsNotDeclaredIsRefused(
        method: String, path: String, rest: String, status: Double, words: String
    ) throws {
        var page = Page()
        let answer = try page.ask(method, path, rest)
        #expect(answer["status"] == .number(status))
        guard case .text(let detail)? = answer["detail"] else { return _ = Issue.record("no words") }
        #expect(detail.hasPrefix(words), "\(detail)")
    }

    @Test func numbersMayBeWrittenAsTexts() throws {
        var page = Page()
        page.wait(seconds: 60)
        for limit in ["2", #""2""#] {
            let list = try page.ask(
                "GET", "/detections", #","filter":{"limit":\#(limit),"min_confidence":0.1}"#)
            #expect(list.items.count == 2)
        }
        for least in ["1", #""1""#] {
            let list = try page.ask("GET", "/detections", #","filter":{"min_confidence":\#(least)}"#)
            #expect(list["status"] == .number(200) && list.items.isEmpty)
        }
    }

    @Test func aPartOfTheMapIsFourNumbersInOneText() throws {
        var page = Page()
        for box in [#""-10,-10,10,10""#, "[-10,-10,10,10]"] {
            #expect(
                try page.ask("GET", "/map", #","filter":{"box":\#(box),"zoom":3}"#)["status"] == .number(200))
        }
        let half = try page.ask("GET", "/map", #","filter":{"box":"1,2","zoom":3}"#)
        #expect(half["status"] == .number(400))
    }
}
