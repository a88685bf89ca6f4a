// SPDX-License-Identifier: Apache-2.0

public import Companion
public import Detections
import Synchronization

/// Keeps what becomes known by fixes: drives, and the places of detections that came before a fix.
///
/// Fixes and detections are handed over at once, by whoever has them; ``store(isEnding:)``, called every second or so, stores
/// what has come of them. A drive is stored every five seconds while it goes on. What could not be stored is kept, within
/// limits, for the next time.
public actor PlaceRecorder {
    /// Where it stores.
    public struct Store: Sendable {
        /// Fills in where detections were; `DetectionDatabase.fill(_:)` of CompanionStore is one.
        public var fill: @Sendable ([LatePlace]) async throws(StoreError) -> [DetectionPlaced]
        /// Stores what was added to a drive; `DetectionDatabase.save(_:)` is one.
        public var save: @Sendable (DrivePiece) async throws(StoreError) -> Drive

        /// Makes one.
        ///
        /// - Parameters:
        ///   - fill: Fills in where detections were.
        ///   - save: Stores what was added to a drive.
        public init(
            fill: @escaping @Sendable ([LatePlace]) async throws(StoreError) -> [DetectionPlaced],
            save: @escaping @Sendable (DrivePiece) async throws(StoreError) -> Drive
        ) {
            self.fill = fill
            self.save = save
        }
    }

    /// What has come of it.
    public enum Report: Hashable, Sendable {
        /// A detection has a place now.
        case placed(DetectionPlaced)
        /// A drive has begun, has gone on or is at its end.
        case drive(DriveChanged)
    }

    /// What was handed over.
    private enum Item {
        case fix(UsedFix, instant: UInt64, time: Timestamp)
        case detection(Int64, received: Timestamp, instant: UInt64)
        case otherSource
        case otherStore
    }

    /// A drive, or a part of it, that is not stored yet.
    private struct Unsaved {
        var source: Fix.Source
        var points: [DrivePoint]
        var metres: Double
        var isNew: Bool
        var isEnded = false
    }

    /// Items that may wait, and points that are kept when they cannot be stored; the oldest go.
    private static let capacity = 100_000
    /// While a drive goes on, its points are stored so often, in milliseconds.
    private static let interval: UInt64 = 5000

    private let destination: Store
    private let now: @Sendable () -> Timestamp
    private let elapsed: @Sendable () -> Duration
    private let inbox = Mutex<[Item]>([])
    private var late = LatePlaces()
    private var drives = DriveRecorder()
    private var places: [LatePlace] = []
    private var unsaved: [Unsaved] = []
    /// The drive that goes on, once it is stored.
    private var drive: Drive?
    private var lastSave: UInt64 = 0
    private var previous: Task<[Report], any Error>?

    /// Makes a recorder that knows of nothing.
    ///
    /// - Parameters:
    ///   - destination: Where it stores.
    ///   - now: The time.
    ///   - elapsed: Time since some moment, by a clock that nobody sets.
    public init(
        into destination: Store, now: @escaping @Sendable () -> Timestamp,
        elapsed: @escaping @Sendable () -> Duration
    ) {
        self.destination = destination
        self.now = now
        self.elapsed = elapsed
    }

    /// Takes a fix, when it comes.
    ///
    /// - Parameter fix: A fix that is used.
    public nonisolated func receive(_ fix: UsedFix) {
        append([.fix(fix, instant: instant, time: now())])
    }

    /// Takes detections that were stored; those without a place get one if a fix follows.
    ///
    /// - Parameter records: The detections.
    public nonisolated func receive(_ records: [DetectionRecord]) {
        let (instant, now) = (instant, now())
        append(
            records.filter { $0.sighting.position == nil }.map { record in
                let received = record.sighting.received
                // They may have waited for the disk.
                let delay = min(60_000, max(0, now.milliseconds - received.milliseconds))
                let then = instant - min(instant, UInt64(delay))
                return .detection(record.id, received: received, instant: then)
            })
    }

    /// Says that fixes come from another source from now on: a drive ends.
    public nonisolated func changeSource() { append([.otherSource]) }

    /// Says that the store holds something else now: no number means what it did.
    public nonisolated func forget() { append([.otherStore]) }

    /// Stores what has come of all that was handed over.
    ///
    /// - Parameter isEnding: Whether nothing more comes: a drive that goes on ends.
    /// - Returns: What is new, in order.
    /// - Throws: ``StoreError`` when something could not be stored; it is tried again the next time.
    public func store(isEnding: Bool = false) async throws -> [Report] {
        // One at a time, in order.
        let before = previous
        let work = Task {
            _ = await before?.result
            return try await self.work(isEnding: isEnding)
        }
        previous = work
        return try await work.value
    }

    // MARK: Parts

    private nonisolated var instant: UInt64 { UInt64(max(0, elapsed() / .milliseconds(1))) }

    private nonisolated func append(_ items: [Item]) {
        guard !items.isEmpty else { return }
        inbox.withLock { inbox in
            inbox += items
            if inbox.count > Self.capacity { inbox.removeFirst(inbox.count - Self.capacity) }
        }
    }

    private func work(isEnding: Bool) async throws -> [Report] {
        let items = inbox.withLock { inbox in
            defer { inbox = [] }
            return inbox
        }
        for item in items { handle(item) }
        let instant = instant
        take(drives.deadlineReached(at: instant), source: .receiver)
        if isEnding { take(drives.finish(), source: .receiver) }
        var reports: [Report] = []
        while !places.isEmpty {
            let piece = Array(places.prefix(1000))
            reports += try await destination.fill(piece).map { .placed($0) }
            places.removeFirst(piece.count)
        }
        let isDue = instant - min(instant, lastSave) >= Self.interval
        while let first = unsaved.first, isDue || isEnding || first.isNew || first.isEnded {
            lastSave = instant
            reports += try await save(first)
        }
        return reports
    }

    private func save(_ part: Unsaved) async throws(StoreError) -> [Report] {
        var reports: [Report] = []
        if !part.points.isEmpty {
            let known = part.isNew ? nil : drive?.id
            let saved: Drive
            do throws(StoreError) {
                saved = try await destination.save(
                    DrivePiece(drive: known, source: part.source, points: part.points, metres: part.metres))
            } catch {
                // What will never be stored is not tried again.
                if !error.isPassing { unsaved.removeFirst() }
                throw error
            }
            reports.append(.drive(DriveChanged(known == saved.id ? .extended : .begun, saved)))
            drive = saved
        }
        unsaved.removeFirst()
        if part.isEnded, let ended = drive {
            reports.append(.drive(DriveChanged(.ended, ended)))
            drive = nil
        }
        return reports
    }

    private func handle(_ item: Item) {
        switch item {
        case .fix(let used, let instant, let time):
            places += late.receive(used.fix, at: instant, pace: used.pace)
            if places.count > LatePlaces.capacity { places.removeFirst(places.count - LatePlaces.capacity) }
            take(
                drives.receive(
                    used.fix, speed: used.motion.speed, at: instant, time: time.milliseconds),
                source: used.fix.source)
        case .detection(let id, let received, let instant):
            late.wait(for: id, received: received, at: instant)
        case .otherSource: take(drives.finish(), source: .receiver)
        case .otherStore:
            (late, drives, places, unsaved, drive) = (LatePlaces(), DriveRecorder(), [], [], nil)
        }
    }

    private func take(_ outputs: [DriveRecorder.Output], source: Fix.Source) {
        for output in outputs {
            switch output {
            case .begins(let points, let metres):
                unsaved.append(Unsaved(source: source, points: points, metres: metres, isNew: true))
            case .goesOn(let point, let metres):
                if unsaved.last?.isEnded != false {
                    unsaved.append(Unsaved(source: source, points: [], metres: 0, isNew: false))
                }
                unsaved[unsaved.count - 1].points.append(point)
                unsaved[unsaved.count - 1].metres = metres
                let excess = unsaved[unsaved.count - 1].points.count - Self.capacity
                if excess > 0 { unsaved[unsaved.count - 1].points.removeFirst(excess) }
            case .ends:
                if unsaved.last?.isEnded != false {
                    unsaved.append(Unsaved(source: source, points: [], metres: 0, isNew: false))
                }
                unsaved[unsaved.count - 1].isEnded = true
            }
        }
    }
}
