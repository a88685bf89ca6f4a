// SPDX-License-Identifier: Apache-2.0

// bench-store FILE ROWS: fills a database with invented detections, unless it is there, and prints how long what
// people do with it takes.

import Companion
import CompanionStore
import Detections
import FlockFinder
import Foundation
import Synchronization

guard CommandLine.arguments.count == 3, let rows = Int(CommandLine.arguments[2]), rows > 0 else {
    print("usage: bench-store FILE ROWS")
    exit(64)
}
let path = CommandLine.arguments[1]
let clock = ContinuousClock()
/// A row comes each 100 ms.
let begin: Int64 = 1_790_000_000_000

func moment(_ row: Int) -> Timestamp { Timestamp(milliseconds: begin + Int64(row) * 100) }

func megabytes(_ suffix: String = "") -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
    return ((attributes?[.size] as? NSNumber)?.intValue ?? 0) >> 20
}

func line(_ name: String, _ duration: Duration, _ result: String = "") {
    let title = name.padding(toLength: 40, withPad: " ", startingAt: 0)
    print("\(title) \(((duration / .milliseconds(1)) * 10).rounded() / 10) ms  \(result)")
}

@MainActor func measure(_ name: String, _ body: @MainActor () async throws -> String) async throws {
    let start = clock.now
    let result = try await body()
    line(name, clock.now - start, result)
}

/// One of 20 000 devices, every tenth without an address; each five thousandth comes from a clock that was set back.
func sighting(_ number: Int) -> Sighting {
    let device = number % 20_000
    let mac = String(format: "58:8E:81:%02X:%02X:%02X", device >> 16, device >> 8 & 255, device & 255)
    let types = DetectionType.allCases
    let type = types[device % types.count]
    let extra = "{\"ch\":\(number % 13),\"method\":\"probe\"}"
    let latitude = 52.5 + Double(number % 1000) / 5000
    let longitude = 13.4 + Double(number / 1000 % 1000) / 5000
    return Sighting(
        type: type, label: type.labelString, mac: number % 10 == 0 ? nil : mac, ssid: "FLOCK-\(device)",
        rssi: -100 + number % 70, confidence: Double(number % 100) / 100,
        received: moment(number % 5000 == 0 ? number - 100_000 : number),
        position: Position(latitude: latitude, longitude: longitude), extra: extra, raw: Array(extra.utf8))
}

func fill() async throws {
    let store = try DetectionDatabase(path: path, createIfMissing: true)
    var largest = 0
    let start = clock.now
    for first in stride(from: 0, to: rows, by: 5000) {
        _ = try await store.save((first..<min(rows, first + 5000)).map(sighting))
        largest = max(largest, megabytes("-wal"))
    }
    line("store \(rows)", clock.now - start, "log at most \(largest) MB")
    try await store.close()
    print("the file has \(megabytes()) MB")
}

func filters() -> [(String, DetectionFilter)] {
    let center = Position(latitude: 52.55, longitude: 13.5)
    let here = center.flatMap { Vicinity(center: $0, metres: 300) }
    let half = moment(rows / 2)
    let hour = Timestamp(milliseconds: half.milliseconds + 3_600_000)
    return [
        ("all", DetectionFilter()), ("text flock-1234", DetectionFilter(text: "flock-1234")),
        ("text flock", DetectionFilter(text: "flock")), ("text zzzz", DetectionFilter(text: "zzzz")),
        ("text zz", DetectionFilter(text: "zz")),
        ("text 58:8e:81:00:12", DetectionFilter(text: "58:8e:81:00:12")),
        ("near, 300 m", DetectionFilter(near: here)), ("one type", DetectionFilter(types: [.ring])),
        ("three types", DetectionFilter(types: [.ring, .axis, .raven])),
        ("later half", DetectionFilter(since: half)), ("earlier half", DetectionFilter(until: half)),
        ("an hour", DetectionFilter(since: half, until: hour)),
        ("one type and text", DetectionFilter(types: [.ring], text: "flock-12")),
        ("one source", DetectionFilter(source: 17)),
    ]
}

@MainActor func search(_ store: DetectionDatabase) async throws {
    for (name, filter) in filters() {
        for (end, order) in [("newest", DetectionPage.Order.newestFirst), ("oldest", .oldestFirst)] {
            let page = DetectionPage(order: order, limit: 100)
            // Once to have the file's pages in memory.
            _ = try await store.records(matching: filter, page: page)
            try await measure("\(name), \(end) 100") {
                "\(try await store.records(matching: filter, page: page).count)"
            }
        }
        try await measure("\(name), count") { "\(try await store.count(matching: filter))" }
    }
    try await measure("100 sources") { "\(try await store.sources().count)" }
}

@MainActor func export(_ store: DetectionDatabase) async throws {
    let octets = Mutex(0)
    let heading = ExportHeading(date: moment(0), appVersion: "1")
    try await measure("export as JSON") {
        _ = try await store.export(as: .json, heading: heading) { piece in
            octets.withLock { $0 += piece.count }
        }
        return "\(octets.withLock { $0 } >> 20) MB"
    }
}

@MainActor func delete(_ store: DetectionDatabase) async throws {
    let filter = DetectionFilter(until: moment(100_000))
    var deletion = try await store.discard(ids: [], at: moment(0))
    try await measure("discard 100 000 by filter") {
        deletion = try await store.discard(matching: filter, at: moment(0))
        return "\(deletion.count), log \(megabytes("-wal")) MB"
    }
    try await measure("restore them") { "\(try await store.restore(deletion: deletion.id))" }
    deletion = try await store.discard(matching: filter, at: moment(0))
    let storing = Task {
        var waits: [Duration] = []
        while !Task.isCancelled {
            let start = clock.now
            _ = try await store.save(sighting(3))
            waits.append(clock.now - start)
        }
        return waits.sorted()
    }
    try await measure("purge them") {
        try await store.purge(deletion: deletion.id)
        return "log \(megabytes("-wal")) MB"
    }
    storing.cancel()
    let waits = try await storing.value
    line("  a row stored meanwhile, median", waits[waits.count / 2])
    line("  the slowest", waits[waits.count - 1])
}

if !FileManager.default.fileExists(atPath: path) { try await fill() }
let start = clock.now
let store = try DetectionDatabase(path: path, createIfMissing: false)
line("open", clock.now - start)
try await search(store)
try await export(store)
try await delete(store)
try await measure("close") {
    try await store.close()
    return "the file has \(megabytes()) MB"
}
