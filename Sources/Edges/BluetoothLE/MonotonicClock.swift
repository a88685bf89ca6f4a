// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// The system's monotonic clock in the terms of the state machines.
public struct MonotonicClock: Sendable {
    private let start = ContinuousClock.now

    /// Starts at zero.
    public init() {}

    /// The moment, in microseconds since the clock was made.
    public var now: HostInstant {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return HostInstant(
            microseconds: UInt64(seconds) * 1_000_000 + UInt64(attoseconds / 1_000_000_000_000))
    }

    /// Waits until a moment has come.
    ///
    /// - Parameter deadline: The moment.
    /// - Throws: `CancellationError` when the task is cancelled before.
    public func sleep(until deadline: HostInstant) async throws {
        let microseconds = Int64(clamping: deadline.microseconds(since: now))
        try await ContinuousClock().sleep(for: .microseconds(microseconds), tolerance: .zero)
    }
}
