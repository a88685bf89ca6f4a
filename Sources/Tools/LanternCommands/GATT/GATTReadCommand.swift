// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import BluetoothLE
import Companion

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
        let (target, value) = try await PeerLink.use(device, on: radio, showing: progress) {
            connection in
            let target = try AttributeTarget.find(
                attribute.reference, in: try await connection.discoverServices())
            return (target, try await connection.read(ValueHandle(target.handle)))
        }
        try output.line(
            format.isJSON
                ? Self.json(target, value)
                : ValueText.line(value, of: target.uuid, on: output.terminal, columns: .max))
    }

    /// The value as scripts get it: one JSON object without a line end.
    static func json(_ target: AttributeTarget, _ value: [UInt8]) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("uuid", target.uuid.description)
            json.field("name", target.name)
            json.field("handle", target.handle.rawValue)
            json.field("value", value.hexadecimal)
            json.field("text", ValueText.text(value))
        }
        return json.text
    }
}
