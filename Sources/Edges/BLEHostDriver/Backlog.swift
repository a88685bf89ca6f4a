// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Counts what waits in a stream, so that its producer can stop in time.
final class Backlog: Sendable {
    /// Elements that may wait before the producer should stop.
    static let softLimit = 1024
    /// Elements that may wait at all.
    static let hardLimit = 65536

    private let count = Atomic<Int>(0)
    private let drained: @Sendable () -> Void

    /// Starts empty.
    ///
    /// - Parameter drained: Called when so many were taken out that the producer may go on.
    init(drained: @escaping @Sendable () -> Void) { self.drained = drained }

    var isFull: Bool { count.load(ordering: .relaxed) >= Self.softLimit }

    /// Counts one more.
    ///
    /// - Returns: Whether there is room for it.
    func add() -> Bool { count.add(1, ordering: .relaxed).newValue <= Self.hardLimit }

    /// Counts one less.
    func taken() {
        if count.subtract(1, ordering: .relaxed).newValue == Self.softLimit / 2 { drained() }
    }

    /// Forgets what waited, because nobody will take it out.
    func reset() {
        count.store(0, ordering: .relaxed)
        drained()
    }
}
