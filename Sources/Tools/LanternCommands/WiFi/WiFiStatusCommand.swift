// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WiFiSet

/// `lantern wifi status`: the state of the device's Wi-Fi.
struct WiFiStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show whether a device is in its Wi-Fi network.")

    @OptionGroup var radioOptions: RadioOptions
    @OptionGroup var format: FormatOptions

    @Argument(help: "The device.")
    var address: DeviceAddress

    func run() async throws {
        let progress = format.isJSON ? Progress.none : .standard()
        defer { progress.clear() }
        let status = try await radioOptions.use { [address] radio in
            try await WiFiConversation.hold(with: address, on: radio) { conversation in
                progress.show("Looking for \(address)…")
                _ = try await conversation.ready()
                await conversation.say { $0.requestStatus(at: $1) }
                while true {
                    switch try await conversation.next() {
                    case .status(let status): return status
                    case .statusFailed(let failure):
                        throw CommandError.failed(
                            "The device does not tell its state: \(failure). Try again.")
                    default: break
                    }
                }
            }
        }
        progress.clear()
        let output = Output.standard()
        try output.line(format.isJSON ? WiFiJSON.status(status) : WiFiText.sentence(status))
    }
}
