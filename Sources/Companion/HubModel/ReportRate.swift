// SPDX-License-Identifier: Apache-2.0

package import Companion

/// How many reports came in the last minute, in steps of a second.
package struct ReportRate: Sendable {
    private var counts = [Int](repeating: 0, count: 60)
    /// The second of the newest count.
    private var second: Int64 = -1

    /// Makes a rate of nothing.
    package init() {}

    /// Counts a report.
    package mutating func count(at now: Timestamp) {
        advance(to: now)
        counts[Int(second % 60)] += 1
    }

    /// How many came in the last minute.
    package mutating func total(at now: Timestamp) -> Int {
        advance(to: now)
        return counts.reduce(0, +)
    }

    private mutating func advance(to now: Timestamp) {
        let current = max(0, now.milliseconds / 1000)
        if current < second - 60 {
            // The clock was set back.
            counts = [Int](repeating: 0, count: 60)
            second = current - 1
        }
        guard current > second else { return }
        for step in max(second + 1, current - 59)...current { counts[Int(step % 60)] = 0 }
        second = current
    }
}
