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
    ///   - waiting: Whether an adapter that cannot be used yet is waited for.
    /// - Returns: The radio, ready for use unless it is waited for.
    /// - Throws: ``BluetoothError/radioUnavailable(_:)``.
    package static func bluez(
        _ name: String?, on loop: TransportLoop, waiting: Bool = false
    ) async throws(BluetoothError) -> Radio {
        let bluez = BlueZRadio(adapter: name, loop: loop)
        do throws(BluetoothError) {
            if waiting { try await bluez.startWaiting() } else { try await bluez.start() }
        } catch {
            await bluez.radio.close()
            throw error
        }
        return Radio(owning: bluez)
    }

    /// Opens Core Bluetooth, which is on Apple platforms only.
    static func ofTheSystem(waiting: Bool) async throws(BluetoothError) -> Radio {
        throw .radioUnavailable("Core Bluetooth exists on Apple platforms only")
    }
}

extension SystemRadio {
    /// Whether this program can use adapters of the kernel.
    static let kernelHasAdapters = true

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
    static func ofTheSystem(waiting: Bool) async throws(BluetoothError) -> Radio {
        try await coreBluetooth(waiting: waiting)
    }

    package static func bluez(
        _ name: String?, on loop: TransportLoop, waiting: Bool = false
    ) async throws(BluetoothError) -> Radio { throw .radioUnavailable("BlueZ exists on Linux only") }
}

extension SystemRadio {
    static let kernelHasAdapters = false

    static func absence(of name: String?) -> String {
        name.map { "there is no adapter \($0) here: leave the name out for the system's own Bluetooth" }
            ?? "this system has no Bluetooth"
    }
}
#endif
