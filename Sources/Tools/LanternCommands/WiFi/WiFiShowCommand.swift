// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandIO
import Companion
import CompanionDevices
import CompanionText

/// `lantern wifi show`: the state of the device's Wi-Fi.
struct WiFiShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show whether a device is connected to its Wi-Fi, and what it is.")

    @OptionGroup var options: WiFiOptions

    func run() async throws {
        let (peer, state, description) = try await options.use { link, _ in
            let state = try await link.state()
            return (link.device.peer, state, try await link.description())
        }
        let printer = options.printer
        if let description {
            let event = WiFiDeviceDescribed(peer, description)
            try printer.show(event) { _ in [StyledText(event.line.text)] }
        }
        try printer.show(WiFiStateReported(peer, state)) { _ in [StyledText(WiFiText.sentence(state))] }
    }
}

/// `lantern wifi identify`: lets the device show which it is.
struct WiFiIdentifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identify",
        abstract: "Make a device show which one it is, by a light or a sound (Improv).")

    @OptionGroup var options: WiFiOptions

    func run() async throws {
        let event = try await options.use { link, _ in
            try await link.identify()
            return WiFiDeviceIdentified(link.device.peer)
        }
        try options.printer.show(event) { _ in [StyledText(event.line.text)] }
    }
}
