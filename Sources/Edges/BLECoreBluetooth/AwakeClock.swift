// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import Synchronization

/// A clock that stands still while the system has suspended the app.
///
/// What a device has sent meanwhile waits, and comes when the app goes on. By any other clock the limits for answers would be over
/// then, before the answers are looked at: links would be closed and requests fail that are in order.
///
/// Whoever sleeps does so in slices of a second. When much more than that has passed since anybody looked, nobody was awake.
final class AwakeClock: RadioClock {
    private static let slice = Duration.seconds(1)
    /// What a busy system may take for a slice.
    private static let patience = Duration.seconds(3)

    private struct State {
        var sleepers = 0
        /// When somebody looked last.
        var seen = Duration.zero
        /// How long nobody was awake.
        var suspended = Duration.zero
    }

    private let state = Mutex(State())
    private let uptime: @Sendable () -> Duration
    private let rest: @Sendable (Duration) async throws -> Void

    /// Makes one on the system's clock, beginning now.
    convenience init() {
        let begin = ContinuousClock.now
        self.init {
            ContinuousClock.now - begin
        } rest: {
            try await Task.sleep(for: $0)
        }
    }

    /// Makes one.
    ///
    /// - Parameters:
    ///   - uptime: How much time has passed, whether or not the app ran.
    ///   - rest: Waits.
    init(
        _ uptime: @escaping @Sendable () -> Duration,
        rest: @escaping @Sendable (Duration) async throws -> Void
    ) {
        (self.uptime, self.rest) = (uptime, rest)
    }

    var now: HostInstant {
        let awake = state.withLock { state in
            let uptime = uptime()
            if state.sleepers > 0, uptime - state.seen > Self.patience {
                state.suspended += uptime - state.seen - Self.slice
            }
            state.seen = uptime
            return uptime - state.suspended
        }
        return HostInstant(microseconds: UInt64(awake / .microseconds(1)))
    }

    func sleep(until deadline: HostInstant) async throws {
        state.withLock { state in
            if state.sleepers == 0 { state.seen = uptime() }
            state.sleepers += 1
        }
        defer { state.withLock { $0.sleepers -= 1 } }
        while true {
            let left = Duration.microseconds(Int64(clamping: deadline.microseconds(since: now)))
            guard left > .zero else { return try Task.checkCancellation() }
            try await rest(min(left, Self.slice))
        }
    }
}
