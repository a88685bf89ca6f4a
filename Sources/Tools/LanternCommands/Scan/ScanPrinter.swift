// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import HubModel

/// Prints what a scan hears: lines as it comes, or a table that is drawn again and again.
actor ScanPrinter {
    private let output: Output
    private let isJSON: Bool
    private let now: @Sendable () -> Timestamp
    private var board: ScanBoard
    private var block = ScreenBlock()

    /// Makes a printer.
    ///
    /// - Parameters:
    ///   - board: An empty board.
    ///   - output: Where to print.
    ///   - isJSON: Whether to print lines of JSON.
    ///   - now: The time.
    init(_ board: ScanBoard, to output: Output, isJSON: Bool, now: @escaping @Sendable () -> Timestamp) {
        self.board = board
        self.output = output
        self.isJSON = isJSON
        self.now = now
    }

    /// How many devices were heard and how many told.
    var counts: (heard: Int, told: Int) { (board.heardCount, board.told.count) }

    /// Takes a report, and prints it when it is to be printed at once.
    func take(_ report: Advertisement) throws {
        let time = now()
        if let device = board.take(report, at: time), isJSON {
            try output.line(device.eventJSON(at: time))
        }
    }

    /// Draws the table as it is now, as much of it as the screen holds.
    func draw() throws {
        let terminal = output.terminal
        var lines = ScanTable(terminal: terminal).lines(board.told, at: now())
        let room = max(2, terminal.rows - 2)
        let hidden = lines.count - room
        if hidden > 0 { lines.removeLast(hidden) }
        let status =
            "Scanning: \(board.summary)" + (hidden > 0 ? ", \(hidden) weaker ones below" : "")
            + ". Control-C ends it."
        lines.append(terminal.styled(TerminalText.fitted(status, columns: terminal.columns), .dim))
        try output.write(block.frame(lines))
    }

    /// Prints the whole table when the scan is over.
    func finish() throws {
        guard !isJSON else { return }
        let terminal = output.terminal
        let devices = board.told
        let lines = devices.isEmpty ? [] : ScanTable(terminal: terminal).lines(devices, at: nil)
        try output.write(
            terminal.isInteractive ? block.frame(lines) : lines.map { $0 + "\n" }.joined())
    }
}
