// SPDX-License-Identifier: Apache-2.0

import BLESimulation
import BluetoothLE
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import CompanionText

/// Prints what a scan hears: lines as it comes, or a table that is drawn again and again.
actor ScanPrinter {
    private let queue: OutputQueue
    private let isJSON: Bool
    private let now: @Sendable () -> Timestamp
    private var board: ScanResults
    private var table: LiveTable
    private let names: SeenNames?

    /// Makes a printer.
    ///
    /// - Parameters:
    ///   - board: An empty board.
    ///   - output: Where to print.
    ///   - isJSON: Whether to print lines of JSON.
    ///   - names: Where the names of devices are kept, if anywhere.
    ///   - now: The time.
    init(
        _ board: ScanResults, to output: Output, isJSON: Bool, keeping names: SeenNames? = nil,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.names = names
        self.board = board
        table = LiveTable(on: output)
        queue = OutputQueue(to: output)
        self.isJSON = isJSON
        self.now = now
    }

    /// How many devices were heard and how many are shown.
    var counts: (heard: Int, shown: Int) { (board.heardCount, board.shown.count) }

    /// Takes a report, and prints it when it is to be printed at once; waits while nobody reads.
    func receive(_ report: Advertisement) async throws {
        let time = now()
        if let device = board.receive(report, at: time), isJSON {
            try await queue.put(AdvertisementHeard(device).json(at: time))
        }
    }

    /// Waits until nobody reads any more, or the task is cancelled.
    nonisolated func watchReader() async throws { try await queue.watch() }

    /// Draws the table as it is now, as much of it as the screen holds.
    func draw() throws {
        let lines = table.output.terminal.drawn(TextTable(board.shown, at: now()))
        let summary = board.summary
        try table.draw(lines) { hidden in
            "Scanning: \(summary)" + (hidden > 0 ? ", \(hidden) weaker ones below" : "")
                + ". Control-C ends it."
        }
    }

    /// Prints the whole table, or what still waits, when the scan is over.
    ///
    /// - Throws: ``OutputError``.
    func finish() async throws {
        names?.keep(board.shown)
        // What was heard is shown, also when the person has ended the scan.
        guard !isJSON else { return try await withoutCancellation { [queue] in await queue.result() }.get() }
        let devices = board.shown
        try table.finish(
            devices.isEmpty ? [] : table.output.terminal.drawn(TextTable(devices, at: nil)))
    }
}
