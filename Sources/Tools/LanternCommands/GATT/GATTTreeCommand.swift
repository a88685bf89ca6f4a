// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BluetoothLE

/// `lantern gatt tree`: everything a device has and all that can be read.
struct GATTTreeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tree",
        abstract: "Show all services, characteristics and descriptors with what can be read.")

    @OptionGroup var device: DeviceArgument
    @OptionGroup var radio: RadioOptions
    @OptionGroup var format: FormatOptions

    func run() async throws {
        try await radio.use { radio in
            try await perform(on: radio, to: .standard(), showing: .standard())
        }
    }

    /// Connects, reads everything and prints it.
    func perform(on radio: any Radio, to output: Output, showing progress: Progress = .none) async throws {
        let tree = try await PeerLink.use(device.address, on: radio, showing: progress) { connection in
            try await GATTTree(over: connection)
        }
        let lines = format.isJSON ? [tree.json] : tree.lines(on: output.terminal)
        try output.write(lines.map { $0 + "\n" }.joined())
    }
}
