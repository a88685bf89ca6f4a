// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Companion
import CompanionDevices
import SimulatedDevices

/// `lantern device run nightlight`: a simulated lamp.
struct NightlightRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nightlight",
        abstract: "A child's lamp with its schedules, button and battery.",
        discussion: """
            It reads lines from the standard input: press, shake, time [YYYY-MM-DDT]HH:MM[:SS], battery N, \
            charge on|off. Their end does not end it.
            """)

    @OptionGroup var options: DeviceRunOptions

    func run() async throws {
        try await options.serve { radio, printer in
            let clock = HostClock.reading()
            try await LampRun.serve(on: radio, printer, input: StandardInput(), clock: clock)
        }
    }
}

extension NightlightProduct: CommandProduct {
    var deviceCommand: any ParsableCommand.Type { NightlightRunCommand.self }
    var commands: [any ParsableCommand.Type] { [NightlightCommand.self] }
    var events: [EventDescription] { NightlightEvents.all }
}
