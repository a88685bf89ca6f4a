// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Detections

/// Drives, in memory: the rows of a hub without its database.
struct InMemoryDriveStore {
    /// A drive with its way.
    struct Kept {
        var drive: Drive
        var points: [DrivePoint]
        /// The numbers of the rows in which a page keeps it.
        var rows: [Int64]
    }

    /// What is to be kept of a drive, or that a row of it goes.
    enum Change {
        case add(row: Int64, DrivePiece)
        case remove(row: Int64)
    }

    /// Points that there may be, about 2000 km: then the oldest drives go.
    private let limit: Int

    /// The oldest first.
    private(set) var drives: [Kept] = []
    private var lastDrive: Int64 = 0
    private var lastRow: Int64 = 0

    init(limit: Int = 200_000) { self.limit = limit }

    /// Stores what was added to a drive; to a new one, where it says none or one that is gone.
    ///
    /// - Returns: The drive as it is now, and what is to be kept.
    mutating func save(_ piece: DrivePiece) -> (drive: Drive, changes: [Change]) {
        let index = add(piece)
        let drive = drives[index].drive
        var piece = piece
        piece.drive = drive.id
        let change = keep(piece, of: index)
        return (drive, [change] + makeRoom(apartFrom: drive.id))
    }

    /// Adds a piece to its drive, or begins one with it.
    ///
    /// - Parameters:
    ///   - piece: The piece.
    ///   - id: The number of a drive that begins with it; the next one when nobody says.
    /// - Returns: Where the drive is.
    private mutating func add(_ piece: DrivePiece, as id: Int64? = nil) -> Int {
        let times = piece.points.map { $0.time }
        let end = Timestamp(milliseconds: times.max() ?? 0)
        if let id = piece.drive, let index = drives.lastIndex(where: { $0.drive.id == id }) {
            drives[index].points += piece.points
            drives[index].drive.metres = piece.metres
            drives[index].drive.end = max(drives[index].drive.end, end)
            return index
        }
        let number = id ?? lastDrive + 1
        lastDrive = max(lastDrive, number)
        let drive = Drive(
            id: number, begin: Timestamp(milliseconds: times.min() ?? 0), end: end, metres: piece.metres,
            source: piece.source)
        drives.append(Kept(drive: drive, points: piece.points, rows: []))
        return drives.count - 1
    }

    /// Has a piece kept in a row of its own.
    private mutating func keep(_ piece: DrivePiece, of index: Int) -> Change {
        lastRow += 1
        drives[index].rows.append(lastRow)
        return .add(row: lastRow, piece)
    }

    private mutating func makeRoom(apartFrom kept: Int64? = nil) -> [Change] {
        var count = drives.reduce(0) { $0 + $1.points.count }
        var changes: [Change] = []
        while count > limit, drives.count > 1 {
            guard let index = drives.firstIndex(where: { $0.drive.id != kept }) else { break }
            let oldest = drives.remove(at: index)
            count -= oldest.points.count
            changes += oldest.rows.map { .remove(row: $0) }
        }
        return changes
    }

    /// Forgets drives that ended before a moment.
    ///
    /// - Parameters:
    ///   - moment: The moment.
    ///   - open: The one that goes on, which stays, whatever the clock was set to.
    /// - Returns: What goes.
    mutating func forget(endedBefore moment: Timestamp, apartFrom open: Int64?) -> [Change] {
        let isOld = { (kept: Kept) in kept.drive.end < moment && kept.drive.id != open }
        let gone = drives.filter(isOld)
        drives.removeAll(where: isOld)
        return gone.flatMap { $0.rows.map { .remove(row: $0) } }
    }

    /// Deletes a drive for good.
    ///
    /// - Returns: What goes; `nil` when there is no such drive.
    mutating func remove(_ id: Int64) -> [Change]? {
        guard let index = drives.firstIndex(where: { $0.drive.id == id }) else { return nil }
        return drives.remove(at: index).rows.map { .remove(row: $0) }
    }

    // MARK: What was there

    /// Takes back a piece that was kept, after those before it.
    mutating func restore(_ piece: DrivePiece, row: Int64) {
        guard let drive = piece.drive else { return }
        let index = add(piece, as: drive)
        drives[index].rows.append(row)
        lastRow = max(lastRow, row)
    }

    /// Puts what was taken back into its order.
    mutating func sort() {
        drives.order { ($0.drive.begin, $0.drive.id) < ($1.drive.begin, $1.drive.id) }
    }

    /// Takes a drive out of a file, unless one of the same beginning and end is there.
    ///
    /// - Returns: What is to be kept; `nil` when it is known.
    mutating func take(_ imported: ImportedDrive) -> [Change]? {
        let points = imported.points
        guard let first = points.first, let last = points.last else { return nil }
        let isKnown = drives.contains {
            ($0.drive.begin.milliseconds, $0.drive.end.milliseconds) == (first.time, last.time)
        }
        guard !isKnown else { return nil }
        // No row is too large to be kept.
        var changes: [Change] = []
        var id: Int64?
        var rest = points[...]
        while !rest.isEmpty {
            var piece = DrivePiece(
                drive: id, source: imported.fixes[0].source, points: Array(rest.prefix(1000)),
                metres: imported.metres)
            let index = add(piece)
            id = drives[index].drive.id
            piece.drive = id
            changes.append(keep(piece, of: index))
            rest = rest.dropFirst(1000)
        }
        sort()
        return changes + makeRoom()
    }

    // MARK: Asking

    /// The ways within a part of the map, as fine as they can be seen.
    func routes(in box: MapBox, zoom: Double) -> [DriveRoute] {
        var drawn = DrawnRoutes(in: box, zoom: zoom)
        for kept in drives.reversed() where drawn.hasRoom { drawn.add(kept.drive, kept.points) }
        return drawn.routes
    }

    /// The drives that overlap a time.
    func drives(since: Timestamp?, until: Timestamp?) -> [Kept] {
        drives.filter { kept in
            since.map { kept.drive.end >= $0 } ?? true && until.map { kept.drive.begin < $0 } ?? true
        }
    }
}
