// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The end of something, which comes once and for which any number of tasks may wait.
///
/// Each waiter is resumed once: by the end, or by the cancellation of its task, which throws.
package final class Ending<Reason: Sendable>: Sendable {
    private struct State {
        var reason: Reason?
        var lastWaiter: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Reason?, Never>] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Why it has ended; `nil` as long as it has not.
    package var reason: Reason? { state.withLock { $0.reason } }

    /// Handles that it has ended.
    ///
    /// - Returns: Whether this was the first time.
    @discardableResult
    package func end(_ reason: Reason) -> Bool {
        let waiters = state.withLock { state -> [CheckedContinuation<Reason?, Never>]? in
            guard state.reason == nil else { return nil }
            state.reason = reason
            defer { state.waiters = [:] }
            return state.waiters.sorted { $0.key < $1.key }.map(\.value)
        }
        for waiter in waiters ?? [] { waiter.resume(returning: reason) }
        return waiters != nil
    }

    /// Waits for the end.
    ///
    /// - Returns: Why it has ended.
    /// - Throws: ``BluetoothError/cancelled``.
    package nonisolated(nonsending) func wait() async throws(BluetoothError) -> Reason {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let reason = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let (reason, isOver) = state.withLock { state -> (Reason?, Bool) in
                    guard state.reason == nil, !Task.isCancelled else { return (state.reason, true) }
                    state.waiters[id] = waiter
                    return (nil, false)
                }
                if isOver { waiter.resume(returning: reason) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: nil)
        }
        guard let reason else { throw .cancelled }
        return reason
    }
}
