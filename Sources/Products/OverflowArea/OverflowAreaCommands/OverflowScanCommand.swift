// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import BluetoothLE
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import OverflowArea
import OverflowAreaCompanion
import OverflowAreaDevices

/// `lantern overflow scan`: the overflow areas around.
struct OverflowScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Show the overflow areas nearby: a live table of senders, with their maps and payloads.",
        discussion: """
            With --json, it prints a line when a sender's map changes, when it has a new payload, and when a map \
            cannot be used: `unknown position` (a message of v1 whose other position has not been seen yet), `polluted` (in \
            a position in which other bits were seen), `no match` or `truncated`. Ends with status 2 when no \
            overflow area was heard.
            """)

    @OptionGroup var radioOptions: RadioOptions
    @OptionGroup var format: FormatOptions
    @OptionGroup var judging: PollutionOptions

    @Option(help: ArgumentHelp("End after this many seconds.", valueName: "seconds"))
    var duration: Seconds?

    func run() async throws {
        try await radioOptions.use { radio in
            try await perform(on: radio, to: .standard(), now: Timestamp.now)
        }
    }

    /// Listens and shows until the time is up or the task is cancelled.
    func perform(
        on radio: Radio, to output: Output, now: @escaping @Sendable () -> Timestamp
    ) async throws {
        let options = OverflowReceiver.Options(reading: judging.pollution.reading)
        let printer = EventPrinter(to: output, isJSON: format.isJSON, now: now)
        let table = printer.isJSON ? nil : OverflowPrinter(to: output)
        let listener = OverflowListener(options) { heard in if printer.isJSON { try printer.show(heard) } }
        try await TimeLimit.run(duration?.duration, on: radio) {
            try await listener.run(on: radio) { try await table?.draw($0) }
        }
        try await table?.finish(await listener.board)
        if await listener.board.count == 0, !Task.isCancelled {
            throw CommandError.nothingFound(
                "No overflow area was heard. Is an iPhone near, with such an app in the background?")
        }
    }
}
