// SPDX-License-Identifier: Apache-2.0

package import BluetoothLE

/// Work that ends by itself or is ended when its time is up.
package enum TimeLimit {
    /// Runs, and cancels what runs when its time is up.
    ///
    /// - Parameters:
    ///   - limit: How long it may take; `nil` for as long as it likes.
    ///   - radio: By whose clock; `nil` is the system's.
    ///   - body: What to do; it should end soon after it is cancelled.
    /// - Returns: What the body returns, also after it was cancelled.
    /// - Throws: What the body throws.
    package static func run<Value: Sendable>(
        _ limit: Duration?, on radio: Radio?, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let limit else { return try await body() }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                if let radio {
                    await Wait.for(limit, on: radio)
                } else {
                    // An error here means that it was cancelled, because the body has ended or must end.
                    try? await Task.sleep(for: limit)
                }
                return nil
            }
            while let ended = try await group.next() {
                group.cancelAll()
                if let value = ended { return value }
            }
            throw CancellationError()
        }
    }
}
