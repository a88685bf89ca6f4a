// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import Companion
import CompanionDevices
import CompanionStore
import CompanionText
import FlockFinder

/// `lantern detections show`: all that is known of one detection.
struct DetectionsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show all that is known of one detection.")

    @OptionGroup var databaseOptions: DatabaseOptions
    @OptionGroup var format: FormatOptions

    @Argument(help: "The detection's number, from detections list.")
    var id: Int64

    func run() async throws {
        let database = try databaseOptions.openForReading()
        guard let record = try await database.record(id: id) else {
            throw CommandError.nothingFound(
                "There is no detection \(id) in \(databaseOptions.path); lantern detections list shows those there are."
            )
        }
        let output = Output.standard()
        if format.isJSON {
            try output.write(DetectionEvent(record, at: .now()).json + [UInt8(ascii: "\n")])
        } else {
            try output.write(Self.text(record, terminal: output.terminal))
        }
    }

    /// The detection as lines of a name and a value.
    static func text(_ record: DetectionRecord, terminal: Terminal) -> String {
        record.facts(localTime: { $0.localText }).map { name, value in
            let title = terminal.styled(FixedWidthText.padded(name, columns: 14), .dim)
            return title + PrintableText.escaped(value) + "\n"
        }.joined()
    }
}
