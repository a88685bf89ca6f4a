// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `lantern wifi`: everything about WiFiSet devices.
struct WiFiCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wifi",
        abstract: "Give a new device its Wi-Fi, over Bluetooth (WiFiSet).",
        subcommands: [WiFiNetworksCommand.self, WiFiProvisionCommand.self, WiFiStatusCommand.self])
}
