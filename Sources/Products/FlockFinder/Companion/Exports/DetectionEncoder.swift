// SPDX-License-Identifier: Apache-2.0

/// A form in which detections leave the store.
public enum ExportFormat: String, Hashable, Sendable, CaseIterable {
    /// One row each, for spreadsheets.
    case csv
    /// One object each, for programs.
    case json
    /// One waypoint each, for maps; GPX 1.1.
    case gpx

    fileprivate func encoder(for heading: ExportHeading) -> any DetectionEncoder {
        switch self {
        case .csv: CSVEncoder()
        case .json: JSONFileEncoder(heading: heading)
        case .gpx: GPXEncoder(heading: heading)
        }
    }
}

/// What an export says about itself.
public struct ExportHeading: Hashable, Sendable {
    /// When the export is made.
    public var date: Timestamp
    /// The version of the program that makes it.
    public var appVersion: String

    /// Makes a heading.
    ///
    /// - Parameters:
    ///   - date: When the export is made.
    ///   - appVersion: The version of the program.
    public init(date: Timestamp, appVersion: String) {
        self.date = date
        self.appVersion = appVersion
    }
}

/// What an export holds.
public struct ExportSummary: Hashable, Sendable {
    /// Detections that were written.
    public var written = 0
    /// Detections left out because they have no position and the format needs one.
    public var withoutPosition = 0

    /// Makes an empty summary.
    public init() {}
}

/// Turns records into the octets of a file, row by row.
protocol DetectionEncoder {
    /// Appends what comes before the rows.
    mutating func begin(count: Int, into octets: inout [UInt8])
    /// Appends a row, unless it has no position and needs one; then the answer is no.
    mutating func append(_ record: DetectionRecord, into octets: inout [UInt8]) -> Bool
    /// Appends what comes after the rows.
    mutating func end(into octets: inout [UInt8])
}

extension ExportFormat {
    /// Writes records as a file, piece by piece; memory stays flat for any number of records.
    ///
    /// - Parameters:
    ///   - records: The records.
    ///   - heading: What the file says about itself.
    ///   - sink: Takes the pieces, each about 64 KB.
    /// - Returns: How many were written and left out.
    /// - Throws: What the records or the sink throw.
    public func write(
        _ records: any RecordSequence,
        heading: ExportHeading,
        to sink: ([UInt8]) throws -> Void
    ) throws -> ExportSummary {
        var summary = ExportSummary()
        var encoder = encoder(for: heading)
        var octets: [UInt8] = []
        encoder.begin(count: self == .json ? try records.count() : 0, into: &octets)
        while let record = try records.next() {
            if encoder.append(record, into: &octets) {
                summary.written += 1
            } else {
                summary.withoutPosition += 1
            }
            if octets.count >= 65_536 {
                try sink(octets)
                octets.removeAll(keepingCapacity: true)
            }
        }
        encoder.end(into: &octets)
        try sink(octets)
        return summary
    }
}

extension DetectionStore {
    /// Writes detections as a file, the earliest first, out of an unchanging view of the store.
    ///
    /// - Parameters:
    ///   - filter: Which are wanted.
    ///   - format: The form of the file.
    ///   - heading: What the file says about itself.
    ///   - sink: Takes the octets, piece by piece, on a thread that may block.
    /// - Returns: How many were written and left out.
    /// - Throws: ``StoreError``, or what the sink throws.
    public func export(
        matching filter: DetectionFilter = DetectionFilter(),
        as format: ExportFormat,
        heading: ExportHeading,
        to sink: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws -> ExportSummary {
        try await withRecords(matching: filter) { try format.write($0, heading: heading, to: sink) }
    }
}
