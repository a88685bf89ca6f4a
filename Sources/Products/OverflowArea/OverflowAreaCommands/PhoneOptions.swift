// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import BLEWire
import CommandOptions
package import Companion
import CompanionDevices
import OverflowArea
import OverflowAreaCompanion
import OverflowAreaSimulated
package import ProductRegistry

/// What the simulated iPhone advertises.
struct PhoneOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Services of its app, UUIDs or names, and a payload of four octets in hex that it says through the overflow area.",
            valueName: "payload|uuid|name"),
        completion: .serviceNames, transform: OverflowWord.argument)
    var words: [OverflowWord] = []

    @Option(
        name: .customLong("uuid"), parsing: .upToNextOption,
        help: ArgumentHelp(
            "These services; for one of 8 hex digits, which is a payload otherwise.", valueName: "uuid|name"),
        completion: .serviceNames, transform: BluetoothUUID.service)
    var uuids: [BluetoothUUID] = []

    @Option(
        help: ArgumentHelp("The payload, as without this word before it.", valueName: "hex"),
        transform: OverflowPayload.option)
    var payload: OverflowPayload?

    @Option(
        help: ArgumentHelp(
            "Come to the foreground this often, for the second half of the time.",
            valueName: "seconds"))
    var foregroundEvery: Seconds?

    func validate() throws {
        guard payloads.count < 2 else { throw ValidationError("Give one payload.") }
        if let foregroundEvery, foregroundEvery.duration < .milliseconds(200) {
            throw ValidationError("--foreground-every has at least 0.2 s.")
        }
    }

    private var payloads: [OverflowPayload] { words.payloads + (payload.map { [$0] } ?? []) }

    /// The app; what the demo app says when nothing was chosen to be said.
    var app: PhoneApp {
        let services = words.services + uuids
        return PhoneApp(
            uuids: services, payload: payloads.first ?? (services.isEmpty ? SimulatedPhone.demoPayload : nil),
            foregroundEvery: foregroundEvery.map { UInt64($0.duration / .milliseconds(1)) })
    }
}

/// `lantern device run iphone`: an iPhone with an app that advertises.
struct PhoneRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "iphone",
        abstract: "A phone with an app in the background, whose services are in the overflow area.",
        discussion: "Without a service and a payload it says 01020304, as the demo app would.")

    @OptionGroup var options: DeviceRunOptions
    @OptionGroup var phone: PhoneOptions

    func run() async throws {
        try await options.serve { [app = phone.app] radio, printer in
            try await printer.run(app, named: "iPhone", on: radio) { event in
                switch event {
                case .background(let map): PhoneInBackground(map)
                case .foreground(let uuid, let map): PhoneInForeground(uuid, map)
                case .connected(let link, let peer): LinkConnected(link: link, peer)
                case .disconnected(let link): LinkDisconnected(link: link)
                }
            }
        }
    }
}

extension OverflowAreaProduct: CommandProduct {
    package var deviceCommand: any ParsableCommand.Type { PhoneRunCommand.self }
    package var commands: [any ParsableCommand.Type] { [OverflowCommand.self] }
    package var events: [EventDescription] { OverflowEvents.all }
}
