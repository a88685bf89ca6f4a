// SPDX-License-Identifier: Apache-2.0

public import Companion
import GRDB
import Synchronization

/// Groups what is to be stored into commits.
///
/// An idle writer commits at once, so a lone row waits for nothing but the disk. What comes while a commit
/// runs waits for the next, which takes up to ``groupSize`` rows: less than 50 ms of work. Rows are stored in
/// the order of arrival. Small commits bring the derived tables up to date with them; after large ones that
/// follows when nothing waits.
actor DetectionWriter {
    /// What is stored in one piece.
    enum Work: Sendable {
        case sightings([Sighting])
        case failures([ParseFailure])

        var rows: Int {
            switch self {
            case .sightings(let sightings): sightings.count
            case .failures(let failures): failures.count
            }
        }
    }

    /// Rows of one commit, unless a single piece of work has more.
    static let groupSize = 500
    /// Rows that may wait; whoever brings more waits himself.
    static let capacity = 10_000

    /// Rows that the derived tables may lack before they slow the storing down.
    static let longestBacklog: Int64 = 50_000

    private let connections: any DatabaseWriter
    private let path: String
    private var queue: [(work: Work, promise: Promise<[DetectionRecord]>)] = []
    private var queuedRows = 0
    /// Rows that the derived tables do not have yet, as far as known.
    private var backlog: Int64 = 0
    private var isCommitting = false
    private var isClosing = false
    private var waitingForRoom: [CheckedContinuation<Void, Never>] = []
    private var waitingForRest: [CheckedContinuation<Void, Never>] = []

    init(_ connections: any DatabaseWriter, path: String) {
        self.connections = connections
        self.path = path
    }

    /// Takes work, and waits while there is too much already; after ``drain()`` it is refused.
    func enqueue(_ work: Work) async -> Promise<[DetectionRecord]> {
        while queuedRows >= Self.capacity {
            await withCheckedContinuation { waitingForRoom.append($0) }
        }
        let promise = Promise<[DetectionRecord]>()
        if isClosing {
            promise.fulfill(.failure(.closed))
            return promise
        }
        queue.append((work, promise))
        queuedRows += work.rows
        if !isCommitting {
            isCommitting = true
            // Owned by the work itself: it ends when the queue is empty, and whoever waits for a promise
            // waits for it.
            Task { await commitAll() }
        }
        return promise
    }

    /// Takes no more, and waits until what was taken is stored; what is derived from it may be left for
    /// another time.
    func drain() async {
        isClosing = true
        guard isCommitting else { return }
        await withCheckedContinuation { waitingForRest.append($0) }
    }

    private func commitAll() async {
        while !queue.isEmpty || (backlog > 0 && !isClosing) {
            let group = nextGroup()
            let results = await commit(group.map(\.work))
            for (result, item) in zip(results, group) { item.promise.fulfill(result) }
        }
        isCommitting = false
        for waiter in waitingForRest { waiter.resume() }
        waitingForRest = []
    }

    private func nextGroup() -> [(work: Work, promise: Promise<[DetectionRecord]>)] {
        var count = 0
        var rows = 0
        while count < queue.count, count == 0 || rows + queue[count].work.rows <= Self.groupSize {
            rows += queue[count].work.rows
            count += 1
        }
        let group = Array(queue[..<count])
        queue.removeFirst(count)
        queuedRows -= rows
        for waiter in waitingForRoom { waiter.resume() }
        waitingForRoom = []
        return group
    }

    private func commit(_ group: [Work]) async -> [Result<[DetectionRecord], StoreError>] {
        // A full group leaves no time for what is derived, unless that has fallen far behind.
        let mayDerive = group.reduce(0) { $0 + $1.rows } < Self.groupSize / 4 || backlog > Self.longestBacklog
        do {
            let (results, left) = try await connections.write { database in
                let results = try group.map { try Self.store($0, database) }
                return (results, mayDerive ? try DerivedTables.advance(database) : nil)
            }
            // Not known exactly without a look, but there is some.
            backlog = left ?? backlog + Int64(group.count)
            return results
        } catch {
            // Left for the next commit: trying again at once would fail again.
            backlog = 0
            let failure = StoreError(error, path: path)
            return group.map { _ in .failure(failure) }
        }
    }

    /// Stores one piece; a row that breaks a rule fails alone, anything worse fails the whole group.
    private static func store(
        _ work: Work, _ database: Database
    ) throws -> Result<[DetectionRecord], StoreError> {
        do {
            switch work {
            case .failures(let failures):
                for failure in failures { try DetectionRow.insert(failure, into: database) }
                return .success([])
            case .sightings(let sightings):
                if let fault = sightings.lazy.compactMap(\.fault).first {
                    return .failure(.refused(reason: fault))
                }
                var records: [DetectionRecord] = []
                let insertAll = {
                    records = try sightings.map { try DetectionRow.insert($0, into: database) }
                }
                // A statement that is refused leaves no trace; several need a savepoint.
                if sightings.count == 1 {
                    try insertAll()
                } else {
                    try database.inSavepoint {
                        try insertAll()
                        return .commit
                    }
                }
                return .success(records)
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            return .failure(.refused(reason: error.message ?? "it breaks a rule of the table"))
        }
    }
}

/// A claim on a record that is on its way to the disk.
public struct PendingDetection: Sendable {
    private let promise: Promise<[DetectionRecord]>

    init(_ promise: Promise<[DetectionRecord]>) { self.promise = promise }

    /// Waits until the record is durable.
    ///
    /// - Returns: The record with its number.
    /// - Throws: ``StoreError`` when it could not be stored.
    public func record() async throws(StoreError) -> DetectionRecord {
        guard let record = try await promise.value().first else { throw StoreError.closed }
        return record
    }
}

/// A value that comes later, once, for anyone who waits.
final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case waiting([CheckedContinuation<Result<Value, StoreError>, Never>])
        case done(Result<Value, StoreError>)
    }

    private let state = Mutex(State.waiting([]))

    /// Gives the value to all who wait and will wait; a second value is ignored.
    func fulfill(_ result: Result<Value, StoreError>) {
        let waiters = state.withLock { state in
            guard case .waiting(let waiters) = state else {
                return [CheckedContinuation<Result<Value, StoreError>, Never>]()
            }
            state = .done(result)
            return waiters
        }
        for waiter in waiters { waiter.resume(returning: result) }
    }

    /// Waits for the value.
    func value() async throws(StoreError) -> Value {
        let result = await withCheckedContinuation { continuation in
            let known: Result<Value, StoreError>? = state.withLock { state in
                switch state {
                case .done(let result): return result
                case .waiting(let waiters):
                    state = .waiting(waiters + [continuation])
                    return nil
                }
            }
            if let known { continuation.resume(returning: known) }
        }
        return try result.get()
    }
}
