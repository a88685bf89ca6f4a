// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandIO
import CommandOptions
import CompanionStore
import CompanionText
import Detections
import FlockFinderCompanion

/// `lantern detections delete`: takes detections out of the database for good.
struct DetectionsDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete detections for good.",
        discussion: """
            Give their numbers, or filters as for detections list, or --all for every one. With filters or --all it \
            says how many there are and asks first, unless --yes is given. What is stored meanwhile stays.

            With --json it prints events with the numbers that were deleted and those that do not exist.
            """)

    /// Detections that are deleted at once, and reported in one event.
    private static let piece = 1000

    @OptionGroup var databaseOptions: DatabaseOptions
    @OptionGroup var filter: FilterOptions
    @OptionGroup var format: FormatOptions

    @Flag(help: "Delete every detection.")
    var all = false

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @Argument(help: ArgumentHelp("The detections' numbers, from detections list.", valueName: "id"))
    var ids: [Int64] = []

    func validate() throws {
        let ways = [!ids.isEmpty, filter.filter != DetectionFilter(), all].count { $0 }
        if ways == 0 { throw ValidationError("Give the detections' numbers, or filters, or --all.") }
        if ways > 1 { throw ValidationError("Give only one of these: numbers, filters or --all.") }
    }

    func run() async throws {
        let database = try databaseOptions.openExisting()
        guard ids.isEmpty else { return try await deleteNumbers(database) }
        let count = try await database.count(matching: filter.filter)
        guard count > 0 else {
            throw CommandError.nothingFound(
                "No detection in \(databaseOptions.path) fits. Nothing was deleted.")
        }
        guard try await isWanted(count) else { throw CommandError.failed("Nothing was deleted.") }
        var deleted = 0
        var page = DetectionPage(limit: Self.piece)
        repeat {
            let records = try await database.records(matching: filter.filter, page: page)
            // Later pages go on below it, and so none of what is stored meanwhile is among them.
            page.after = records.last?.id
            let gone = try await database.delete(ids: records.map(\.id))
            deleted += gone.count
            if format.isJSON, !gone.isEmpty { try show(DetectionsDeleted(gone, missing: [])) }
        } while page.after != nil
        if !format.isJSON {
            try Output.standard().line("Deleted \(deleted) detection\(deleted == 1 ? "" : "s").")
        }
    }

    private func deleteNumbers(_ database: DetectionDatabase) async throws {
        let deleted = try await database.delete(ids: ids)
        let missing = Set(ids).subtracting(deleted).sorted()
        if format.isJSON || !deleted.isEmpty { try show(DetectionsDeleted(deleted, missing: missing)) }
        if !missing.isEmpty {
            throw CommandError.nothingFound(
                "There is no detection \(Self.list(missing)) in \(databaseOptions.path).")
        }
    }

    private func isWanted(_ count: Int) async throws -> Bool {
        if yes { return true }
        let what = "\(count) detection\(count == 1 ? "" : "s")"
        guard !format.isJSON, let person = Person.atTerminal() else {
            throw CommandError.wrongUsage(
                "That would delete \(what), and nobody can be asked: add --yes to do it.")
        }
        let typed = await person.ask("Delete \(what) for good? [y/N] ")
        try Task.checkCancellation()
        return typed?.lowercased().hasPrefix("y") == true
    }

    private func show(_ event: DetectionsDeleted) throws {
        if format.isJSON {
            try EventPrinter(to: .standard(), isJSON: true).show(event)
        } else {
            try Output.standard().line(event.line.text)
        }
    }

    private static func list(_ ids: [Int64]) -> String { ids.map { "\($0)" }.joined(separator: ", ") }
}
