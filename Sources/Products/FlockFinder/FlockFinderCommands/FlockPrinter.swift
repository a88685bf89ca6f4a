// SPDX-License-Identifier: Apache-2.0

import BLEGATT
package import CommandIO
package import Companion
package import CompanionStore
package import CompanionText
package import Detections
import FlockFinder
package import FlockFinderCompanion

/// Shows what comes of a FlockFinder device: as JSON for scripts, or as a readable line each for a person.
package struct FlockPrinter: Sendable {
    /// What is shown.
    package struct Selection: Hashable, Sendable {
        /// Whether changes of the link's state are shown.
        var hasStates = true
        /// Whether a device that lacks something is reported; not when the command ends with that anyway.
        var hasMissingCharacteristics = true
        /// Whether a command that could not be sent is reported; not when the command ends with that anyway.
        var hasUnsentCommands = true
    }

    private let output: Output
    private let errors: Output
    private let isJSON: Bool
    private let selection: Selection
    private let radio: String

    /// Makes a printer.
    package init(
        to output: Output, errors: Output, isJSON: Bool, selection: Selection = Selection(), radio: String
    ) {
        self.output = output
        self.errors = errors
        self.isJSON = isJSON
        self.selection = selection
        self.radio = radio
    }

    /// Shows reports, all at once.
    ///
    /// - Parameter reports: What there is, in order.
    /// - Throws: ``OutputError``.
    package func show(_ reports: [FlockReport]) throws(OutputError) {
        var octets: [UInt8] = []
        var advice = ""
        let terminal = output.terminal
        for report in reports where isWanted(report.content) {
            if isJSON {
                octets += report.content.event.json(at: report.time) + [UInt8(ascii: "\n")]
                if case .notice(let notice) = report.content { advice += "lantern: \(sentence(notice))\n" }
            } else if let line = line(report, on: terminal) {
                octets += Array((line + "\n").utf8)
            }
        }
        if !octets.isEmpty { try output.write(octets) }
        if !advice.isEmpty { try errors.write(advice) }
    }

    /// Shows an event of our own, such as what is known of our place.
    ///
    /// - Parameters:
    ///   - event: What has happened.
    ///   - time: When.
    /// - Throws: ``OutputError``.
    package func show(_ event: some EventText, at time: Timestamp) throws(OutputError) {
        if isJSON {
            try output.write(event.json(at: time) + [UInt8(ascii: "\n")])
        } else {
            try output.line(output.terminal.line(event.line, at: time))
        }
    }

    /// Shows what keeps the database from storing, or that it is over.
    ///
    /// - Parameter trouble: What it is.
    /// - Throws: ``OutputError``.
    package func show(_ trouble: StoreStatus) throws(OutputError) {
        try errors.line("lantern: " + PrintableText.escaped(trouble.description))
    }

    /// Shows what keeps a database from storing, until the database is closed.
    ///
    /// - Parameter database: The database.
    /// - Returns: The work; whoever started it ends it.
    package func showTroubles(of database: DetectionDatabase) async -> Task<Void, any Error> {
        let troubles = await database.troubles()
        return Task { for await trouble in troubles { try show(trouble) } }
    }

    /// The line for a report; `nil` when another line says the same.
    package func line(_ report: FlockReport, on terminal: Terminal) -> String? {
        switch report.content {
        case .detection(let event):
            terminal.drawn(
                event.styledLine(columns: terminal.columns, clock: event.sighting.received.clock))
        // The state before says so.
        case .notice(let notice) where notice.isWaiting: nil
        // It is a program or a stick, which no settings of the system switch off.
        case .state(let change) where change.report.state == .bluetoothOff:
            terminal.line(
                EventLine(.warning, "the radio \(radio) has ended"), at: report.time)
        case .notice(let notice):
            terminal.line(EventLine(.warning, sentence(notice)), at: report.time)
        default: terminal.line(report.content.event.line, at: report.time)
        }
    }

    /// What happened, and what to do.
    private func sentence(_ notice: FlockNotice) -> String {
        guard case .bluetoothOff = notice.advice else { return notice.advice.description }
        return "Start the radio or connect it again; the search goes on by itself."
    }

    private func isWanted(_ content: FlockReport.Content) -> Bool {
        switch content {
        case .state: selection.hasStates
        case .notice(let notice): selection.hasMissingCharacteristics || !notice.isMissingSomething
        case .command(let command): selection.hasUnsentCommands || command.failure == nil
        default: true
        }
    }
}

extension FlockNotice {
    fileprivate var isWaiting: Bool {
        if case .noLink(retryMilliseconds: _?) = advice { true } else { false }
    }

    fileprivate var isMissingSomething: Bool {
        if case .characteristicsMissing = advice { true } else { false }
    }
}
