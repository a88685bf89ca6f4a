// SPDX-License-Identifier: Apache-2.0

/// Does work to the end whether or not the caller is cancelled, such as cleaning up.
///
/// - Parameter body: What to do.
/// - Returns: What the body returns.
package func withoutCancellation<Value: Sendable>(
    _ body: @escaping @Sendable () async -> Value
) async -> Value {
    await Task { await body() }.value
}
