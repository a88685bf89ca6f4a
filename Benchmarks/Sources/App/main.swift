// SPDX-License-Identifier: Apache-2.0

// bench-app FILE ROWS: fills the app's database with invented sources, unless it is there, and prints how long the app's history
// takes to open its list, to go on in it, and to look something up. It fails when the list is not open within 100 ms.

import CompanionHub
import Detections
import Foundation
import HubModel
import LanternApp

guard CommandLine.arguments.count == 3, let rows = Int(CommandLine.arguments[2]), rows > 0 else {
    print("usage: bench-app FILE ROWS")
    exit(64)
}
let path = CommandLine.arguments[1]
let limit = Duration.milliseconds(100)

/// Each is another source.
func sighting(_ number: Int) -> Sighting {
    let mac = String(
        format: "58:8E:%02X:%02X:%02X:%02X", number >> 24 & 255, number >> 16 & 255, number >> 8 & 255,
        number & 255)
    let types = DetectionType.allCases
    let type = types[number % types.count]
    let extra = "{\"channel\":\(number % 13),\"method\":\"probe\"}"
    return Sighting(
        type: type, label: type.labelString, mac: mac, ssid: "FLOCK-\(number)", rssi: -100 + number % 70,
        confidence: Double(number % 100) / 100,
        received: Timestamp(milliseconds: 1_790_000_000_000 + Int64(number) * 1000),
        position: Position(latitude: 52.5 + Double(number % 1000) / 5000, longitude: 13.4), extra: extra,
        raw: Array(extra.utf8))
}

func milliseconds(_ duration: Duration) -> Double { (duration / .milliseconds(1) * 10).rounded() / 10 }

/// Measures something some times.
///
/// - Returns: The median.
@MainActor @discardableResult
func measure(_ name: String, _ body: @MainActor () async -> Int) async -> Duration {
    var times: [Duration] = []
    var result = 0
    for _ in 0..<9 {
        let start = ContinuousClock.now
        result = await body()
        times.append(.now - start)
    }
    times.sort()
    let title = name.padding(toLength: 32, withPad: " ", startingAt: 0)
    print("\(title) \(milliseconds(times[4])) ms, at most \(milliseconds(times[8])) ms  \(result) rows")
    return times[4]
}

let isNew = !FileManager.default.fileExists(atPath: path)
let app = try AppModel(
    database: path, name: "bench", radio: RadioSource("none") { throw CancellationError() })
if isNew {
    for first in stride(from: 0, to: rows, by: 5000) {
        _ = try await app.hub.store.save((first..<min(rows, first + 5000)).map(sighting))
    }
}
var opening = Duration.zero
opening = await measure("the list opens") {
    let history = HistoryModel(app)
    await history.search()
    return history.sources?.count ?? 0
}
let history = HistoryModel(app)
await history.search()
for _ in 0..<9 { await history.readMore() }
await measure("a thousand rows of it") {
    await history.search()
    for _ in 0..<9 { await history.readMore() }
    return history.sources?.count ?? 0
}
for (name, text) in [
    ("a name", "flock-1234"), ("part of all names", "flock"), ("an address", "58:8e:00:00:12"),
] {
    history.text = text
    await measure("looked up: \(name)") {
        await history.search()
        return history.counts.matching
    }
}
history.text = ""
for order in SourceOrder.allCases {
    history.order = order
    await measure("by \(order)") {
        await history.search()
        return history.sources?.count ?? 0
    }
}
guard opening < limit, history.counts.all == rows else {
    print("The list is to be open within \(milliseconds(limit)) ms.")
    exit(1)
}
