// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// Which devices of a scan to show.
public struct ScanFilter: Hashable, Sendable {
    /// Any of these services is enough; none means all.
    public var services: [BluetoothUUID] = []
    /// Part of the name, in any case.
    public var name: String?
    /// The weakest signal to show, in dBm.
    public var rssi: Int?

    /// Makes a filter; without arguments it admits every device.
    public init(services: [BluetoothUUID] = [], name: String? = nil, rssi: Int? = nil) {
        self.services = services
        self.name = name
        self.rssi = rssi
    }

    /// Whether every device is admitted.
    public var isOpen: Bool { self == ScanFilter() }

    /// Whether to show a device, as it is now.
    public func admits(_ device: SeenDevice) -> Bool {
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
