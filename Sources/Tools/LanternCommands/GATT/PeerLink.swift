// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import BluetoothLE
import Companion
import CompanionDevices

/// The link that a command opens to the device that a person names.
enum PeerLink {
    /// How long to look for a device, and again how long to try to connect.
    static let patience = Duration.seconds(10)

    /// Finds the device, connects, uses the link and closes it, however the use ends.
    ///
    /// - Parameters:
    ///   - device: The device; the kind of its address is learnt from its advertisement when it was not given.
    ///   - radio: The radio.
    ///   - progress: Where to say how far it is.
    ///   - body: Uses the link.
    /// - Returns: What the body returns.
    /// - Throws: ``CommandError`` when the device is not there, ``BluetoothError``, and what the body throws.
    static func use<Value: Sendable>(
        _ device: DeviceArgument, on radio: Radio, showing progress: Progress = .none,
        _ body: @Sendable (Connection) async throws -> Value
    ) async throws -> Value {
        defer { progress.clear() }
        try await device.phyOptions.check(radio)
        let connection = try await connect(
            to: device.address, on: radio, phys: device.phyOptions.phys, showing: progress)
        progress.show("Exploring \(device.address)…")
        do {
            let value = try await withTaskCancellationHandler {
                try await body(connection)
            } onCancel: {
                // A request that the device does not answer ends with the link only.
                Task { await connection.disconnect() }
            }
            await Uncancelled.run { await connection.disconnect() }
            return value
        } catch {
            await Uncancelled.run { await connection.disconnect() }
            throw error
        }
    }

    /// Finds the device and connects; whoever gets the link closes it.
    ///
    /// - Parameters:
    ///   - address: The device; its kind is learnt from its advertisement when it was not given.
    ///   - radio: The radio.
    ///   - phys: On what to look for it and to connect.
    ///   - progress: Where to say how far it is.
    /// - Returns: The link.
    /// - Throws: ``CommandError`` when the device is not there, ``BluetoothError``.
    static func connect(
        to address: DeviceAddress, on radio: Radio, phys: Set<PHY>, showing progress: Progress
    ) async throws -> Connection {
        let options = ConnectOptions(timeout: patience, phys: phys)
        guard let complete = address.complete else {
            progress.show("Looking for \(address)…")
            let found = try await find(address, on: radio, phys: phys)
            progress.show("Connecting to \(address)…")
            return try await radio.connect(to: found, options)
        }
        progress.show("Connecting to \(address)…")
        do {
            return try await radio.connect(to: complete, options)
        } catch .connectFailed(.connectTimeout) {
            // It was not seen before, so nothing says that it is there at all.
            throw CommandError.nothingFound(
                "\(address) did not answer within 10 seconds: is it switched on, near, and not in use?")
        }
    }

    /// Scans until the device is heard, to learn the kind of its address.
    ///
    /// - Parameters:
    ///   - address: The device.
    ///   - radio: The radio.
    ///   - phys: On what to listen.
    /// - Returns: The device.
    /// - Throws: ``CommandError`` when it is not heard in time or accepts no connection, ``BluetoothError``.
    static func find(
        _ address: DeviceAddress, on radio: Radio, phys: Set<PHY>
    ) async throws -> Peer {
        let stream = try await radio.scan(ScanOptions(peers: address.candidates, phys: phys))
        let (found, wasHeard) = try await TimeLimit.run(patience) {
            var wasHeard = false
            for try await report in stream {
                if report.isConnectable != false { return (Optional(report.peer), true) }
                wasHeard = true
            }
            return (nil, wasHeard)
        }
        try Task.checkCancellation()
        if let found { return found }
        if wasHeard { throw CommandError.failed("\(address) is there, but accepts no connections.") }
        throw CommandError.nothingFound(
            "\(address) was not heard within 10 seconds: is it switched on, near, and not in use?")
    }
}
