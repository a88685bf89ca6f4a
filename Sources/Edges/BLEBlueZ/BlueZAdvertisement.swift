// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEWire
import BluetoothLE
import DBus

/// An advertisement as the properties of an object that BlueZ reads.
///
/// BlueZ puts the octets together by itself: flags are its own, and what stands in the scan response it decides. What
/// it has no property for is left out.
///
/// Source: BlueZ, doc/org.bluez.LEAdvertisement.rst.
struct BlueZAdvertisement {
    let properties: DBusObjects.Properties

    /// - Parameters:
    ///   - advertisement: What is to be on the air.
    ///   - isConnectable: Whether links are accepted.
    init(_ advertisement: DeviceAdvertisement, isConnectable: Bool) {
        let parts = [advertisement.data, advertisement.scanResponse].map { AdvertisingData($0) }
        var properties: DBusObjects.Properties = [
            "Type": .string(isConnectable ? "peripheral" : "broadcast")
        ]
        let services = parts.flatMap(\.services).map { DBusValue.string($0.description) }
        if !services.isEmpty { properties["ServiceUUIDs"] = .array(services, of: "s") }
        var makers: [DBusValue: DBusValue] = [:]
        for data in parts.flatMap(\.manufacturerData) {
            makers[.uint16(data.company)] = .variant(.octets(Array(data.data)))
        }
        if !makers.isEmpty { properties["ManufacturerData"] = .dictionary(makers, key: "q", value: "v") }
        var values: [DBusValue: DBusValue] = [:]
        for data in parts.flatMap(\.serviceData) {
            values[.string(data.uuid.description)] = .variant(.octets(Array(data.data)))
        }
        if !values.isEmpty { properties["ServiceData"] = .dictionary(values, key: "s", value: "v") }
        if let name = parts.lazy.compactMap(\.name).first {
            properties["LocalName"] = .string(name.description)
        }
        if let appearance = parts.lazy.compactMap(\.appearance).first {
            properties["Appearance"] = .uint16(appearance)
        }
        if parts.contains(where: { $0.txPower != nil }) {
            properties["Includes"] = .array([.string("tx-power")], of: "s")
        }
        // Only what is connectable may be found by people.
        if isConnectable, let flags = parts.lazy.compactMap(\.flags).first {
            properties["Discoverable"] = .bool(flags.contains(.generalDiscoverable))
        }
        self.properties = properties
    }
}
