// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import BLESessions
import BLEWire
import CommandIO
import CommandOptions
package import Companion
package import CompanionDevices
import Improv
import ImprovCompanion
import ImprovSimulated
package import ProductRegistry
import WiFiSetCommands
import WiFiSetSimulated

/// `lantern device run improv`: a simulated Improv device, and the person who presses its button.
struct ImprovRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "improv",
        abstract: "Takes the name and password of a Wi-Fi network, and says whether they work (Improv).",
        discussion: """
            With --press it takes credentials only for a minute after its button was pressed: type `press`. It goes on \
            when the standard input ends.
            """)

    @OptionGroup var options: DeviceRunOptions

    @Option(
        help: ArgumentHelp("The Wi-Fi networks around it, as JSON.", valueName: "file"), completion: .file())
    var networks: String?

    @Flag(help: "Its button has to be pressed first.")
    var press = false

    func validate() throws { try options.radioOptions.checkCapture(apartFrom: (networks, "--networks")) }

    func run() async throws {
        let neighbourhood = try networks.map { path throws(CommandError) in try WiFiNeighbourhood(path: path)
        }
        try await options.serve(readsLines: true) { [press] radio, printer in
            let device = ImprovDevice(
                station: SimulatedImprovStation(neighbourhood?.station ?? SimulatedWiFiStation()),
                info: SimulatedImprov.info, needsAuthorization: press)
            let name = device.name.string
            let runner = DeviceRunner(device, on: radio)
            let person = Task {
                await StandardInput().forEachCommand(help: "Type press.") { line in
                    guard line == "press" else { return false }
                    await runner.update { $0.press(at: $1) }
                    return true
                }
            }
            defer { person.cancel() }
            try await printer.run(runner, named: name) { event in try printer.show(event.event) }
        }
    }
}

extension ImprovProduct: CommandProduct {
    package var deviceCommand: any ParsableCommand.Type { ImprovRunCommand.self }
    package var events: [EventDescription] { ImprovEvents.all }
    package var wifi: (any WiFiClientKind)? { WiFiClients<ImprovClient>() }
}
