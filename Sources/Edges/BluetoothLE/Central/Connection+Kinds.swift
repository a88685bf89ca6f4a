// SPDX-License-Identifier: Apache-2.0

// Values by what they are, for devices that have one of a kind.
extension Connection {
    /// The first characteristic of a kind.
    ///
    /// One that was found on this link before is not asked for again, unless the device says that services have changed.
    ///
    /// - Parameter uuid: What the characteristic is.
    /// - Returns: The characteristic.
    /// - Throws: ``BluetoothError/notOffered(_:)`` when the device has none.
    public func characteristic(_ uuid: BluetoothUUID) async throws(BluetoothError) -> GATT.Characteristic {
        if let found = backend.state.services?.characteristic(uuid), !isDisconnected { return found }
        guard let found = try await discoverServices().characteristic(uuid) else {
            throw .notOffered("the device has no characteristic \(uuid)")
        }
        return found
    }

    /// Reads the first value of a kind, the whole of it.
    ///
    /// - Parameter uuid: What the characteristic is.
    /// - Returns: The value, at most 512 octets.
    /// - Throws: ``BluetoothError/notOffered(_:)`` when the device has none, ``BluetoothError/refused(_:)`` when it refuses.
    public func read(_ uuid: BluetoothUUID) async throws(BluetoothError) -> [UInt8] {
        try await read(characteristic(uuid))
    }

    /// Writes the first value of a kind and waits for the answer.
    ///
    /// - Parameters:
    ///   - value: The value, at most 512 octets.
    ///   - uuid: What the characteristic is.
    /// - Throws: ``BluetoothError/notOffered(_:)`` when the device has none, ``BluetoothError/refused(_:)`` when it refuses.
    public func write(_ value: [UInt8], to uuid: BluetoothUUID) async throws(BluetoothError) {
        try await write(value, to: characteristic(uuid))
    }

    /// Writes the first value of a kind with no answer; waits for room, not for the peer.
    ///
    /// - Parameters:
    ///   - value: The value, at most MTU - 3 octets.
    ///   - uuid: What the characteristic is.
    /// - Throws: ``BluetoothError/notOffered(_:)`` when the device has none, ``BluetoothError/tooLong(octets:limit:)``.
    public func writeWithoutResponse(
        _ value: [UInt8], to uuid: BluetoothUUID
    ) async throws(BluetoothError) { try await writeWithoutResponse(value, to: characteristic(uuid)) }
}
