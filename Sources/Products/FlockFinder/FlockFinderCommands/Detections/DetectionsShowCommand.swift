// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import CommandIO
import CommandOptions
import CompanionDevices
import CompanionStore
import CompanionText
import Detections
import FlockFinderCompanion

/// `lantern detections show`: all that is known of one detection.
struct DetectionsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show everything that is known about one detection.")

    @OptionGroup var databaseOptions: DatabaseOptions
    @OptionGroup var format: FormatOptions

    @Argument(help: "The detection's number, from detections list.")
    var id: Int64

    func run() async throws {
        let database = try databaseOptions.openForReading()
        guard let record = try await database.record(id: id) else {
            throw CommandError.nothingFound(
                "There is no detection \(id) in \(databaseOptions.path); lantern detections list shows all."
            )
        }
        let output = Output.standard()
        var near: KnownNearby?
        if let position = record.sighting.position { near = try await database.knownCamera(near: position) }
        if format.isJSON {
            var event = DetectionEvent(record, at: .now())
            event.knownNearby = near
            try output.write(event.json + [UInt8(ascii: "\n")])
        } else {
            try output.write(Self.text(record, near: near, terminal: output.terminal))
        }
    }

    /// The detection as lines of a name and a value.
    static func text(_ record: DetectionRecord, near: KnownNearby? = nil, terminal: Terminal) -> String {
        let facts = record.facts(near: near, localTime: { $0.localText })
        let rows = facts.map { (title: $0.name, text: StyledText($0.value)) }
        return terminal.drawn(rows: rows, margin: 0, columns: 14).map { $0 + "\n" }.joined()
    }
}
