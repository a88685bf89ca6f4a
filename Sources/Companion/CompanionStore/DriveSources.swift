// SPDX-License-Identifier: Apache-2.0

import Companion
import FlockFinder
import GRDB

/// Counts the sources that drives have met, for many drives in one pass over the detections of their time: each is read once,
/// however many drives it lies in.
///
/// The detections come by time. Of each source it is known in which part of the time it was received last, where each beginning
/// of a drive begins another part. When a drive ends, it has met the sources that were received last since its beginning.
struct DriveSources {
    /// How long it may take to count them, where somebody waits.
    static let patience = Duration.seconds(10)

    private struct Met {
        var last: Int
        let first: Int
    }

    /// When the drives begin, each moment once, the earliest first; part 0 is before all of them.
    private let begins: [Int64]
    private var sources: [Int64: Met] = [:]
    /// How many sources were received last in each part.
    private var last: [Int]
    /// How many were received first in each part.
    private var first: [Int]

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
        var counted = drives
        // The last of them ends next.
        var going = drives.indices.sorted { drives[$0].end > drives[$1].end }
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
                while let index = going.last, drives[index].end.milliseconds < received {
                    counted[index] = counts.counted(drives[index])
                    going.removeLast()
                }
                counts.take(source, at: received, firstSeen: firstSeen)
            }
        }
        for index in going { counted[index] = counts.counted(drives[index]) }
        return counted
    }

    private init(_ drives: [Drive]) {
        begins = Set(drives.map { $0.begin.milliseconds }).sorted()
        last = Array(repeating: 0, count: begins.count + 1)
        first = last
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

    /// The part of the time in which a moment lies.
    private func part(_ moment: Int64) -> Int {
        var (low, high) = (0, begins.count)
        while low < high {
            let middle = (low + high) / 2
            if begins[middle] <= moment { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Takes a detection, which is not earlier than the one before.
    private mutating func take(_ source: Int64, at received: Int64, firstSeen: Int64) {
        let now = part(received)
        if let met = sources[source] {
            guard met.last != now else { return }
            last[met.last] -= 1
            first[min(met.first, met.last)] -= 1
        }
        let met = Met(last: now, first: sources[source]?.first ?? part(firstSeen))
        sources[source] = met
        last[now] += 1
        // Whatever somebody has written by hand: nothing is received first after it was received last.
        first[min(met.first, now)] += 1
    }

    /// A drive that ends before the next detection, with its counts.
    private func counted(_ drive: Drive) -> Drive {
        let begin = part(drive.begin.milliseconds)
        let new = first[begin...].reduce(0, +)
        var drive = drive
        (drive.newSources, drive.knownSources) = (new, last[begin...].reduce(0, +) - new)
        return drive
    }
}
