// SPDX-License-Identifier: Apache-2.0

import Companion
import Testing

@testable import LanternEngine

@Suite("Files that a page gives its engine", .timeLimit(.minutes(5)))
struct EngineImportTests {
    private static let head = "device_type,rssi,confidence,timestamp\n"
    private static let good = "Ring,-60,1,2024-01-01\n"
    private static let bad = "Ring,x,1,2024-01-01\n"
    private static let whole = #""last":true"#
    private static let part = #""last":false"#

    private static func give(
        _ text: String, to browser: Browser, at path: String = "/imports", _ rest: String = whole
    ) throws -> JSONNode {
        var json = JSONWriter()
        json.value(text)
        return try browser.ask("POST", path, #","body":{"octets":\#(json.text),\#(rest)}"#)
    }

    private static func list(_ answer: JSONNode, _ key: String) -> [JSONNode] {
        if case .array(let items)? = answer["value", key] { items } else { [] }
    }

    private static func text(_ answer: JSONNode) -> String {
        var json = JSONWriter()
        (try? answer.member("value"))?.write(into: &json)
        return json.text
    }

    /// Two rows of one kind, one of another, and what is right between them.
    private static let mixed = head + good + bad + "Ring,-60,1,never\n" + bad + good

    @Test func whatCannotBeUsedIsToldOnceAKindAsAHubDoes() throws {
        let answer = try Self.give(Self.mixed, to: Browser())
        #expect(answer["value", "imported"] == .number(2) && answer["value", "refused"] == .number(3))
        #expect(answer["value", "known"] == .number(0) && answer["value", "passed"] == .number(0))
        #expect(answer["value", "drives"] == .number(0) && answer["value", "known_drives"] == .number(0))
        #expect(answer["value", "dry_run"] == .bool(false) && answer["value", "broken"] == nil)
        let faults = Self.list(answer, "faults")
        #expect(faults.map { $0.number("line") } == [3, 4] && faults.map { $0.number("rows") } == [2, 1])
        #expect(faults.first?.words("reason") == "its rssi is not a whole number")
        #expect(Self.list(answer, "notes").isEmpty)
    }

    @Test(arguments: [1, 7, 40]) func itDoesNotMatterWhereAFileIsCut(size: Int) throws {
        let wanted = Self.text(try Self.give(Self.mixed, to: Browser()))
        let browser = Browser()
        var rest = Self.mixed[...]
        while rest.count > size {
            let answer = try Self.give(String(rest.prefix(size)), to: browser, Self.part)
            #expect(answer["status"] == .number(204))
            rest = rest.dropFirst(size)
        }
        #expect(Self.text(try Self.give(String(rest), to: browser)) == wanted)
    }

    /// Files of others have no keys: what is alike in all that is said of it is the same, as often as it was there.
    @Test func aFileThatComesASecondTimeBringsNothing() throws {
        let browser = Browser()
        let counts = { (text: String) throws -> [JSONNode.Value?] in
            let answer = try Self.give(text, to: browser)
            return [answer["value", "imported"], answer["value", "known"]]
        }
        #expect(try counts(Self.head + Self.good + Self.good) == [.number(2), .number(0)])
        #expect(try counts(Self.head + Self.good + Self.good) == [.number(0), .number(2)])
        let other = "Ring,-61,1,2024-01-01\n"
        #expect(
            try counts(Self.head + Self.good + Self.good + Self.good + other) == [.number(2), .number(2)])
    }

    @Test func whatIsToBeKnownOfRowsIsNoted() throws {
        // Neither a place nor a time.
        let text = "mac,name,rssi,method,last_seen_ms\n58:8e:81:00:00:02,FS Ext Battery,-61,ble_name,2\n"
        let answer = try Self.give(text, to: Browser())
        #expect(answer["value", "imported"] == .number(1) && Self.list(answer, "faults").isEmpty)
        #expect(Self.list(answer, "notes").map { $0.number("line") } == [1, 2])
    }

    /// A page gives the pieces of one file after the other; what is left of one that it could not read is no part of the next.
    @Test func aFileBeginsAnew() throws {
        let browser = Browser()
        _ = try Self.give("device_type,rssi,con", to: browser, Self.part)
        let answer = try Self.give(Self.head + Self.good, to: browser, #""first":true,"last":true"#)
        #expect(answer["value", "imported"] == .number(1) && answer["value", "broken"] == nil)
    }

    @Test func behindWhatCannotBeReadNothingIsWanted() throws {
        let browser = Browser()
        let answer = try Self.give("%PDF-1.4 and so much more\n", to: browser, Self.part)
        #expect(answer["status"] == .number(200) && answer.words("value", "broken", "reason").contains("PDF"))
        let next = try Self.give(Self.head + Self.good, to: browser)
        #expect(next["value", "imported"] == .number(1))
    }

    @Test func aDamagedFileIsTakenAsFarAsItGoes() throws {
        let browser = Browser()
        let (cut, reason) = (#""last":true,"broken":"it ends too early""#, "it ends too early")
        _ = try Self.give(Self.head + Self.good + Self.good, to: browser, Self.part)
        let answer = try Self.give("", to: browser, cut)
        #expect(answer["value", "imported"] == .number(2))
        #expect(answer["value", "broken", "line"] == .number(4))
        #expect(answer.words("value", "broken", "reason") == reason)
        let set = #""name":"a","# + cut
        let known = try Self.give(#"{"features":["#, to: browser, at: "/map/known", set)
        #expect(known["status"] == .number(422))
        #expect(known.words("detail") == "The file cannot be read: line 1, \(reason). Nothing was changed.")
        #expect(Self.list(try browser.ask("GET", "/map/known/sets"), "sets").isEmpty)
    }

    @Test func whatThereIsNoRoomForIsToldOnce() throws {
        let browser = Browser()
        browser.engine.detections = InMemoryDetectionStore(limit: 2, dropsOldest: false)
        let rows = (1...5).map { "Ring,-6\($0),1,2024-01-01\n" }.joined()
        let answer = try Self.give(Self.head + rows, to: browser)
        #expect(answer["value", "imported"] == .number(2) && answer["value", "refused"] == .number(3))
        let fault = try #require(Self.list(answer, "faults").first)
        #expect(Self.list(answer, "faults").count == 1 && fault.number("rows") == 3)
        #expect(fault.number("line") == 0 && fault.words("reason").contains("no room for more than 2"))
    }

    @Test func camerasThatCannotBeUsedAreToldOnceAKind() throws {
        let features = [50, 98, 99].enumerated().map { number, north in
            """
            {"type":"Feature","id":"node/\(number)","geometry":{"type":"Point","coordinates":[8,\(north)]},
             "properties":{"man_made":"surveillance"}}
            """
        }
        let text = #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ",\n"))]}"#
        let answer = try Self.give(text, to: Browser(), at: "/map/known", #""name":"a","last":true"#)
        #expect(answer["value", "cameras"] == .number(1) && answer["value", "refused"] == .number(2))
        let faults = Self.list(answer, "faults")
        #expect(faults.map { $0.number("line") } == [3] && faults.map { $0.number("rows") } == [2])
    }
}
