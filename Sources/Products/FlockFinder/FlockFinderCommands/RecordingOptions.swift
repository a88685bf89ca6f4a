// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import BluetoothLE
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import CompanionStore
import CompanionText
import Detections
import FlockFinderDevices
import Locating

/// What `flock watch` and `flock detect` share: detections into the database, then onto the screen, until it is enough.
struct RecordingOptions: ParsableArguments {
    @OptionGroup var phyOptions: PHYOptions
    @OptionGroup var radioOptions: RadioOptions
    @OptionGroup var protectionOptions: ProtectionOptions
    @OptionGroup var databaseOptions: DatabaseOptions
    @OptionGroup var format: FormatOptions
    @OptionGroup var locationOptions: LocationOptions

    @Option(help: ArgumentHelp("End after this many detections.", valueName: "number"))
    var count: Int?

    @Option(help: ArgumentHelp("End after this many seconds.", valueName: "seconds"))
    var duration: Seconds?

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be 1 or more.") }
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
            @escaping @Sendable (FlockFinderRecorder, Radio, FlockRecorder, FlockPrinter) async throws ->
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
        let places = PlaceRecorder(
            into: PlaceRecorder.Store(
                fill: database.fill(_:),
                save: { piece async throws(StoreError) in try await database.save(piece) }),
            now: Timestamp.now, elapsed: { [start = ContinuousClock.now] in ContinuousClock.now - start })
        let recorder = FlockRecorder(
            into: database.save(each:failures:), limit: count, place: { locator?.whereabouts(at: $0) },
            stored: { places.receive($0) })
        let printer = FlockPrinter(
            to: output, errors: .standardError(), isJSON: format.isJSON, selection: selection,
            radio: radioOptions.radio ?? "")
        let run = FlockFinderRecorder(
            phys: phyOptions.phys,
            protection: protectionOptions.protection(EventPrinter(to: output, isJSON: format.isJSON)),
            now: Timestamp.now,
            show: { try printer.show($0) },
            untilEnd: { [duration] radio in
                await Wait.for(duration?.duration, on: radio)
                await database.hurry()
            })
        let reporting = await printer.showTroubles(of: database)
        defer { reporting.cancel() }
        // Where this cannot write, what shows the detections cannot either, and says so.
        let locating = Task { try await locator?.run { try show($0, places, printer) } }
        let placing = Task {
            await places.follow(sleep: { try await Task.sleep(for: $0) }) {
                await Self.store(places, printer)
            }
        }
        defer {
            locating.cancel()
            placing.cancel()
        }
        let tally = try await radioOptions.use { [phyOptions] radio in
            try await phyOptions.check(radio)
            return try await body(run, radio, recorder, printer)
        }
        locating.cancel()
        placing.cancel()
        await placing.value
        // A task of its own: Control-C, which may have brought us here, must not cut it short.
        await Task { await Self.store(places, printer, isEnding: true) }.value
        try await database.close()
        try await reporting.value
        return tally
    }

    private func show(
        _ report: Locator.Report, _ places: PlaceRecorder, _ printer: FlockPrinter
    ) throws(OutputError) {
        switch report {
        case .changed(let event): try printer.show(event, at: .now())
        case .fix(let fix): places.receive(fix)
        }
    }

    /// Stores drives, and places of detections that came before a fix; then shows them.
    private static func store(
        _ places: PlaceRecorder, _ printer: FlockPrinter, isEnding: Bool = false
    ) async {
        // What the database does not take it says itself; what cannot be shown, the detections say.
        for report in (try? await places.store(isEnding: isEnding)) ?? [] {
            switch report {
            case .placed(let event): try? printer.show(event, at: .now())
            case .drive(let event) where event.change != .extended: try? printer.show(event, at: .now())
            case .drive: continue
            }
        }
    }

    /// Decides whether as many have come as were wanted.
    func check(_ tally: FlockRecorder.Tally) throws(CommandError) {
        if let count, tally.detections < count {
            let came = tally.detections == 1 ? "1 detection" : "\(tally.detections) detections"
            throw .nothingFound("Only \(came) of \(count) came in that time.")
        }
    }
}
