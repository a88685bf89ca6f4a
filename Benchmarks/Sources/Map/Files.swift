// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionStore
import Detections
import Foundation

/// Every form of file, all rows.
func export(_ store: DetectionDatabase, rows: Int) async throws {
    for format in ExportFormat.allCases {
        let (before, start, worked) = (memory(), clock.now, processorTime())
        var (octets, most) = (0, before)
        var export = try await store.export(
            matching: DetectionFilter(), as: format,
            heading: ExportHeading(date: Timestamp(milliseconds: 0), appVersion: "1"))
        while let piece = try await export.next() {
            octets += piece.count
            most = max(most, memory())
        }
        let time = clock.now - start
        emit(
            "export of everything as \(format.rawValue)", [time],
            [
                "rows_per_second": perSecond(rows, time), "octets": octets, "grown_mb": most - before,
                "processor_ns_a_row": Int((processorTime() - worked) * 1e9 / Double(rows)),
            ])
    }
}

/// A file of everything into an empty database.
func importing(_ store: DetectionDatabase, rows: Int, beside path: String) async throws {
    for format in [ExportFormat.csv, .json] {
        let target = path + ".import"
        for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: target + ending) }
        let copy = try DetectionDatabase(path: target, createIfMissing: true)
        var export = try await store.export(
            matching: DetectionFilter(), as: format,
            heading: ExportHeading(date: Timestamp(milliseconds: 0), appVersion: "1"))
        var file = FileImport(into: copy)
        var (making, reading, log) = (Duration.zero, Duration.zero, 0)
        let before = memory()
        var most = before
        while true {
            let start = clock.now
            let piece = try await export.next()
            let middle = clock.now
            making += middle - start
            guard let piece else { break }
            _ = try await file.receive(piece)
            reading += clock.now - middle
            log = max(log, megabytes(target + "-wal"))
            most = max(most, memory())
        }
        _ = try await file.finish()
        emit(
            "import of \(file.counts.imported) rows of \(format.rawValue)", [reading],
            [
                "rows_per_second": perSecond(rows, reading), "log_mb": log, "grown_mb": most - before,
                "refused": file.counts.refused,
            ])
        // What follows from the rows may be left to the next opening.
        try await copy.close()
        for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: target + ending) }
    }
}

/// Many rows go, come back, and go for good.
func delete(_ store: DetectionDatabase, rows: Int, path: String) async throws {
    let many = min(100_000, rows / 2)
    let filter = DetectionFilter(until: Timestamp(milliseconds: firstMoment + Int64(many) * 100))
    var (start, worked) = (clock.now, processorTime())
    var deletion = try await store.discard(matching: filter, at: Timestamp(milliseconds: 0))
    emit(
        "delete \(deletion.count) rows", [clock.now - start],
        [
            "log_mb": megabytes(path + "-wal"),
            "processor_ns_a_row": Int((processorTime() - worked) * 1e9 / Double(max(1, deletion.count))),
        ])
    (start, worked) = (clock.now, processorTime())
    _ = try await store.restore(deletion: deletion.id)
    emit(
        "take that back", [clock.now - start],
        ["processor_ns_a_row": Int((processorTime() - worked) * 1e9 / Double(max(1, deletion.count)))])
    deletion = try await store.discard(matching: filter, at: Timestamp(milliseconds: 0))
    start = clock.now
    try await store.purge(deletion: deletion.id)
    emit("purge them", [clock.now - start], ["log_mb": megabytes(path + "-wal")])
}
