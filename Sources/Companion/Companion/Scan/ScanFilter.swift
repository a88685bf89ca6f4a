// SPDX-License-Identifier: Apache-2.0

package import BLEWire

/// Which devices a person wants to see.
package struct ScanFilter: Hashable, Sendable {
    /// Any of these services is enough; none means all.
    package var services: [BluetoothUUID] = []
    /// Part of the name, in whatever case.
    package var name: String?
    /// The weakest that is of interest, in dBm.
    package var rssi: Int?

    /// Makes a filter; without arguments it lets everything through.
    package init(services: [BluetoothUUID] = [], name: String? = nil, rssi: Int? = nil) {
        self.services = services
        self.name = name
        self.rssi = rssi
    }

    /// Whether nothing is filtered out.
    package var isOpen: Bool { self == ScanFilter() }

    /// Tells whether a device is wanted as it is now.
    package func admits(_ device: SeenDevice) -> Bool {
        if !services.isEmpty, !device.advertised.services.contains(where: services.contains) { return false }
        if let name {
            guard let heard = device.advertised.name,
                WireText(Array(heard.lowercased().utf8)).contains(WireText(Array(name.lowercased().utf8)))
            else {
                return false
            }
        }
        if let rssi {
            guard let heard = device.rssi, Int(heard) >= rssi else { return false }
        }
        return true
    }
}
