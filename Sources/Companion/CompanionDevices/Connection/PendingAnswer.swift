// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Waiting for an answer from outside that ends when what it is about has ended.
final class PendingAnswer: Sendable {
    private struct State {
        var hasEnded = false
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Whether what the answers are about has ended.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Cancels what waits for an answer, and all that follow.
    func end() {
        let cancel = state.withLock { state in
            state.hasEnded = true
            return state.cancel
        }
        cancel?()
    }

    /// Waits for an answer.
    ///
    /// - Parameter body: Gets it; returns nothing soon after it is cancelled.
    /// - Returns: The answer; `nil` also when it was cancelled.
    func value<Answer: Sendable>(_ body: @escaping @Sendable () async -> Answer?) async -> Answer? {
        let question = Task { await body() }
        let hasEnded = state.withLock { state in
            state.cancel = { question.cancel() }
            return state.hasEnded
        }
        if hasEnded { question.cancel() }
        defer { state.withLock { $0.cancel = nil } }
        return await withTaskCancellationHandler {
            await question.value
        } onCancel: {
            question.cancel()
        }
    }
}
