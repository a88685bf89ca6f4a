// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Octets that are read when somebody asks for them, on a thread that may wait for them.
package final class StandardInput: Sendable {
    private struct State {
        /// What was read when nobody waited any more.
        var left: [UInt8]?
        var isReading = false
        /// The system's number for why it could not be read.
        var failure: Int32?
        var waiter: CheckedContinuation<[UInt8], Never>?
    }

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "stdin")
    private let state = Mutex(State())

    /// Makes an input.
    package init(descriptor: Int32 = STDIN_FILENO) { self.descriptor = descriptor }

    /// The system's number for why it could not be read; `nil` where it could.
    package var failure: Int32? { state.withLock { $0.failure } }

    /// Waits for octets.
    ///
    /// - Parameter limit: How many at most.
    /// - Returns: The octets; none at the end, or when the task is cancelled.
    package func read(upTo limit: Int) async -> [UInt8] {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let octets = state.withLock { state -> [UInt8]? in
                    if Task.isCancelled { return [] }
                    if let left = state.left {
                        state.left = nil
                        return left
                    }
                    state.waiter = waiter
                    guard !state.isReading else { return nil }
                    state.isReading = true
                    queue.async { self.readOnce(limit) }
                    return nil
                }
                if let octets { waiter.resume(returning: octets) }
            }
        } onCancel: {
            // A read cannot be called back; what it brings is kept.
            resume([], keeps: false)
        }
    }

    private func readOnce(_ limit: Int) {
        let octets = Readiness.read(descriptor, upTo: limit)
        let failure: Int32? = octets == nil ? errno : nil
        state.withLock { state in
            state.isReading = false
            state.failure = failure
        }
        // What cannot be read is over.
        resume(octets ?? [], keeps: true)
    }

    private func resume(_ octets: [UInt8], keeps: Bool) {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            if state.waiter == nil, keeps { state.left = octets }
            return state.waiter
        }
        waiter?.resume(returning: octets)
    }
}
