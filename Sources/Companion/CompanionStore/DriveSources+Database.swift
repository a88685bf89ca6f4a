// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import GRDB

extension DriveSources {
    /// How long it may take to count them, where somebody waits.
    static let patience = Duration.seconds(10)

    /// Counts the sources of drives.
    ///
    /// - Parameters:
    ///   - drives: The drives.
    ///   - database: The database.
    ///   - limit: How long it may take.
    /// - Returns: The drives in the same order, with how many new and known sources each has met.
    /// - Throws: ``StoreError/tooMuch(reason:)`` when it takes longer; what GRDB throws.
    static func counted(
        _ drives: [Drive], _ database: Database, within limit: Duration = patience
    ) throws -> [Drive] {
        do {
            return try database.ending(within: limit) { try counted(drives, in: database) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            throw StoreError.tooMuch(
                reason: "in the time of these drives lie more detections than can be counted in a few seconds"
            )
        }
    }

    /// Counts the sources of drives, however long it takes.
    static func counted(_ drives: [Drive], in database: Database) throws -> [Drive] {
        guard !drives.isEmpty else { return [] }
        var counts = DriveSources(drives)
        for span in spans(of: drives) {
            let rows = try SQLRequest<Row>(
                literal: """
                    SELECT received, source_id, first_seen FROM detection
                    CROSS JOIN source ON source.id = detection.source_id
                    WHERE received BETWEEN \(span.lowerBound) AND \(span.upperBound) AND \(DetectionQuery.isKept)
                    ORDER BY received
                    """
            ).fetchCursor(database)
            while let row = try rows.next() {
                guard let received: Int64 = row.stored(0), let source: Int64 = row.stored(1),
                    let firstSeen: Int64 = row.stored(2)
                else { continue }
                counts.take(source, at: received, firstSeen: firstSeen)
            }
        }
        return counts.finish()
    }

    /// The time of drives, those together that overlap, the earliest first.
    private static func spans(of drives: [Drive]) -> [ClosedRange<Int64>] {
        var spans: [ClosedRange<Int64>] = []
        for drive in drives.sorted(by: { $0.begin < $1.begin }) {
            let (begin, end) = (drive.begin.milliseconds, drive.end.milliseconds)
            if let before = spans.last, begin <= before.upperBound {
                spans[spans.count - 1] = before.lowerBound...max(before.upperBound, end)
            } else {
                spans.append(begin...max(begin, end))
            }
        }
        return spans
    }
}
