// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandIO
import CommandOptions
import CompanionDevices
import Detections
import FlockFinder
import FlockFinderDevices

/// `lantern flock detect`: the computer's own radio notices cameras.
struct FlockDetectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detect",
        abstract: "Notice cameras with this computer's radio, and keep what is noticed.",
        discussion: """
            Needs no FlockFinder device: it listens to the Bluetooth advertisements around and compares them with \
            a table of signatures, until Control-C. A detection says why it was raised. Each is in the database \
            before it is shown.

            Only Bluetooth is heard: cameras that use Wi-Fi alone go unnoticed.
            """)

    @OptionGroup var recording: RecordingOptions

    @Option(
        help: ArgumentHelp("Compare with this table (default: the built-in one).", valueName: "file"),
        completion: .file())
    var signatures: String?

    @Option(
        help: ArgumentHelp("Report the same source again after this many seconds.", valueName: "seconds"))
    var interval = Seconds(.seconds(10))

    func validate() throws {
        guard (.seconds(1) ... .seconds(86_400)).contains(interval.duration) else {
            throw ValidationError("--interval must be from 1 to 86400 seconds.")
        }
        try recording.radioOptions.checkCapture(apartFrom: (signatures, "--signatures"))
        if recording.protectionOptions.encrypt {
            throw ValidationError("flock detect opens no link, so there is nothing to --encrypt.")
        }
    }

    func run() async throws {
        let table = try SignatureTable.given(signatures)
        var limits = Detector.Limits()
        limits.interval = UInt64(interval.duration / .milliseconds(1))
        let detector = RadioDetector(table, limits: limits)
        let tally = try await recording.record(what: "search") { run, radio, recorder, printer in
            try printer.show(DetectorStarted(table), at: .now())
            return try await run.run(detector, on: radio, recorder: recorder)
        }
        // Whoever ends it has enough.
        guard !Task.isCancelled else { return }
        try recording.check(tally)
        if let duration = recording.duration, tally.detections == 0 {
            throw CommandError.nothingFound(
                "Nothing was noticed in \(duration.text). Only Bluetooth was heard, and not every camera uses it."
            )
        }
    }
}
