// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Companion
import LEDBulb
import SimulatedDevices

/// `lantern device run bulb`: a simulated bulb.
struct BulbRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bulb",
        abstract: "Shines as it is told, in the colours of the terminal, and speaks any dialect.")

    @OptionGroup var options: DeviceRunOptions

    @Option(
        help: ArgumentHelp(
            "What it speaks: \(BulbDialect.choices). Triones unless said otherwise.", valueName: "dialect"),
        completion: .list(BulbDialect.keywords),
        transform: BulbDialect.argument)
    var dialect: BulbDialect?

    func run() async throws {
        try await options.serve { [dialect] radio, printer in
            try await BulbRun.serve(dialect ?? .triones, on: radio, printer)
        }
    }
}

extension LEDBulbProduct: CommandProduct {
    var deviceCommand: any ParsableCommand.Type { BulbRunCommand.self }
    var commands: [any ParsableCommand.Type] { [LEDBulbCommand.self] }
    var events: [EventDescription] { LEDBulbEvents.all }
}
