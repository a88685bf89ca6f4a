// SPDX-License-Identifier: Apache-2.0

public import Companion
import GRDB

extension DetectionDatabase {
    /// Writes detections as a file, in the order in which they were stored.
    ///
    /// It reads a page at a time, so a reader who is slow, or stops, holds up nobody and keeps no log from being moved.
    /// What is stored after the export has begun is not in it; what is deleted before its turn is not, either.
    ///
    /// - Parameters:
    ///   - filter: Which are wanted.
    ///   - format: The form of the file.
    ///   - heading: What the file says about itself.
    ///   - sink: Takes the octets, in pieces of about 64 KB that end where a row ends.
    /// - Returns: How many were written and left out.
    /// - Throws: ``StoreError``, or what the sink throws.
    public func export(
        matching filter: DetectionFilter = DetectionFilter(),
        as format: ExportFormat,
        heading: ExportHeading,
        to sink: @Sendable (_ octets: [UInt8]) async throws -> Void
    ) async throws -> ExportSummary {
        let last = try await lastID()
        var encoder = DetectionEncoder(format, heading: heading)
        var page = DetectionPage(order: .oldestFirst, limit: 500)
        var isOver = false
        while !isOver {
            let records = try await records(matching: filter, page: page)
            for record in records where record.id <= last {
                encoder.append(record)
                if encoder.octets.count >= 65_536 { try await sink(encoder.removeAll()) }
            }
            page.after = records.last?.id
            isOver = records.count < page.limit || page.after ?? last >= last
            try Task.checkCancellation()
        }
        encoder.finish()
        try await sink(encoder.removeAll())
        return encoder.summary
    }

    /// The highest number that was ever given.
    func lastID() async throws(StoreError) -> Int64 {
        try await read { database in
            try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'detection'") ?? 0
        }
    }
}
