// SPDX-License-Identifier: Apache-2.0

import BLESessions
import BLEWire
import BluetoothLE
import Companion
import CompanionText
import Improv
import SimulatedDevices

/// `lantern device run improv`: a simulated Improv device on a radio, and the person who presses its button.
enum ImprovRun {
    /// Serves until the task is cancelled or the radio is gone; the end of the input ends nothing.
    ///
    /// - Parameters:
    ///   - networks: A file with the networks around it; `nil` for the invented ones.
    ///   - needsAuthorization: Whether its button has to be pressed first.
    ///   - radioOptions: On what.
    ///   - printer: Prints what happens.
    /// - Throws: ``CommandError`` for a file that cannot be used, ``BluetoothError``.
    static func serve(
        _ networks: String?, needsAuthorization: Bool, on radioOptions: RadioOptions, _ printer: EventPrinter
    ) async throws {
        let neighbourhood = try networks.map { path throws(CommandError) in try WiFiNeighbourhood(path: path)
        }
        try await radioOptions.use { radio in
            let device = ImprovDevice(
                station: SimulatedImprovStation(neighbourhood?.station ?? SimulatedWiFiStation()),
                info: SimulatedImprov.info, needsAuthorization: needsAuthorization)
            let name = device.name.string
            let runner = DeviceRunner(device, on: radio)
            let person = Task {
                await StandardInput().forEachLine { line in
                    guard !line.allSatisfy(\.isWhitespace) else { return }
                    guard line == "press" else {
                        // Nobody is there to be told that nobody can be told.
                        try? Output.standardError().line(
                            "lantern: Not understood: \(TerminalText.escaped(line.shortened)). Type press.")
                        return
                    }
                    await runner.update { $0.press(at: $1) }
                }
            }
            defer { person.cancel() }
            try await runner.run(
                advertising: { try? printer.show(DeviceAdvertising(name)) },
                watcher: { change in printer.showAdvertising(change) }
            ) { event in try? printer.show(event.event) }
        }
    }
}
