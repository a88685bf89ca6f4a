// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A question to a person that is withdrawn when what it is about has ended.
final class Prompt: Sendable {
    private struct State {
        var hasEnded = false
        var withdraw: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Whether what the questions are about has ended.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Withdraws the question that waits, and all that follow.
    func end() {
        let withdraw = state.withLock { state in
            state.hasEnded = true
            return state.withdraw
        }
        withdraw?()
    }

    /// Asks.
    ///
    /// - Parameter body: Asks; it returns nothing when it is cancelled.
    /// - Returns: The answer; `nil` also when it was withdrawn.
    func run<Answer: Sendable>(_ body: @escaping @Sendable () async -> Answer?) async -> Answer? {
        let question = Task { await body() }
        let hasEnded = state.withLock { state in
            state.withdraw = { question.cancel() }
            return state.hasEnded
        }
        if hasEnded { question.cancel() }
        defer { state.withLock { $0.withdraw = nil } }
        return await withTaskCancellationHandler {
            await question.value
        } onCancel: {
            question.cancel()
        }
    }
}
