// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Companion
import CompanionCore
public import Detections
import Synchronization

/// Keeps what becomes known by fixes: drives, and the places of detections that came before a fix.
///
/// It carries on `PlaceRecording` of CompanionCore: fixes and detections are handed over at once, by whoever has them;
/// ``store(isEnding:)`` stores what has come of them, and ``follow(sleep:store:)`` has that done when it is due.
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

    private let destination: Store
    private let now: @Sendable () -> Timestamp
    private let elapsed: @Sendable () -> Duration
    private let recording = Mutex(PlaceRecording())
    /// Says that there may be something to store.
    private let wakes: AsyncStream<Void>
    private nonisolated let wake: AsyncStream<Void>.Continuation
    /// What nobody was told yet, because the store could not do what came behind it.
    private var reports: [Report] = []
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
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The drive that goes on, once it is stored.
    public nonisolated var currentDrive: Drive? { recording.withLock { $0.currentDrive } }

    /// Takes a fix, when it comes.
    ///
    /// - Parameter fix: A fix that is used.
    public nonisolated func receive(_ fix: UsedFix) {
        let moment = moment
        recording.withLock { $0.receive(fix, at: moment) }
        wake.yield()
    }

    /// Takes detections that were stored; those without a place get one if a fix follows.
    ///
    /// - Parameter records: The detections.
    public nonisolated func receive(_ records: [DetectionRecord]) {
        let moment = moment
        recording.withLock { $0.receive(records, at: moment) }
    }

    /// Says that fixes come from another source from now on: a drive ends.
    public nonisolated func changeSource() {
        recording.withLock { $0.endDrive() }
        wake.yield()
    }

    /// Says that the store holds something else now: no number means what it did.
    public nonisolated func forget() { recording.withLock { $0.forget() } }

    /// Says that drives were deleted: if the one that goes on is among them, another one begins behind it.
    ///
    /// - Parameter ids: Their numbers.
    public nonisolated func forget(drives ids: [Int64]) { recording.withLock { $0.forget(drives: ids) } }

    /// Has what comes of what is handed over stored, at once and when something is due, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - sleep: Waits, or throws when the task is cancelled.
    ///   - store: Calls ``store(isEnding:)``.
    public nonisolated func follow(
        sleep: @escaping @Sendable (Duration) async throws -> Void, store: () async -> Void
    ) async {
        var alarm: Task<Void, Never>?
        defer { alarm?.cancel() }
        for await _ in wakes {
            alarm?.cancel()
            await store()
            guard let due = recording.withLock({ $0.nextDeadline }) else { continue }
            let wait = Duration.microseconds(Int64(clamping: due.microseconds(since: moment.now)))
            alarm = Task { [wake] in
                // An error says that something else has woken it.
                do { try await sleep(wait) } catch { return }
                wake.yield()
            }
        }
    }

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

    private nonisolated var moment: Moment {
        Moment(HostInstant(microseconds: UInt64(max(0, elapsed() / .microseconds(1)))), now())
    }

    private func work(isEnding: Bool) async throws -> [Report] {
        let begin = moment
        recording.withLock { recording in
            recording.deadlineReached(at: begin)
            if isEnding { recording.endDrive() }
        }
        while let output = recording.withLock({ $0.nextOutput() }) {
            switch output {
            case .fill(let places):
                let result = await fill(places)
                let moment = moment
                recording.withLock { $0.filled(result, at: moment) }
                _ = try result.get()
            case .save(let piece):
                let result = await save(piece)
                let moment = moment
                recording.withLock { $0.saved(result, at: moment) }
                _ = try result.get()
            case .placed(let event): reports.append(.placed(event))
            case .drive(let event): reports.append(.drive(event))
            }
        }
        defer { reports = [] }
        return reports
    }

    private func fill(_ places: [LatePlace]) async -> Result<[DetectionPlaced], StoreError> {
        do throws(StoreError) { return .success(try await destination.fill(places)) } catch {
            return .failure(error)
        }
    }

    private func save(_ piece: DrivePiece) async -> Result<Drive, StoreError> {
        do throws(StoreError) { return .success(try await destination.save(piece)) } catch {
            return .failure(error)
        }
    }
}
