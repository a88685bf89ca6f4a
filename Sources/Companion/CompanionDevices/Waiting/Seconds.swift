// SPDX-License-Identifier: Apache-2.0

import Companion

/// A length of time in seconds, as a person writes it: `10` or `0.5`.
package struct Seconds: Hashable, Sendable {
    /// The length.
    package let duration: Duration

    /// Makes a length of a duration.
    package init(_ duration: Duration) { self.duration = duration }

    /// Reads a length.
    ///
    /// - Parameter text: What was written.
    package init?(_ text: String) {
        // A hundred years; what is longer cannot be meant.
        guard let seconds = Double(decimal: text.utf8), seconds >= 0, seconds < 3_155_760_000 else {
            return nil
        }
        self.init(.milliseconds(Int64((seconds * 1000).rounded())))
    }

    /// For sentences: `3 s`, `0.5 s`.
    package var text: String {
        let milliseconds = duration / .milliseconds(1)
        return milliseconds.truncatingRemainder(dividingBy: 1000) == 0
            ? "\(Int(milliseconds / 1000)) s" : "\(milliseconds / 1000) s"
    }
}
