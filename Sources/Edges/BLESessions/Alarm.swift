// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE

/// Wakes whoever drives a state machine at its deadline.
///
/// One task sleeps. A deadline that moves later leaves it asleep until the earlier one: it then rings too
/// early, and its owner sets it again. So a machine whose deadline moves with every packet costs no task each.

struct Alarm {
    private let radio: Radio
    private var set: (deadline: HostInstant, task: Task<Void, Never>)?

    /// Makes an alarm that is not set.
    init(_ radio: Radio) { self.radio = radio }

    /// Tells whether the alarm would ring too late for a deadline, so that it must be set.
    ///
    /// - Parameter deadline: The deadline; `nil` asks for nothing.
    /// - Returns: Whether it must be set.
    func isLate(for deadline: HostInstant?) -> Bool {
        guard let deadline else { return false }
        return set.map { $0.deadline > deadline } ?? true
    }

    /// Sees to it that the alarm rings at a deadline at the latest.
    ///
    /// - Parameters:
    ///   - deadline: When; `nil` asks for nothing.
    ///   - ring: Called then, once, with the deadline to give to ``rang(_:)``.
    mutating func set(
        _ deadline: HostInstant?, _ ring: @escaping @Sendable (_ deadline: HostInstant) async -> Void
    ) {
        guard isLate(for: deadline), let deadline else { return }
        cancel()
        let task = Task(executorPreference: radio.executor) { [radio] in
            do {
                try await radio.sleep(until: deadline)
            } catch {
                return
            }
            await ring(deadline)
        }
        set = (deadline, task)
    }

    /// Handles that the alarm has rung.
    ///
    /// - Parameter deadline: What the ring brought.
    /// - Returns: Whether it still counts; not when the alarm was set anew or cancelled meanwhile.
    mutating func rang(_ deadline: HostInstant) -> Bool {
        guard set?.deadline == deadline else { return false }
        set = nil
        return true
    }

    /// Lets the alarm ring no more.
    mutating func cancel() {
        set?.task.cancel()
        set = nil
    }
}
