// SPDX-License-Identifier: Apache-2.0

package import BLETransport
package import BluetoothLE

#if os(Linux)
import BLEBlueZ

extension Radio {
    /// Opens an adapter through bluetoothd.
    ///
    /// - Parameters:
    ///   - name: Which adapter, as in `hci0`; `nil` takes the first that is powered.
    ///   - loop: What it runs on.
    /// - Returns: The radio, ready for use.
    /// - Throws: ``BluetoothError/radioUnavailable(_:)``.
    package static func bluez(
        _ name: String?, on loop: TransportLoop
    ) async throws(BluetoothError) -> Radio {
        let bluez = BlueZRadio(adapter: name, loop: loop)
        do throws(BluetoothError) {
            try await bluez.start()
        } catch {
            await bluez.radio.close()
            throw error
        }
        return Radio(owning: bluez)
    }

    /// Opens Core Bluetooth, which is on Apple platforms only.
    static func ofTheSystem() async throws(BluetoothError) -> Radio {
        throw .radioUnavailable("Core Bluetooth exists on Apple platforms only")
    }
}

extension SystemRadio {
    /// Why there is no radio.
    ///
    /// - Parameter name: Which adapter was wanted; `nil` for any.
    /// - Returns: The reason and what to do, as part of a sentence.
    static func absence(of name: String?) -> String {
        name.map { "there is no adapter \($0): `lantern radios` lists those of this machine" }
            ?? Adapter.absence.words
    }
}
#else
import BLECoreBluetooth

extension Radio {
    /// Opens Core Bluetooth.
    static func ofTheSystem() async throws(BluetoothError) -> Radio { try await coreBluetooth() }

    package static func bluez(
        _ name: String?, on loop: TransportLoop
    ) async throws(BluetoothError) -> Radio { throw .radioUnavailable("BlueZ exists on Linux only") }
}

extension SystemRadio {
    static func absence(of name: String?) -> String {
        name.map { "there is no adapter \($0) here: leave the name out for the system's own Bluetooth" }
            ?? "this system has no Bluetooth"
    }
}
#endif
