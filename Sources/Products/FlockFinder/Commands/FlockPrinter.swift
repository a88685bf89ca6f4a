// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import FlockFinder
import Companion

/// Shows news: as JSON for scripts, or as a readable line each for a person.
struct FlockPrinter: Sendable {
    /// What is shown.
    struct Selection: Hashable, Sendable {
        /// Whether changes of the link's state are shown.
        var hasStates = true
        /// Whether detections have a number, because they are stored.
        var hasNumbers = true
        /// Whether a device that lacks something is told; not when the command ends with that anyway.
        var hasMissingCharacteristics = true
    }

    private let output: Output
    private let errors: Output
    private let isJSON: Bool
    private let selection: Selection

    /// Makes a printer.
    ///
    /// - Parameters:
    ///   - output: Where news goes.
    ///   - errors: Where advice for a person goes while the news is for scripts.
    ///   - isJSON: Whether news is for scripts.
    ///   - selection: What is shown.
    init(to output: Output, errors: Output, isJSON: Bool, selection: Selection = Selection()) {
        self.output = output
        self.errors = errors
        self.isJSON = isJSON
        self.selection = selection
    }

    /// Shows news, all at once.
    ///
    /// - Parameters:
    ///   - news: What there is, in order.
    ///   - now: The moment, for news that has none of its own.
    /// - Throws: ``OutputError``.
    func show(_ news: [FlockNews], at now: Timestamp = .now()) throws(OutputError) {
        var lines = ""
        var advice = ""
        for item in news where isWanted(item) {
            if isJSON {
                if let line = FlockJSON.line(item, hasNumbers: selection.hasNumbers) { lines += line + "\n" }
                if case .advice(let text) = item { advice += "lantern: \(text)\n" }
            } else if let line = FlockText(terminal: output.terminal).line(item, at: now) {
                lines += line + "\n"
            }
        }
        if !lines.isEmpty { try output.write(lines) }
        if !advice.isEmpty { try errors.write(advice) }
    }

    private func isWanted(_ item: FlockNews) -> Bool {
        switch item {
        case .state: selection.hasStates
        case .advice(.characteristicsMissing): selection.hasMissingCharacteristics
        default: true
        }
    }
}

/// News as scripts get it: one JSON object each.
enum FlockJSON {
    /// The object without a line end; `nil` for news that scripts do not get.
    static func line(_ news: FlockNews, hasNumbers: Bool = true) -> String? {
        switch news {
        case .detection(let record): return record.sighting.eventJSON(id: hasNumbers ? record.id : nil)
        case .state(let report):
            return event("state") { json in
                json.field("state", report.state.description)
                json.field("address", report.peer?.plain)
                json.field("reason", report.reason?.description)
            }
        case .parseError(let failure):
            return event("parse_error") { json in
                json.field("reason", failure.reason)
                json.field("raw", failure.raw.hexadecimal)
            }
        case .stream(let octets):
            return event("stream") { json in
                json.key("object")
                json.json(octets)
            }
        case .command, .advice: return nil
        }
    }

    private static func event(_ name: String, _ body: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("event", name)
            body(&json)
        }
        return json.text
    }
}
