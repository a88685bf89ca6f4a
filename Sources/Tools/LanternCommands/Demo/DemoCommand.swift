// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEGATT
import BLESimulation
import BLEWire
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import CompanionHub
import CompanionStore
import CompanionText
import Detections
import FlockFinder
import FlockFinderCommands
import FlockFinderDevices
import FlockFinderSimulated
import Foundation

/// `lantern demo`: a hub on the virtual air, or in a terminal a device and a radio there; needs no hardware.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "See detections arrive from a simulated device; needs no hardware.",
        discussion: """
            A simulated FlockFinder device drives an invented route and is heard over a virtual radio, among other \
            simulated devices. A hub finds it, connects and listens to it, all through Lantern's own Bluetooth \
            stack, and shows its detections in a browser. With --terminal there is no hub: detections are printed \
            as they come, and exported at the end.

            Each run has a new folder for its database and export, so that invented detections are never mixed \
            with real ones. Control-C ends it with a summary.
            """)

    @Flag(help: "Show detections in this terminal, without a hub.")
    var terminal = false

    @Option(
        help: ArgumentHelp(
            "Where the hub's pages are served (default: 127.0.0.1:8080, or a free port).",
            valueName: "address:port"),
        transform: { text in
            do { return try ListenAddress(parsing: text) } catch let error as BadInput {
                throw ValidationError(error.description)
            }
        })
    var listen: ListenAddress?

    @Option(help: ArgumentHelp("End after this many seconds.", valueName: "seconds"))
    var duration: Seconds?

    @Option(
        help: ArgumentHelp(
            "Keep detections in this file (default: a new folder in \(DataFolder.abbreviated(DataFolder.path))).",
            valueName: "file"), completion: .file())
    var database: String?

    @Option(help: ArgumentHelp("The radio of a demo is always sim.", visibility: .hidden))
    var radio: String?

    @Option(
        help: ArgumentHelp("Write all HCI traffic to a btsnoop file.", valueName: "file"), completion: .file()
    )
    var capture: String?

    func validate() throws {
        try DatabaseOptions.check(database)
        try OutputPath.check(capture, of: "--capture", apartFrom: [(database, "--database")])
        if let radio, radio != "sim" {
            throw ValidationError(
                "The demo has a radio of its own, sim; `lantern flock watch --radio \(PrintableText.quoted(radio))` uses yours."
            )
        }
    }

    func run() async throws {
        let path = try database ?? DataFolder.createDemoFolder(at: .now()) + "/lantern.sqlite"
        if terminal { try await runInTerminal(path) } else { try await runHub(path) }
    }

    /// Runs a hub on the virtual air until the person ends it.
    private func runHub(_ path: String) async throws {
        if let capture { try OutputPath.check(capture) }
        let output = Output.standard()
        var radio = try ChosenRadio("sim")
        // As in a street, no device is heard twice with the same strength.
        radio.air.rssiJitter = 4
        var process = HubProcess(
            database: path, radio: radio, listen: listen ?? .free(beginningWith: .usual))
        process.capture = capture
        let route = DemoRoute(start: .now())
        process.place = .route { route.fix(at: $0) }
        let work = Task { [process] in
            try await process.run { url in
                // Whoever has started it may have closed its ears.
                try? output.write(Self.welcome(url, database: path, on: output.terminal))
                HubMachine.open(url)
            }
        }
        let end = Task { [duration] in
            guard let duration else { return }
            try await Task.sleep(for: duration.duration)
            work.cancel()
        }
        let result = await withTaskCancellationHandler {
            await work.result
        } onCancel: {
            work.cancel()
        }
        end.cancel()
        if case .failure(let error) = result, !work.isCancelled || error is CommandError { throw error }
    }

    private func runInTerminal(_ path: String) async throws {
        var options = DatabaseOptions()
        options.database = path
        let store = try options.openOrCreate()
        let output = Output.standard()
        try output.write(Self.introduction(database: path, on: output.terminal))

        let route = DemoRoute(start: .now())
        let recorder = FlockRecorder(into: store.save(each:failures:)) {
            route.fix(at: $0).flatMap { LocationSample($0, age: 0) }
        }
        let printer = FlockPrinter(to: output, errors: .standardError(), isJSON: false, radio: "sim")
        // The air has another device that offers the same service.
        let device = SimulatedFlockFinder.address
        let client = FlockFinderClient.Options(
            target: .peer(Peer(device)))
        let run = FlockFinderRecorder(
            now: Timestamp.now,
            show: { try printer.show($0) },
            untilEnd: { [duration] radio in
                await Wait.for(duration?.duration, on: radio)
                await store.hurry()
            })
        var radioOptions = RadioOptions()
        radioOptions.radio = "sim"
        radioOptions.capture = capture
        radioOptions.isPrivate = false
        let reporting = await printer.showTroubles(of: store)
        defer { reporting.cancel() }
        let tally = try await radioOptions.use { radio in
            try await run.run(FlockFinderClient(options: client), on: radio, recorder: recorder)
        }
        // A task of its own: Control-C, which may have brought us here, must not cut it short.
        try await Task { try await finish(tally, store, path, output) }.value
    }

    /// Exports what came and says where it lies.
    private func finish(
        _ tally: FlockRecorder.Tally, _ store: DetectionDatabase, _ path: String, _ output: Output
    ) async throws {
        guard tally.detections > 0 else {
            throw CommandError.nothingFound(
                "Nothing was detected yet. Let the demo run for ten seconds or more.")
        }
        let export = URL(fileURLWithPath: path).deletingPathExtension().path + ".gpx"
        _ = try await DetectionsExportCommand.export(store, DetectionFilter(), as: .gpx, to: export)
        try await store.close()
        let program = CommandLine.arguments.first.map(DataFolder.shellQuoted) ?? "lantern"
        let summary = DemoSummary(tally: tally, database: path, export: export, program: program)
        try output.write(summary.text(on: output.terminal))
    }

    /// What the hub of the demo says when its pages are there.
    static func welcome(_ url: String, database: String, on terminal: Terminal) -> String {
        """
        \(terminal.styled("A simulated FlockFinder device drives past invented cameras.", .bold))
        A hub hears it through Lantern's own Bluetooth stack, over a virtual radio, and shows it at

            \(terminal.styled(url, .bold))

        What it detects is kept in \(DataFolder.abbreviated(database)).
        Control-C ends the drive.

        """
    }

    /// What the demo says at its start.
    static func introduction(database: String, on terminal: Terminal) -> String {
        """
        \(terminal.styled("A simulated FlockFinder device drives past invented cameras.", .bold))
        It is found and heard through Lantern's own Bluetooth stack, over a virtual radio.
        What it detects is kept in \(DataFolder.abbreviated(database)).
        Control-C ends the drive with a summary.


        """
    }
}

extension DataFolder {
    /// Makes a folder for one run of the demo.
    ///
    /// - Parameter time: When the run begins.
    /// - Returns: The folder.
    /// - Throws: ``CommandError``.
    static func createDemoFolder(at time: Timestamp) throws(CommandError) -> String {
        let stamp = time.localText.replacing(" ", with: "-").replacing(":", with: "")
        var folder = path + "/demo-" + stamp
        var number = 2
        while FileManager.default.fileExists(atPath: folder) {
            folder = path + "/demo-\(stamp)-\(number)"
            number += 1
        }
        try create(folder)
        return folder
    }

    /// A path as a word of a shell command.
    package static func shellQuoted(_ path: String) -> String {
        let isPlain = path.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic && $0.isASCII || ("0"..."9").contains($0)
                || "/._-+".unicodeScalars.contains($0)
        }
        if isPlain { return abbreviated(path) }
        return "'" + path.replacing("'", with: "'\\''") + "'"
    }
}
