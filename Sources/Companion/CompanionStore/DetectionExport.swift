// SPDX-License-Identifier: Apache-2.0

public import Companion
public import Detections

/// A file of detections on its way: each piece is made when it is asked for.
public struct DetectionExport: Sendable {
    /// How much of a drive is read at once.
    private static let pointsAtOnce = 1000

    private enum Stage: Sendable {
        case records
        /// Behind this drive.
        case drives(after: (begin: Int64, id: Int64)?)
        /// Behind this point of a drive.
        case points((begin: Int64, id: Int64), after: Int64?)
        case over
    }

    let store: DetectionDatabase
    let filter: DetectionFilter
    /// What is stored after this is not in it.
    let last: Int64
    var encoder: DetectionEncoder
    private var page = DetectionPage(order: .oldestFirst, limit: 1000)
    /// The next records, read while those before them were written.
    private var waiting: ExportedPage?
    /// What people have said of sources, as it was read last.
    private var remarks: SourceRemarks?
    private var stage = Stage.records
    /// When the first and the last of what was written was received.
    private var times: ClosedRange<Timestamp>?

    init(store: DetectionDatabase, filter: DetectionFilter, last: Int64, encoder: DetectionEncoder) {
        self.store = store
        self.filter = filter
        self.last = last
        self.encoder = encoder
    }

    /// How many were written and left out.
    public var summary: ExportSummary { encoder.summary }

    /// Makes the next piece.
    ///
    /// - Returns: Some 64 KB that end where a row ends; `nil` at the end.
    /// - Throws: ``StoreError``.
    public mutating func next() async throws(StoreError) -> [UInt8]? {
        if case .over = stage { return nil }
        while encoder.octets.count < 65_536 {
            switch stage {
            case .records: try await writeRecords()
            case .drives(let last):
                let next = try await store.drive(in: span, after: last)
                if let next { encoder.beginDrive(next.id) }
                stage = next.map { .points($0, after: nil) } ?? .over
            case .points(let drive, let time):
                let fixes = try await store.fixes(of: drive.id, after: time, atMost: Self.pointsAtOnce)
                for fix in fixes { encoder.append(fix) }
                stage = .points(drive, after: fixes.last?.time)
                if fixes.count < Self.pointsAtOnce {
                    encoder.endDrive()
                    stage = .drives(after: drive)
                }
            case .over: break
            }
            // Half a file must not pass for a whole one.
            if Task.isCancelled { throw .cancelled }
            if case .over = stage {
                encoder.finish()
                break
            }
        }
        return encoder.removeAll()
    }

    private mutating func writeRecords() async throws(StoreError) {
        let read: ExportedPage
        if let waiting {
            read = waiting
        } else {
            read = try await store.exported(DetectionQuery(filter: filter, page: page), remarks)
        }
        waiting = nil
        let records = read.records
        (page.after, remarks) = (records.last?.id, read.remarks)
        guard !read.isLast, page.after ?? last < last else {
            append(records)
            stage = encoder.takesDrives ? .drives(after: nil) : .over
            return
        }
        // The database and the form each keep a processor busy.
        async let following = Self.page(DetectionQuery(filter: filter, page: page), of: store, remarks)
        append(records)
        waiting = try await following.get()
    }

    private static func page(
        _ query: DetectionQuery, of store: DetectionDatabase, _ remarks: SourceRemarks?
    ) async -> Result<ExportedPage, StoreError> {
        do throws(StoreError) {
            return .success(try await store.exported(query, remarks))
        } catch {
            return .failure(error)
        }
    }

    private mutating func append(_ records: [DetectionRecord]) {
        for record in records where record.id <= last {
            encoder.append(record)
            let time = record.sighting.received
            times = min(time, times?.lowerBound ?? time)...max(time, times?.upperBound ?? time)
        }
    }

    /// The time of the drives that belong to it: that of the filter, or, where it asks for more than a time and a place,
    /// that of the records that were found.
    private var span: DriveSpan {
        var rest = filter
        (rest.since, rest.until, rest.hasPosition) = (nil, nil, nil)
        var span = DriveSpan(since: filter.since, until: filter.until)
        guard rest != DetectionFilter() else { return span }
        span.isEmpty = times == nil
        span.since = times?.lowerBound
        span.until = times.map { Timestamp(milliseconds: $0.upperBound.milliseconds + 1) }
        return span
    }
}
