// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import BluetoothLE
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import OverflowArea
import OverflowAreaDevices

/// `lantern overflow beacon`: what the demo app does.
struct OverflowBeaconCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beacon",
        abstract: "Advertise a payload and listen to those of others at the same time, until Control-C.",
        discussion: """
            The demo app on one radio: two beacons near each other show each other's payload, with v1 \
            after at most one rotation.
            """)

    @OptionGroup var radioOptions: RadioOptions
    @OptionGroup var format: FormatOptions
    @OptionGroup var intervals: IntervalOptions
    @OptionGroup var judging: PollutionOptions

    @Argument(
        help: ArgumentHelp("Four octets in hex.", valueName: "payload"), transform: OverflowPayload.argument)
    var payload: OverflowPayload

    @Option(help: ArgumentHelp("How to put the payload there: v1 or v2.", valueName: "codec"))
    var codec = CodecChoice.v1

    @Option(help: ArgumentHelp("End after this many seconds.", valueName: "seconds"))
    var duration: Seconds?

    func run() async throws {
        OverflowWarning.show(for: .payload(payload, codec.codec))
        try await radioOptions.use { radio in
            try await perform(on: radio, to: .standard(), now: Timestamp.now)
        }
    }

    /// Advertises and listens until the time is up or the task is cancelled.
    func perform(
        on radio: Radio, to output: Output, now: @escaping @Sendable () -> Timestamp
    ) async throws {
        let printer = EventPrinter(to: output, isJSON: format.isJSON, now: now)
        let listener = OverflowListener(.init(reading: judging.pollution.reading)) { try printer.show($0) }
        let transmitter = OverflowTransmitter(
            .payload(payload, codec.codec), intervalMilliseconds: intervals.milliseconds
        ) { try printer.show($0) }
        try await TimeLimit.run(duration?.duration, on: radio) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await transmitter.run(on: radio) }
                group.addTask { try await listener.run(on: radio) }
                try await group.next()
                group.cancelAll()
            }
        }
    }
}
