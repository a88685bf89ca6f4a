// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import Companion
import OverflowArea

/// Hears overflow areas and shows them: as JSON, as a line each, or as a table.
actor OverflowListener {
    /// How to show what was heard.
    enum Style: Sendable {
        /// One JSON object a line.
        case json
        /// A line for each event.
        case lines
        /// A table that is drawn again and again.
        case table
    }

    private var receiver: OverflowReceiver
    private var board = OverflowBoard()
    private var block = ScreenBlock()
    private let output: Output
    private let style: Style
    private let moment: @Sendable () -> HostInstant
    private let now: @Sendable () -> Timestamp

    /// Makes a listener.
    ///
    /// - Parameters:
    ///   - options: How to listen.
    ///   - output: Where to show it.
    ///   - style: How.
    ///   - moment: The monotonic clock.
    ///   - now: The time of day.
    init(
        _ options: OverflowReceiver.Options, to output: Output, _ style: Style,
        moment: @escaping @Sendable () -> HostInstant, now: @escaping @Sendable () -> Timestamp
    ) {
        receiver = OverflowReceiver(options)
        self.output = output
        self.style = style
        self.moment = moment
        self.now = now
    }

    /// How many senders were heard.
    var senderCount: Int { board.count }

    /// Listens until the task is cancelled or the radio is lost.
    ///
    /// - Parameter radio: The radio.
    /// - Throws: ``BluetoothError`` or ``OutputError``.
    nonisolated func run(on radio: Radio) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for try await report in try await radio.scan(.init(phys: [.le1M])) {
                    try await self.take(report)
                }
            }
            group.addTask {
                while !Task.isCancelled {
                    try await self.tick()
                    await Wait.for(.milliseconds(250))
                }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Takes an advertisement or scan response.
    func take(_ report: Advertisement) throws {
        // Platforms that hide addresses hide the overflow area, too.
        guard let address = report.peer.address else { return }
        receiver.receive(report.data.octets, from: address, rssi: report.rssi, at: moment())
        try drain()
    }

    /// Lets time pass, and draws the table where one is looked at.
    func tick() throws {
        let moment = moment()
        if let deadline = receiver.nextDeadline, deadline <= moment { receiver.deadlineReached(at: moment) }
        try drain()
        guard style == .table, output.terminal.isInteractive else { return }
        let terminal = output.terminal
        var lines = Array(
            OverflowTable(terminal: terminal).lines(board.sorted).prefix(max(2, terminal.rows - 2)))
        let count = board.count == 1 ? "1 sender" : "\(board.count) senders"
        let status = "Listening to overflow areas: \(count). Control-C ends it."
        lines.append(terminal.styled(TerminalText.fitted(status, columns: terminal.columns), .dim))
        try output.write(block.frame(lines))
    }

    /// Shows the whole table when all is over.
    func finish() throws {
        guard style == .table else { return }
        let terminal = output.terminal
        let lines = board.count == 0 ? [] : OverflowTable(terminal: terminal).lines(board.sorted)
        try output.write(terminal.isInteractive ? block.frame(lines) : lines.map { $0 + "\n" }.joined())
    }

    private func drain() throws {
        while let heard = receiver.nextOutput() {
            board.take(heard)
            switch style {
            case .json: if let line = heard.json(at: now()) { try output.line(line) }
            case .lines: try output.line(OverflowText.line(heard, at: now(), on: output.terminal))
            case .table: break
            }
        }
    }
}

/// What happens, as lines for a person.
enum OverflowText {
    /// What was heard.
    static func line(_ heard: OverflowReceiver.Output, at time: Timestamp, on terminal: Terminal) -> String {
        let who = Peer(heard.address).title
        switch heard.event {
        case .map(let map): return line("○", .dim, "\(who) \(map)", at: time, on: terminal)
        case .payload(let message):
            let how = message.codec == .v1 ? "v1, position \(message.position.rawValue)" : "v2"
            let strength = heard.rssi.map { ", \($0) dBm" } ?? ""
            return line(
                "●", .green, "\(who) says \(message.payload) (\(how)\(strength))", at: time, on: terminal)
        case .ignored(let reason):
            return line("▲", .yellow, "\(who) ignored: \(reason)", at: time, on: terminal)
        case .gone: return line("○", .dim, "\(who) is silent", at: time, on: terminal)
        }
    }

    /// What is advertised from now on.
    static func line(
        _ transmission: OverflowSender.Transmission, _ codec: OverflowCodec?, at time: Timestamp,
        on terminal: Terminal
    ) -> String {
        var text = "advertising \(transmission.map)"
        if let codec {
            text += codec == .v1 ? " (v1, position \(transmission.position?.rawValue ?? 0))" : " (v2)"
        } else {
            text +=
                " ("
                + transmission.uuids.map { "\($0): bit \(OverflowBit(of: $0).number)" }
                .joined(separator: ", ") + ")"
        }
        return line("→", .blue, text, at: time, on: terminal)
    }

    private static func line(
        _ mark: String, _ style: Terminal.Style, _ text: String, at time: Timestamp, on terminal: Terminal
    ) -> String {
        let room = max(20, terminal.columns - min(12, terminal.columns))
        return terminal.styled(time.clock, .dim) + "  " + terminal.styled(mark, style) + " "
            + TerminalText.fitted(text, columns: room)
    }
}
