// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// A deadline of a loop that may move as often as it likes.
///
/// Setting it costs neither a task nor a call of the system. It is not set any more once nobody holds it.
///
/// Unchecked: what changes is only touched on the loop.
public final class LoopTimer: TurnEnd, @unchecked Sendable {
    private let loop: TransportLoop
    private let timer: LoopCore.Timer
    private let deadline: @Sendable () -> HostInstant?
    /// Whether the deadline will be asked for at the end of this turn.
    private var isToBeSet = false

    init(
        _ loop: TransportLoop, _ deadline: @escaping @Sendable () -> HostInstant?,
        _ body: @escaping @Sendable () -> Void
    ) {
        self.loop = loop
        self.deadline = deadline
        timer = LoopCore.Timer(body)
    }

    deinit {
        let (core, timer) = (loop.core, timer)
        if core.isCurrent { core.set(timer, to: nil) } else { core.execute { core.set(timer, to: nil) } }
    }

    /// Sets the timer anew; only on the loop.
    ///
    /// - Parameter deadline: When its body is to be called, once; `nil` for not at all.
    public func set(_ deadline: HostInstant?) {
        precondition(loop.isCurrent, "a timer is set on the thread of its loop")
        loop.core.set(timer, to: deadline)
    }

    /// Sets the timer to its deadline at the end of this turn, where that is asked for once; only on the loop.
    public func setAtTurnEnd() {
        guard !isToBeSet else { return }
        precondition(loop.isCurrent, "a timer is set on the thread of its loop")
        isToBeSet = true
        loop.core.atTurnEnd(self)
    }

    func endTurn() {
        isToBeSet = false
        loop.core.set(timer, to: deadline())
    }
}

extension LoopCore {
    /// What a timer is to the loop.
    ///
    /// Unchecked: its state is only touched on the loop.
    final class Timer: @unchecked Sendable {
        let body: @Sendable () -> Void
        /// When it is due, and its place among those due at the same moment; `nil` when it is not set.
        fileprivate(set) var due: Due?

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    struct Due: Comparable {
        let deadline: HostInstant
        let number: UInt64

        static func < (a: Due, b: Due) -> Bool { (a.deadline, a.number) < (b.deadline, b.number) }
    }

    /// Timers that are set, the next one last.
    struct Timers {
        private var timers: [(due: Due, timer: Timer)] = []
        private var number: UInt64 = 0

        var next: HostInstant? { timers.last?.due.deadline }

        mutating func set(_ timer: Timer, to deadline: HostInstant?) {
            if let due = timer.due {
                guard due.deadline != deadline else { return }
                timers.remove(at: index(of: due))
                timer.due = nil
            }
            guard let deadline else { return }
            number += 1
            let due = Due(deadline: deadline, number: number)
            timer.due = due
            timers.insert((due, timer), at: index(of: due))
        }

        /// Takes out the next timer that is due, of those that were set before a number.
        mutating func popDue(at now: HostInstant, setBefore limit: UInt64) -> Timer? {
            guard let (due, timer) = timers.last, due.deadline <= now, due.number < limit else { return nil }
            timers.removeLast()
            timer.due = nil
            return timer
        }

        /// The number that the next timer gets.
        var nextNumber: UInt64 { number + 1 }

        /// Where a timer stands, or would stand.
        private func index(of due: Due) -> Int {
            var (low, high) = (0, timers.count)
            while low < high {
                let middle = (low + high) / 2
                if timers[middle].due > due { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }
}
