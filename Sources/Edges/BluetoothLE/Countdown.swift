// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Ends something after a while, unless it is stopped before.
package final class Countdown: Sendable {
    private enum State {
        case new
        case running(Task<Void, Never>)
        case stopped
    }

    private let state = Mutex(State.new)
    private let clock: any RadioClock
    private let executor: (any TaskExecutor)?

    /// Makes a countdown that has not begun.
    package init(on clock: any RadioClock, _ executor: (any TaskExecutor)?) {
        self.clock = clock
        self.executor = executor
    }

    /// Begins, once.
    ///
    /// - Parameters:
    ///   - duration: How long it takes.
    ///   - end: Called when it is over; not when it was stopped before.
    package func start(_ duration: Duration, _ end: @escaping @Sendable () -> Void) {
        let deadline = clock.now + duration
        state.withLock { state in
            guard case .new = state else { return }
            state = .running(
                Task(executorPreference: executor) { [clock] in
                    do { try await clock.sleep(until: deadline) } catch { return }
                    end()
                })
        }
    }

    /// Has it end nothing any more.
    package func stop() {
        let before = state.withLock { state in
            defer { state = .stopped }
            return state
        }
        if case .running(let task) = before { task.cancel() }
    }
}
