// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import BluetoothLE
import Companion
import CompanionDevices
import CompanionHub
import CompanionText
import Nightlight

/// A connection to a lamp.
typealias LampConnection = ClientConnection<NightlightClient>

/// What every command takes that talks to a lamp.
struct NightlightOptions: ParsableArguments {
    @OptionGroup var phyOptions: PHYOptions
    @OptionGroup var radioOptions: RadioOptions
    @OptionGroup var format: FormatOptions

    /// Connects, reads everything, and lets a command do its work.
    ///
    /// - Parameters:
    ///   - address: The lamp.
    ///   - body: The work; it gets what the lamp has.
    /// - Returns: What the body returns.
    /// - Throws: ``CommandError``, ``BluetoothError`` and what the body throws.
    func use<Value: Sendable>(
        _ address: DeviceAddress,
        _ body: @escaping @Sendable (inout LampConnection, LampState) async throws -> Value
    ) async throws -> Value {
        let progress = format.isJSON ? Progress.none : .standard()
        return try await radioOptions.use { [phyOptions] radio in
            try await phyOptions.check(radio)
            let options = NightlightClient.Options(
                target: address.target, reconnects: false, seed: .random(in: 0 ... .max))
            do {
                return try await LampConnection.open(
                    NightlightClient(options: options), at: address, on: radio, phys: phyOptions.phys,
                    showing: progress,
                    wrongDevice: { missing, _ in
                        NightlightText.wrongDevice(address.description, missing: missing)
                    }
                ) { connection in
                    let state = try await connection.lamp()
                    progress.clear()
                    return try await body(&connection, state)
                }
            } catch let error as LampError {
                throw CommandError.failed(NightlightText.sentence(error))
            }
        }
    }

    /// Writes settings, and prints what came of it.
    ///
    /// - Parameters:
    ///   - settings: What to write, in order; with none, what the lamp has is printed.
    ///   - address: The lamp.
    ///   - event: Makes the event for scripts.
    ///   - lines: Says it to a person.
    /// - Throws: As ``use(_:_:)``.
    func set(
        _ settings: [NightlightSetting] = [], at address: DeviceAddress, _ event: (LampState) -> some Event,
        _ lines: (LampState) -> [StyledText]
    ) async throws {
        let state = try await use(address) { connection, state in
            try await connection.set(settings, of: state.peer)
        }
        try Output.standard().show(event(state), isJSON: format.isJSON) { lines(state) }
    }
}

extension Output {
    /// Prints what a command was asked for.
    ///
    /// - Parameters:
    ///   - event: What it is, for scripts.
    ///   - isJSON: Whether it is for scripts.
    ///   - lines: The same for a person.
    /// - Throws: ``OutputError``.
    func show(_ event: some Event, isJSON: Bool, lines: () -> [StyledText]) throws(OutputError) {
        try EventPrinter(to: self, isJSON: isJSON).show(event) { _ in lines() }
    }
}

/// On or off, as a person writes it.
enum Switch: String, ExpressibleByArgument, CaseIterable {
    case on
    case off

    var isOn: Bool { self == .on }
}
