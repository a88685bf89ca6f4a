// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import Companion
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

    /// Prints an SDU.
    func show(_ sdu: [UInt8], of channel: ChannelDescription) throws(OutputError) {
        let output = printer.output
        guard printer.isJSON else { return try output.write(form.octets(of: sdu, on: output.terminal)) }
        try printer.show(
            ChannelReceived(channel.peer, identifier: channel.localCID, octets: sdu)
        ) { _ in [] }
    }
}

extension ChannelOpened {
    /// Takes what was agreed.
    init(_ channel: ChannelDescription) {
        self.init(
            channel.peer, psm: channel.psm, identifiers: (channel.localCID, channel.remoteCID),
            limits: (channel.mtu, channel.mps))
    }
}

extension ChannelClosed {
    /// Takes why a channel is closed.
    init(_ channel: ChannelDescription, _ failure: ChannelFailure, received: Int) {
        let reason: Reason =
            switch failure {
            case .closedByUs: .closedByUs
            case .closedByPeer: .closedByPeer
            case .notOffered: .notOffered
            case .noResources: .noResources
            case .insufficientSecurity: .insufficientSecurity
            case .refused: .refused
            case .unsupported: .unsupported
            case .timeout: .timeout
            case .protocolViolation: .protocolViolation
            case .linkLost: .linkLost
            }
        self.init(
            channel.peer, identifier: channel.localCID, reason: reason, sentence: failure.description,
            received: received)
    }
}
