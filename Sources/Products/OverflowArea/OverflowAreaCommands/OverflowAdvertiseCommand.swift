// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import CommandIO
import CommandOptions
import CompanionDevices
import OverflowArea
import OverflowAreaDevices

/// `lantern overflow advertise`: what an iPhone in the background would send.
struct OverflowAdvertiseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "advertise",
        abstract: "Advertise a payload or services as an iPhone in the background would, until Control-C.",
        discussion: "A payload of v1 changes its position at each interval; services and v2 stay as they are."
    )

    @OptionGroup var radioOptions: RadioOptions
    @OptionGroup var format: FormatOptions
    @OptionGroup var intervals: IntervalOptions

    @Argument(
        help: ArgumentHelp(
            "A payload of four octets in hex, or services: UUIDs or names.", valueName: "payload|uuid|name"),
        completion: .serviceNames, transform: OverflowWord.argument)
    var words: [OverflowWord] = []

    @Option(
        name: .customLong("uuid"), parsing: .upToNextOption,
        help: ArgumentHelp(
            "These services; for one of 8 hex digits, which is a payload otherwise.", valueName: "uuid|name"),
        completion: .serviceNames, transform: BluetoothUUID.service)
    var uuids: [BluetoothUUID] = []

    @Option(help: ArgumentHelp("How to put the payload there: v1 (default) or v2.", valueName: "codec"))
    var codec: CodecChoice?

    @Option(help: ArgumentHelp("End after this many seconds.", valueName: "seconds"))
    var duration: Seconds?

    func validate() throws {
        guard payloads.isEmpty ? !services.isEmpty : payloads.count == 1 && services.isEmpty else {
            throw ValidationError("Give either one payload or services, as in fd6f.")
        }
        if payloads.isEmpty, codec != nil { throw ValidationError("--codec is for a payload.") }
    }

    private var payloads: [OverflowPayload] { words.payloads }
    private var services: [BluetoothUUID] { words.services + uuids }

    /// What to advertise.
    var content: OverflowSender.Content {
        if let payload = payloads.first {
            .payload(payload, (codec ?? .v1).codec)
        } else {
            .services(services)
        }
    }

    func run() async throws {
        OverflowWarning.show(for: content)
        let printer = EventPrinter(to: .standard(), isJSON: format.isJSON)
        let transmitter = OverflowTransmitter(
            content, intervalMilliseconds: intervals.milliseconds
        ) { try printer.show($0) }
        try await radioOptions.use { radio in
            try await TimeLimit.run(duration?.duration, on: radio) { try await transmitter.run(on: radio) }
        }
    }
}
