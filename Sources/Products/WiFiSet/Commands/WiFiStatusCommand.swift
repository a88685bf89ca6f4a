// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEGATT
import WiFiSet

/// `lantern wifi status`: the state of the device's Wi-Fi.
struct WiFiStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show whether a device is in its Wi-Fi network.")

    @OptionGroup var phyOptions: PHYOptions
    @OptionGroup var radioOptions: RadioOptions
    @OptionGroup var format: FormatOptions

    @Argument(help: "The device.")
    var address: DeviceAddress

    func run() async throws {
        let status = try await radioOptions.use { [address, phyOptions, isJSON = format.isJSON] radio in
            try await phyOptions.check(radio)
            return try await WiFiConversation.hold(
                with: address, on: radio, phys: phyOptions.phys, showing: isJSON ? .none : .standard()
            ) { conversation in
                _ = try await conversation.ready()
                await conversation.say { $0.requestStatus(at: $1) }
                while true {
                    switch try await conversation.next() {
                    case .status(let status): return status
                    case .statusFailed(.timeout):
                        throw CommandError.nothingFound(
                            "The device did not tell its state: restart it, then try again.")
                    case .statusFailed(let failure):
                        throw CommandError.failed(
                            "The device does not tell its state: \(failure). Try again.")
                    default: break
                    }
                }
            }
        }
        try Output.standard().line(format.isJSON ? WiFiJSON.status(status) : WiFiText.sentence(status))
    }
}
