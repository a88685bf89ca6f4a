// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import Companion
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
            try output.write(DetectionEvent(record).json + [UInt8(ascii: "\n")])
        } else {
            try output.write(Self.text(record, terminal: output.terminal))
        }
    }

    /// The detection as lines of a name and a value.
    static func text(_ record: DetectionRecord, terminal: Terminal) -> String {
        let sighting = record.sighting
        var facts: [(String, String?)] = [
            ("number", "\(record.id)"),
            ("kind", sighting.label),
            ("what it is", sighting.type.explanationString),
            ("received", "\(sighting.received.localText) (\(sighting.received))"),
            ("distance", "\(record.proximity.words), \(sighting.rssi) dBm"),
            ("confidence", "\(sighting.confidence)"),
            ("MAC", sighting.mac),
            ("SSID", sighting.ssid),
            ("place", sighting.position?.text),
        ]
        let motion = sighting.motion
        if motion.speed != nil || motion.heading != nil || motion.activity != nil {
            let parts = [
                motion.activity, motion.speed.map { "\($0) m/s" }, motion.heading.map { "to \($0)°" },
            ]
            facts.append(("motion", parts.compactMap { $0 }.joined(separator: ", ")))
        }
        if let clock = record.deviceClock { facts.append(("device time", clock.description)) }
        if let uptime = record.deviceUptime { facts.append(("device uptime", "\(Double(uptime) / 1000) s")) }
        facts.append(("heard by", sighting.device?.description))
        facts.append(("extra keys", sighting.extra == "{}" ? nil : sighting.extra))
        facts.append(("as received", String(decoding: sighting.raw, as: UTF8.self)))
        return facts.map { name, value in
            let title = terminal.styled(FixedWidthText.padded(name, columns: 14), .dim)
            return title + PrintableText.escaped(value ?? "–") + "\n"
        }.joined()
    }
}
