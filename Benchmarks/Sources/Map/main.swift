// SPDX-License-Identifier: Apache-2.0

// bench-map FILE ROWS: fills a database with detections all over the world, unless it is there, and prints one JSON object
// a line with how long what a map asks for takes: {"name": …, "unit": "ms", "p50": …, "p99": …, "most": …}.

import Companion
import CompanionStore
import FlockFinder
import Foundation
import GRDB

guard CommandLine.arguments.count == 3, let rows = Int(CommandLine.arguments[2]), rows > 0 else {
    print("usage: bench-map FILE ROWS")
    exit(64)
}
let path = CommandLine.arguments[1]
let clock = ContinuousClock()

/// Numbers that look like chance and are the same in each run.
struct Chance {
    private var state: UInt64
    init(_ seed: Int) { state = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15 | 1 }
    mutating func next() -> Double {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Double(state >> 11) / Double(1 << 53)
    }
}

/// Where a source stands: most in forty towns, others all over a country, at the date line and at the poles.
func place(ofSource number: Int) -> (latitude: Double, longitude: Double) {
    var chance = Chance(number + 1)
    _ = chance.next()
    let (kind, one, other) = (chance.next(), chance.next(), chance.next())
    switch kind {
    case ..<0.7:
        var town = Chance(1000 + number % 40)
        _ = town.next()
        let middle = (latitude: 47.5 + 7 * town.next(), longitude: 6 + 9 * town.next())
        // Closer together towards the middle.
        let reach = 0.08 * one * one
        return (
            middle.latitude + reach * cos(6.2832 * other),
            middle.longitude + 1.5 * reach * sin(6.2832 * other)
        )
    case ..<0.95: return (47.5 + 7 * one, 6 + 9 * other)
    case ..<0.98: return (-18 + 4 * one, other < 0.5 ? 179.5 + other : -180 + other - 0.5)
    default:
        return (other < 0.5 ? 84 + 6 * one : -90 + 6 * one, -180 + 720 * (other < 0.5 ? other : other - 0.5))
    }
}

/// One of `rows / 5` sources, received near where it stands.
func sighting(_ number: Int) -> Sighting {
    let source = number * 7919 % max(1, rows / 5)
    var chance = Chance(number + 77)
    _ = chance.next()
    let place = place(ofSource: source)
    let types = DetectionType.allCases
    let type = types[source % types.count]
    let mac = String(
        format: "58:8E:%02X:%02X:%02X:%02X", source >> 24 & 255, source >> 16 & 255, source >> 8 & 255,
        source & 255)
    let position = Position(
        latitude: max(-90, min(90, place.latitude + 0.0004 * (chance.next() - 0.5))),
        longitude: max(-180, min(180, place.longitude + 0.0006 * (chance.next() - 0.5))))
    return Sighting(
        type: type, label: type.labelString, mac: mac, ssid: "CAM-\(source)",
        rssi: -95 + Int(50 * chance.next()),
        confidence: chance.next(), received: Timestamp(milliseconds: 1_790_000_000_000 + Int64(number) * 100),
        position: position, extra: "{\"ch\":\(number % 13)}", raw: Array("{\(number)}".utf8))
}

func emit(_ name: String, _ times: [Duration], _ more: [String: Int] = [:], unit: String = "ms") {
    let sorted = times.map { $0 / .milliseconds(1) }.sorted()
    let at = { (part: Double) in
        ((sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]) * 1000)
            .rounded() / 1000
    }
    let extra = more.sorted { $0.key < $1.key }.map { ",\"\($0.key)\":\($0.value)" }.joined()
    let line =
        "{\"name\":\"\(name)\",\"unit\":\"\(unit)\",\"p50\":\(at(0.5)),\"p99\":\(at(0.99)),\"most\":\(at(1))\(extra)}\n"
    FileHandle.standardOutput.write(Data(line.utf8))
}

/// Octets of memory that are in use, in millions.
func memory() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
    return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1000
}

func fill() async throws {
    let store = try DetectionDatabase(path: path, createIfMissing: true)
    let start = clock.now
    for first in stride(from: 0, to: rows, by: 5000) {
        _ = try await store.save((first..<min(rows, first + 5000)).map(sighting))
    }
    emit("store \(rows) rows", [clock.now - start])
    let last = clock.now
    let world = MapBox(west: -180, south: -90, east: 180, north: 90)
    while try await store.map(world, zoom: 0).progress != nil {
        try await Task.sleep(for: .milliseconds(200))
    }
    emit("judge the places that are left", [clock.now - last])
    try await store.close()
}

/// A screen of 1440 × 900 pixels around a place.
func screen(_ latitude: Double, _ longitude: Double, zoom: Int) -> MapBox {
    let width = 1440 * 360 / (256 * Double(1 << zoom))
    let height = width * 900 / 1440 * cos(latitude * .pi / 180)
    func wrapped(_ degrees: Double) -> Double {
        degrees < -180 ? degrees + 360 : degrees > 180 ? degrees - 360 : degrees
    }
    if width >= 360 { return MapBox(west: -180, south: -90, east: 180, north: 90) }
    return MapBox(
        west: wrapped(longitude - width / 2), south: max(-90, latitude - height / 2),
        east: wrapped(longitude + width / 2), north: min(90, latitude + height / 2))
}

let places: [(latitude: Double, longitude: Double)] =
    (0..<25).map { place(ofSource: $0 * 31) } + [(-17, 179.9), (87, 0), (-88, 100), (51, 10)]

func clusters(_ store: DetectionDatabase) async throws {
    for heat in [false, true] {
        var worst: (name: String, times: [Duration])?
        var (features, all): (Int, [Duration]) = (0, [])
        for zoom in 0...18 {
            var times: [Duration] = []
            for place in places {
                let box = screen(place.latitude, place.longitude, zoom: zoom)
                for _ in 0..<4 {
                    let start = clock.now
                    let view = try await store.map(box, zoom: zoom, withHeat: heat)
                    times.append(clock.now - start)
                    features = max(features, view.pins.count + view.clusters.count + view.heat.count)
                }
            }
            times.sort()
            all += times
            if times[times.count * 99 / 100] > worst?.times[times.count * 99 / 100] ?? .zero {
                worst = ("zoom \(zoom)", times)
            }
        }
        let name = heat ? "clusters and heat" : "clusters"
        emit("\(name), all zooms and boxes", all, ["features": features])
        if let worst { emit("\(name), the worst zoom: \(worst.name)", worst.times) }
    }
    var times: [Duration] = []
    for zoom in stride(from: 0, through: 18, by: 3) {
        for place in places.prefix(6) {
            let start = clock.now
            let filter = DetectionFilter(since: Timestamp(milliseconds: 1_790_000_000_000 + Int64(rows) * 90))
            _ = try await store.map(
                screen(place.latitude, place.longitude, zoom: zoom), zoom: zoom, matching: filter)
            times.append(clock.now - start)
        }
    }
    emit("clusters with a filter of time", times)
}

/// The same boxes from an R*Tree alone: what lies in the box is read and put into squares.
func plain() throws {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    var times: [Duration] = []
    for zoom in 0...18 {
        for place in places {
            let box = screen(place.latitude, place.longitude, zoom: zoom)
            let breadth = box.west <= box.east ? "east >= ? AND west <= ?" : "(east >= ? OR west <= ?)"
            let start = clock.now
            try queue.read { database in
                var squares: [Int: Int] = [:]
                let rows = try Row.fetchCursor(
                    database.cachedStatement(
                        sql:
                            "SELECT south, west FROM detection_place WHERE north >= ? AND south <= ? AND \(breadth)"
                    ),
                    arguments: [box.south, box.north, box.west, box.east])
                let side = Double(1 << (zoom + 2))
                while let row = try rows.next() {
                    let (south, west) = (row[0] as Double, row[1] as Double)
                    squares[
                        Int((west + 180) / 360 * side) << 32 | Int((south + 90) / 180 * side), default: 0] +=
                        1
                }
            }
            times.append(clock.now - start)
        }
    }
    emit("plain R*Tree of the detections, all zooms and boxes", times)
}

func timed(_ name: String, _ count: Int = 5, _ body: () async throws -> Int) async throws {
    var (times, result): ([Duration], Int) = ([], 0)
    for _ in 0..<count {
        let start = clock.now
        result = try await body()
        times.append(clock.now - start)
    }
    emit(name, times, ["found": result])
}

func lists(_ store: DetectionDatabase) async throws {
    try await timed("first page of History") {
        try await store.records(page: DetectionPage(limit: 100)).count
    }
    try await timed("a deep page of History") {
        try await store.records(page: DetectionPage(after: Int64(rows / 3), limit: 100)).count
    }
    try await timed("text, first page") {
        try await store.records(matching: DetectionFilter(text: "cam-1234"), page: DetectionPage(limit: 100))
            .count
    }
    try await timed("sources, first page") {
        try await store.sources(matching: DetectionFilter(), page: SourcePage(limit: 100)).count
    }
    let town = place(ofSource: 31)
    if let center = Position(latitude: town.latitude, longitude: town.longitude),
        let circle = Vicinity(center: center, metres: 300)
    {
        try await timed("near, 300 m, first page") {
            try await store.records(matching: DetectionFilter(near: circle), page: DetectionPage(limit: 100))
                .count
        }
    }
    for (name, zoom) in [("a street", 17), ("a country", 6)] {
        var filter = DetectionFilter()
        filter.box = screen(town.latitude, town.longitude, zoom: zoom)
        try await timed("the box of \(name), first page") {
            try await store.records(matching: filter, page: DetectionPage(limit: 100)).count
        }
    }
}

func export(_ store: DetectionDatabase) async throws {
    let heading = ExportHeading(date: Timestamp(milliseconds: 0), appVersion: "1")
    for format in [ExportFormat.csv, .json] {
        let (before, start) = (memory(), clock.now)
        var (octets, most) = (0, before)
        var export = try await store.export(matching: DetectionFilter(), as: format, heading: heading)
        while let piece = try await export.next() {
            octets += piece.count
            most = max(most, memory())
        }
        let time = clock.now - start
        emit(
            "export of everything as \(format.rawValue)", [time],
            [
                "rows_per_second": Int(Double(rows) / (time / .seconds(1))), "octets": octets,
                "grown_mb": most - before,
            ])
    }
}

func delete(_ store: DetectionDatabase) async throws {
    let many = min(100_000, rows / 2)
    let filter = DetectionFilter(
        until: Timestamp(milliseconds: 1_790_000_000_000 + Int64(many) * 100))
    let start = clock.now
    let deletion = try await store.discard(matching: filter, at: Timestamp(milliseconds: 0))
    emit("delete \(deletion.count) rows", [clock.now - start])
    let back = clock.now
    _ = try await store.restore(deletion: deletion.id)
    emit("take that back", [clock.now - back])
}

if !FileManager.default.fileExists(atPath: path) { try await fill() }
// As after the start of the machine, but for what the disk itself remembers.
sync()
try? "1".write(toFile: "/proc/sys/vm/drop_caches", atomically: false, encoding: .utf8)
let begin = clock.now
let store = try DetectionDatabase(path: path, createIfMissing: false)
emit("open", [clock.now - begin])
let town = place(ofSource: 31)
for zoom in [4, 9, 15] {
    let start = clock.now
    _ = try await store.map(screen(town.latitude, town.longitude, zoom: zoom), zoom: zoom)
    emit("clusters, cold, zoom \(zoom)", [clock.now - start])
}
try await clusters(store)
try plain()
try await lists(store)
try await export(store)
try await delete(store)
emit("memory at the end", [], ["mb": memory()], unit: "mb")
try await store.close()
