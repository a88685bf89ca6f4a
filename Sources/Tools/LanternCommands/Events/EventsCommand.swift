// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandIO
import CommandOptions
import Companion
import CompanionText
import HubModel
import ProductRegistry

/// `lantern events`: what `--json` prints.
struct EventsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "List the events that --json prints, and what each one holds.",
        discussion: """
            Every line that a command prints with --json is one event: an object that begins with its name (event) \
            and its time (time). Events of one name have the same shape, whichever command prints them.
            """)

    @Flag(name: .customLong("schema"), help: "Print a JSON Schema that every line of --json matches.")
    var isSchema = false

    @Flag(name: .customLong("markdown"), help: "Print a page of documentation.")
    var isMarkdown = false

    @Argument(
        help: ArgumentHelp("Only events whose names begin with this.", valueName: "name"),
        completion: .words { EventCatalogue.all.events.map { "\($0.name)" } })
    var name = ""

    func validate() throws {
        if isSchema, isMarkdown { throw ValidationError("Choose one of --schema and --markdown.") }
    }

    func run() throws {
        let output = Output.standard()
        let catalogue = EventCatalogue(EventCatalogue.all.events.filter { "\($0.name)".hasPrefix(name) })
        guard !catalogue.events.isEmpty else {
            throw CommandError.nothingFound(
                "There is no event \(PrintableText.quoted(name)): `lantern events` lists them all.")
        }
        if isSchema {
            try output.write(catalogue.schema + [UInt8(ascii: "\n")])
        } else if isMarkdown {
            try output.write(catalogue.markdown)
        } else {
            try output.write(output.terminal.drawn(TextTable(catalogue)).map { $0 + "\n" }.joined())
        }
    }
}

extension EventCatalogue {
    /// All events of all products.
    static let all = EventCatalogue(
        GeneralEvents.all + WiFiEvents.all + HubEvents.all + Products.withCommands.flatMap(\.events))
}
