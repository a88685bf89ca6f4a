// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEGATT
import BLEWire
import BluetoothLE
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import CompanionText

/// `lantern gatt write`: sets one value.
struct GATTWriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "write", abstract: "Write a characteristic or descriptor.")

    @OptionGroup var device: DeviceArgument
    @OptionGroup var attribute: AttributeArgument

    @Argument(
        help: ArgumentHelp(
            "The octets in hex, for example 01ffa0, 0x01ffa0, 01:ff:a0 or '01 ff a0', or text in quotes of its own: '\"hello\"'.",
            valueName: "hex|text"),
        transform: octets)
    var value: [UInt8]

    @Flag(name: .customLong("no-response"), help: "Write without asking the device for an answer.")
    var isUnanswered = false

    @OptionGroup var radio: RadioOptions
    @OptionGroup var format: FormatOptions

    func run() async throws {
        try await radio.use { radio in
            try await perform(on: radio, to: .standard(), showing: .standard())
        }
    }

    /// Connects, writes the value and says so.
    func perform(on radio: Radio, to output: Output, showing progress: ProgressLine = .none) async throws {
        let written = try await device.use(on: radio, showing: progress) { connection in
            let attribute = try await connection.find(
                attribute.reference, for: isUnanswered ? .writeWithoutResponse : .write)
            if isUnanswered {
                try await connection.writeWithoutResponse(value, to: attribute.handle)
            } else {
                try await connection.write(value, to: attribute)
            }
            return ValueWritten(
                connection.peer, await connection.describe(attribute), value, isAnswered: !isUnanswered)
        }
        try EventPrinter(to: output, isJSON: format.isJSON).show(
            written
        ) { _ in [StyledText(written.line.text)] }
    }

    private static func octets(_ text: String) throws -> [UInt8] {
        if text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") {
            return Array(text.dropFirst().dropLast().utf8)
        }
        guard let octets = [UInt8](typed: text) else {
            throw ValidationError(
                "A value has two hex digits for each octet, or is text in quotes: '\"hello\"'.")
        }
        return octets
    }
}
