// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import LanternEngine
import Testing

/// An engine with a browser's Bluetooth that the test plays: what it asks of the radio, and what it keeps and tells.
final class Browser {
    static let device = "01234567-89ab-cdef-0123-456789abcdef"
    static let service = "4fafc201-1fb5-459e-8fcc-c5c9c331914b"
    /// The service of a FlockFinder with what it detects (handle 3), commands (6) and a stream (8).
    static let services = """
        [{"uuid":"\(service)","handle":1,"characteristics":[
        {"uuid":"beb5483e-36e1-4688-b7f5-ea07361b26a8","handle":3,"properties":18,
        "descriptors":[{"uuid":"00002902-0000-1000-8000-00805f9b34fb","handle":4}]},
        {"uuid":"beb5483e-36e1-4688-b7f5-ea07361b26a9","handle":6,"properties":12,"descriptors":[]},
        {"uuid":"beb5483e-36e1-4688-b7f5-ea07361b26aa","handle":8,"properties":16,"descriptors":[]}]}]
        """
    static let wall: Int64 = 1_795_269_800_000

    let engine: Engine
    var milliseconds: UInt64 = 0
    /// How far the clock on the wall was set ahead, in milliseconds.
    var ahead: Int64 = 0
    var told: [JSONNode] = []
    var lastRequest = 0

    init(seed: UInt64 = 7) {
        engine = Engine(inBrowserWithSeed: seed, at: .zero, wall: Timestamp(milliseconds: Self.wall))
        listen()
    }

    func listen() {
        while let octets = engine.nextOutput() {
            if let node = try? JSONReader.read(octets) { told.append(node) } else { Issue.record("no JSON") }
        }
    }

    func wait(milliseconds more: UInt64) {
        let end = milliseconds + more
        while milliseconds < end {
            milliseconds = min(end, milliseconds + 500)
            engine.advance(
                to: HostInstant.zero.advanced(byMilliseconds: milliseconds),
                wall: Timestamp(milliseconds: Self.wall + ahead + Int64(milliseconds)))
            listen()
        }
    }

    func tell(_ text: String) {
        engine.receiveFromBrowser(Array(text.utf8))
        listen()
    }

    func ask(_ method: String, _ path: String, _ rest: String = "") throws -> JSONNode {
        lastRequest += 1
        engine.request(Array(#"{"id":\#(lastRequest),"method":"\#(method)","path":"\#(path)"\#(rest)}"#.utf8))
        listen()
        let id = Double(lastRequest)
        return try #require(told.last { $0["answer"] == .number(id) })
    }

    /// The last thing that was asked of the radio.
    var asked: JSONNode? { told.last { $0["radio"] != nil } }
    func asked(_ word: String) -> [JSONNode] { told.filter { $0["radio"] == .text(word) } }
    func kept(_ store: String) -> [JSONNode] { told.filter { $0["keep"] == .text(store) } }
    func events(_ name: String) -> [JSONNode] { told.filter { $0["event"] == .text(name) } }

    func choose() {
        tell(#"{"radio":"state","state":"ready"}"#)
        tell(
            #"{"radio":"chosen","device":"\#(Self.device)","name":"FlockFinder","services":["\#(Self.service)"]}"#
        )
    }

    /// Answers whatever is asked next about the link until nothing more is.
    func serve() {
        var last = -1
        for _ in 0..<50 {
            guard let asked, let link = asked.number("link"), let id = asked.number("id"), id != last else {
                return
            }
            last = id
            if asked["radio"] == .text("discover") {
                tell(#"{"radio":"found","link":\#(link),"services":\#(Self.services)}"#)
            } else {
                tell(#"{"radio":"done","link":\#(link),"id":\#(id),"value":""}"#)
            }
        }
    }

    /// Chooses a FlockFinder, and connects to it.
    func connect() throws -> Int {
        choose()
        let link = try #require(asked("connect").last?.number("link"))
        tell(#"{"radio":"connected","link":\#(link)}"#)
        serve()
        return link
    }

    static func detection(_ mac: String) -> String {
        #"{"type":"flock_camera","mac":"\#(mac)","rssi":-62,"confidence":0.9,"ts":5}"#
    }

    func detect(_ text: String, link: Int) {
        let octets = Array((text + "\n").utf8)
        // As short as notifications may be where nobody knows the MTU.
        for start in stride(from: 0, to: octets.count, by: 20) {
            let piece = Array(octets[start..<min(start + 20, octets.count)])
            tell(#"{"radio":"value","link":\#(link),"handle":3,"value":"\#(piece.hexadecimal)"}"#)
        }
    }

    /// What the page has in its store, by store and number.
    var rows: [String: [String: String]] {
        var rows: [String: [String: String]] = [:]
        for one in told where one["keep"] != nil {
            let id = one.number("id").map { "\($0)" } ?? one.words("id")
            rows[one.words("keep"), default: [:]][id] = one["row"].map { _ in one.words("row") }
        }
        return rows
    }

    /// Takes back what another one has kept, as a page gives it.
    func restore(_ rows: [String: [String: String]]) {
        let settings = (rows["settings"] ?? [:]).map { name, text in
            var json = JSONWriter()
            json.value(text)
            return "\"\(name)\":\(json.text)"
        }
        let lists = ["sources", "saves", "known", "drives", "detections"].map { name in
            let kept = (rows[name] ?? [:]).sorted { (Int($0.key) ?? 0) < (Int($1.key) ?? 0) }
            return kept.map { $0.value }.joined(separator: ",")
        }
        let ids = (rows["detections"] ?? [:]).keys.sorted { (Int($0) ?? 0) < (Int($1) ?? 0) }
        for text in [
            #"{"settings":{\#(settings.joined(separator: ","))},"sources":[\#(lists[0])],"saves":[\#(lists[1])],"ids":[]}"#,
            #"{"drives":[\#(lists[3])],"ids":[]}"#, #"{"known":[\#(lists[2])],"ids":[]}"#,
            "{\"ids\":[\(ids.joined(separator: ","))]}\n{\"detections\":[\(lists[4])]}",
        ] { engine.restore(Array(text.utf8)) }
    }

    var device: JSONNode? {
        (try? ask("GET", "/devices"))?.items.first
    }
}

extension JSONNode {
    func number(_ key: String) -> Int? {
        if case .number(let number)? = self[key] { Int(number) } else { nil }
    }

    func words(_ path: String...) -> String {
        var node: JSONNode? = self
        for key in path { node = try? node?.member(key) }
        if case .text(let text)? = node?.value { return text }
        return ""
    }
}
