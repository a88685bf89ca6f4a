// SPDX-License-Identifier: Apache-2.0

import BLESessions
import BLEWire
import BluetoothLE
import Foundation
import Nightlight
import SimulatedDevices

/// A simulated lamp on a radio, and the person who presses its button.
enum LampRun {
    /// Serves until the task is cancelled or the radio is gone; the end of the input ends nothing.
    ///
    /// - Parameters:
    ///   - radio: The radio.
    ///   - printer: Shows what happens.
    ///   - input: What the person does.
    ///   - clock: What the lamp's clock shows.
    /// - Throws: ``BluetoothError``.
    static func serve(
        on radio: Radio, _ printer: LampPrinter, input: StandardInput, clock: ClockReading
    ) async throws {
        // As it comes from the factory, but for the clock; whoever wants more writes it.
        let lamp = NightlightDevice(clock: clock, battery: SimulatedNightlight.battery)
        let name = lamp.name
        let runner = DeviceRunner(lamp, on: radio)
        let person = Task {
            await input.forEachLine { line in
                guard !line.allSatisfy(\.isWhitespace) else { return }
                guard let action = LampInput(line) else {
                    // Nobody is there to be told that nobody can be told.
                    try? Output.standardError().line(
                        "lantern: Not understood: \(TerminalText.escaped(line)). \(LampInput.help)")
                    return
                }
                await runner.update { lamp, now in action.act(on: &lamp, at: now) }
            }
        }
        defer { person.cancel() }
        // A device goes on when nobody reads what it says, so errors of the output end nothing.
        try await runner.run(
            advertising: { try? printer.show(.advertising(name)) },
            watcher: AirNews.printer(to: printer.output, isJSON: printer.isJSON)
        ) { event in try? printer.show(.event(event)) }
    }
}
