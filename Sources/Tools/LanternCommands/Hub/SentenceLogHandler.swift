// SPDX-License-Identifier: Apache-2.0

import Logging

/// Has what libraries log written as the hub's own lines are, so that all of them have one form.
struct SentenceLogHandler: LogHandler {
    /// Writes a line.
    let write: @Sendable (String) -> Void
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.error

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata.merging(event.metadata ?? [:]) { $1 }
        if let error = event.error { all["error"] = "\(error)" }
        let facts = all.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        write(facts.isEmpty ? "\(event.message)" : "\(event.message) (\(facts))")
    }
}
