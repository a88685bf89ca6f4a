// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Who handles Control-C while a command runs; it ends the command when nobody does.
final class InterruptHandling: Sendable {
    /// That of the command that runs.
    @TaskLocal static var current = InterruptHandling()

    private let handler = Mutex<(@Sendable () -> Void)?>(nil)

    /// Passes Control-C on to whoever handles it.
    ///
    /// - Returns: Whether anybody does.
    func offer() -> Bool {
        guard let handler = handler.withLock({ $0 }) else { return false }
        handler()
        return true
    }

    /// Handles each Control-C while something goes on.
    ///
    /// - Parameters:
    ///   - handler: Called for each one, on any thread.
    ///   - body: What goes on.
    /// - Returns: What the body returns.
    func run<Value>(onInterrupt handler: @escaping @Sendable () -> Void, while body: () async -> Value) async
        -> Value
    {
        self.handler.withLock { $0 = handler }
        let value = await body()
        self.handler.withLock { $0 = nil }
        return value
    }
}
