// SPDX-License-Identifier: Apache-2.0

// Values by what they are, for devices that have one of a kind.
extension Connection {
    /// The only characteristic of a kind.
    ///
    /// One that was found on this link before is not asked for again, unless the device says that services have changed.
    ///
    /// - Parameter uuid: What the characteristic is.
    /// - Returns: The characteristic.
    /// - Throws: ``BluetoothError/notOffered(_:)`` when the device has none, ``BluetoothError/invalidArgument(_:)`` with their handles
    ///   when it has several: choose one out of ``discoverServices()`` then.
    public func characteristic(_ uuid: BluetoothUUID) async throws(BluetoothError) -> GATT.Characteristic {
        if let found = try backend.state.services?.only(uuid), !isDisconnected { return found }
        guard let found = try await discoverServices().only(uuid) else {
            throw .notOffered("the device has no characteristic \(uuid)")
        }
        return found
    }

    /// Reads the value of a kind, the whole of it.
    ///
    /// - Parameter uuid: What the characteristic is.
    /// - Returns: The value, at most 512 octets.
    /// - Throws: ``BluetoothError/refused(_:)`` when the device refuses, and what ``characteristic(_:)`` throws.
    public func read(_ uuid: BluetoothUUID) async throws(BluetoothError) -> [UInt8] {
        try await read(characteristic(uuid))
    }

    /// Writes the value of a kind and waits for the answer.
    ///
    /// - Parameters:
    ///   - value: The value, at most 512 octets.
    ///   - uuid: What the characteristic is.
    /// - Throws: ``BluetoothError/refused(_:)`` when the device refuses, and what ``characteristic(_:)`` throws.
    public func write(_ value: [UInt8], to uuid: BluetoothUUID) async throws(BluetoothError) {
        try await write(value, to: characteristic(uuid))
    }

    /// Writes the value of a kind with no answer; waits for room, not for the peer.
    ///
    /// - Parameters:
    ///   - value: The value, at most MTU - 3 octets.
    ///   - uuid: What the characteristic is.
    /// - Throws: ``BluetoothError/tooLong(octets:limit:)``, and what ``characteristic(_:)`` throws.
    public func writeWithoutResponse(
        _ value: [UInt8], to uuid: BluetoothUUID
    ) async throws(BluetoothError) { try await writeWithoutResponse(value, to: characteristic(uuid)) }
}

extension [GATT.Service] {
    /// The only characteristic of a kind; `nil` when there is none.
    fileprivate func only(_ uuid: BluetoothUUID) throws(BluetoothError) -> GATT.Characteristic? {
        let found = flatMap(\.characteristics).filter { $0.uuid == uuid }
        guard found.count > 1 else { return found.first }
        let handles = found.map { "\($0.valueHandle)" }.formatted
        throw .invalidArgument(
            "The device has \(found.count) characteristics \(uuid), at \(handles): choose one out of discoverServices()."
        )
    }
}

extension [String] {
    /// All of them, with `and` before the last.
    fileprivate var formatted: String {
        guard let last, count > 1 else { return last ?? "" }
        return dropLast().joined(separator: ", ") + " and " + last
    }
}
