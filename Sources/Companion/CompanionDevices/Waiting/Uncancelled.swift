// SPDX-License-Identifier: Apache-2.0

/// Work that goes on when its caller is cancelled, such as cleaning up.
package enum Uncancelled {
    /// Runs to the end whether or not the caller is cancelled.
    ///
    /// - Parameter body: What to do.
    /// - Returns: What the body returns.
    package static func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        await Task { await body() }.value
    }
}
