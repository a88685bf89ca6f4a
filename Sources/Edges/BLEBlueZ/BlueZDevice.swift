// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEWire
import BluetoothLE
import DBus

/// A device as the properties of its object tell it.
struct BlueZDevice {
    let properties: DBusObjects.Properties

    /// Its address; `nil` when the object has none that makes sense.
    var address: BluetoothAddress? {
        guard let text = properties["Address"]?.string else { return nil }
        return BluetoothAddress(text, kind: properties["AddressType"]?.string == "random" ? .random : .public)
    }

    var isConnected: Bool { properties["Connected"]?.bool ?? false }
    var isResolved: Bool { properties["ServicesResolved"]?.bool ?? false }
    /// Whether there are keys, if only for the link of now.
    var isPaired: Bool { properties["Paired"]?.bool ?? false }
    /// Whether keys are kept; before BlueZ 5.65 that is not told.
    var isBonded: Bool { properties["Bonded"]?.bool ?? isPaired }

    /// What was heard of it, put together from what BlueZ has kept; what is of a wrong type is left out.
    var advertisement: Advertisement? {
        guard let address else { return nil }
        var rssi: Int8?
        if let dBm = properties["RSSI"]?.integer, let number = Int8(exactly: dBm), number != 127 {
            rssi = number
        }
        var heard = Advertisement(
            peer: Peer(address), rssi: rssi, isConnectable: nil, isScanResponse: false, data: advertisingData)
        heard.txPower = properties["TxPower"]?.integer.flatMap { Int8(exactly: $0) }
        return heard
    }

    private var advertisingData: AdvertisingData {
        // One structure at a time, so that one that is too long costs nothing but itself.
        var data = AdvertisingDataBuilder(limit: 1650)
        if let flags = properties["AdvertisingFlags"]?.octets { try? data.append(.flags, flags) }
        let services = (properties["UUIDs"]?.strings ?? []).compactMap { BluetoothUUID($0) }
        try? data.appendServices(services)
        if let name = properties["Name"]?.string { try? data.append(.completeLocalName, Array(name.utf8)) }
        if let power = properties["TxPower"]?.integer, let octet = Int8(exactly: power) {
            try? data.append(.txPower(octet))
        }
        if let appearance = properties["Appearance"]?.integer, let number = UInt16(exactly: appearance) {
            try? data.append(.appearance(number))
        }
        for (key, value) in (properties["ManufacturerData"]?.entries ?? [:]).sorted(by: Self.byNumber) {
            guard let company = key.integer.flatMap({ UInt16(exactly: $0) }), let octets = value.octets else {
                continue
            }
            try? data.append(ManufacturerData(company: company, data: octets))
        }
        for (name, value) in (properties["ServiceData"]?.named ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let uuid = BluetoothUUID(name), let octets = value.octets else { continue }
            try? data.append(.serviceData(ServiceData(uuid: uuid, data: octets)))
        }
        return AdvertisingData(data.octets)
    }

    private static func byNumber(
        _ a: (key: DBusValue, value: DBusValue), _ b: (key: DBusValue, value: DBusValue)
    ) -> Bool { (a.key.integer ?? 0) < (b.key.integer ?? 0) }
}
