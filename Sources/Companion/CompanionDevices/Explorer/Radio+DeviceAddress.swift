// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
package import BluetoothLE
package import Companion

extension Radio {
    /// How long to look for a device, and again how long to try to connect, in seconds.
    private static var patience: Int { 10 }

    /// Finds a device, connects, uses the link and closes it, also when the use fails.
    ///
    /// - Parameters:
    ///   - address: The device; without the kind of its address, it is looked for first.
    ///   - phys: The PHYs to scan and to connect on.
    ///   - exchangesMTU: Whether the device is asked for its MTU.
    ///   - show: Called with how far it is.
    ///   - note: Called with what happens to the link that nobody has asked for; all of it, before this returns.
    ///   - body: Uses the link.
    /// - Returns: What the body returns.
    /// - Throws: ``ExplorerError`` when the device is not there, ``BluetoothError``, and what the body throws.
    package func withConnection<Value: Sendable>(
        to address: DeviceAddress, phys: Set<PHY>, exchangesMTU: Bool = true,
        showing show: @Sendable (ExplorerStep) -> Void,
        noting note: @escaping @Sendable (any Event) -> Void = { _ in },
        _ body: @Sendable (Connection) async throws -> Value
    ) async throws -> Value {
        let connection = try await connect(
            to: address, phys: phys, exchangesMTU: exchangesMTU, showing: show)
        show(.exploring(address))
        let changes = connection.changes()
        let listener = Task {
            for await change in changes {
                if let event = change.event(of: connection.peer) { note(event) }
            }
        }
        do {
            let value = try await withTaskCancellationHandler {
                try await body(connection)
            } onCancel: {
                // A request that the device does not answer ends with the link only.
                Task { await connection.disconnect() }
            }
            await withoutCancellation { await connection.disconnect() }
            await listener.value
            return value
        } catch {
            await withoutCancellation { await connection.disconnect() }
            await listener.value
            throw error
        }
    }

    /// Finds a device and connects; whoever gets the link closes it.
    ///
    /// - Parameters:
    ///   - address: The device; without the kind of its address, it is looked for first.
    ///   - phys: The PHYs to scan and to connect on.
    ///   - exchangesMTU: Whether the device is asked for its MTU.
    ///   - show: Called with how far it is.
    /// - Returns: The link.
    /// - Throws: ``ExplorerError`` when the device is not there, ``BluetoothError``.
    package func connect(
        to address: DeviceAddress, phys: Set<PHY>, exchangesMTU: Bool = true,
        showing show: @Sendable (ExplorerStep) -> Void
    ) async throws -> Connection {
        let options = ConnectOptions(
            timeout: .seconds(Self.patience), phys: phys, exchangesMTU: exchangesMTU)
        guard let complete = address.complete else {
            show(.looking(address))
            let found = try await find(address, phys: phys)
            show(.connecting(address))
            return try await connect(to: found, options)
        }
        show(.connecting(address))
        do {
            return try await connect(to: complete, options)
        } catch .connectFailed(.connectTimeout) {
            // It was not seen before, so nothing says that it is there at all.
            throw ExplorerError.noAnswer(address, seconds: Self.patience)
        }
    }

    /// Scans until a device is heard, to learn the kind of its address.
    ///
    /// - Parameters:
    ///   - address: The device.
    ///   - phys: The PHYs to scan on.
    /// - Returns: The device.
    /// - Throws: ``ExplorerError`` when it is not heard in time or accepts no connection, ``BluetoothError``.
    private func find(_ address: DeviceAddress, phys: Set<PHY>) async throws -> Peer {
        let stream = try await scan(ScanOptions(peers: address.candidates, phys: phys))
        let (found, wasHeard) = try await TimeLimit.run(.seconds(Self.patience), on: self) {
            var wasHeard = false
            for try await report in stream {
                if report.isConnectable != false { return (Optional(report.peer), true) }
                wasHeard = true
            }
            return (nil, wasHeard)
        }
        try Task.checkCancellation()
        if let found { return found }
        if wasHeard { throw ExplorerError.notConnectable(address) }
        throw ExplorerError.notHeard(address, seconds: Self.patience)
    }
}
