// SPDX-License-Identifier: Apache-2.0

public import BLEWire
import Synchronization

/// A thread of its own that waits for descriptors, deadlines and jobs, and deals with them one after the other.
///
/// It is the executor of the actor that drives a radio and may be preferred by tasks, so that what arrives is
/// dealt with, consumed and answered where it arrives, with no change of threads:
///
/// ```
/// ┌─▶ poll ─▶ what is readable, 32 KiB each ─▶ timers ─▶ jobs, at most 256 ─▶ one write for each transport ─┐
/// └─────────────────────────────────────────────────────────────────────────────────────────────────────────┘
/// ```
///
/// Neither jobs nor descriptors can starve each other, as each has its share of every turn. A job from another
/// thread wakes the loop up if it sleeps; one from its own costs no call of the system.
///
/// The thread ends when nobody holds the loop any more; jobs that wait, transports and timers hold it.
/// A ``ManualLoop`` has no thread, and a clock that a test moves.
public final class TransportLoop: TaskExecutor {
    let core: LoopCore
    private let isolation: LoopIsolation

    /// Starts a loop with a thread of its own.
    ///
    /// - Throws: ``TransportError/cannotOpen(_:)`` when the system gives no more descriptors or threads.
    public convenience init() throws(TransportError) { try self.init(stackSize: 1 << 20) }

    init(stackSize: Int) throws(TransportError) {
        let waiting = try PollWaiting()
        let core = LoopCore(waiting)
        do throws(TransportError) {
            try startThread(stackSize: stackSize) { core.run() }
        } catch {
            waiting.close()
            throw error
        }
        self.core = core
        isolation = LoopIsolation(core)
    }

    /// Makes a loop that runs when its owner lets it.
    init(_ waiting: ManualWaiting) {
        core = LoopCore(waiting)
        isolation = LoopIsolation(core)
    }

    deinit { core.end() }

    /// The moment, on a clock that began when the loop was made and never stands still.
    public var now: HostInstant { core.waiting.now }

    /// Whether the caller is on the loop's thread.
    public var isCurrent: Bool { core.isCurrent }

    /// Runs something on the loop, in the order of the calls and after the jobs that wait.
    ///
    /// - Parameter body: What to run; it must not block.
    public func execute(_ body: @escaping @Sendable () -> Void) { core.execute(body) }

    /// Makes a timer of this loop.
    ///
    /// - Parameters:
    ///   - deadline: Says on the loop when the timer is due, for ``LoopTimer/setAtTurnEnd()``.
    ///   - body: Called on the loop when the timer's deadline has come.
    /// - Returns: The timer, not set.
    public func makeTimer(
        deadline: @escaping @Sendable () -> HostInstant? = { nil }, _ body: @escaping @Sendable () -> Void
    ) -> LoopTimer { LoopTimer(self, deadline, body) }

    /// Waits until a moment has come.
    ///
    /// - Parameter deadline: The moment.
    /// - Throws: `CancellationError` when the task is cancelled before.
    public func sleep(until deadline: HostInstant) async throws {
        let sleeper = Sleeper(core)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                core.execute { sleeper.begin(deadline, waiter) }
            }
        } onCancel: {
            core.execute { sleeper.cancel() }
        }
    }

    /// Waits for something that is done elsewhere, such as by a disk; meanwhile nobody moves the clock of a ``ManualLoop`` on
    /// who asks ``ManualLoop/isHeld``.
    ///
    /// - Parameter body: Waits for it.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    package nonisolated(nonsending) func holdingTime<Value, Failure: Error>(
        _ body: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        hold()
        defer { release() }
        return try await body()
    }

    /// Something is being done elsewhere: nobody moves the clock of a ``ManualLoop`` on until ``release()``.
    package func hold() { core.absences.wrappingAdd(1, ordering: .relaxed) }

    /// What was being done elsewhere is done.
    package func release() { core.absences.wrappingSubtract(1, ordering: .relaxed) }

    /// Takes a job of a task that prefers the loop.
    ///
    /// - Parameter job: The job.
    public func enqueue(_ job: consuming ExecutorJob) { core.enqueue(.job(UnownedJob(job)), of: self) }

    /// The executor of actors that run on the loop; each of them holds the loop.
    ///
    /// - Returns: What an actor's `unownedExecutor` is to give.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { isolation.asUnownedSerialExecutor() }
}

/// The executor of the actors on a loop.
///
/// It is not the loop itself, so that what a task runs there is not taken for isolated to them: the runtime would put
/// the task into the queue again at each call of a function that is isolated to nobody, and once more when that
/// returns.
final class LoopIsolation: SerialExecutor {
    private let core: LoopCore

    init(_ core: LoopCore) { self.core = core }

    /// Whoever waits for the job holds the actor, and that the loop.
    func enqueue(_ job: consuming ExecutorJob) { core.enqueue(.isolated(UnownedJob(job), self), of: nil) }

    func checkIsolated() { precondition(core.isCurrent, "not on the thread of the transport's loop") }

    func isIsolatingCurrentContext() -> Bool? { core.isCurrent }
}

/// One sleeping task.
///
/// Resumed once: at its deadline or when its task is cancelled, whichever comes first. Its task holds the loop.
/// Unchecked: only touched on the loop.
private final class Sleeper: @unchecked Sendable {
    private let core: LoopCore
    private var waiter: CheckedContinuation<Void, any Error>?
    private var timer: LoopCore.Timer?
    private var isCancelled = false

    init(_ core: LoopCore) { self.core = core }

    func begin(_ deadline: HostInstant, _ waiter: CheckedContinuation<Void, any Error>) {
        guard !isCancelled else { return waiter.resume(throwing: CancellationError()) }
        self.waiter = waiter
        let timer = LoopCore.Timer { [self] in finish(.success(())) }
        self.timer = timer
        core.set(timer, to: deadline)
    }

    func cancel() {
        isCancelled = true
        finish(.failure(CancellationError()))
    }

    /// Lets the timer go, which holds this.
    private func finish(_ result: Result<Void, any Error>) {
        if let timer { core.set(timer, to: nil) }
        timer = nil
        waiter?.resume(with: result)
        waiter = nil
    }
}
