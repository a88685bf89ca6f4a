// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import GRDB
import Synchronization

/// The rows of a file that is imported, as far as they must be remembered.
///
/// A detection without a key is known when the store has as many like it as the file had up to it: of the same
/// millisecond and alike in all that a file says. So a second import of a file does nothing, and detections that are
/// alike are kept apart.
///
/// What the store has of a millisecond is read once, and then only what was added, so that the work grows with the file
/// and not with its square.
public final class ImportSession: Sendable {
    /// What two detections have in common that are alike, beside their moment.
    struct Likeness: Hashable {
        let values: [DatabaseValue]
    }

    /// A row of the file.
    struct NumberedRow: Sendable {
        let detection: ImportedDetection
        let likeness: Likeness
        /// How many like it the file had up to it, with it.
        let number: Int
    }

    fileprivate struct Moment {
        var numbers: [Likeness: Int] = [:]
        /// How many the store has, up to the row that was read last.
        var known: [Likeness: Int] = [:]
        var last: Int64 = 0
    }

    /// Exports are in the order of time; a file that is not needs more than the latest.
    private static let kept = 1024

    private let moments = Mutex<[Timestamp: Moment]>([:])

    /// Begins a file.
    public init() {}

    /// Counts the next rows of the file.
    func numbered(_ rows: [ImportedDetection]) -> [NumberedRow] {
        moments.withLock { moments in
            let latest = rows.first?.sighting.received
            if moments.count > Self.kept { moments = moments.filter { $0.key == latest } }
            return rows.map { row in
                let likeness = Likeness(row.sighting)
                let number = moments[row.sighting.received, default: Moment()].count(likeness)
                return NumberedRow(detection: row, likeness: likeness, number: number)
            }
        }
    }

    /// How many detections like each of some rows the store has; not asked where a key says more.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - database: The database, before anything of them is stored.
    /// - Returns: The numbers, in the order of the rows.
    /// - Throws: What GRDB throws.
    func known(_ rows: [NumberedRow], _ database: Database) throws -> [Int] {
        let keyless = rows.filter { $0.detection.key == nil }
        return try moments.withLock { moments in
            for time in Set(keyless.map { $0.detection.sighting.received }) {
                try moments[time, default: Moment()].read(time, database)
            }
            return rows.map { row in
                guard row.detection.key == nil else { return 0 }
                return moments[row.detection.sighting.received]?.known[row.likeness] ?? 0
            }
        }
    }
}

extension ImportSession.Moment {
    /// Counts one more of the file.
    fileprivate mutating func count(_ likeness: ImportSession.Likeness) -> Int {
        numbers[likeness, default: 0] += 1
        return numbers[likeness, default: 1]
    }

    /// Reads what was added since the last time.
    fileprivate mutating func read(_ time: Timestamp, _ database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                SELECT id, label, mac, ssid, rssi, confidence, latitude, longitude, speed, heading, activity
                FROM detection WHERE received = ? AND id > ? ORDER BY id
                """)
        let rows = try Row.fetchCursor(statement, arguments: [time.milliseconds, last])
        while let row = try rows.next() {
            last = row.stored(0) ?? last
            known[ImportSession.Likeness(values: Array(row.databaseValues.dropFirst())), default: 0] += 1
        }
    }
}

extension ImportSession.Likeness {
    /// What the columns hold that ``ImportSession/Moment`` reads.
    fileprivate init(_ sighting: Sighting) {
        let columns: [(any DatabaseValueConvertible)?] = [
            StoredText(sighting.label), sighting.mac, sighting.ssid.map(StoredText.init), sighting.rssi,
            sighting.confidence, sighting.position?.latitude, sighting.position?.longitude,
            sighting.motion.speed, sighting.motion.heading, sighting.motion.activity.map(StoredText.init),
        ]
        self.init(values: columns.map { $0?.databaseValue ?? .null })
    }
}
