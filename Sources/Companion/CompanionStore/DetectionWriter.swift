// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import GRDB
import Synchronization

/// Groups what is to be stored into commits, and is the only one who writes.
///
/// A row that comes after a pause is committed at once, so it waits for nothing but the disk. Rows that come within
/// ``grouping`` of a commit go together into the next, up to ``groupSize``; other work (deletions, marks, settings) has
/// commits of its own, in the same line. What is derived from the rows follows in pieces of its own.
///
/// Where another process holds the file, the disk is full or fails, what was queued is kept and tried again, and that is
/// reported; only a row that breaks a rule is refused, by itself.
actor DetectionWriter {
    /// What is stored in one piece.
    enum Work: Sendable {
        /// Stored wholly, or not at all.
        case rows([Sighting], [ParseFailure])
        /// Each stored by itself; one that is refused is kept as what could not be understood.
        case each([Sighting], [ParseFailure])
        /// Anything else that changes about so many rows; it has a commit of its own, and gives up after a while.
        case task(rows: Int, @Sendable (Database) throws -> Void)

        var rows: Int {
            switch self {
            case .rows(let sightings, let failures), .each(let sightings, let failures):
                sightings.count + failures.count
            case .task(let rows, _): rows
            }
        }

        var isTask: Bool { if case .task = self { true } else { false } }
    }

    private typealias Item = (work: Work, promise: Promise<[DetectionRecord?]>)

    /// Rows of one commit, unless a single piece of work has more.
    static let groupSize = 500
    /// Rows that may wait; a caller with more waits, too.
    static let capacity = 10_000
    /// Rows that the derived tables may lack before they slow the storing down.
    static let longestBacklog = 20_000
    /// How long after a commit what comes is gathered for the next.
    static let grouping = Duration.milliseconds(100)
    /// How long after a failure is tried again first, where nothing else is said.
    static let usualFirstPause = Duration.milliseconds(50)
    /// The longest that is waited between two tries.
    private static let longestPause = Duration.seconds(2)
    /// How long other work, and everything once the store is closed, is tried again, where nothing else is said.
    static let usualPatience = Duration.seconds(10)

    let file: StoreFile
    let path: String
    let schema: SchemaWatch
    private let busy: BusyHandler?
    private let patience: Duration
    /// How long after a failure is tried again first; each time twice as long, up to ``longestPause``.
    private let firstPause: Duration
    let clock = ContinuousClock()
    private var queue: [Item] = []
    private var queuedRows = 0
    /// What is still to be derived.
    var arrears = Backlog()
    /// When sources are placed next.
    var nextPlacing: ContinuousClock.Instant
    var isWakeSet = false
    /// Whether anything was stored since sources were placed last.
    var hasStored = false
    var loneSightings = LoneSightings()
    private var lastCommit: ContinuousClock.Instant?
    private var isAtWork = false
    /// Whether it is storing anyway.
    var isBusy: Bool { isAtWork }
    private var isClosing = false
    /// When to give up; `nil` for as long as the end is not near.
    private var deadline: ContinuousClock.Instant?
    /// Since when the file is not where it was.
    var goneSince: ContinuousClock.Instant?
    var trouble: StoreError?
    /// What was wrong with the file when something could not be stored.
    var damage: StoreError?
    /// That the file was written over, once it was.
    var overwritten: StoreError?
    /// What was said to those whose rows were set aside at the end, and how many that are.
    private(set) var setAside: StoreError?
    private var rowsSetAside = 0
    /// What could neither be stored nor set aside at the end.
    private(set) var lost: StoreError?
    private var rowsLost = 0
    var listeners: [Int: AsyncStream<StoreStatus>.Continuation] = [:]
    private var listenerCount = 0
    /// Those who wait until there is room in the queue, with what they bring.
    ///
    /// They are resumed whenever the queue has become shorter: what was before them is stored, refused, lost or set aside, and what
    /// they bring is set aside with it. A task that is cancelled waits on, and what it brings is stored all the same.
    private var waitingForRoom: [(item: Item, continuation: CheckedContinuation<Void, Never>)] = []
    /// How many wait until there is room in the queue.
    var areWaitingForRoom: Int { waitingForRoom.count }
    private var waitingForRest: [CheckedContinuation<Void, Never>] = []

    init(
        _ file: StoreFile, path: String, schema: SchemaWatch,
        busy: BusyHandler? = nil, patience: Duration = usualPatience, firstPause: Duration = usualFirstPause
    ) {
        self.file = file
        self.path = path
        self.schema = schema
        self.busy = busy
        self.patience = patience
        self.firstPause = firstPause
        nextPlacing = clock.now
    }

    /// Queues work, and waits while there is too much already; after ``drain()`` it is refused.
    func enqueue(_ work: Work) async -> Promise<[DetectionRecord?]> {
        let promise = Promise<[DetectionRecord?]>()
        let hasWaited = queuedRows >= Self.capacity
        while queuedRows >= Self.capacity {
            await withCheckedContinuation { waitingForRoom.append(((work, promise), $0)) }
            // Set aside with what was before it.
            if promise.isFulfilled { return promise }
        }
        if isClosing {
            // Who has waited for room until the end is told what has kept all others from being stored.
            let failure = hasWaited ? trouble.flatMap { lost([work], because: $0) } : nil
            promise.fulfill(.failure(failure ?? .closed))
            return promise
        }
        queue.append((work, promise))
        queuedRows += work.rows
        start()
        return promise
    }

    /// Writes something in a commit of its own; `rows` is about how many rows that changes.
    func perform<Value: Sendable>(
        rows: Int = 1, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        let box = ResultBox<Value>()
        let promise = await enqueue(
            .task(rows: rows) { database in
                let value = try body(database)
                box.value.withLock { $0 = value }
            })
        _ = try await promise.value()
        guard let value = box.value.withLock({ $0 }) else { throw StoreError.closed }
        return value
    }

    /// Brings up to date what was stored by others, or before.
    func repair() {
        arrears.forget()
        if damage != nil { overcome() }
        damage = nil
        start()
    }

    /// Notes rows that other work than ``Work/rows(_:_:)`` has stored, so that what is derived from them follows.
    func noteStored(_ rows: Int) {
        arrears.add(rows)
        start()
    }

    /// Sets aside what cannot be stored within a while: the end is near.
    func hurry(within limit: Duration) {
        let end = min(deadline ?? clock.now + limit, clock.now + limit)
        deadline = end
        busy?.end(by: end)
    }

    /// Refuses further work, and waits until what was queued is stored; what is derived from it may be left for
    /// another time.
    func drain() async {
        isClosing = true
        hurry(within: patience)
        if isAtWork { await withCheckedContinuation { waitingForRest.append($0) } }
        for listener in listeners.values { listener.finish() }
        listeners = [:]
    }

    /// What keeps the store from storing, as it happens; the oldest go when nobody reads.
    func troubles() -> AsyncStream<StoreStatus> {
        let (stream, continuation) = AsyncStream<StoreStatus>.makeStream(
            bufferingPolicy: .bufferingNewest(8))
        guard !isClosing else {
            continuation.finish()
            return stream
        }
        listenerCount += 1
        let number = listenerCount
        listeners[number] = continuation
        continuation.onTermination = { [weak self] _ in Task { await self?.forget(number) } }
        return stream
    }

    private func forget(_ listener: Int) { listeners[listener] = nil }

    func start() {
        guard !isAtWork else { return }
        isAtWork = true
        // Owned by the work itself: it ends when the queue is empty, and whoever waits for a promise
        // waits for it.
        Task { await work() }
    }

    private func work() async {
        while true {
            let repairs = arrears.repairs
            if !isClosing, queue.isEmpty || arrears.rows ?? 0 > Self.longestBacklog, await derive() {
                continue
            }
            if !isClosing, queue.isEmpty, await place() { continue }
            // Whoever asked meanwhile has found this at work.
            if repairs != arrears.repairs { continue }
            guard !queue.isEmpty else { break }
            await gather()
            await store(nextGroup())
        }
        isAtWork = false
        for waiter in waitingForRest { waiter.resume() }
        waitingForRest = []
    }

    /// Waits for company, where a commit has only just been.
    private func gather() async {
        guard let lastCommit, queuedRows < Self.groupSize, !isClosing, queue.first?.work.isTask == false
        else { return }
        let due = lastCommit + Self.grouping
        if clock.now < due { try? await clock.sleep(until: due) }
    }

    private func nextGroup() -> [Item] {
        var count = 0
        var rows = 0
        while count < queue.count, count == 0 || rows + queue[count].work.rows <= Self.groupSize {
            rows += queue[count].work.rows
            count += 1
            if queue[count - 1].work.isTask || count < queue.count && queue[count].work.isTask { break }
        }
        let group = Array(queue[..<count])
        queue.removeFirst(count)
        queuedRows -= rows
        wakeThoseWhoWaitForRoom()
        return group
    }

    private func wakeThoseWhoWaitForRoom() {
        for waiter in waitingForRoom { waiter.continuation.resume() }
        waitingForRoom = []
    }

    /// Stores a group, however long that takes.
    private func store(_ group: [Item]) async {
        let works = group.map(\.work)
        let begin = clock.now
        var pause = firstPause
        while true {
            do {
                try file.check()
                let results = try await connections.write { [schema, log = file.log] database in
                    try log?.look(database)
                    try schema.check(database)
                    return try works.map { try Self.store($0, database) }
                }
                overcome()
                for (result, item) in zip(results, group) {
                    if case .success(let records) = result {
                        arrears.add(records.count)
                    }
                    item.promise.fulfill(result)
                }
                if works.first?.isTask == false { lastCommit = clock.now }
                (arrears.mayHaveSources, hasStored) = (true, true)
                await log?.checkpoint(afterRows: works.reduce(20) { $0 + $1.rows })
                return
            } catch {
                let failure = await told(error)
                guard mayTryAgain(after: failure, works, since: begin) else {
                    if setAside(group, because: failure) { return }
                    if !failure.isPassing, failure.isDamage || works.first?.isTask == false {
                        report(failure, waiting: 0)
                    }
                    let outcome = lost(works, because: failure) ?? failure
                    for item in group { item.promise.fulfill(.failure(outcome)) }
                    return
                }
                // Other work gives up, and is not stored then.
                let waiting = (works + queue.map(\.work)).filter { !$0.isTask }
                report(failure, waiting: waiting.reduce(0) { $0 + $1.rows })
                await rest(pause)
                await reopen(after: failure)
                pause = min(pause * 2, Self.longestPause)
            }
        }
    }

    /// Keeps what cannot be stored before the end beside the file, with all that waits behind it.
    ///
    /// - Returns: Whether that is done, and everybody knows.
    private func setAside(_ group: [Item], because failure: StoreError) -> Bool {
        guard deadline != nil, failure.isPassing, !connections.configuration.readonly,
            group.first?.work.isTask == false
        else { return false }
        let items = (group + queue + waitingForRoom.map(\.item)).filter { !$0.work.isTask }
        guard let rows = try? SpillFile(path: path).write(items.map(\.work)) else { return false }
        rowsSetAside += rows
        let outcome = StoreError.setAside(path: path, rows: rowsSetAside, reason: failure.phrase)
        setAside = outcome
        queue.removeAll { !$0.work.isTask }
        queuedRows = queue.reduce(0) { $0 + $1.work.rows }
        for item in items { item.promise.fulfill(.failure(outcome)) }
        wakeThoseWhoWaitForRoom()
        return true
    }

    /// Counts what is neither stored nor kept, at the end.
    private func lost(_ works: [Work], because failure: StoreError) -> StoreError? {
        guard deadline != nil, failure.isPassing, works.first?.isTask == false else { return nil }
        rowsLost += works.reduce(0) { $0 + $1.rows }
        lost = .lost(path: path, rows: rowsLost, reason: failure.phrase)
        return lost
    }

    /// Waits before the next try, but not beyond the deadline, which may be set meanwhile.
    private func rest(_ pause: Duration) async {
        let end = clock.now + pause
        while clock.now < min(end, deadline ?? end) {
            try? await clock.sleep(until: min(end, clock.now + .milliseconds(50)))
        }
    }

    private func mayTryAgain(
        after failure: StoreError, _ works: [Work], since begin: ContinuousClock.Instant
    ) -> Bool {
        guard failure.isPassing, !connections.configuration.readonly else { return false }
        if let deadline, clock.now >= deadline { return false }
        if works.first?.isTask == true { return clock.now < begin + patience }
        return true
    }

    /// Stores one piece; a row that breaks a rule fails alone, anything worse fails the whole group.
    static func store(
        _ work: Work, _ database: Database
    ) throws -> Result<[DetectionRecord?], StoreError> {
        do {
            switch work {
            case .task(_, let body):
                try database.inSavepoint {
                    try body(database)
                    return .commit
                }
                return .success([])
            case .rows(let sightings, let failures):
                if let fault = sightings.lazy.compactMap(\.fault).first {
                    return .failure(.refused(reason: fault))
                }
                var records: [DetectionRecord?] = []
                // Whatever was refused leaves no trace, neither in its source.
                try database.inSavepoint {
                    records = try sightings.map { try DetectionRow.insert($0, into: database) }
                    for failure in failures { try DetectionRow.insert(failure, into: database) }
                    return .commit
                }
                return .success(records)
            case .each(let sightings, let failures):
                // Nearly always all can be, and to protect each from the others costs as much as half of storing it.
                let together = try store(.rows(sightings, failures), database)
                if case .success = together { return together }
                let records = try sightings.map { sighting -> DetectionRecord? in
                    switch try store(.rows([sighting], []), database) {
                    case .success(let stored): return stored.first ?? nil
                    case .failure(let refusal):
                        let failure = ParseFailure(
                            received: sighting.received, reason: refusal.reason, raw: sighting.raw)
                        try DetectionRow.insert(failure, into: database)
                        return nil
                    }
                }
                for failure in failures { try DetectionRow.insert(failure, into: database) }
                return .success(records)
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            return .failure(.refused(reason: error.message ?? "it breaks a rule of the table"))
        }
    }
}

extension StoreError {
    /// Why a row was refused, as a phrase.
    fileprivate var reason: String {
        if case .refused(let reason) = self { reason } else { description }
    }
}

/// Where a task leaves its result.
private final class ResultBox<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
}
