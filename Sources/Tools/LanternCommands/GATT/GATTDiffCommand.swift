// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Companion
import Foundation

/// `lantern gatt diff`: what has changed between two saved devices.
struct GATTDiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare two devices that `gatt tree --output` has saved.",
        discussion: """
            Services, characteristics and descriptors are compared by UUID, those of the same UUID in their order; \
            handles may differ. Exit status: 0 when there is no difference, 1 when there are some.
            """)

    @Argument(help: ArgumentHelp("The older file.", valueName: "a"))
    var before: String

    @Argument(help: ArgumentHelp("The newer file.", valueName: "b"))
    var after: String

    @OptionGroup var format: FormatOptions

    func run() async throws {
        let changes = GATTChange.between(try Self.read(before), try Self.read(after))
        let output = Output.standard()
        if format.isJSON {
            try output.write(changes.map { $0.json + "\n" }.joined())
        } else if changes.isEmpty {
            try output.line("No difference.")
        } else {
            let terminal = output.terminal
            try output.write(changes.map { $0.line(on: terminal) + "\n" }.joined())
        }
        if !changes.isEmpty { throw ExitCode(CommandError.Status.failed.rawValue) }
    }

    private static func read(_ path: String) throws(CommandError) -> SavedTree {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .wrongUsage("The file \(path) cannot be read. Check its name and permissions.")
        }
        do throws(JSONFault) {
            return try SavedTree(try JSONReader.read(Array(data)))
        } catch {
            throw .wrongUsage(
                "Line \(error.line) of \(path): \(error.reason). `gatt tree --output` makes such a file.")
        }
    }
}
