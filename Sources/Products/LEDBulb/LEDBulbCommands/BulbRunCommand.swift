// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import BLEWire
import CommandOptions
package import Companion
import LEDBulb
import LEDBulbCompanion
package import ProductRegistry

/// `lantern device run bulb`: a simulated bulb.
struct BulbRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bulb",
        abstract: "Shines as it is told, in the colours of the terminal, and speaks any dialect.")

    @OptionGroup var options: DeviceRunOptions

    @Option(
        help: ArgumentHelp(
            "What it speaks: \(BulbDialect.choices) (default: triones).", valueName: "dialect"),
        completion: .list(BulbDialect.keywords),
        transform: BulbDialect.argument)
    var dialect: BulbDialect?

    func run() async throws {
        try await options.serve { [dialect = dialect ?? .triones] radio, printer in
            let device = LEDBulbDevice(dialect)
            let name = device.name.string
            let detail = "which speaks \(dialect.name.string)"
            try await printer.run(device, named: name, detail: detail, on: radio) { $0.event(of: dialect) }
        }
    }
}

extension LEDBulbProduct: CommandProduct {
    package var deviceCommand: any ParsableCommand.Type { BulbRunCommand.self }
    package var commands: [any ParsableCommand.Type] { [LEDBulbCommand.self] }
    package var events: [EventDescription] { LEDBulbEvents.all }
    package var deviceWord: String? { "bulb" }
}
