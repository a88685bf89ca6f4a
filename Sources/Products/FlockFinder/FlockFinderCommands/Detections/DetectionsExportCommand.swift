// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
package import CompanionStore
package import Detections
import Foundation

/// `lantern detections export`: detections as a file for other programs.
package struct DetectionsExportCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write detections as CSV, JSON, GeoJSON, GPX, KML or WiGLE CSV.",
        discussion: """
            GPX, KML, GeoJSON and WiGLE CSV need a position; detections without one are left out and counted. WiGLE CSV needs an \
            address, too, and whether it was Wi-Fi or Bluetooth. GPX and KML have the drives of the same time, too. A file \
            appears under its name only when it is complete; an existing file stays, unless --force is given.
            """)

    @OptionGroup var databaseOptions: DatabaseOptions
    @OptionGroup var filter: FilterOptions

    @Option(
        help: ArgumentHelp(
            "csv, json, geojson, gpx, kml or wigle (default: by the ending of the file's name).",
            valueName: "format"),
        completion: .list(ExportFormat.allCases.map(\.rawValue)), transform: Self.format)
    var format: ExportFormat?

    @Option(
        help: ArgumentHelp("The file; without it, or with -, the standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    @Flag(help: "Overwrite an existing file.")
    var force = false

    package init() {}

    package mutating func validate() throws {
        format = format ?? output.flatMap(ExportFormat.init(endingOf:))
        guard format != nil else {
            throw ValidationError(
                "Give the format with --format csv, json, geojson, gpx, kml or wigle, or with the ending of --output."
            )
        }
    }

    /// The file; `nil` for the standard output.
    private var path: String? { output == "-" ? nil : output }

    package func run() async throws {
        // `validate()` has chosen one.
        let format = format ?? .csv
        let database = try databaseOptions.openForReading()
        let summary: ExportSummary
        if let output = path {
            if !force, FileManager.default.fileExists(atPath: output) {
                throw CommandError.failed(
                    "\(output.shortenedPath) already exists. Choose another name, or overwrite it with --force."
                )
            }
            summary = try await Self.export(database, filter.filter, as: format, to: output)
        } else {
            let standard = Output.standard()
            // What came over the air must not steer the terminal of a person who looks; a file gets it as it is.
            let isSeen = standard.terminal.isTerminal
            summary = try await database.export(
                matching: filter.filter, as: format, heading: .now, isSeen: isSeen
            ) { octets in
                try standard.write(isSeen ? PrintableText.escapedLines(octets) : octets)
            }
        }
        let errors = Output.standardError()
        if summary.withoutPosition > 0 {
            try errors.line(
                "lantern: \(Self.detections(summary.withoutPosition)) without a position left out; CSV and JSON have them."
            )
        }
        if summary.withoutAddress > 0 {
            try errors.line(
                "lantern: \(Self.detections(summary.withoutAddress)) without an address left out; CSV and JSON have them."
            )
        }
        if summary.withoutRadio > 0 {
            try errors.line(
                "lantern: \(Self.detections(summary.withoutRadio)) left out, since it is not known whether they were Wi-Fi or Bluetooth; CSV and JSON have them."
            )
        }
        if let output = path {
            let drives = summary.drives == 1 ? "1 drive" : "\(summary.drives) drives"
            try errors.line(
                "\(Self.detections(summary.written))\(summary.drives > 0 ? " and \(drives)" : "") written to \(PrintableText.escaped(output))."
            )
        }
    }

    /// Writes a file that is whole or not there.
    package static func export(
        _ database: DetectionDatabase, _ filter: DetectionFilter, as format: ExportFormat, to path: String
    ) async throws -> ExportSummary {
        let file = try AtomicFile(path: path)
        // A terminal may be named as a file, too.
        let isSeen = file.isTerminal
        let summary = try await database.export(
            matching: filter, as: format, heading: .now, isSeen: isSeen
        ) { octets in
            try file.write(isSeen ? PrintableText.escapedLines(octets) : octets)
        }
        try file.finish()
        return summary
    }

    static func format(_ text: String) throws -> ExportFormat {
        guard let format = ExportFormat(rawValue: text.lowercased()) else {
            throw ValidationError(
                "There is no such format. Choose one of csv, json, geojson, gpx, kml, wigle.")
        }
        return format
    }

    package static func detections(_ count: Int) -> String {
        count == 1 ? "1 detection" : "\(count) detections"
    }
}

extension ExportHeading {
    /// What an export that is made now says about itself.
    static var now: ExportHeading {
        ExportHeading(date: .now(), appVersion: LanternVersion.text)
    }
}

extension PrintableText {
    /// Lines with every character escaped that could steer a terminal; the ends of lines stay.
    static func escapedLines(_ octets: [UInt8]) -> [UInt8] {
        let lines = octets.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return Array(lines.map { escaped(String(decoding: $0, as: UTF8.self)) }.joined(separator: "\n").utf8)
    }
}
