// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Lines that an app of a test has written, and whoever waits for more.
final class Diary: Sendable {
    private struct State {
        var lines: [String] = []
        var taken = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    var lines: [String] { state.withLock { $0.lines } }

    func add(_ line: String) {
        let waiter = state.withLock { state in
            state.lines.append(line)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Waits for a line that begins so, after those that were waited for.
    @discardableResult
    func next(_ beginning: String) async throws -> String {
        while true {
            try Task.checkCancellation()
            let found = state.withLock { state -> String? in
                guard let index = state.lines[state.taken...].firstIndex(where: { $0.hasPrefix(beginning) })
                else { return nil }
                state.taken = index + 1
                return state.lines[index]
            }
            if let found { return found }
            await withTaskCancellationHandler {
                await withCheckedContinuation { waiter in
                    let isThere = state.withLock { state in
                        let isThere = state.lines[state.taken...].contains { $0.hasPrefix(beginning) }
                        if isThere || Task.isCancelled { return true }
                        state.waiter = waiter
                        return false
                    }
                    if isThere { waiter.resume() }
                }
            } onCancel: {
                state.withLock { state in
                    defer { state.waiter = nil }
                    return state.waiter
                }?.resume()
            }
        }
    }
}
