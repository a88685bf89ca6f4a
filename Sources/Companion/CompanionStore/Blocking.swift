// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs what waits for other threads where no task does: there are few threads for tasks, and when all of them wait,
/// nothing goes on.
///
/// - Throws: What the body throws.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
    }
}
