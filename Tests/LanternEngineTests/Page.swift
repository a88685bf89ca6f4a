// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import LanternEngine
import Testing

/// No device does what a test needs.
struct NoSuchDevice: Error {}

/// An engine with a page that asks and listens.
struct Page {
    let engine = Engine(seed: 7, at: .zero, wall: Timestamp(milliseconds: 1_795_269_800_000))
    var seconds: UInt64 = 0
    var told: [JSONNode] = []
    var lastRequest = 0

    /// Lets time go by.
    mutating func wait(seconds more: UInt64) {
        seconds += more
        engine.advance(
            to: HostInstant.zero.advanced(bySeconds: seconds),
            wall: Timestamp(milliseconds: 1_795_269_800_000 + Int64(seconds) * 1000))
        listen()
    }

    /// Lets time go by until something has been told, for a minute at most.
    mutating func wait(until isTold: ([JSONNode]) -> Bool) {
        let end = seconds + 60
        while !isTold(told), seconds < end { wait(seconds: 1) }
    }

    mutating func listen() {
        while let octets = engine.nextOutput() {
            if let node = try? JSONReader.read(octets) { told.append(node) } else { Issue.record("no JSON") }
        }
    }

    mutating func send(_ method: String, _ path: String, _ rest: String = "") -> Int {
        lastRequest += 1
        engine.request(Array(#"{"id":\#(lastRequest),"method":"\#(method)","path":"\#(path)"\#(rest)}"#.utf8))
        listen()
        return lastRequest
    }

    /// Asks, and gives what was answered at once.
    mutating func ask(_ method: String, _ path: String, _ rest: String = "") throws -> JSONNode {
        let id = send(method, path, rest)
        return try #require(answer(id))
    }

    func answer(_ id: Int) -> JSONNode? {
        told.first { (try? $0.member("answer"))?.value == .number(Double(id)) }
    }

    /// All that was told, as text.
    var said: String {
        var json = JSONWriter()
        json.array { json in for node in told { node.write(into: &json) } }
        return json.text
    }

    /// The number of the first device of a kind.
    mutating func device(_ kind: String) throws -> Int {
        let device = try #require(ask("GET", "/devices").items.first { $0["kind"] == .text(kind) })
        guard case .number(let id)? = device["id"] else { throw NoSuchDevice() }
        return Int(id)
    }

    /// Begins a job on the first device of a kind, and waits until the device listens.
    mutating func begin(_ what: String, on kind: String) throws -> Int {
        wait(seconds: 5)
        let viewer = ["bulb", "nightlight"].contains(what) ? #","filter":{"page":"one"}"# : ""
        let begun = try ask("POST", "/devices/\(device(kind))/\(what)", viewer)
        #expect(begun["status"] == .number(200))
        let root = begun["value", "job", "id"]
        guard case .number(let id)? = root else { throw NoSuchDevice() }
        for _ in 1...30 {
            wait(seconds: 1)
            let job = try ask("GET", "/jobs").items.first { $0["id"] == .number(id) }
            if job?["phase"] == .text("open") { return Int(id) }
        }
        throw NoSuchDevice()
    }

    func events(_ name: String) -> [JSONNode] {
        told.filter { (try? $0.member("event"))?.value == .text(name) }
    }
}

extension JSONNode {
    subscript(_ path: String...) -> Value? {
        var node: JSONNode? = self
        for key in path { node = try? node?.member(key) }
        return node?.value
    }

    var items: [JSONNode] {
        if case .array(let items)? = (try? member("value")?.member("items"))?.value { items } else { [] }
    }
}
