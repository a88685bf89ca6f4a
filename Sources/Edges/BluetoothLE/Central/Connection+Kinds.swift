// SPDX-License-Identifier: Apache-2.0

// Values by what they are, for devices that have one of a kind, or one that can do what is asked.
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
        try await characteristic(uuid, for: [])
    }

    /// The only characteristic of a kind; where there are several, the only one of them that can be used for something.
    fileprivate func characteristic(
        _ uuid: BluetoothUUID, for use: GATT.Properties
    ) async throws(BluetoothError) -> GATT.Characteristic {
        if let found = try backend.state.services?.only(uuid, for: use), !isDisconnected { return found }
        guard let found = try await discoverServices().only(uuid, for: use) else {
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
        try await read(characteristic(uuid, for: .read))
    }

    /// Writes the value of a kind and waits for the answer.
    ///
    /// - Parameters:
    ///   - value: The value, at most 512 octets.
    ///   - uuid: What the characteristic is.
    /// - Throws: ``BluetoothError/refused(_:)`` when the device refuses, and what ``characteristic(_:)`` throws.
    public func write(_ value: [UInt8], to uuid: BluetoothUUID) async throws(BluetoothError) {
        try await write(value, to: characteristic(uuid, for: .write))
    }

    /// Writes the value of a kind with no answer; waits for room, not for the peer.
    ///
    /// - Parameters:
    ///   - value: The value, at most MTU - 3 octets.
    ///   - uuid: What the characteristic is.
    /// - Throws: ``BluetoothError/tooLong(octets:limit:)``, and what ``characteristic(_:)`` throws.
    public func writeWithoutResponse(
        _ value: [UInt8], to uuid: BluetoothUUID
    ) async throws(BluetoothError) {
        try await writeWithoutResponse(value, to: characteristic(uuid, for: .writeWithoutResponse))
    }

    /// The values that the characteristic of a kind sends by itself.
    ///
    /// - Parameters:
    ///   - uuid: What the characteristic is.
    ///   - duration: How long; `nil` is as long as somebody listens.
    /// - Returns: The values, as ``notifications(of:for:)-(GATT.Characteristic,_)`` gives them.
    /// - Throws: ``BluetoothError/notOffered(_:)`` when it sends nothing by itself, and what ``characteristic(_:)`` throws.
    public func notifications(
        of uuid: BluetoothUUID, for duration: Duration? = nil
    ) async throws(BluetoothError) -> NotificationStream {
        try await notifications(of: characteristic(uuid, for: [.notify, .indicate]), for: duration)
    }
}

extension [GATT.Service] {
    /// The only characteristic of a kind, or the only one of them with any of some properties; `nil` when there is none of that kind.
    fileprivate func only(
        _ uuid: BluetoothUUID, for use: GATT.Properties
    ) throws(BluetoothError) -> GATT.Characteristic? {
        let found = flatMap(\.characteristics).filter { $0.uuid == uuid }
        guard found.count > 1 else { return found.first }
        let usable = found.filter { !$0.properties.isDisjoint(with: use) }
        if usable.count == 1 { return usable.first }
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
