// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How many things may still come.
package final class Quota: Sendable {
    private let left: Mutex<Int?>

    /// Makes a quota.
    ///
    /// - Parameter count: How many may come; `nil` for as many as there are.
    package init(_ count: Int?) { left = Mutex(count) }

    /// Whether nothing more may come.
    package var isUsedUp: Bool { left.withLock { $0 == 0 } }

    /// How many are missing; `nil` when there is no end.
    package var missing: Int? { left.withLock { $0 } }

    /// Uses one up.
    ///
    /// - Returns: Whether it may come.
    package func consume() -> Bool {
        left.withLock { left in
            guard let count = left else { return true }
            guard count > 0 else { return false }
            left = count - 1
            return true
        }
    }
}
