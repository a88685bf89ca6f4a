// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import BLESessions
import BLEWire
import CommandIO
import CommandOptions
package import Companion
import Nightlight
import NightlightCompanion
import NightlightDevices
import NightlightSimulated
package import ProductRegistry

/// `lantern device run nightlight`: a simulated lamp.
struct NightlightRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nightlight",
        abstract: "A child's lamp with its schedules, button and battery.",
        discussion: """
            It reads commands from the standard input: press, shake, time [YYYY-MM-DDT]HH:MM[:SS], battery N, \
            charge on|off. It goes on when the input ends.
            """)

    @OptionGroup var options: DeviceRunOptions

    func run() async throws {
        try await options.serve(readsLines: true) { radio, printer in
            // As it comes from the factory, but for the clock; whoever wants more writes it.
            let lamp = NightlightDevice(clock: HostClock.reading(), battery: SimulatedNightlight.battery)
            let name = lamp.name.string
            let runner = DeviceRunner(lamp, on: radio)
            let person = Task {
                await StandardInput().forEachCommand(help: LampInput.help) { line in
                    guard let action = LampInput(line) else { return false }
                    await runner.update { lamp, now in action.act(on: &lamp, at: now) }
                    return true
                }
            }
            defer { person.cancel() }
            try await printer.run(runner, named: name) { reported in
                if let event = reported.event { try printer.show(event) }
            }
        }
    }
}

extension NightlightProduct: CommandProduct {
    package var deviceCommand: any ParsableCommand.Type { NightlightRunCommand.self }
    package var commands: [any ParsableCommand.Type] { [NightlightCommand.self] }
    package var events: [EventDescription] { NightlightEvents.all }
    package var deviceWord: String? { "lamp" }
}
