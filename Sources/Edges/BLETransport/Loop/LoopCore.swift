// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Synchronization

/// Something that has to be done at the end of a turn.
protocol TurnEnd: AnyObject {
    func endTurn()
}

/// What a ``TransportLoop`` does; its thread holds this and not the loop.
///
/// Unchecked: whatever is not behind the mutex is only touched on the loop.
final class LoopCore: @unchecked Sendable {
    /// Jobs and bodies that run in one turn at most.
    private static let turnLimit = 256

    enum Work {
        /// Of a task that prefers the loop.
        case job(UnownedJob)
        /// Of an actor.
        case isolated(UnownedJob, LoopIsolation)
        case body(@Sendable () -> Void)
        /// A body that has run.
        case over
    }

    /// What other threads see.
    private struct Arrivals {
        var work: [Work] = []
        /// Held as long as jobs wait, which run on it.
        var loop: TransportLoop?
        var isAsleep = false
        var isEnded = false
    }

    let waiting: any LoopWaiting
    /// The thread that runs the loop; 0 while none does.
    let thread = Atomic<UInt>(0)
    /// How many do something elsewhere for which the clock of a manual loop stands still.
    let absences = Atomic(0)
    private let arrivals = Mutex(Arrivals())
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var queue: [Work] = []
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var head = 0
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var loop: TransportLoop?
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var timers = Timers()
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var ends: [any TurnEnd] = []
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var ending: [any TurnEnd] = []
    /// What arrives is read into this, as long as nobody keeps it.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var chunk: [UInt8] = []

    init(_ waiting: any LoopWaiting) { self.waiting = waiting }

    var isCurrent: Bool { thread.load(ordering: .relaxed) == currentThread() }

    // MARK: From any thread

    func execute(_ body: @escaping @Sendable () -> Void) { enqueue(.body(body), of: nil) }

    func enqueue(_ work: Work, of loop: TransportLoop?) {
        if isCurrent {
            if self.loop == nil { self.loop = loop }
            queue.append(work)
        } else {
            arrive(work, of: loop)
        }
    }

    private func arrive(_ work: Work, of loop: TransportLoop?) {
        arrivals.withLock { arrivals in
            arrivals.work.append(work)
            if arrivals.loop == nil { arrivals.loop = loop }
            wake(&arrivals)
        }
    }

    /// Lets the loop end: nobody holds it, so that no job waits and nobody else can call it.
    func end() {
        arrivals.withLock { arrivals in
            arrivals.isEnded = true
            wake(&arrivals)
        }
    }

    private func wake(_ arrivals: inout Arrivals) {
        guard arrivals.isAsleep else { return }
        arrivals.isAsleep = false
        waiting.wake()
    }

    // MARK: On the loop

    /// Calls something at the end of this turn; one that is to be called already must not ask again.
    func atTurnEnd(_ end: any TurnEnd) { ends.append(end) }

    func set(_ timer: Timer, to deadline: HostInstant?) { timers.set(timer, to: deadline) }

    var nextDeadline: HostInstant? { timers.next }

    /// Runs until the loop's owner lets it go.
    func run() {
        thread.store(currentThread(), ordering: .relaxed)
        while enqueueArrivals() {
            runTurn()
            let isBusy = head < queue.count || !ends.isEmpty || !fallAsleep()
            waiting.wait(until: isBusy ? .zero : timers.next)
        }
        // What was sent before the loop was let go leaves before its descriptors are closed.
        while runTurn() {}
        waiting.endHandlers()
        while runTurn() {}
        arrivals.withLock { _ in waiting.close() }
        thread.store(0, ordering: .relaxed)
    }

    /// Runs what waits, as a part of a turn or all of a manual one.
    ///
    /// - Returns: Whether there was anything.
    @discardableResult
    func runTurn() -> Bool {
        let hadTimers = runTimers()
        let hadWork = runQueue()
        let hadEnds = !ends.isEmpty
        if hadEnds { endTurn() }
        return hadTimers || hadWork || hadEnds
    }

    /// Queues what came from other threads.
    ///
    /// - Returns: Whether the loop goes on.
    func enqueueArrivals() -> Bool {
        arrivals.withLock { arrivals in
            arrivals.isAsleep = false
            if !arrivals.work.isEmpty {
                if queue.isEmpty { swap(&queue, &arrivals.work) } else { queue += arrivals.work }
                arrivals.work.removeAll(keepingCapacity: arrivals.work.count <= Self.turnLimit)
                if loop == nil { loop = arrivals.loop }
                arrivals.loop = nil
            }
            return !arrivals.isEnded
        }
    }

    /// - Returns: Whether the loop may sleep; not when something has come meanwhile.
    private func fallAsleep() -> Bool {
        arrivals.withLock { arrivals in
            arrivals.isAsleep = arrivals.work.isEmpty && !arrivals.isEnded
            return arrivals.isAsleep
        }
    }

    private func runTimers() -> Bool {
        guard let next = timers.next, next <= waiting.now else { return false }
        let (now, limit) = (waiting.now, timers.nextNumber)
        while let timer = timers.popDue(at: now, setBefore: limit) { timer.body() }
        return true
    }

    private func runQueue() -> Bool {
        guard head < queue.count else { return false }
        var left = Self.turnLimit
        while left > 0, head < queue.count {
            let work = queue[head]
            head += 1
            left -= 1
            switch work {
            case .job(let job):
                guard let loop else { continue }
                unsafe job.runSynchronously(on: loop.asUnownedTaskExecutor())
            case .isolated(let job, let isolation):
                unsafe job.runSynchronously(on: isolation.asUnownedSerialExecutor())
            case .body(let body):
                // Let go here and not with the queue: the end of what it holds may put something into that.
                queue[head - 1] = .over
                body()
            case .over: break
            }
        }
        if head == queue.count {
            queue.removeAll(keepingCapacity: queue.count <= 4 * Self.turnLimit)
            head = 0
            // May be the last that held it, which only marks the end.
            loop = nil
        } else if head > 4 * Self.turnLimit {
            queue.removeSubrange(..<head)
            head = 0
        }
        return true
    }

    private func endTurn() {
        swap(&ends, &ending)
        for end in ending { end.endTurn() }
        ending.removeAll(keepingCapacity: true)
    }
}
