// SPDX-License-Identifier: Apache-2.0

/// Waits until something is so, for a minute at most: that long only where it never is, or on a very busy machine.
func eventually(_ condition: () async throws -> Bool) async throws {
    for _ in 0..<12000 {
        if try await condition() { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    throw NeverHappened()
}

/// What was waited for has not happened.
struct NeverHappened: Error {}
