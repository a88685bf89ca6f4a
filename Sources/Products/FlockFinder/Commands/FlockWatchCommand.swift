// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEGATT
import BLEWire
import Companion
import CompanionDevices
import CompanionStore
import CompanionText
import FlockFinder

/// `lantern flock watch`: detections live, into the database and onto the screen.
struct FlockWatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show detections as they come, and keep them.",
        discussion: """
            Finds a FlockFinder device, listens to it and comes back to it when the link is lost, until \
            Control-C. Each detection is in the database before it is shown.

            A device is known by its characteristics. Without --address those that advertise the service are \
            tried first, then those with a fitting name.
            """)

    @OptionGroup var phyOptions: PHYOptions
    @OptionGroup var radioOptions: RadioOptions
    @OptionGroup var databaseOptions: DatabaseOptions
    @OptionGroup var format: FormatOptions

    @Option(help: ArgumentHelp("Listen to this device only.", valueName: "address"))
    var address: DeviceAddress?

    @Option(
        help: ArgumentHelp("Where we are; kept with each detection.", valueName: "lat,lon"),
        transform: FilterOptions.position)
    var location: Position?

    @Option(help: ArgumentHelp("End after so many detections.", valueName: "number"))
    var count: Int?

    @Option(help: ArgumentHelp("End after so many seconds.", valueName: "seconds"))
    var duration: Seconds?

    @Flag(help: "Switch the device's live stream on, and off at the end.")
    var stream = false

    @Flag(name: .customLong("no-ping"), help: "Send no PING to a device that is silent for half a minute.")
    var isPingOff = false

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count wants a number of 1 or more.") }
        try radioOptions.checkCapture(apartFrom: (databaseOptions.database, "--database"))
    }

    func run() async throws {
        // Before anything is made: a command that was not meant so leaves nothing behind.
        _ = try await radioOptions.choice()
        let database = try databaseOptions.openOrCreate()
        let output = Output.standard()
        if !format.isJSON {
            let place = DataFolder.abbreviated(databaseOptions.path)
            let note = StyledText(.faint("Detections are kept in \(place). Control-C ends the watch."))
            for line in output.terminal.lines(note) { try output.line(line) }
        }
        let location = location
        let recorder = FlockRecorder(
            into: database.save(each:failures:), limit: count, place: { _ in location })
        let printer = FlockPrinter(
            to: output, errors: .standardError(), isJSON: format.isJSON,
            selection: FlockPrinter.Selection(hasMissingCharacteristics: address == nil),
            radio: radioOptions.radio ?? "")
        let options = FlockFinderClient.Options(
            target: address.map(\.target) ?? .any, switchesStreamOn: stream, sendsPings: !isPingOff,
            seed: .random(in: 0 ... .max))
        let run = FlockRun(
            phys: phyOptions.phys, now: Timestamp.now,
            show: { try printer.show($0) },
            untilEnd: { [duration] radio in
                await Wait.for(duration?.duration, on: radio)
                await database.hurry()
            })
        let reporting = await printer.showTroubles(of: database)
        defer { reporting.cancel() }
        let tally = try await radioOptions.use { [phyOptions] radio in
            try await phyOptions.check(radio)
            return try await run.run(FlockFinderClient(options: options), on: radio, recorder: recorder)
        }
        try await database.close()
        try await reporting.value
        // Whoever ends it has enough.
        if !Task.isCancelled { try check(tally) }
    }

    /// Decides whether the run was a success.
    func check(_ tally: FlockRecorder.Tally) throws(CommandError) {
        if let address, case .characteristicsMissing(let missing)? = tally.advice {
            throw .failed(FlockText.wrongDevice("\(address)", missing: missing))
        }
        if let duration, !tally.wasConnected {
            let who = address.map { "the device \($0)" } ?? "a FlockFinder device"
            throw .nothingFound(
                "No link to \(who) was ready in \(duration.text). Check that it is near, switched on and not "
                    + "connected to something else.")
        }
        if let count, tally.detections < count {
            let came = tally.detections == 1 ? "1 detection" : "\(tally.detections) detections"
            throw .nothingFound("Only \(came) of \(count) came in this time.")
        }
    }
}
