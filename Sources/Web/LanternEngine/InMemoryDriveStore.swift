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

    /// What is to be kept of a drive, that its rows go, or what pages are told of it.
    enum Change {
        case add(row: Int64, DrivePiece)
        case remove(row: Int64)
        case told(DriveChanged.Change, Drive)
    }

    /// Points that there may be, about 2000 km: then the oldest drives go.
    private let limit: Int
    /// While a drive goes on, its points are kept so often, in milliseconds.
    private static let interval: Int64 = 5000

    /// The oldest first.
    private(set) var drives: [Kept] = []
    private var recorder = DriveRecorder()
    /// Whether the last of the drives goes on.
    private var isOpen = false
    /// Points of the drive that goes on which are not kept yet.
    private var unkept: [DrivePoint] = []
    private var lastDrive: Int64 = 0
    private var lastRow: Int64 = 0

    init(limit: Int = 200_000) { self.limit = limit }

    /// Handles a fix that is used.
    mutating func receive(_ fix: Fix, speed: Double?, at instant: UInt64, time: Timestamp) -> [Change] {
        let outputs = recorder.receive(fix, speed: speed, at: instant, time: time.milliseconds)
        return take(outputs, source: fix.source, at: time)
    }

    /// Handles time: without fixes a drive ends.
    mutating func advance(to instant: UInt64, time: Timestamp) -> [Change] {
        take(recorder.deadlineReached(at: instant), source: .receiver, at: time)
    }

    /// Ends the drive that goes on: fixes come from another source from now on.
    mutating func finish(at time: Timestamp) -> [Change] {
        take(recorder.finish(), source: .receiver, at: time)
    }

    private mutating func take(
        _ outputs: [DriveRecorder.Output], source: Fix.Source, at time: Timestamp
    ) -> [Change] {
        var changes: [Change] = []
        for output in outputs {
            switch output {
            case .begins(let points, let metres):
                begin(points, metres: metres, source: source)
                unkept = points
                changes += keep(.begun)
            case .goesOn(let point, let metres):
                guard isOpen else { continue }
                extend(drives.count - 1, with: [point], metres: metres)
                unkept.append(point)
                let first = unkept[0].time
                if point.time - first >= Self.interval { changes += keep(.extended) }
            case .ends:
                guard isOpen else { continue }
                changes += keep(.ended)
                isOpen = false
            }
        }
        return changes + makeRoom()
    }

    private mutating func begin(
        _ points: [DrivePoint], metres: Double, source: Fix.Source?, id: Int64? = nil
    ) {
        let number = id ?? lastDrive + 1
        lastDrive = max(lastDrive, number)
        let times = points.map { $0.time }
        let drive = Drive(
            id: number, begin: Timestamp(milliseconds: times.min() ?? 0),
            end: Timestamp(milliseconds: times.max() ?? 0), metres: metres, source: source)
        drives.append(Kept(drive: drive, points: points, rows: []))
        isOpen = true
    }

    private mutating func extend(_ index: Int, with points: [DrivePoint], metres: Double) {
        drives[index].points += points
        drives[index].drive.metres = metres
        for point in points {
            drives[index].drive.end = max(drives[index].drive.end, Timestamp(milliseconds: point.time))
        }
    }

    /// Has kept what is new of the drive that goes on, and tells it.
    private mutating func keep(_ change: DriveChanged.Change) -> [Change] {
        guard isOpen, let last = drives.last?.drive else { return [] }
        let told = Change.told(change, last)
        guard !unkept.isEmpty else { return [told] }
        let piece = DrivePiece(
            drive: last.id, source: last.source ?? .receiver, points: unkept, metres: last.metres)
        unkept = []
        return [add(piece), told]
    }

    private mutating func add(_ piece: DrivePiece) -> Change {
        lastRow += 1
        drives[drives.count - 1].rows.append(lastRow)
        return .add(row: lastRow, piece)
    }

    private mutating func makeRoom() -> [Change] {
        var count = drives.reduce(0) { $0 + $1.points.count }
        var changes: [Change] = []
        while count > limit, drives.count > 1 {
            let oldest = drives.removeFirst()
            count -= oldest.points.count
            changes += oldest.rows.map { .remove(row: $0) }
        }
        return changes
    }

    /// Forgets drives that ended before a moment.
    mutating func forget(endedBefore moment: Timestamp) -> [Change] {
        // One that goes on stays, whatever the clock was set to.
        let open = isOpen ? drives.last?.drive.id : nil
        let isOld = { (kept: Kept) in kept.drive.end < moment && kept.drive.id != open }
        let gone = drives.filter(isOld)
        drives.removeAll(where: isOld)
        return gone.flatMap { $0.rows.map { .remove(row: $0) } }
    }

    /// Deletes a drive for good; one that goes on ends with that, and another begins behind it.
    ///
    /// - Returns: What goes; `nil` when there is no such drive.
    mutating func remove(_ id: Int64, at time: Timestamp) -> [Change]? {
        let changes = isOpen && drives.last?.drive.id == id ? finish(at: time) : []
        guard let index = drives.firstIndex(where: { $0.drive.id == id }) else { return nil }
        return changes + drives.remove(at: index).rows.map { .remove(row: $0) }
    }

    // MARK: What was there

    /// Takes back a piece that was kept, after those before it.
    mutating func restore(_ piece: DrivePiece, row: Int64) {
        guard let drive = piece.drive else { return }
        let index: Int
        if let known = drives.lastIndex(where: { $0.drive.id == drive }) {
            index = known
            extend(index, with: piece.points, metres: piece.metres)
        } else {
            index = drives.count
            begin(piece.points, metres: piece.metres, source: piece.source, id: drive)
            isOpen = false
        }
        drives[index].rows.append(row)
        lastRow = max(lastRow, row)
    }

    /// Puts what was taken back into its order.
    mutating func sort() {
        drives.order { ($0.drive.begin, $0.drive.id) < ($1.drive.begin, $1.drive.id) }
    }

    /// Takes a drive out of a file, unless one of the same beginning and end is there; one that goes on ends with it.
    ///
    /// - Returns: What is to be kept; `nil` when it is known.
    mutating func take(_ imported: ImportedDrive, at time: Timestamp) -> [Change]? {
        let points = imported.points
        guard let first = points.first, let last = points.last else { return nil }
        let isKnown = drives.contains {
            ($0.drive.begin.milliseconds, $0.drive.end.milliseconds) == (first.time, last.time)
        }
        guard !isKnown else { return nil }
        var changes = finish(at: time)
        let source = imported.fixes[0].source
        begin(points, metres: imported.metres, source: source)
        isOpen = false
        // No row is too large to be kept.
        var rest = points[...]
        while !rest.isEmpty {
            changes.append(
                add(
                    DrivePiece(
                        drive: lastDrive, source: source, points: Array(rest.prefix(1000)),
                        metres: imported.metres)))
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
