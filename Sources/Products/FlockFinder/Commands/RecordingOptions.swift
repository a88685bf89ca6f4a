// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import BluetoothLE
import Companion
import CompanionDevices
import CompanionStore
import CompanionText
import FlockFinder
import Locating

/// What `flock watch` and `flock detect` share: detections into the database, then onto the screen, until it is enough.
struct RecordingOptions: ParsableArguments {
    @OptionGroup var phyOptions: PHYOptions
    @OptionGroup var radioOptions: RadioOptions
    @OptionGroup var databaseOptions: DatabaseOptions
    @OptionGroup var format: FormatOptions
    @OptionGroup var locationOptions: LocationOptions

    @Option(help: ArgumentHelp("End after so many detections.", valueName: "number"))
    var count: Int?

    @Option(help: ArgumentHelp("End after so many seconds.", valueName: "seconds"))
    var duration: Seconds?

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count wants a number of 1 or more.") }
        try radioOptions.checkCapture(apartFrom: (databaseOptions.database, "--database"))
    }

    /// Records what a radio brings.
    ///
    /// - Parameters:
    ///   - selection: What is shown.
    ///   - what: What Control-C ends.
    ///   - body: Brings it.
    /// - Returns: What has come.
    /// - Throws: What opening, storing, showing and the body throw.
    func record(
        _ selection: FlockPrinter.Selection = FlockPrinter.Selection(), what: String,
        _ body:
            @escaping @Sendable (FlockRun, Radio, FlockRecorder, FlockPrinter) async throws ->
            FlockRecorder.Tally
    ) async throws -> FlockRecorder.Tally {
        // Before anything is made: a command that was not meant so leaves nothing behind.
        _ = try await radioOptions.choice()
        let locator = try locationOptions.locator()
        let database = try databaseOptions.openOrCreate()
        let output = Output.standard()
        if !format.isJSON {
            let place = DataFolder.abbreviated(databaseOptions.path)
            let note = StyledText(.faint("Detections are kept in \(place). Control-C ends the \(what)."))
            for line in output.terminal.lines(note) { try output.line(line) }
        }
        let recorder = FlockRecorder(
            into: database.save(each:failures:), limit: count, place: { _ in locator?.whereabouts() })
        let printer = FlockPrinter(
            to: output, errors: .standardError(), isJSON: format.isJSON, selection: selection,
            radio: radioOptions.radio ?? "")
        let run = FlockRun(
            phys: phyOptions.phys, now: Timestamp.now,
            show: { try printer.show($0) },
            untilEnd: { [duration] radio in
                await Wait.for(duration?.duration, on: radio)
                await database.hurry()
            })
        let reporting = await printer.showTroubles(of: database)
        defer { reporting.cancel() }
        // Where this cannot write, what shows the detections cannot either, and says so.
        let locating = Task { try await locator?.run { try printer.show($0, at: .now()) } }
        defer { locating.cancel() }
        let tally = try await radioOptions.use { [phyOptions] radio in
            try await phyOptions.check(radio)
            return try await body(run, radio, recorder, printer)
        }
        try await database.close()
        try await reporting.value
        return tally
    }

    /// Decides whether as many have come as were wanted.
    func check(_ tally: FlockRecorder.Tally) throws(CommandError) {
        if let count, tally.detections < count {
            let came = tally.detections == 1 ? "1 detection" : "\(tally.detections) detections"
            throw .nothingFound("Only \(came) of \(count) came in this time.")
        }
    }
}
