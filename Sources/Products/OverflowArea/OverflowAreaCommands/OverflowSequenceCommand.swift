// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import CommandIO
import CommandOptions
import OverflowArea
import OverflowAreaDevices

/// `lantern overflow sequence`: one service after the other, as the demo app's second mode does.
struct OverflowSequenceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sequence",
        abstract: "Advertise one service after the other, counting up, until Control-C.",
        discussion: """
            The demo app's way to find out what bit a service sets. The first 128 numbers from zero set each bit \
            once.
            """)

    @OptionGroup var radioOptions: RadioOptions
    @OptionGroup var format: FormatOptions
    @OptionGroup var intervals: IntervalOptions

    @Argument(
        help: ArgumentHelp("The first service; zero unless said otherwise.", valueName: "uuid|name"),
        completion: .serviceNames, transform: BluetoothUUID.service)
    var first: BluetoothUUID?

    @Option(
        help: ArgumentHelp("The first service, as without this word before it.", valueName: "uuid|name"),
        completion: .serviceNames, transform: BluetoothUUID.service)
    var from: BluetoothUUID?

    func validate() throws {
        if first != nil, from != nil { throw ValidationError("Give the first service once.") }
    }

    /// What to advertise.
    var content: OverflowSender.Content {
        .sequence(from: first ?? from ?? BluetoothUUID(high: 0, low: 0))
    }

    func run() async throws {
        let printer = EventPrinter(to: .standard(), isJSON: format.isJSON)
        let transmitter = OverflowTransmitter(
            content, intervalMilliseconds: intervals.milliseconds
        ) { try printer.show($0) }
        try await radioOptions.use { radio in try await transmitter.run(on: radio) }
    }
}
