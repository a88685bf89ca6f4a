// SPDX-License-Identifier: Apache-2.0

package import BluetoothLE

/// Waiting that ends early when the task is cancelled.
package enum Wait {
    /// Waits for a length of time.
    ///
    /// - Parameters:
    ///   - duration: How long; `nil` until the task is cancelled.
    ///   - radio: By whose clock.
    package static func `for`(_ duration: Duration?, on radio: Radio) async {
        guard let duration else { return await untilCancelled() }
        // An error says that the task is cancelled: the wait is over.
        try? await radio.sleep(until: radio.now + duration)
    }

    /// Waits until the task is cancelled.
    package static func untilCancelled() async {
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(86_400)) }
    }
}
