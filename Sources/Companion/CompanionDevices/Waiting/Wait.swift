// SPDX-License-Identifier: Apache-2.0

/// Waiting that ends early when the task is cancelled.
package enum Wait {
    /// Waits for a length of time.
    ///
    /// - Parameter duration: How long; `nil` until the task is cancelled.
    package static func `for`(_ duration: Duration?) async {
        if let duration {
            // An error says that the task is cancelled: the wait is over.
            try? await Task.sleep(for: duration)
        } else {
            while !Task.isCancelled { try? await Task.sleep(for: .seconds(86_400)) }
        }
    }
}
