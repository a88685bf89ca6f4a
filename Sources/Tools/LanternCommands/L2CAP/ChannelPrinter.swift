// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import CompanionText

/// Prints what happens on channels: SDUs on stdout, all else on stderr; with JSON everything on stdout.
struct ChannelPrinter: Sendable {
    private let printer: EventPrinter
    private let notes: Output
    private let form: SDUForm

    /// Makes a printer.
    ///
    /// - Parameters:
    ///   - printer: Where SDUs go.
    ///   - notes: Where sentences for the person go.
    ///   - form: How SDUs are written.
    init(_ printer: EventPrinter, notes: Output, form: SDUForm) {
        self.printer = printer
        self.notes = notes
        self.form = form
    }

    /// Shows what happens.
    func show(_ event: some EventText) throws(OutputError) {
        if printer.isJSON {
            try printer.show(event)
        } else if notes.terminal.isInteractive {
            try notes.line(PrintableText.escaped(event.line.text))
        }
    }

    /// Shows what happens on a channel.
    func show(_ report: ChannelReport) throws(OutputError) {
        switch report {
        case .opened(let event): try show(event)
        case .closed(let event): try show(event)
        case .received(let event) where printer.isJSON: try printer.show(event) { _ in [] }
        case .received(let event):
            let output = printer.output
            try output.write(form.written(event.octets, isSeen: output.terminal.isInteractive))
        }
    }
}
