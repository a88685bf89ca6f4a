// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandIO
import CommandOptions
import Companion
import CompanionStore
import CompanionText
import Detections
import FlockFinderCompanion

/// `lantern detections drives`: the ways that were driven while something listened.
struct DetectionsDrivesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drives",
        abstract: "List, show and delete the drives that were kept.",
        discussion: """
            A drive begins 50 m from where you last stopped, and ends after five minutes without moving or without a \
            fix. flock watch, flock detect and the hub keep drives when --location says where you are.
            """,
        subcommands: [
            DetectionsDrivesListCommand.self, DetectionsDrivesShowCommand.self,
            DetectionsDrivesDeleteCommand.self,
        ], defaultSubcommand: DetectionsDrivesListCommand.self)
}

/// `lantern detections drives list`: the drives, the latest first.
struct DetectionsDrivesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List drives, the latest first.")

    @OptionGroup var databaseOptions: DatabaseOptions
    @OptionGroup var format: FormatOptions

    @Option(help: ArgumentHelp("How many at most (default: all).", valueName: "number"))
    var limit: Int?

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
    }

    func run() async throws {
        let database = try databaseOptions.openForReading()
        var drives: [Drive] = []
        var page: [Drive]
        repeat {
            let size = min(DetectionDatabase.mostDrives, (limit ?? .max) - drives.count)
            page = try await database.drives(after: drives.last, limit: size)
            drives += page
        } while page.count == DetectionDatabase.mostDrives
        guard !drives.isEmpty else {
            throw CommandError.nothingFound(
                "No drive is kept in \(databaseOptions.path). Drives are kept when --location says where you are."
            )
        }
        let output = Output.standard()
        if format.isJSON {
            try output.write(
                drives.flatMap { DriveListed($0).json(at: $0.begin) + [UInt8(ascii: "\n")] })
        } else {
            let lines = output.terminal.drawn(TextTable(drives, localTime: { $0.localText }))
            try output.write(lines.map { $0 + "\n" }.joined())
        }
    }
}

/// `lantern detections drives show`: all that is known of one drive.
struct DetectionsDrivesShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show everything that is known about one drive; with --json its points, too.")

    @OptionGroup var databaseOptions: DatabaseOptions
    @OptionGroup var format: FormatOptions

    @Argument(help: "The drive's number, from detections drives list.")
    var id: Int64

    func run() async throws {
        let database = try databaseOptions.openForReading()
        guard let (drive, points) = try await database.drive(id: id) else {
            throw CommandError.nothingFound(
                "There is no drive \(id) in \(databaseOptions.path); lantern detections drives lists all drives."
            )
        }
        let output = Output.standard()
        if format.isJSON {
            try output.write(DriveShown(drive, points: points).json(at: drive.begin) + [UInt8(ascii: "\n")])
        } else {
            let facts = drive.facts(localTime: { $0.localText }) + [("points", "\(points.count)")]
            let rows = facts.map { (title: $0.name, text: StyledText($0.value)) }
            try output.write(
                output.terminal.drawn(rows: rows, margin: 0, columns: 14).map { $0 + "\n" }.joined())
        }
    }
}

/// `lantern detections drives delete`: takes drives out of the database for good.
struct DetectionsDrivesDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete drives for good; detections stay.")

    @OptionGroup var databaseOptions: DatabaseOptions
    @OptionGroup var format: FormatOptions

    @Argument(help: ArgumentHelp("The drives' numbers, from detections drives list.", valueName: "id"))
    var ids: [Int64]

    func run() async throws {
        let database = try databaseOptions.openExisting()
        let deleted = try await database.deleteDrives(ids)
        let missing = Set(ids).subtracting(deleted).sorted()
        let event = DrivesDeleted(deleted, missing: missing)
        if format.isJSON {
            try EventPrinter(to: .standard(), isJSON: true).show(event)
        } else if !deleted.isEmpty {
            try Output.standard().line(event.line.text)
        }
        if !missing.isEmpty {
            let list = missing.map { "\($0)" }.joined(separator: ", ")
            throw CommandError.nothingFound("There is no drive \(list) in \(databaseOptions.path).")
        }
    }
}
