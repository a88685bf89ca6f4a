// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import CompanionText
import Detections
import FlockFinder
import FlockFinderCompanion

/// `lantern flock signatures`: by what this radio notices cameras.
struct FlockSignaturesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signatures",
        abstract: "Show the signatures by which flock detect notices cameras, or check a table of your own.",
        discussion: """
            With --json it prints the table as a file: change it, and give it to flock detect --signatures.
            """)

    @OptionGroup var format: FormatOptions

    @Option(
        help: ArgumentHelp("Check and show this table (default: the built-in one).", valueName: "file"),
        completion: .file())
    var file: String?

    func run() async throws {
        let table = try SignatureTable.given(file)
        let output = Output.standard()
        if format.isJSON {
            try output.write(SignatureTableShown(table).json(at: .now()) + [UInt8(ascii: "\n")])
            return
        }
        let count = table.signatures.count
        try output.line(
            PrintableText.escaped(
                "\(table.title): \(count == 1 ? "1 signature" : "\(count) signatures"), reported from \(table.threshold) on"
            ))
        try output.write(output.terminal.drawn(TextTable(table)).map { $0 + "\n" }.joined())
    }
}
