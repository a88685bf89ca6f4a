// SPDX-License-Identifier: Apache-2.0

// What stands in the dictionary of an advertisement.

/// The name: a `String`.
public let CBAdvertisementDataLocalNameKey: String = "kCBAdvDataLocalName"

/// With how much power it was sent, in dBm: an `NSNumber`.
public let CBAdvertisementDataTxPowerLevelKey: String = "kCBAdvDataTxPowerLevel"

/// The services: an array of ``CBUUID``.
public let CBAdvertisementDataServiceUUIDsKey: String = "kCBAdvDataServiceUUIDs"

/// What services have to say: a dictionary from ``CBUUID`` to `Data`.
public let CBAdvertisementDataServiceDataKey: String = "kCBAdvDataServiceData"

/// What the maker has to say: `Data`, of which the first two octets name the maker.
public let CBAdvertisementDataManufacturerDataKey: String = "kCBAdvDataManufacturerData"

/// Services that stood in the overflow area: an array of ``CBUUID``.
public let CBAdvertisementDataOverflowServiceUUIDsKey: String = "kCBAdvDataHashedServiceUUIDs"

/// Whether the device takes connections: an `NSNumber`.
public let CBAdvertisementDataIsConnectable: String = "kCBAdvDataIsConnectable"

/// Services that the device looks for: an array of ``CBUUID``.
public let CBAdvertisementDataSolicitedServiceUUIDsKey: String = "kCBAdvDataSolicitedServiceUUIDs"
