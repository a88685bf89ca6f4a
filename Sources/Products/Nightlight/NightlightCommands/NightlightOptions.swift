// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import BluetoothLE
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import CompanionText
import Nightlight
import NightlightCompanion
import NightlightDevices

/// A connection to a lamp.
typealias LampConnection = ClientConnection<NightlightClient>

/// The lamp of a command that takes nothing else.
struct LampArgument: ParsableArguments {
    /// What is said of every lamp that is named.
    static var help: ArgumentHelp {
        ArgumentHelp(
            "The lamp: its address or the name of its child; leave it out where only one is near.",
            valueName: "lamp")
    }

    @Argument(help: LampArgument.help)
    var lamp: DeviceChoice?
}

/// What every command takes that talks to a lamp.
struct NightlightOptions: ParsableArguments {
    @OptionGroup var phyOptions: PHYOptions
    @OptionGroup var radioOptions: RadioOptions
    @OptionGroup var format: FormatOptions

    /// Connects, reads everything, and lets a command do its work.
    ///
    /// - Parameters:
    ///   - lamp: The lamp; `nil` for the only one that is near.
    ///   - body: The work; it gets what the lamp has.
    /// - Returns: What the body returns.
    /// - Throws: ``CommandError``, ``BluetoothError`` and what the body throws.
    func use<Value: Sendable>(
        _ lamp: DeviceChoice?,
        _ body:
            nonisolated(nonsending) @escaping @Sendable (inout LampConnection, LampState) async throws ->
            Value
    ) async throws -> Value {
        let progress = format.isJSON ? ProgressLine.none : .standard()
        return try await radioOptions.use { [phyOptions] radio in
            try await phyOptions.check(radio)
            let search = LampSearch(radio: radio, phys: phyOptions.phys, progress: progress)
            return try await search.use(try await search.find(lamp), body)
        }
    }

    /// Writes settings, and prints what came of it.
    ///
    /// - Parameters:
    ///   - settings: What to write, in order; with none, what the lamp has is printed.
    ///   - lamp: The lamp; `nil` for the only one that is near.
    ///   - event: Makes the event for scripts.
    ///   - lines: Says it to a person.
    /// - Throws: As ``use(_:_:)``.
    func set(
        _ settings: [NightlightSetting] = [], at lamp: DeviceChoice?, _ event: (LampState) -> some Event,
        _ lines: (LampState) -> [StyledText]
    ) async throws {
        let state = try await use(lamp) { connection, state in
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
