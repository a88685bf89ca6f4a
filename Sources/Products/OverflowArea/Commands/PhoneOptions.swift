// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLESessions
import BLEWire
import BluetoothLE
import OverflowArea
import SimulatedDevices

/// What the simulated iPhone advertises.
struct PhoneOptions: ParsableArguments {
    @Option(
        name: .customLong("uuid"), parsing: .upToNextOption,
        help: ArgumentHelp("iphone: services of its app.", valueName: "uuid"),
        transform: BluetoothUUID.argument)
    var uuids: [BluetoothUUID] = []

    @Option(
        help: ArgumentHelp(
            "iphone: four octets that its app says through the overflow area.", valueName: "hex"),
        transform: OverflowPayload.argument)
    var payload: OverflowPayload?

    @Option(
        help: ArgumentHelp(
            "iphone: come to the foreground this often, for the second half of the time.",
            valueName: "seconds"))
    var foregroundEvery: Seconds?

    /// Whether nothing was chosen.
    private var isEmpty: Bool { uuids.isEmpty && payload == nil && foregroundEvery == nil }

    /// Checks that the options go with the device.
    func validate(for kind: DeviceKind) throws {
        guard kind == .iphone || isEmpty else {
            throw ValidationError("--uuid, --payload and --foreground-every are for iphone.")
        }
        if let foregroundEvery, foregroundEvery.duration < .milliseconds(200) {
            throw ValidationError("--foreground-every has at least 0.2 s.")
        }
    }

    /// The app; the demo of the document when nothing was chosen to be said.
    var app: PhoneApp {
        PhoneApp(
            uuids: uuids, payload: payload ?? (uuids.isEmpty ? SimulatedPhone.demoPayload : nil),
            foregroundEvery: foregroundEvery.map { UInt64($0.duration / .milliseconds(1)) })
    }

    /// Serves until the task is cancelled or the radio is gone.
    func run(on radioOptions: RadioOptions, to output: Output, isJSON: Bool) async throws {
        let printer = PhonePrinter(output: output, isJSON: isJSON)
        try await radioOptions.use { radio in
            let runner = DeviceRunner(app, on: radio)
            // As with every device: errors of the output end nothing.
            try await runner.run(
                advertising: { try? printer.showAdvertising() },
                watcher: AirNews.printer(to: output, isJSON: isJSON)
            ) { event in try? printer.show(event) }
        }
    }
}
