// SPDX-License-Identifier: Apache-2.0

import BLETransport
public import BLEWire
import BluetoothLE

#if os(Linux)
import BLEBlueZ
#endif

/// An adapter as the system's Bluetooth offers it: bluetoothd on Linux, Core Bluetooth on Apple platforms.
public struct SystemAdapter: Hashable, Sendable {
    /// What `--radio` takes for it.
    public let radio: String
    /// Its public address; `nil` when it does not say.
    public let address: BluetoothAddress?
    /// Why it cannot be used at this moment, and what to do; `nil` when it can.
    public let obstacle: String?

    /// Describes an adapter.
    public init(_ radio: String, address: BluetoothAddress? = nil, obstacle: String? = nil) {
        self.radio = radio
        self.address = address
        self.obstacle = obstacle
    }

    /// The adapters of the service; where it has none, one that says why.
    ///
    /// The answer is immediate where there is no bus or no bluetoothd.
    ///
    /// - Returns: The adapters; none where this program knows no such service.
    public static func all() async -> [SystemAdapter] {
        #if os(Linux)
        do {
            let loop = try TransportLoop()
            let adapters = try await BlueZAdapter.all(on: loop)
            if adapters.isEmpty {
                return [SystemAdapter("bluez", obstacle: "BlueZ has no adapter: plug one in")]
            }
            return adapters.map { adapter in
                SystemAdapter(
                    "bluez:" + adapter.name, address: adapter.address,
                    obstacle: adapter.isPowered
                        ? nil : "it is switched off; `bluetoothctl power on` switches it on")
            }
        } catch let error as BluetoothError {
            guard case .radioUnavailable(let why) = error else { return [] }
            return [SystemAdapter("bluez", obstacle: why)]
        } catch {
            return [SystemAdapter("bluez", obstacle: "\(error)")]
        }
        #else
        // Whether it can be used is known when it is opened, since a person may be asked then.
        return [SystemAdapter("corebluetooth")]
        #endif
    }
}
