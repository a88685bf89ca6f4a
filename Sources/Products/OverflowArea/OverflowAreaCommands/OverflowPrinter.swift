// SPDX-License-Identifier: Apache-2.0

import CommandIO
import OverflowArea
import OverflowAreaCompanion

extension EventPrinter {
    /// Prints what a receiver says; that a sender is silent is for people only.
    func show(_ heard: OverflowReceiver.Output) throws(OutputError) {
        if let map = OverflowMapHeard(heard) { try show(map) }
        if let payload = OverflowPayloadHeard(heard) { try show(payload) }
        if let ignored = OverflowMapIgnored(heard) { try show(ignored) }
        guard heard.event == .gone, !isJSON else { return }
        try output.line(output.terminal.line(heard.silence, at: now()))
    }
}

/// Draws the senders that are heard: a table again and again, and as a whole at the end.
actor OverflowPrinter {
    private var table: LiveTable

    /// Makes a printer.
    ///
    /// - Parameter output: Where to draw.
    init(to output: Output) { table = LiveTable(on: output) }

    /// Draws the table as it is now, where somebody looks at it.
    func draw(_ board: OverflowTable) throws(OutputError) {
        let count = board.count == 1 ? "1 sender" : "\(board.count) senders"
        try table.draw(lines(board)) { _ in "Listening to overflow areas: \(count). Control-C ends it." }
    }

    /// Prints the whole table when all is over.
    func finish(_ board: OverflowTable) throws(OutputError) {
        try table.finish(board.count == 0 ? [] : lines(board))
    }

    private func lines(_ board: OverflowTable) -> [String] {
        let terminal = table.output.terminal
        return board.lines(columns: terminal.columns, rows: terminal.rows).map(terminal.drawn)
    }
}
