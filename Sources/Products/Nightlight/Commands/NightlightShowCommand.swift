// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import Companion
import Nightlight

/// `lantern nightlight show`: the dashboard.
struct NightlightShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what a lamp does and why, its schedules, button, battery and clock.")

    @Argument(help: "The lamp.")
    var address: DeviceAddress

    @OptionGroup var options: NightlightOptions

    func run() async throws {
        let state = try await options.use(address) { _, values in
            NightlightState(justRead: values)
        }
        let output = Output.standard()
        if options.format.isJSON {
            try output.line(state.json)
        } else {
            let lines = NightlightStateText(state, on: output.terminal).lines
            try output.write(lines.map { $0 + "\n" }.joined())
        }
    }
}

/// `lantern nightlight name`: the child's name.
struct NightlightNameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "name", abstract: "Give a lamp the name of its child; \"\" takes it away.")

    @Argument(help: "The lamp.")
    var address: DeviceAddress

    @Argument(help: ArgumentHelp("The name, at most 32 octets.", valueName: "text"))
    var text: String

    @OptionGroup var options: NightlightOptions

    func validate() throws {
        guard text.utf8.count <= NightlightLimit.childName else {
            throw ValidationError(
                "A lamp keeps a name of at most \(NightlightLimit.childName) octets, this one has \(text.utf8.count)."
            )
        }
    }

    func run() async throws {
        try await options.set([.childName(WireText(text))], at: address) { values in
            let name = values.childName?.string ?? ""
            return name.isEmpty
                ? "The lamp has no name any more." : "This is \(TerminalText.escaped(name))’s nightlight now."
        } json: { values in
            NightlightJSON.object {
                $0.field("name", values.childName.flatMap { $0.isEmpty ? nil : $0.string })
            }
        }
    }
}
