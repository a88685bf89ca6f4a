// SPDX-License-Identifier: Apache-2.0

import Companion
import Synchronization

/// Tells work that another task does whether the one that has asked for it was cancelled.
final class CancellationMark: Sendable {
    private let isSet = Mutex(false)

    /// The task was cancelled.
    func set() { isSet.withLock { $0 = true } }

    /// Ends the work when the task was cancelled.
    ///
    /// - Throws: ``StoreError/cancelled``.
    func check() throws(StoreError) { if isSet.withLock({ $0 }) { throw .cancelled } }
}
