// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import Companion

/// Prints what happens on channels: SDUs on stdout, all else on stderr; with JSON everything on stdout.
struct ChannelPrinter: Sendable {
    /// What happens.
    enum News: Sendable {
        /// Peers can connect.
        case serving(psm: UInt16, name: String)
        /// A channel is open.
        case open(ChannelDescription)
        /// A channel is closed; how many SDUs have come.
        case closed(ChannelDescription, ChannelFailure, received: Int)
    }

    let output: Output
    let notes: Output
    let form: SDUForm
    let isJSON: Bool
    let now: @Sendable () -> Timestamp

    /// Makes a printer.
    ///
    /// - Parameters:
    ///   - output: Where SDUs go.
    ///   - notes: Where sentences for the person go.
    ///   - form: How SDUs are written.
    ///   - isJSON: Whether all is for scripts.
    ///   - now: The clock.
    init(
        to output: Output, notes: Output, form: SDUForm, isJSON: Bool,
        now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) {
        self.output = output
        self.notes = notes
        self.form = form
        self.isJSON = isJSON
        self.now = now
    }

    /// Shows what happens.
    func show(_ news: News) throws(OutputError) {
        if isJSON {
            try output.line(Self.json(news, at: now()))
        } else if notes.terminal.isInteractive {
            try notes.line(Self.text(news))
        }
    }

    /// Prints an SDU.
    func show(_ sdu: [UInt8], of channel: ChannelDescription) throws(OutputError) {
        try isJSON
            ? output.line(Self.json(sdu, of: channel, at: now()))
            : output.write(form.octets(of: sdu, on: output.terminal))
    }

    /// The event as scripts get it: one JSON object without a line end.
    static func json(_ news: News, at now: Timestamp) -> String {
        var json = JSONWriter()
        json.object { json in
            switch news {
            case .serving(let psm, let name):
                json.field("event", "serving")
                json.field("psm", psm)
                json.field("name", name)
            case .open(let channel):
                json.field("event", "open")
                json.field("psm", channel.psm)
                json.field("address", channel.peer.plain)
                json.field("cid", channel.localCID)
                json.field("peer_cid", channel.remoteCID)
                json.field("mtu", channel.mtu)
                json.field("mps", channel.mps)
            case .closed(let channel, let failure, let received):
                json.field("event", "closed")
                json.field("cid", channel.localCID)
                json.field("reason", failure.word)
                json.field("received", received)
            }
            json.field("time", now)
        }
        return json.text
    }

    /// The event `sdu` as scripts get it.
    static func json(_ sdu: [UInt8], of channel: ChannelDescription, at now: Timestamp) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("event", "sdu")
            json.field("cid", channel.localCID)
            json.field("value", sdu.hexadecimal)
            json.field("time", now)
        }
        return json.text
    }

    private static func text(_ news: News) -> String {
        switch news {
        case .serving(let psm, let name):
            "Listening at PSM \(PSMArgument.text(psm)) as \(TerminalText.escaped(name)). Control-C ends it."
        case .open(let channel):
            "Channel to \(channel.peer.plain) open at PSM \(PSMArgument.text(channel.psm)), MTU \(channel.mtu)."
        case .closed(_, let failure, let received):
            failure.description + (received == 1 ? " 1 SDU came." : " \(received) SDUs came.")
        }
    }
}

extension ChannelFailure {
    /// For scripts.
    var word: String {
        switch self {
        case .closedByUs: "closed_by_us"
        case .closedByPeer: "closed_by_peer"
        case .notOffered: "not_offered"
        case .noResources: "no_resources"
        case .insufficientSecurity: "insufficient_security"
        case .refused: "refused"
        case .unsupported: "unsupported"
        case .timeout: "timeout"
        case .protocolViolation: "protocol_violation"
        case .linkLost: "link_lost"
        }
    }
}
