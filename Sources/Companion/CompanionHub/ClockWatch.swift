// SPDX-License-Identifier: Apache-2.0

import Companion

/// Knows for how long nobody has set the clock, so that nothing is deleted by a clock that may be wrong.
///
/// A small computer without a clock of its own begins with the time of its last end, and is set right when it has a network;
/// what it stored before that looks old then.
struct ClockWatch {
    /// How long a clock that was set must go on as it should before ages count again.
    static let trial = Duration.seconds(86_400)
    /// By how much it may be off without having been set, in milliseconds.
    private static let tolerance: Int64 = 60_000

    private var last: (now: Timestamp, elapsed: Duration)?
    /// For how long it has gone on as it should since it was set; `nil` when nobody has.
    private var steady: Duration?

    /// Whether ages by this clock count.
    var isTrusted: Bool { steady.map { $0 >= Self.trial } ?? true }

    /// Handles what the clock shows.
    ///
    /// - Parameters:
    ///   - now: What it shows.
    ///   - elapsed: What one shows that nobody sets.
    mutating func look(_ now: Timestamp, elapsed: Duration) {
        defer { last = (now, elapsed) }
        guard let last else { return }
        let passed = elapsed - last.elapsed
        let off = now.milliseconds - last.now.milliseconds - Int64(passed / .milliseconds(1))
        if abs(off) > Self.tolerance {
            steady = .zero
        } else if let steady {
            self.steady = steady + passed
        }
    }
}
