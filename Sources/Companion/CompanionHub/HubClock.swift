// SPDX-License-Identifier: Apache-2.0

public import Companion
import CompanionDevices

/// The time by which a hub lives.
public struct HubClock: Sendable {
    /// The time of day.
    public let now: @Sendable () -> Timestamp
    /// Time since some moment, by a clock that nobody sets and that goes on while the machine sleeps.
    public let elapsed: @Sendable () -> Duration
    /// Waits, or throws when the task is cancelled.
    public let sleep: @Sendable (Duration) async throws -> Void

    /// Makes a clock.
    public init(
        now: @escaping @Sendable () -> Timestamp, elapsed: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.elapsed = elapsed
        self.sleep = sleep
    }

    /// The time by a clock that nobody sets, in milliseconds.
    var ticks: Int64 {
        let (seconds, attoseconds) = elapsed().components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }

    /// The system's.
    public static let system: HubClock = {
        let start = ContinuousClock.now
        return HubClock(
            now: Timestamp.now, elapsed: { ContinuousClock.now - start },
            sleep: { try await Task.sleep(for: $0) })
    }()

    /// Does something again and again until the task is cancelled.
    func every(_ interval: Duration, _ body: () async -> Void) async {
        while !Task.isCancelled {
            // An error says that the task is cancelled.
            do { try await sleep(interval) } catch { return }
            await body()
        }
    }
}
