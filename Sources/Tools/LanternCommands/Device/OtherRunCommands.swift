// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import CommandOptions
import SimulatedDevices

/// `lantern device run strap`: a heart rate strap.
struct StrapRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "strap",
        abstract: "Sends a heart rate each second, and has a bit of everything that can be explored.")

    @OptionGroup var options: DeviceRunOptions

    func run() async throws {
        try await options.serve { radio, printer in
            let device = StrapSession()
            try await printer.run(device, named: device.name.string, on: radio)
        }
    }
}

/// `lantern device run thermometer`: a thermometer for people.
struct ThermometerRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thermometer",
        abstract: "Indicates the temperature of a body every five seconds.")

    @OptionGroup var options: DeviceRunOptions

    func run() async throws {
        try await options.serve { radio, printer in
            let device = ThermometerSession()
            try await printer.run(device, named: device.name.string, on: radio)
        }
    }
}
