// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandIO
import CommandOptions
import CompanionDevices
import CompanionStore
import CompanionText
import Detections
import FlockFinderCompanion

/// `lantern detections list`: the detections that fit, the one that was stored last first.
struct DetectionsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List detections, the latest first.")

    /// How many a person gets who does not say how many.
    static let usualLimit = 100

    @OptionGroup var databaseOptions: DatabaseOptions
    @OptionGroup var filter: FilterOptions
    @OptionGroup var format: FormatOptions

    @Option(
        help: ArgumentHelp(
            "How many at most (default: \(usualLimit) on a terminal, otherwise all); 0 for all.",
            valueName: "number"))
    var limit: Int?

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit must be 0 or more; 0 shows all.") }
    }

    func run() async throws {
        let database = try databaseOptions.openForReading()
        let output = Output.standard()
        let usual = output.terminal.isInteractive && !format.isJSON ? Self.usualLimit : 0
        let limit = limit ?? usual
        var count = 0
        var page = DetectionPage(limit: 1000)
        repeat {
            if limit > 0 { page.limit = min(1000, limit - count) }
            let records = try await database.records(matching: filter.filter, page: page)
            if format.isJSON {
                try output.write(
                    records.flatMap { DetectionEvent($0, at: .now()).json + [UInt8(ascii: "\n")] })
            } else if !records.isEmpty {
                let terminal = output.terminal
                let lines = terminal.drawn(
                    TextTable(records, columns: terminal.columns, localTime: { $0.localText }))
                try output.write(lines.dropFirst(count == 0 ? 0 : 1).map { $0 + "\n" }.joined())
            }
            count += records.count
            page.after = records.last?.id
        } while page.after != nil && (limit == 0 || count < limit)
        if count == 0 {
            throw CommandError.nothingFound(
                "No detection in \(databaseOptions.path) fits. Use fewer filters to see more.")
        }
        if limit > 0, count == limit, output.terminal.isInteractive, !format.isJSON {
            let all = try await database.count(matching: filter.filter)
            if all > count {
                try output.line(
                    output.terminal.styled("The latest \(count) of \(all); --limit 0 shows all.", .dim))
            }
        }
    }
}
