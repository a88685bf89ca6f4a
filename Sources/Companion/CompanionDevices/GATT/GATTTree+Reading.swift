// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
public import BluetoothLE
public import Companion

extension GATTTree {
    /// Discovers all services and reads all values.
    ///
    /// - Parameter connection: The link.
    /// - Throws: ``BluetoothError`` when the link is lost or the device does not answer.
    public init(over connection: Connection) async throws(BluetoothError) {
        let services = try await connection.discoverServices()
        self.init(peer: connection.peer, mtu: connection.mtu, services: services, readings: [:])
        for handle in markOurs() { set(try await Self.read(handle, over: connection), at: handle) }
    }

    /// Reads an attribute.
    ///
    /// - Parameters:
    ///   - handle: Its handle.
    ///   - connection: The link.
    /// - Returns: The value, or why the device does not give it.
    /// - Throws: ``BluetoothError`` when the link is lost or the device does not answer.
    package static func read(
        _ handle: AttributeHandle, over connection: Connection
    ) async throws(BluetoothError) -> Reading {
        do {
            return .value(try await connection.read(ValueHandle(handle)))
        } catch .refused(let code) {
            return .refused(code.description, code)
        } catch .servicesChanged {
            // A device may say so of one attribute; if it is true of all, what is saved is still what was there.
            return .refused(ATT.ErrorCode.databaseOutOfSync.description, .databaseOutOfSync)
        } catch .badResponse {
            return .refused("the answer makes no sense", nil)
        }
    }
}
