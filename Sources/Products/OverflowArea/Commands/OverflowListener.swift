// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import Companion
import CompanionDevices
import CompanionText
import OverflowArea

/// Hears overflow areas and shows them: as JSON, as a line each, or as a table.
actor OverflowListener {
    /// How to show what was heard.
    enum Style: Hashable, Sendable {
        /// A line for each event.
        case lines(isJSON: Bool)
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
        lines.append(terminal.styled(FixedWidthText.fitted(status, columns: terminal.columns), .dim))
        try output.write(block.frame(lines, columns: terminal.columns))
    }

    /// Shows the whole table when all is over.
    func finish() throws {
        guard style == .table else { return }
        let terminal = output.terminal
        let lines = board.count == 0 ? [] : OverflowTable(terminal: terminal).lines(board.sorted)
        try output.write(
            terminal.isInteractive
                ? block.frame(lines, columns: terminal.columns) : lines.map { $0 + "\n" }.joined())
    }

    private func drain() throws {
        while let heard = receiver.nextOutput() {
            board.receive(heard)
            if case .lines(let isJSON) = style {
                try EventPrinter(to: output, isJSON: isJSON, now: now).show(heard)
            }
        }
    }
}

extension EventPrinter {
    /// Prints what a receiver says; that a sender is silent is for people only.
    fileprivate func show(_ heard: OverflowReceiver.Output) throws(OutputError) {
        if let map = OverflowMapHeard(heard) { try show(map) }
        if let payload = OverflowPayloadHeard(heard) { try show(payload) }
        if let ignored = OverflowMapIgnored(heard) { try show(ignored) }
        guard heard.event == .gone, !isJSON else { return }
        try output.line(
            output.terminal.line(EventLine(.quiet, "\(Peer(heard.address).title) is silent"), at: now()))
    }
}
