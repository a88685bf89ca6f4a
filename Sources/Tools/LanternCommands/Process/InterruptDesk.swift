// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Where a command asks for Control-C, which else ends it.
final class InterruptDesk: Sendable {
    /// The desk of the command that runs.
    @TaskLocal static var current = InterruptDesk()

    private let taker = Mutex<(@Sendable () -> Void)?>(nil)

    /// Gives Control-C to whoever has asked for it.
    ///
    /// - Returns: Whether anybody has.
    func offer() -> Bool {
        guard let taker = taker.withLock({ $0 }) else { return false }
        taker()
        return true
    }

    /// Takes each Control-C while something goes on.
    ///
    /// - Parameters:
    ///   - taker: Called for each one, on any thread.
    ///   - body: What goes on.
    /// - Returns: What the body returns.
    func give<Value>(to taker: @escaping @Sendable () -> Void, while body: () async -> Value) async -> Value {
        self.taker.withLock { $0 = taker }
        let value = await body()
        self.taker.withLock { $0 = nil }
        return value
    }
}
