// SPDX-License-Identifier: Apache-2.0

public import Companion
public import Detections
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
    ///   - isSeen: Whether it goes to a terminal.
    ///   - sink: Takes the octets, in pieces of about 64 KB that end where a row ends.
    /// - Returns: How many were written and left out.
    /// - Throws: ``StoreError``, or what the sink throws.
    public func export(
        matching filter: DetectionFilter = DetectionFilter(),
        as format: ExportFormat,
        heading: ExportHeading,
        isSeen: Bool = false,
        to sink: @Sendable (_ octets: [UInt8]) async throws -> Void
    ) async throws -> ExportSummary {
        var export = try await export(matching: filter, as: format, heading: heading, isSeen: isSeen)
        while let octets = try await export.next() {
            try Task.checkCancellation()
            try await sink(octets)
        }
        return export.summary
    }

    /// Begins a file of detections, which is taken piece by piece.
    ///
    /// - Parameters:
    ///   - filter: Which are wanted.
    ///   - format: The form of the file.
    ///   - heading: What the file says about itself.
    ///   - isSeen: Whether it goes to a terminal.
    /// - Returns: The file.
    /// - Throws: ``StoreError``.
    public func export(
        matching filter: DetectionFilter, as format: ExportFormat, heading: ExportHeading,
        isSeen: Bool = false
    ) async throws(StoreError) -> DetectionExport {
        try DetectionQuery(filter: filter).check()
        return DetectionExport(
            store: self, filter: filter, last: try await lastID(),
            encoder: DetectionEncoder(format, heading: heading, isSeen: isSeen))
    }

    /// The next records of a file, with what people have said of their sources, and with no more of these.
    func exported(
        _ query: DetectionQuery, _ remarks: SourceRemarks?
    ) async throws(StoreError) -> ExportedPage {
        try query.check()
        return try await read { [unusable] database in
            try SourceRemarks.now(remarks, database).page(query, database, unusable)
        }
    }

    /// The highest number that was ever given.
    static func lastID(_ database: Database) throws -> Int64 {
        let row = try Row.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'detection'")
        return (row?.stored(0) ?? 0 as Int64).usual
    }

    /// The highest number that was ever given.
    func lastID() async throws(StoreError) -> Int64 {
        try await read { database in
            try Self.lastID(database)
        }
    }
}

/// A part of what is written into a file.
struct ExportedPage: Sendable {
    /// Octets of texts from which on a part is long enough.
    static let mostOctets = 524_288

    let records: [DetectionRecord]
    /// Whether no others follow.
    let isLast: Bool
    let remarks: SourceRemarks
}
