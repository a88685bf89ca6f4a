// SPDX-License-Identifier: Apache-2.0

/// Cleaning up, which must go on when the command is cancelled.
package enum Uncancelled {
    /// Runs to the end whether or not the caller is cancelled.
    ///
    /// - Parameter body: What to do.
    /// - Returns: What the body returns.
    package static func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        await Task { await body() }.value
    }
}
