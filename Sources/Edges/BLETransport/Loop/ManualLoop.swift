// SPDX-License-Identifier: Apache-2.0

public import BLEWire
import Synchronization

/// A loop with no thread and a clock that its owner moves: whatever runs on it runs the same way each time.
///
/// Everything that is handed to it runs in order, on the thread that calls ``runUntilIdle(steps:)`` or
/// ``advance(to:)``. It has no descriptors; transports of this process run on it.
public struct ManualLoop: Sendable {
    /// The loop, for radios, transports and tasks.
    public let loop: TransportLoop
    private let waiting: ManualWaiting

    /// Makes a loop that stands still.
    ///
    /// - Parameter now: The moment on its clock.
    public init(at now: HostInstant = .zero) {
        waiting = ManualWaiting(now)
        loop = TransportLoop(waiting)
    }

    /// When the next timer is due.
    public var nextDeadline: HostInstant? { loop.core.nextDeadline }

    /// Whether somebody on the loop waits for what is done elsewhere and takes no time of its clock.
    package var isHeld: Bool { loop.core.absences.load(ordering: .relaxed) > 0 }

    /// Runs what waits, and what that leads to, until nothing does.
    ///
    /// - Parameter steps: Turns to take at most.
    /// - Returns: Whether nothing waits any more.
    @discardableResult
    public func runUntilIdle(steps: Int = 100_000) -> Bool {
        let core = loop.core
        let before = core.thread.exchange(currentThread(), ordering: .relaxed)
        precondition(before == 0, "the loop runs already")
        defer { core.thread.store(0, ordering: .relaxed) }
        for _ in 0..<steps {
            _ = core.enqueueArrivals()
            guard core.runTurn() else { return true }
        }
        return false
    }

    /// Lets time pass: runs what waits, then at each deadline what is due then.
    ///
    /// - Parameter moment: Up to when.
    /// - Returns: Whether nothing waits any more; time stands where something went on without end.
    @discardableResult
    public func advance(to moment: HostInstant) -> Bool {
        guard runUntilIdle() else { return false }
        while let deadline = nextDeadline, deadline <= moment {
            waiting.advance(to: deadline)
            guard runUntilIdle() else { return false }
        }
        waiting.advance(to: moment)
        return runUntilIdle()
    }
}

/// Does not wait at all.
final class ManualWaiting: LoopWaiting {
    private let moment: Atomic<UInt64>

    init(_ now: HostInstant) { moment = Atomic(now.microseconds) }

    var now: HostInstant { HostInstant(microseconds: moment.load(ordering: .relaxed)) }

    func advance(to later: HostInstant) {
        if later > now { moment.store(later.microseconds, ordering: .relaxed) }
    }

    func wake() {}
    func wait(until deadline: HostInstant?) {}
    func endHandlers() {}
    func close() {}

    func watch(_ descriptor: CInt, _ handler: any DescriptorHandler) -> Watch {
        preconditionFailure("a manual loop has no descriptors")
    }

    func change(_ watch: Watch, to readiness: Readiness) {}
    func unwatch(_ watch: Watch) {}
}
