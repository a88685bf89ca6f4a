// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEGATT
import CommandIO
import Companion
import CompanionDevices
import FlockFinder
import FlockFinderCompanion
import FlockFinderDevices

/// `lantern flock watch`: detections live, into the database and onto the screen.
struct FlockWatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show detections as they come, and keep them.",
        discussion: """
            Finds a FlockFinder device, listens to it and reconnects when the link is lost, until Control-C. Each \
            detection is in the database before it is shown.

            A device is recognized by its characteristics. Without --address, devices that advertise the service \
            are tried first, then those with a matching name.
            """)

    @OptionGroup var recording: RecordingOptions

    @Option(help: ArgumentHelp("Listen to this device only.", valueName: "address"))
    var address: DeviceAddress?

    @Flag(help: "Switch the device's live stream on, and off at the end.")
    var stream = false

    @Flag(
        name: .customLong("no-ping"), help: "Send no PING to a device that has been silent for half a minute."
    )
    var isPingOff = false

    func run() async throws {
        let options = FlockFinderClient.Options(
            target: address.map(\.target) ?? .any, switchesStreamOn: stream, sendsPings: !isPingOff,
            seed: .random(in: 0 ... .max))
        let tally = try await recording.record(
            FlockPrinter.Selection(hasMissingCharacteristics: address == nil), what: "watch"
        ) { run, radio, recorder, _ in
            try await run.run(FlockFinderClient(options: options), on: radio, recorder: recorder)
        }
        // Whoever ends it has enough.
        if !Task.isCancelled { try check(tally) }
    }

    /// Decides whether the run was a success.
    func check(_ tally: FlockRecorder.Tally) throws(CommandError) {
        if let address, case .characteristicsMissing(let missing)? = tally.advice {
            throw .failed(FlockText.wrongDevice("\(address)", missing: missing))
        }
        if let duration = recording.duration, !tally.wasConnected {
            let who = address.map { "the device \($0)" } ?? "a FlockFinder device"
            throw .nothingFound(
                "No link to \(who) was ready in \(duration.text). Check that it is near, switched on and not "
                    + "connected to something else.")
        }
        try recording.check(tally)
    }
}
