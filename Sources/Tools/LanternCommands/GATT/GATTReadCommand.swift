// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import BluetoothLE
import Companion
import CompanionDevices
import CompanionText

/// `lantern gatt read`: one value.
struct GATTReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Read a characteristic or descriptor.")

    @OptionGroup var device: DeviceArgument
    @OptionGroup var attribute: AttributeArgument
    @OptionGroup var radio: RadioOptions
    @OptionGroup var format: FormatOptions

    func run() async throws {
        try await radio.use { radio in
            try await perform(on: radio, to: .standard(), showing: .standard())
        }
    }

    /// Connects, reads the value and prints it.
    func perform(on radio: Radio, to output: Output, showing progress: Progress = .none) async throws {
        let read = try await device.use(on: radio, showing: progress) { connection in
            let attribute = try await connection.find(attribute.reference, for: .read)
            let value = try await connection.read(attribute)
            return ValueRead(connection.peer, await connection.describe(attribute), value)
        }
        try EventPrinter(to: output, isJSON: format.isJSON).show(
            read
        ) { _ in
            [ValueText.line(read.octets, of: read.attribute.target?.layout, columns: .max)]
        }
    }
}
