// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Companion
import CompanionStore
import CompanionText

/// `lantern detections delete`: takes detections out of the database for good.
struct DetectionsDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete detections for good.",
        discussion:
            "With --json it prints one event with the numbers that were deleted and those there were not.")

    @OptionGroup var databaseOptions: DatabaseOptions
    @OptionGroup var format: FormatOptions

    @Argument(help: ArgumentHelp("The detections' numbers, from detections list.", valueName: "id"))
    var ids: [Int64]

    func run() async throws {
        let database = try databaseOptions.openExisting()
        let deleted = try await database.delete(ids: ids)
        let missing = Set(ids).subtracting(deleted).sorted()
        let event = DetectionsDeleted(deleted, missing: missing)
        if format.isJSON {
            try EventPrinter(to: .standard(), isJSON: true).show(event)
        } else if !deleted.isEmpty {
            try Output.standard().line(event.line.text)
        }
        if !missing.isEmpty {
            throw CommandError.nothingFound(
                "There is no detection \(Self.list(missing)) in \(databaseOptions.path).")
        }
    }

    private static func list(_ ids: [Int64]) -> String { ids.map { "\($0)" }.joined(separator: ", ") }
}
