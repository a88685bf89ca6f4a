// SPDX-License-Identifier: Apache-2.0

/// Waiting that ends early when the task is cancelled.
enum Wait {
    /// Waits for a length of time.
    ///
    /// - Parameter duration: How long; `nil` until the task is cancelled.
    static func `for`(_ duration: Duration?) async {
        if let duration {
            // An error says that the task is cancelled: the wait is over.
            try? await Task.sleep(for: duration)
        } else {
            while !Task.isCancelled { try? await Task.sleep(for: .seconds(86_400)) }
        }
    }
}

extension Seconds {
    /// As it is written behind an option.
    var defaultValueDescription: String { String(text.dropLast(2)) }

    /// For sentences: `3 s`, `0.5 s`.
    var text: String {
        let milliseconds = duration / .milliseconds(1)
        return milliseconds.truncatingRemainder(dividingBy: 1000) == 0
            ? "\(Int(milliseconds / 1000)) s" : "\(milliseconds / 1000) s"
    }
}
