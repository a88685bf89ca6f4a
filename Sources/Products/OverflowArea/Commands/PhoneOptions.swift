// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import Companion
import CompanionText
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
        let printer = EventPrinter(to: output, isJSON: isJSON)
        try await radioOptions.use { radio in
            try await printer.run(app, named: "iPhone", on: radio) { event in
                switch event {
                case .background(let map): PhoneInBackground(map)
                case .foreground(let uuid, let map): PhoneInForeground(uuid, map)
                case .connected(let link, let peer): LinkConnected(link: link, peer)
                case .disconnected(let link): LinkDisconnected(link: link)
                }
            }
        }
    }
}
