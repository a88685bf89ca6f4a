// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import CompanionHub
import Synchronization

/// A clock that a test moves; whoever sleeps by it is awake when the call that moves it returns.
final class SteppedClock: Sendable {
    private struct Sleeper {
        let until: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Duration.zero
        /// By how much the time of day was set, in milliseconds.
        var offset: Int64 = 0
        var sleepers: [Int: Sleeper] = [:]
        var last = 0
        /// The lengths of all sleeps, in order.
        var lengths: [Duration] = []
    }

    private let state = Mutex(State())

    /// The clock as hubs take it.
    var clock: HubClock {
        HubClock(
            now: {
                let offset = self.state.withLock { $0.offset }
                return Timestamp(
                    milliseconds: 1_800_000_000_000 + offset + Int64(self.elapsed / .milliseconds(1)))
            },
            elapsed: { self.elapsed },
            sleep: { try await self.sleep($0) })
    }

    var elapsed: Duration { state.withLock { $0.now } }

    /// The lengths of all sleeps, in order.
    var lengths: [Duration] { state.withLock { $0.lengths } }

    private func sleep(_ duration: Duration) async throws {
        let number = state.withLock { state in
            state.last += 1
            state.lengths.append(duration)
            return state.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if Task.isCancelled { return true }
                    state.sleepers[number] = Sleeper(until: state.now + duration, continuation: continuation)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation
                .resume(throwing: CancellationError())
        }
    }

    /// Sets the time of day; who sleeps does not notice.
    func set(by change: Duration) { state.withLock { $0.offset += Int64(change / .milliseconds(1)) } }

    /// Waits until so many sleep.
    func sleepers(_ count: Int) async throws {
        while state.withLock({ $0.sleepers.count }) < count { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Moves the clock when so many sleep.
    func advance(by duration: Duration, sleepers count: Int = 1) async throws {
        try await sleepers(count)
        let awake = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for number in due.keys { state.sleepers.removeValue(forKey: number) }
            return due.values.sorted { $0.until < $1.until }
        }
        for sleeper in awake { sleeper.continuation.resume() }
    }
}
