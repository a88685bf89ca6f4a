// SPDX-License-Identifier: Apache-2.0

// bench-map FILE ROWS [PART …]: fills a database with detections all over the world, unless it is there, and prints one JSON
// object a line with how long what a map asks for takes: {"name": …, "unit": "ms", "p50": …, "p99": …, "most": …}.

import Companion
import CompanionStore
import Detections
import FlockFinder
import Foundation

// `points` prints what supercluster.cjs reads and is no measurement.
let parts = ["cold", "clusters", "plain", "lists", "routes", "export", "import", "delete", "points"]
let usual = parts.dropLast(3) + ["delete"]
let wanted = CommandLine.arguments.dropFirst(3)
guard CommandLine.arguments.count >= 3, let rows = Int(CommandLine.arguments[2]), rows > 0,
    wanted.allSatisfy({ parts.contains($0) })
else {
    print("usage: bench-map FILE ROWS [\(parts.joined(separator: "|")) …]; without a part all but import")
    exit(64)
}
let path = CommandLine.arguments[1]

func fill() async throws {
    let store = try DetectionDatabase(path: path, createIfMissing: true)
    let start = clock.now
    var log = 0
    // One that was interrupted goes on.
    for first in stride(from: try await store.count(), to: rows, by: 5000) {
        _ = try await store.save((first..<min(rows, first + 5000)).map { sighting($0, of: rows) })
        log = max(log, megabytes(path + "-wal"))
    }
    emit("store \(rows) rows", [clock.now - start], ["log_mb": log])
    for number in 0..<max(1, rows / 5000) {
        let points = drive(number, points: 5000)
        _ = try await store.save(DrivePiece(source: .receiver, points: points, metres: 75_000))
    }
    let last = clock.now
    try await settle(path)
    emit("judge the places that are left", [clock.now - last])
    try await store.close()
}

/// Drives come last.
func isUnfinished() async throws -> Bool {
    guard FileManager.default.fileExists(atPath: path) else { return true }
    let store = try DetectionDatabase(path: path, createIfMissing: false)
    let drives = try await store.drives(limit: 1)
    try await store.close()
    return drives.isEmpty
}

if wanted == ["points"] {
    try points(path)
    exit(0)
}
if try await isUnfinished() { try await fill() }
var begin = clock.now
let store = try DetectionDatabase(path: path, createIfMissing: false)
emit("open", [clock.now - begin])
begin = clock.now
try await settle(path)
emit("what was left to do", [clock.now - begin], ["file_mb": megabytes(path)])
for part in parts where wanted.contains(part) || wanted.isEmpty && usual.contains(part) {
    switch part {
    case "cold": try await cold(path)
    case "clusters": try await clusters(store, rows: rows)
    case "plain": try plain(path)
    case "lists": try await lists(store, rows: rows)
    case "routes": try await routes(store)
    case "export": try await export(store, rows: rows)
    case "import": try await importing(store, rows: rows, beside: path)
    default: try await delete(store, rows: rows, path: path)
    }
}
emit("memory at the end", [], ["mb": memory()], unit: "mb")
try await store.close()
