// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import BLEWire
import CommandIO
import CommandOptions
package import Companion
package import CompanionDevices
package import ProductRegistry
import WiFiSet
import WiFiSetCompanion
import WiFiSetSimulated

/// `lantern device run wifiset`: a simulated WiFiSet device.
struct WiFiSetRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wifiset",
        abstract: "Takes the name and password of a Wi-Fi network, and says whether they work (WiFiSet).")

    @OptionGroup var options: DeviceRunOptions

    @Option(
        help: ArgumentHelp("The Wi-Fi networks around it, as JSON.", valueName: "file"), completion: .file())
    var networks: String?

    func validate() throws { try options.radioOptions.checkCapture(apartFrom: (networks, "--networks")) }

    func run() async throws {
        let neighbourhood = try networks.map { path throws(CommandError) in try WiFiNeighbourhood(path: path)
        }
        try await options.serve { radio, printer in
            let device = WiFiSetDevice(station: neighbourhood?.station ?? SimulatedWiFiStation())
            let name = device.name.string
            try await printer.run(device, named: name, on: radio) { $0.event }
        }
    }
}

extension WiFiSetProduct: CommandProduct {
    package var deviceCommand: any ParsableCommand.Type { WiFiSetRunCommand.self }
    package var events: [EventDescription] { WiFiSetEvents.all }
    package var wifi: (any WiFiClientKind)? { WiFiClients<WiFiSetClient>() }
}
