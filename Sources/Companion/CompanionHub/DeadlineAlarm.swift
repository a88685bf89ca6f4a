// SPDX-License-Identifier: Apache-2.0

import BLEWire
import CompanionCore
import CompanionDevices

extension HubClock {
    /// The moment, by both clocks.
    var moment: Moment {
        let (seconds, attoseconds) = elapsed().components
        let microseconds = UInt64(clamping: attoseconds / 1_000_000_000_000)
        return Moment(HostInstant(microseconds: UInt64(clamping: seconds) * 1_000_000 + microseconds), now())
    }
}

/// Rings when the deadline of a machine has come.
struct DeadlineAlarm {
    private var waiting: (deadline: HostInstant, task: Task<Void, Never>)?

    /// Sets it to another deadline; `nil` sets it to none.
    ///
    /// - Parameters:
    ///   - next: The deadline.
    ///   - clock: The time.
    ///   - executor: Where it rings; `nil` for the executor of all.
    ///   - ring: Called with the deadline, for ``rang(_:)``.
    mutating func set(
        _ next: HostInstant?, by clock: HubClock, on executor: (any TaskExecutor)? = nil,
        ring: @escaping @Sendable (HostInstant) async -> Void
    ) {
        guard next != waiting?.deadline else { return }
        waiting?.task.cancel()
        let now = clock.moment.now
        waiting = next.map { deadline in
            let wait = deadline.microseconds - min(now.microseconds, deadline.microseconds)
            let task = Task(executorPreference: executor) {
                // An error says that another deadline is waited for.
                do { try await clock.sleep(.microseconds(Int64(clamping: wait))) } catch { return }
                await ring(deadline)
            }
            return (deadline, task)
        }
    }

    /// Handles that it has rung.
    ///
    /// - Returns: Whether it was set to that still.
    mutating func rang(_ deadline: HostInstant) -> Bool {
        guard waiting?.deadline == deadline else { return false }
        waiting = nil
        return true
    }
}
