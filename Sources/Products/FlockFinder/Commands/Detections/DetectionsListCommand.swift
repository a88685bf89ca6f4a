// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Companion
import CompanionStore

/// `lantern detections list`: the detections that fit, the latest first.
struct DetectionsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List detections, the latest first.")

    @OptionGroup var databaseOptions: DatabaseOptions
    @OptionGroup var filter: FilterOptions
    @OptionGroup var format: FormatOptions

    func run() async throws {
        let database = try databaseOptions.openExisting()
        let output = Output.standard()
        var count = 0
        var page = DetectionPage(limit: 1000)
        repeat {
            let records = try await database.records(matching: filter.filter, page: page)
            if format.isJSON {
                try output.write(records.map { $0.eventJSON + "\n" }.joined())
            } else if !records.isEmpty {
                let table = DetectionTable(terminal: output.terminal)
                try output.write((count == 0 ? table.heading : "") + records.map(table.row).joined())
            }
            count += records.count
            page.after = records.last?.cursor
        } while page.after != nil
        if count == 0 {
            throw CommandError.nothingFound(
                "No detection in \(databaseOptions.path) fits. Leave filters out to see more.")
        }
    }
}
