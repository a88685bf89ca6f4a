// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// How long a statement waits for another process that holds the file: a while, and less when the end is near.
final class BusyHandler: Sendable {
    /// Pauses between tries, in milliseconds, as SQLite itself makes them; the last one is repeated.
    private static let pauses = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]

    private let limit: TimeInterval
    private let end = Mutex<ContinuousClock.Instant?>(nil)

    /// Makes one that waits so many seconds at most.
    init(_ limit: TimeInterval) { self.limit = limit }

    /// Waits for nothing after an instant.
    func end(by instant: ContinuousClock.Instant) { end.withLock { $0 = min($0 ?? instant, instant) } }

    /// Waits a moment before the next try.
    ///
    /// - Parameter tries: How often was tried before.
    /// - Returns: Whether to try again.
    func wait(after tries: Int) -> Bool {
        let pauses = Self.pauses
        let before = pauses.prefix(tries).reduce(0, +) + max(0, tries - pauses.count) * (pauses.last ?? 0)
        guard TimeInterval(before) / 1000 < limit else { return false }
        if let end = end.withLock({ $0 }), ContinuousClock.now >= end { return false }
        usleep(UInt32(pauses[min(tries, pauses.count - 1)] * 1000))
        return true
    }
}
