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
    func perform(on radio: Radio, to output: Output, showing progress: ProgressLine = .none) async throws {
        let (read, failure) = try await device.use(on: radio, showing: progress) { connection in
            let attribute = try await connection.find(attribute.reference, for: .read)
            let value = try await connection.read(attribute)
            let event = ValueRead(
                connection.peer, await connection.describe(attribute), value.octets,
                incomplete: value.incomplete)
            return (event, Self.failure(value))
        }
        try EventPrinter(to: output, isJSON: format.isJSON).show(read) { _ in
            // A failure says itself why there is no more.
            Array(read.lines(columns: .max).prefix(failure == nil ? .max : 1))
        }
        if let failure { throw failure }
    }

    /// What ends the command behind a first part; `nil` where the value may have ended there.
    private static func failure(_ value: ReadValue) -> CommandError? {
        guard let error = value.cutShortBy else { return nil }
        let sentence = "Only the first \(value.octets.count) octets were read. \(error)"
        switch error {
        case .refused(let code): return code.mayBeGrantedLater ? .failed(sentence) : nil
        case .timeout: return .nothingFound(sentence)
        default: return .failed(sentence)
        }
    }
}
