// SPDX-License-Identifier: Apache-2.0

public import BluetoothLE

extension Radio {
    /// Opens the radio of this phone or computer through Core Bluetooth, the system's own.
    ///
    /// The system asks a person when the app first wants to use Bluetooth; this waits for the answer. On Linux it is our own module of
    /// that name, and the radio is that of the virtual phone whose app runs at the call (`VirtualPhone.App.current`).
    ///
    /// Devices are known by identifiers that hold on this phone or computer alone, and handles are made up. ``Radio/capabilities`` says
    /// what the system does not let an app do.
    ///
    /// - Parameter waiting: Whether Bluetooth that is switched off is waited for: the radio is off then and comes on by itself.
    /// - Returns: The radio, ready for use unless it is waited for; whoever opens it closes it.
    /// - Throws: ``BluetoothError/radioUnavailable(_:)`` and ``BluetoothError/unauthorized(_:)``: the text says what to do;
    ///   ``BluetoothError/cancelled``.
    public static func coreBluetooth(waiting: Bool = false) async throws(BluetoothError) -> Radio {
        try await coreBluetooth(waiting: waiting) {}
    }

    /// Opens the radio as ``coreBluetooth(waiting:)`` does.
    ///
    /// - Parameters:
    ///   - waiting: Whether Bluetooth that is switched off is waited for.
    ///   - closed: Closes what it stands on: called at its end, also when it could not be opened.
    /// - Returns: The radio.
    /// - Throws: As ``coreBluetooth(waiting:)``.
    package static func coreBluetooth(
        waiting: Bool = false, _ closed: @escaping @Sendable () async -> Void
    ) async throws(BluetoothError) -> Radio {
        let backend = CoreBluetoothRadio(closed)
        do throws(BluetoothError) {
            try await backend.start()
        } catch {
            if waiting, await backend.state == .off { return Radio(owning: backend) }
            await backend.close()
            throw error
        }
        return Radio(owning: backend)
    }
}
