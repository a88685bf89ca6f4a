// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandIO
import CommandOptions
import Companion
import CompanionText
import Foundation

/// `lantern gatt diff`: what has changed between two saved devices.
struct GATTDiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare two devices that `gatt tree --output` has saved.",
        discussion: """
            Services, characteristics and descriptors are compared by UUID, those with the same UUID in their order; \
            handles may differ. Exit status: 0 when nothing differs, 1 when something does.
            """)

    @Argument(help: ArgumentHelp("The older file.", valueName: "a"), completion: .file())
    var before: String

    @Argument(help: ArgumentHelp("The newer file.", valueName: "b"), completion: .file())
    var after: String

    @OptionGroup var format: FormatOptions

    func run() async throws {
        let changes = GATTChange.between(try Self.read(before), try Self.read(after))
        let printer = EventPrinter(to: .standard(), isJSON: format.isJSON)
        for change in changes { try printer.show(change) { _ in [change.styledLine] } }
        if changes.isEmpty, !format.isJSON { try printer.output.line("No difference.") }
        if !changes.isEmpty { throw ExitCode(CommandError.Status.failed.rawValue) }
    }

    private static func read(_ path: String) throws(CommandError) -> SavedTree {
        let octets = try InputFile.contents(of: path, atMost: InputFile.Limit.tree)
        do throws(JSONDecodingError) {
            return try SavedTree(try JSONReader.read(octets))
        } catch {
            throw .wrongUsage(
                "Line \(error.line) of \(path.shortenedPath): \(error.reason). Name a file that `gatt tree --output` has saved."
            )
        }
    }
}
