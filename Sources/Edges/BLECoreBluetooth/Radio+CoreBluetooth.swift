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
    /// - Parameters:
    ///   - identifier: Under which name the system keeps links, attempts to connect and scans while the app does not run, and starts
    ///     the app again for them; ``Radio/restoredState`` then says what there is. An app has one radio of a name, and opens it each
    ///     time that it starts.
    ///   - waiting: Whether Bluetooth that is switched off is waited for: the radio is off then and comes on by itself.
    /// - Returns: The radio, ready for use unless it is waited for; whoever opens it closes it.
    /// - Throws: ``BluetoothError/radioUnavailable(_:)`` and ``BluetoothError/unauthorized(_:)``: the text says what to do;
    ///   ``BluetoothError/cancelled``.
    public static func coreBluetooth(
        restoring identifier: String? = nil, waiting: Bool = false
    ) async throws(BluetoothError) -> Radio {
        try await coreBluetooth(restoring: identifier, waiting: waiting) {}
    }

    /// Opens the radio as ``coreBluetooth(restoring:waiting:)`` does.
    ///
    /// - Parameters:
    ///   - identifier: Under which name the system keeps what it has.
    ///   - waiting: Whether Bluetooth that is switched off is waited for.
    ///   - closed: Closes what it stands on: called at its end, also when it could not be opened.
    /// - Returns: The radio.
    /// - Throws: As ``coreBluetooth(restoring:waiting:)``.
    package static func coreBluetooth(
        restoring identifier: String? = nil, waiting: Bool = false,
        _ closed: @escaping @Sendable () async -> Void
    ) async throws(BluetoothError) -> Radio {
        let backend = CoreBluetoothRadio(closed)
        do throws(BluetoothError) {
            try await backend.start(restoring: identifier)
        } catch {
            if waiting, await backend.state == .off { return Radio(owning: backend) }
            await backend.close()
            throw error
        }
        return Radio(owning: backend)
    }
}
