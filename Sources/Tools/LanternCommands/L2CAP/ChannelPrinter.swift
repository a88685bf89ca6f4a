// SPDX-License-Identifier: Apache-2.0

import CommandIO
import Companion
import CompanionDevices
import CompanionText
import Synchronization

/// Prints what happens on channels: SDUs on stdout, all else on stderr; with JSON everything on stdout.
final class ChannelPrinter: Sendable {
    private let printer: EventPrinter
    private let notes: Output
    private let form: SDUForm
    // A terminal shows SDUs and sentences together, and an SDU may end within a line.
    private let isWithinLine = Mutex(false)

    /// Makes a printer.
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
            let isWithinLine = isWithinLine.withLock { isWithinLine in
                defer { isWithinLine = false }
                return isWithinLine
            }
            try notes.write((isWithinLine ? "\n" : "") + PrintableText.escaped(event.line.text) + "\n")
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
            let isSeen = output.terminal.isInteractive
            let octets = form.written(event.octets, isSeen: isSeen)
            guard let last = octets.last else { return }
            try output.write(octets)
            if isSeen { isWithinLine.withLock { $0 = last != UInt8(ascii: "\n") } }
        }
    }
}
