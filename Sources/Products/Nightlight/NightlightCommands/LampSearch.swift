// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import Nightlight
import NightlightCompanion
import NightlightDevices

/// Finds lamps for a command, and connects to them.
struct LampSearch: Sendable {
    let radio: Radio
    var phys = PHYOptions.all
    var progress = ProgressLine.none

    /// Finds the lamp that is meant.
    ///
    /// A name is that of a child, which a lamp says once it is connected to, or what the lamp calls itself.
    ///
    /// - Parameter lamp: The lamp; `nil` for the only one that is near.
    /// - Returns: Its address.
    /// - Throws: ``CommandError`` when there is none, or several, and ``BluetoothError``.
    func find(_ lamp: DeviceChoice?) async throws -> DeviceAddress {
        guard case .name(let name)? = lamp else {
            return try await lamp.find(.nightlight, .nightlight, on: radio, phys: phys, showing: progress)
        }
        progress.show("Looking for nightlights…")
        let near = try await radio.nearby(.nightlight, phys: phys)
        let called = near.called(name)
        if !called.isEmpty { return try called.only(.nightlight, called: name) }
        guard !near.isEmpty else { throw DeviceNoun.nightlight.noneHeard }
        var matching: [SeenDevice] = []
        var others: [String] = []
        for device in near {
            let address = DeviceAddress(device.peer)
            do {
                let child = try await use(address) { _, state in state }.childName
                if let child, DeviceChoice.isSame(child, name) {
                    matching.append(device)
                } else {
                    let whose = child.map { "“\(PrintableText.escaped($0))”" } ?? "one without a name"
                    others.append("\(whose) (\(address))")
                }
            } catch let error as CommandError {
                others.append("\(address), which cannot be read (\(error.sentence))")
            }
        }
        guard !matching.isEmpty else {
            throw CommandError.nothingFound(
                "No nightlight here is for “\(PrintableText.quoted(name))”. Nearby: "
                    + others.joined(separator: ", ") + ".")
        }
        return try matching.only(.nightlight, called: name)
    }

    /// Connects to every lamp that is near.
    ///
    /// - Parameters:
    ///   - found: Called with what each has.
    ///   - failed: Called with why one could not be read.
    /// - Throws: ``CommandError`` when there is none, ``BluetoothError`` and what is thrown by those who are called.
    func all(
        found: (LampState) throws -> Void, failed: (DeviceAddress, CommandError) throws -> Void
    ) async throws {
        progress.show("Looking for nightlights…")
        let near = try await radio.nearby(.nightlight, phys: phys)
        guard !near.isEmpty else { throw DeviceNoun.nightlight.noneHeard }
        for device in near {
            let address = DeviceAddress(device.peer)
            let state: LampState
            do {
                state = try await use(address) { _, state in state }
            } catch let error as CommandError {
                try failed(address, error)
                continue
            }
            try found(state)
        }
    }

    /// Connects to a lamp, reads everything, and does some work.
    ///
    /// - Parameters:
    ///   - address: The lamp.
    ///   - body: The work; it gets what the lamp has.
    /// - Returns: What the body returns.
    /// - Throws: ``CommandError``, ``BluetoothError`` and what the body throws.
    func use<Value: Sendable>(
        _ address: DeviceAddress,
        _ body:
            nonisolated(nonsending) @escaping @Sendable (inout LampConnection, LampState) async throws ->
            Value
    ) async throws -> Value {
        let options = NightlightClient.Options(
            target: address.target, reconnects: false, seed: .random(in: 0 ... .max))
        do {
            return try await LampConnection.open(
                NightlightClient(options: options), at: address, on: radio, phys: phys, showing: progress,
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

extension DeviceNoun {
    /// What lamps are called.
    static let nightlight = DeviceNoun(one: "nightlight", many: "nightlights")
}
