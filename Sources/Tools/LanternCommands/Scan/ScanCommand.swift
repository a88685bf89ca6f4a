// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEGATT
import BLEWire
import BluetoothLE
import CommandIO
import CommandOptions
import Companion
import CompanionDevices

/// `lantern scan`: who is there and what they say.
struct ScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Show the devices nearby: a live table, strongest first.",
        discussion: """
            With --json, it prints a line when a device is first heard and whenever what it says changes. Ends with \
            status 2 when nothing was heard that fits the filters.
            """)

    @OptionGroup var radio: RadioOptions
    @OptionGroup var format: FormatOptions

    @Option(
        name: .customLong("service"),
        help: ArgumentHelp(
            "Only devices that advertise this service, such as 180d or heart-rate; repeat it for any of several.",
            valueName: "uuid|name"), completion: .serviceNames,
        transform: BluetoothUUID.service)
    var services: [BluetoothUUID] = []

    @Option(help: ArgumentHelp("Only devices with this text in their name.", valueName: "text"))
    var name: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only devices at least this strong, for example -70.", valueName: "dBm"))
    var rssi: Int?

    @OptionGroup var phyOptions: PHYOptions

    @Option(help: ArgumentHelp("End after this many seconds.", valueName: "seconds"))
    var duration: Seconds?

    @Flag(name: .customLong("all"), help: "With --json, print every report.")
    var isEverything = false

    func validate() throws {
        if let rssi, !(-127...20).contains(rssi) {
            throw ValidationError("--rssi must be from -127 to 20 dBm; -70 is a device in the same room.")
        }
    }

    func run() async throws {
        try await radio.use { radio in
            try await perform(
                on: radio, to: .standard(), keeping: SeenNames.inStateFolder(), now: Timestamp.now)
        }
    }

    /// Scans and prints until the time is up or the task is cancelled.
    func perform(
        on radio: Radio, to output: Output, keeping names: SeenNames? = nil,
        now: @escaping @Sendable () -> Timestamp
    ) async throws {
        try await phyOptions.check(radio)
        let filter = ScanFilter(services: services, name: name, rssi: rssi)
        let printer = ScanPrinter(
            ScanResults(filter: filter, showsAll: isEverything), to: output, isJSON: format.isJSON,
            keeping: names, now: now)
        let isLive = !format.isJSON && output.terminal.isInteractive
        do {
            try await TimeLimit.run(duration?.duration, on: radio) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for try await report in try await radio.scan(ScanOptions(phys: phyOptions.phys)) {
                            try await printer.receive(report)
                        }
                    }
                    group.addTask {
                        try await printer.watchReader()
                        // Only the scan itself says that it is over.
                        await Wait.untilCancelled()
                    }
                    if isLive { group.addTask { try await redraw(printer, on: radio) } }
                    try await group.next()
                    group.cancelAll()
                }
            }
        } catch {
            // What was heard before is shown; what went wrong first is what is reported.
            try? await printer.finish()
            throw error
        }
        try await printer.finish()
        let counts = await printer.counts
        if counts.shown == 0, !Task.isCancelled { throw nothing(heard: counts.heard) }
    }

    private func redraw(_ printer: ScanPrinter, on radio: Radio) async throws {
        while !Task.isCancelled {
            try await printer.draw()
            await Wait.for(.milliseconds(250), on: radio)
        }
    }

    private func nothing(heard: Int) -> CommandError {
        switch heard {
        case 0: .nothingFound("No device was heard: is one switched on and near?")
        case 1: .nothingFound("One device was heard, but it does not fit the filters.")
        default: .nothingFound("\(heard) devices were heard, but none that fits the filters.")
        }
    }
}
